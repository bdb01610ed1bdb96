import Foundation
import Imaging
import RobustStatistics
import Testing

@testable import SheetStitching

/// Pieces of a smooth pattern searched on the same pattern, moved by known amounts.
@Suite struct PatchMatchingTests {
    private static let seed: UInt64 = 41
    /// Pixels a unit, in the photographs as in the textures.
    private static let density = 4.0
    /// The nodes of the textures' maps, four pixels apart, then end on the last pixel.
    private static let size = PixelSize(width: 161, height: 201)

    /// Waves of 16 to 24 pixels in six directions: what they show is known between pixels too.
    private static let waves: [(wave: SIMD2<Double>, phase: Double)] = {
        var generator = SplitMix64(seed: seed)
        return (0..<6).map { index in
            let angle = (Double(index) + Double.random(in: 0...0.8, using: &generator)) * .pi / 6
            let frequency = 2 * Double.pi / Double.random(in: 16...24, using: &generator)
            let phase = Double.random(in: 0...6.28, using: &generator)
            return (wave: SIMD2(cos(angle), sin(angle)) * frequency, phase: phase)
        }
    }()

    /// The pattern seen from a shift in pixels, each wave of an amplitude in grey levels.
    private static func texture(
        shift: SIMD2<Double> = .zero, amplitude: Double = 18, middle: Double = 128
    ) -> PartTexture {
        var photograph = RGBImage(width: size.width, height: size.height, filledWith: .white)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let place = SIMD2(Double(x), Double(y)) + shift
                let sum = waves.reduce(0.0) { $0 + sin(($1.wave * place).sum() + $1.phase) }
                let shade = UInt8(min(max((middle + amplitude * sum).rounded(), 0), 255))
                photograph[x: x, y: y] = RGB(red: shade, green: shade, blue: shade)
            }
        }
        let part = FlatPart(
            photograph: photograph, map: SamplingMap(outputSize: size, spacing: 1) { $0 },
            unitsPerPixel: 1 / density, sides: nil, isOnSheet: nil, certainty: 1, uprightness: 1)
        return PartTexture(of: part, density: density)
    }

    @Test(arguments: [SIMD2(0.0, 0.0), SIMD2(2.4, 61.3), SIMD2(-3.5, 40.75)])
    func piecesAreFoundBetweenPixels(shift: SIMD2<Double>) {
        let matcher = PatchMatcher(first: Self.texture(), second: Self.texture(shift: shift))
        // Half a unit and three quarters away from where they are expected, less than is searched.
        let guess = shift / Self.density + SIMD2(0.5, -0.75)
        let findings = matcher.search(step: 4, reach: SIMD2(2, 2)) { $0 + guess }
        #expect(findings.tried > 20 && findings.matches.count == findings.tried, "seed \(Self.seed)")
        var sum = SIMD2<Double>.zero
        for match in findings.matches {
            let miss = (match.first - match.second) * Self.density - shift
            // The peak of a window of two waves is lopsided, which moves a parabola's vertex by a fifth of a
            // pixel; whole pixels alone would miss by half of one.
            #expect(miss.length < 0.25, "seed \(Self.seed), \(match.second): \(miss)")
            // What waves of 16 pixels lose in half a pixel both ways.
            #expect(match.correlation > 0.98, "seed \(Self.seed), \(match.second)")
            sum += miss
        }
        // It is lopsided to either side.
        let mean = sum / Double(findings.matches.count)
        #expect(mean.length < 0.12, "seed \(Self.seed): \(mean)")
    }

    @Test func halfTheContrastOnDarkerPaperIsTheSamePrint() {
        let shift = SIMD2(2.0, 24)
        let guess = shift / Self.density
        let faint = Self.texture(shift: shift, amplitude: 9, middle: 90)
        let matcher = PatchMatcher(first: Self.texture(), second: faint)
        let findings = matcher.search(step: 8, reach: SIMD2(1, 1)) { $0 + guess }
        #expect(findings.tried > 6 && findings.matches.count == findings.tried, "seed \(Self.seed)")
        for match in findings.matches {
            let miss = (match.first - match.second) * Self.density - shift
            // Whole levels of a pattern of 16, root mean square; and the lopsided peak, which is small on
            // whole pixels.
            #expect(miss.length < 0.06, "seed \(Self.seed): \(miss)")
            // Rounding to whole levels.
            #expect(match.correlation > 0.98, "seed \(Self.seed)")
        }
    }

    @Test func whatLiesAtTheRimOfWhatIsSearchedIsTriedButNotFound() {
        // Four pixels away, searched as far as four and as far as five.
        let matcher = PatchMatcher(first: Self.texture(), second: Self.texture(shift: SIMD2(4, 20)))
        func search(reach: Double) -> PatchMatcher.Findings {
            matcher.search(step: 8, reach: SIMD2(reach, 1.25)) { $0 + SIMD2(0, 5) }
        }
        let (narrow, wide) = (search(reach: 1), search(reach: 1.25))
        #expect(narrow.tried > 6 && narrow.matches.isEmpty, "seed \(Self.seed)")
        #expect(wide.tried > 6 && wide.matches.count == wide.tried, "seed \(Self.seed)")
    }

    @Test func onlyPiecesWithPrintThatBothPartsShowAreTried() {
        let pattern = Self.texture()
        func tried(_ second: PartTexture, at shift: SIMD2<Double>) -> Int {
            PatchMatcher(first: pattern, second: second).search(step: 4, reach: SIMD2(1, 1)) { $0 + shift }
                .tried
        }
        // Six waves of 2 levels are 3.5 levels, root mean square, which paper's grain has too.
        #expect(tried(Self.texture(amplitude: 2), at: .zero) == 0)
        #expect(tried(pattern, at: SIMD2(0, 60)) == 0)
        #expect(tried(pattern, at: SIMD2(.nan, 0)) == 0)
        // Pieces of 32 pixels at every 16th, nine by eleven of them. The sheet is seen in the columns 4 to
        // 155 and the rows 4 to 195: a search of four pixels around the first row, the first column or the
        // last column leaves it.
        let inside = tried(pattern, at: .zero)
        #expect(inside == 7 * 10, "seed \(Self.seed): \(inside)")
    }
}

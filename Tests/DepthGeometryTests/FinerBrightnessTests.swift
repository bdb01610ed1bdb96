import Imaging
import Platform
import RobustStatistics
import Testing

@testable import DepthGeometry

/// Frames of stripes that are 2.6 pixels apart, each moved by a fraction of a pixel.
@Suite struct FinerBrightnessTests {
    private static let size = PixelSize(width: 120, height: 96)
    private static let step = 4
    /// Waves for each pixel along x and y.
    private static let waves = SIMD2(0.34, 0.18)
    private static let shifts: [SIMD2<Double>] = [
        SIMD2(0, 0), SIMD2(0.4, 0.1), SIMD2(-0.3, 0.45), SIMD2(0.15, -0.35), SIMD2(-0.45, -0.2),
        SIMD2(0.25, 0.3),
        SIMD2(-0.1, 0.2), SIMD2(0.45, -0.45), SIMD2(-0.2, -0.45),
    ]

    /// Columns that show stripes; beside them is paper.
    private static let striped = 24.0..<96.0

    /// What a pixel whose middle is at a place sees: the mean over its area of what a lens leaves that blurs by 0.4 pixels.
    private static func seen(at place: SIMD2<Double>) -> Double {
        func kept(_ waves: Double) -> Double {
            sin(Double.pi * waves) / (Double.pi * waves) * exp(-2 * pow(0.4 * Double.pi * waves, 2))
        }
        guard striped.contains(place.x) else { return 128 }
        return 128 + 60 * kept(waves.x) * kept(waves.y) * wave(at: place)
    }

    private static func wave(at place: SIMD2<Double>) -> Double { cos(2 * Double.pi * (waves * place).sum()) }

    /// - Parameters:
    ///   - claimed: where the frame is said to lie, if it is not where it does.
    ///   - noise: the deviation of noise in grey levels.
    private static func frame(
        _ shift: SIMD2<Double>, claimed: SIMD2<Double>? = nil, noise: Double = 0, seed: UInt64 = 1
    ) -> FinerBrightness.Frame {
        var generator = SplitMix64(seed: seed)
        let claimed = claimed ?? shift
        let blocks = PixelSize(width: size.width / step, height: size.height / step)
        return FinerBrightness.Frame(
            luma: GrayImage(
                width: size.width, height: size.height,
                elements: (0..<size.pixelCount).map { index in
                    let place = SIMD2(Double(index % size.width), Double(index / size.width)) + shift
                    // Evenly distributed noise of that deviation.
                    let random = Double(generator.next() >> 11) * 0x1p-53 - 0.5
                    let value = seen(at: place) + noise * 12.squareRoot() * random
                    return UInt8(min(max(value.rounded(), 0), 255))
                }),
            map: SamplingMap(outputSize: size, spacing: 8) { $0 - claimed },
            says: Raster(width: blocks.width, height: blocks.height, filledWith: 1),
            gains: Raster(width: blocks.width, height: blocks.height, filledWith: 1))
    }

    /// The contrast of the stripes, and what is left beside them as a share of it, 8 pixels of the reference from where they end.
    private static func stripes(in value: (_ x: Int, _ y: Int) -> Double) -> (contrast: Double, rest: Double)
    {
        var (product, square, samples) = (0.0, 0.0, [(value: Double, wave: Double)]())
        for y in 16..<2 * size.height - 16 {
            for x in 2 * 32..<2 * 88 {
                let wave = wave(at: (SIMD2(Double(x), Double(y)) + 0.5) / 2 - 0.5)
                samples.append((value(x, y) - 128, wave))
                product += (value(x, y) - 128) * wave
                square += wave * wave
            }
        }
        let contrast = product / square
        let rest = samples.reduce(0) {
            $0 + ($1.value - contrast * $1.wave) * ($1.value - contrast * $1.wave)
        }
        return (contrast, (rest / square).squareRoot() / contrast)
    }

    @Test("Stripes that one frame hardly shows have twice its contrast, and nothing is added to them")
    func stripes() throws {
        let frames = Self.shifts.map { Self.frame($0) }
        let finer = try #require(FinerBrightness(frames, step: Self.step))
        #expect(finer.values.width == 240 && finer.values.height == 192)
        #expect(finer.gain > 0.3, "\(finer.gain)")
        let enlarged = frames[0].luma.enlarged(by: 2)
        let before = Self.stripes { Double(enlarged[x: $0, y: $1]) }
        let after = Self.stripes { Double(finer.values[x: $0, y: $1]) }
        #expect(after.contrast > 1.6 * before.contrast && after.contrast < 60, "\(before), \(after)")
        #expect(after.rest < 0.1 && after.rest < before.rest / 2, "\(before), \(after)")
        let areBelieved = (24..<72).allSatisfy { y in
            (30..<90).allSatisfy {
                finer.shares[x: $0 / FinerBrightness.cell, y: y / FinerBrightness.cell] == 1
            }
        }
        #expect(areBelieved)
    }

    @Test("Frames that lie alike tell nothing more, with noise or without", arguments: [0.0, 3])
    func alike(noise: Double) {
        let frames = Self.shifts.indices.map { Self.frame(.zero, noise: noise, seed: UInt64($0) + 5) }
        let gain = FinerBrightness(frames, step: Self.step)?.gain
        #expect(gain == nil)
    }

    @Test("Frames that lie a pixel off where they are said to lie are not believed")
    func displaced() {
        let frames = Self.shifts.enumerated().map { index, shift -> FinerBrightness.Frame in
            // Each in another direction.
            let angle = 2.4 * Double(index)
            return Self.frame(shift, claimed: index == 0 ? shift : shift + SIMD2(cos(angle), sin(angle)))
        }
        #expect(FinerBrightness(frames, step: Self.step)?.gain == nil)
    }

    @Test("With fewer than six frames there is none")
    func limits() {
        let frames = Self.shifts.prefix(5).map { Self.frame($0) }
        #expect(FinerBrightness(frames, step: Self.step)?.gain == nil)
    }

    @Test("The filter takes back a Gaussian blur as eight steps of Landweber's iteration do")
    func filter() {
        let filter = FinerBrightness.inverse
        let middle = filter.count / 2
        #expect(abs(filter.reduce(0, +) - 1) < 1e-5)
        let gaussian = (-12...12).map { exp(-Double($0 * $0) / (2 * 1.2 * 1.2)) }
        for frequency in [0.0, 0.05, 0.1, 0.2, 0.3] {
            func response(_ weights: [Double]) -> Double {
                weights.enumerated().reduce(0) {
                    $0 + $1.element * cos(2 * Double.pi * frequency * Double($1.offset - weights.count / 2))
                }
            }
            let blur = response(gaussian) / gaussian.reduce(0, +)
            // From 1 on, each step adds blur · (1 - blur · response).
            let expected = 1 / blur - (1 / blur - 1) * pow(1 - blur * blur, 8)
            // What is cut off beyond ten pixels is less than a hundredth.
            #expect(abs(response(filter.map(Double.init)) - expected) < 0.02, "\(frequency)")
        }
        for offset in 1...middle { #expect(abs(filter[middle - offset] - filter[middle + offset]) < 1e-6) }
    }
}

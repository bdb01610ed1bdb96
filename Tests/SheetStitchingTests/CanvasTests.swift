import Imaging
import RobustStatistics
import Testing

@testable import SheetStitching

/// Pictures painted from parts whose pixels are known, pixel by pixel.
@Suite struct CanvasTests {
    private static let density = 2.0

    /// A part of two pixels a unit whose pixels are those of its photograph.
    private static func part(_ photograph: RGBImage) -> FlatPart {
        FlatPart(
            photograph: photograph, map: SamplingMap(outputSize: photograph.size, spacing: 1) { $0 },
            unitsPerPixel: 1 / density, sides: nil, isOnSheet: nil, certainty: 1, uprightness: 1)
    }

    /// A part of one colour, 4.5 by 10 units, whose photograph shows more of the same around it.
    private static func plain(_ shade: UInt8) -> FlatPart {
        let size = PixelSize(width: 9, height: 20)
        return FlatPart(
            photograph: RGBImage(
                width: 25, height: 36, filledWith: RGB(red: shade, green: shade, blue: shade)),
            map: SamplingMap(outputSize: size, spacing: 1) { $0 + 8 }, unitsPerPixel: 1 / density,
            sides: nil, isOnSheet: nil, certainty: 1, uprightness: 1)
    }

    @Test(arguments: ResamplingFilter.allCases)
    func aPartIsPaintedPixelByPixelWhereItLies(filter: ResamplingFilter) {
        // Sizes at which the last of the map's nodes, eight pixels apart, are the last pixels of the part.
        var generator = SplitMix64(seed: 23)
        func shade() -> UInt8 { UInt8.random(in: 0...200, using: &generator) }
        let photograph = RGBImage(
            width: 33, height: 41,
            elements: (0..<33 * 41).map { _ in RGB(red: shade(), green: shade(), blue: shade()) })
        var canvas = Canvas(
            SheetArea(
                origin: SIMD2(-1, 10), density: Self.density, size: PixelSize(width: 33, height: 57)))
        // Three units below the area's upper end: six pixels.
        let placed = PlacedPart(Self.part(photograph), at: Similarity(shift: SIMD2(-1, 13)))
        canvas.paint(placed, gain: SIMD3(1, 1, 1), below: nil, filter: filter)
        var wrong = 0
        for y in 0..<57 {
            for x in 0..<33 {
                let wanted = (6..<47).contains(y) ? photograph[x: x, y: y - 6] : .white
                if canvas.picture[x: x, y: y] != wanted { wrong += 1 }
            }
        }
        #expect(wrong == 0, "seed 23: \(wrong) pixels")
    }

    @Test func theGainMultipliesEachChannelUpToWhite() {
        let photograph = RGBImage(
            width: 9, height: 9, filledWith: RGB(red: 100, green: 200, blue: 50))
        var canvas = Canvas(
            SheetArea(origin: .zero, density: Self.density, size: PixelSize(width: 9, height: 9)))
        canvas.paint(
            PlacedPart(Self.part(photograph), at: Similarity()), gain: SIMD3(1.1, 1.5, 0.5), below: nil,
            filter: .bilinear)
        #expect(canvas.picture.elements.allSatisfy { $0 == RGB(red: 110, green: 255, blue: 25) })
    }

    /// Two plain parts that share 4.5 units from 5.5 on, where a seam runs level through the middle, at 7.75:
    /// the upper one painted, and the lower one below the seam; at twenty pixels a unit.
    private static func joined(
        _ upper: UInt8, _ lower: UInt8, gain: (Seam) -> SIMD3<Double>
    ) throws -> RGBImage {
        let above = PlacedPart(plain(upper), at: Similarity())
        let below = PlacedPart(plain(lower), at: Similarity(shift: SIMD2(0, 5.5)))
        let seam = try #require(Seam(between: above, and: below, left: 0, width: 4.5))
        #expect(seam.range == 7.75...7.75)
        var canvas = Canvas(
            SheetArea(origin: .zero, density: 20, size: PixelSize(width: 90, height: 310)))
        canvas.paint(above, gain: SIMD3(1, 1, 1), below: nil, filter: .bicubic)
        canvas.paint(below, gain: gain(seam), below: seam, filter: .bicubic)
        return canvas.picture
    }

    @Test func onePartGoesOverIntoTheNextWithinFourTenthsOfAUnitOfTheSeam() throws {
        let picture = try Self.joined(200, 100) { _ in SIMD3(1, 1, 1) }
        // Away from the parts' rims, where a cell of eight pixels has nodes outside of a part.
        for y in 16..<290 {
            let height = (Double(y) + 0.5) / 20
            let share = min(max((height - 7.75) / 0.8 + 0.5, 0), 1)
            // Thirty-seconds of 100 are no halves: rounding is the same whatever the order of sums.
            let shade = UInt8((200 - 100 * share).rounded())
            for x in [16, 45, 72] {
                #expect(picture[x: x, y: y] == RGB(red: shade, green: shade, blue: shade), "\(x), \(y)")
            }
        }
    }

    @Test func withTheSeamsGainNoStepIsSeen() throws {
        let picture = try Self.joined(200, 100) { $0.gain }
        for y in 16..<290 {
            #expect(picture[x: 45, y: y] == RGB(red: 200, green: 200, blue: 200), "\(y)")
        }
    }
}

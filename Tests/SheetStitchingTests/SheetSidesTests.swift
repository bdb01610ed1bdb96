import Imaging
import Testing

@testable import SheetStitching

/// A sheet of 400 by 1000 pixels, level in a part of 500 by 1200, against what it was drawn with.
@Suite struct SheetSidesTests {
    private static let size = PixelSize(width: 500, height: 1200)

    /// - Parameter tongue: what the outline holds beside the sheet, columns and rows.
    private static func sides(
        tongue: (x: Range<Double>, y: Range<Double>)? = nil, photograph: PixelSize = size
    ) -> SheetSides? {
        SheetSides(of: SamplingMap(outputSize: size, spacing: 8) { $0 }, photograph: photograph) { place in
            (50..<450).contains(place.x) && (100..<1100).contains(place.y)
                || tongue.map { $0.x.contains(place.x) && $0.y.contains(place.y) } == true
        }
    }

    @Test func sidesAreFoundAndAWholeSheetIsNotCut() throws {
        let sides = try #require(Self.sides())
        // A sample is 3.1 pixels wide.
        #expect(abs(sides.left - 50) < 4 && abs(sides.right - 450) < 4 && abs(sides.slope) < 0.01)
        #expect(sides.cuts.above == nil && sides.cuts.below == nil)
    }

    @Test func aTongueOfTableIsCutOffWhereTheSheetEnds() throws {
        let above = try #require(Self.sides(tongue: (250..<450, 0..<100)))
        // A row is 1.9 pixels high.
        #expect(abs(try #require(above.cuts.above) - 100) < 3 && above.cuts.below == nil)
        let below = try #require(Self.sides(tongue: (60..<200, 1100..<1200)))
        #expect(abs(try #require(below.cuts.below) - 1100) < 3 && below.cuts.above == nil)
    }

    @Test func aShortTongueIsNotCut() throws {
        // 20 pixels are less than a sixteenth of the width.
        let short = try #require(Self.sides(tongue: (250..<450, 80..<100)))
        #expect(short.cuts.above == nil && short.cuts.below == nil)
    }

    @Test func whereThePictureEndsNothingIsCut() throws {
        let rim = try #require(
            Self.sides(photograph: PixelSize(width: Self.size.width, height: 900)))
        #expect(rim.cuts.above == nil && rim.cuts.below == nil)
    }
}

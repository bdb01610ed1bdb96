import Imaging
import Testing

@testable import SheetStitching

/// Parts laid on a sheet, moved and bent by what is known.
@Suite struct PlacedPartTests {
    /// A part of 80 by 140 units at two pixels a unit, whose pixels are those of its photograph.
    private static let part: FlatPart = {
        let size = PixelSize(width: 160, height: 280)
        return FlatPart(
            photograph: RGBImage(width: size.width, height: size.height, filledWith: .white),
            map: SamplingMap(outputSize: size, spacing: 8) { $0 }, unitsPerPixel: 0.5, sides: nil,
            isOnSheet: nil, certainty: 1, uprightness: 1)
    }()

    /// Turned by a hundredth, a little too small, and 100 units down the sheet.
    private static let similarity = Similarity(factor: SIMD2(0.99, 0.01), shift: SIMD2(1, 100))

    /// Where the pieces lie on the part: four rows over its whole width.
    private static let places = (0..<24).map { SIMD2(Double($0 % 6) * 16, Double($0 / 6) * 8) }

    /// The part laid so that each piece comes to lie where its similarity takes it and a displacement beyond.
    private static func bent(
        by displacement: (SIMD2<Double>) -> SIMD2<Double>
    ) -> (part: PlacedPart, pieces: [(first: SIMD2<Double>, second: SIMD2<Double>)]) {
        // The part above is twice as large as the sheet, to tell its places from the sheet's.
        let above = Similarity(factor: SIMD2(0.5, 0), shift: SIMD2(-3, 4))
        let pieces = places.map { place in
            let goal = similarity(place) + displacement(similarity(place))
            return (first: above.inverse(goal), second: place)
        }
        let placed = PlacedPart(part, at: similarity)
        return (placed.meeting(PlacedPart(part, at: above), pieces: pieces), pieces)
    }

    /// Half a unit at most over the overlap.
    private static func slowBend(_ place: SIMD2<Double>) -> SIMD2<Double> {
        let x = place.x / 80
        return SIMD2(0.2 - 0.3 * x, 0.5 * x * x - 0.002 * (place.y - 100))
    }

    @Test func aBentPartMeetsThePiecesOfThePartAbove() {
        let (placed, pieces) = Self.bent(by: Self.slowBend)
        for piece in pieces {
            let goal = Similarity(factor: SIMD2(0.5, 0), shift: SIMD2(-3, 4))(piece.first)
            // The field's ridge, a thousandth of one of 24 pieces, holds back some ten-thousandth of half a
            // unit.
            #expect((placed.place(of: piece.second) - goal).length < 5e-4, "\(piece.second)")
        }
    }

    @Test func theBendGoesToNothingOverSixtyUnitsOnBothSides() {
        let displacement = SIMD2(0.6, -0.4)
        let (placed, _) = Self.bent { _ in displacement }
        let heights = Self.places.map { Self.similarity($0).y }
        let (first, last) = (heights.min() ?? 0, heights.max() ?? 0)
        // Half of 1 + cos (pi d / 60).
        let shares: [(Double, Double)] = [
            (0, 1), (15, 0.853_553), (30, 0.5), (45, 0.146_447), (60, 0), (90, 0),
        ]
        for (beyond, share) in shares {
            for height in [first - beyond, last + beyond] {
                let place = SIMD2(40, height)
                let moved = placed.place(of: Self.similarity.inverse(place)) - place
                // The ridge again.
                #expect((moved - displacement * share).length < 1e-3, "\(beyond): \(moved)")
            }
        }
    }

    @Test func thePointAtAPlaceIsTheOneThatLiesThere() {
        for placed in [PlacedPart(Self.part, at: Self.similarity), Self.bent(by: Self.slowBend).part] {
            for y in stride(from: 0.0, through: 140, by: 10) {
                for x in [0.0, 25, 80] {
                    let point = SIMD2(x, y)
                    // The bend changes by a thirtieth of a unit a unit at most: five steps leave some 1e-8 of
                    // half a unit.
                    #expect((placed.point(at: placed.place(of: point)) - point).length < 1e-7, "\(point)")
                }
            }
        }
    }

    @Test func aPartThatLiesOnItsSideSpansItsWidthDownTheSheet() {
        // Twice as large and turned by a right angle: (x, y) goes to (-2 y, 2 x), and on by the shift.
        let placed = PlacedPart(Self.part, at: Similarity(factor: SIMD2(0, 2), shift: SIMD2(5, 7)))
        #expect(placed.heights == 7...167)
        #expect(placed.place(of: SIMD2(10, 20)) == SIMD2(-35, 27))
    }

    @Test func aMapLeadsFromTheSheetsPixelsToThePhotographs() {
        let placed = PlacedPart(Self.part, at: Similarity(shift: SIMD2(-10, 30)))
        let area = SheetArea(
            origin: SIMD2(5, 40), density: 4, size: PixelSize(width: 33, height: 41))
        let map = placed.map(of: area, spacing: 8)
        for pixel in [SIMD2(0.0, 0), SIMD2(3, 5), SIMD2(32, 40)] {
            // A pixel's centre is half of a quarter of a unit further in, and the photograph has two pixels a
            // unit.
            let place: SIMD2<Double> = SIMD2(5, 40) + (pixel + 0.5) / 4
            let source: SIMD2<Double> = (place - SIMD2(-10, 30)) * 2 - 0.5
            // All are quarters of small numbers, which single precision holds.
            #expect((map.source(of: pixel) - source).length < 1e-6, "\(pixel)")
        }
        let some = area.rows(8..<20)
        #expect(some.size == PixelSize(width: 33, height: 12))
        #expect(some.place(of: SIMD2(3, 1)) == area.place(of: SIMD2(3, 9)))
    }
}

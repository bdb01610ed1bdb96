import Foundation
import Testing

@testable import SheetFlattening

@Suite struct SheetRectangleTests {
    /// An outline through points of the unit square's rim, clockwise from its upper left corner.
    private static func outline(
        of place: (SIMD2<Double>) -> SIMD2<Double>, pointsPerSide count: Int = 60
    ) -> [SIMD2<Double>] {
        let shares = (0..<count).map { Double($0) / Double(count) }
        let rim =
            shares.map { SIMD2($0, 0) } + shares.map { SIMD2(1, $0) }
            + shares.map { SIMD2(1 - $0, 1) } + shares.map { SIMD2(0, 1 - $0) }
        return rim.map(place)
    }

    private static func rectangle(
        _ outline: [SIMD2<Double>], cut: (SIMD2<Double>) -> Bool = { _ in false },
        ink: InkPlaces? = SheetRectangleTests.ink(80...120)
    ) -> SheetRectangle? {
        SheetRectangle(outline: outline, isOnRim: outline.map(cut), ink: ink)
    }

    /// Print between two heights, and other ink between two more.
    private static func ink(
        _ print: ClosedRange<Double>, other: ClosedRange<Double>? = nil
    ) -> InkPlaces {
        func places(_ heights: ClosedRange<Double>) -> [SIMD2<Double>] {
            [heights.lowerBound, heights.upperBound].map { SIMD2(40, $0) }
        }
        return InkPlaces(all: places(other ?? print), print: places(print))
    }

    @Test func aRectangleStaysAsItIs() throws {
        let outline = Self.outline { $0 * SIMD2(80, 200) + SIMD2(7, -3) }
        let found = try #require(Self.rectangle(outline))
        #expect(abs(found.size.x - 80) < 1e-6 && abs(found.size.y - 200) < 1e-6)
        #expect(found.greatestMove < 1e-6)
        for place in [SIMD2(7.0, -3), SIMD2(47, 97), SIMD2(87, 197), SIMD2(20, 10)] {
            #expect((found.place(of: place) - (place - SIMD2(7, -3))).length < 1e-6, "\(place)")
        }
    }

    /// Sides that lean and bend, as an assumed angle of view and a cylinder that does not fit leave them.
    private static func bent(_ unit: SIMD2<Double>) -> SIMD2<Double> {
        let (u, v) = (unit.x, unit.y)
        let left = 4 * v + 2 * sin(.pi * v)
        let right = 84 - 3 * v + sin(2 * .pi * v)
        let upper = 2 * u - 3 * u * (1 - u)
        let lower = 200 + 3 * u + 2 * u * (1 - u)
        return SIMD2(left + (right - left) * u, upper + (lower - upper) * v)
    }

    @Test(
        "The sides of a bent sheet become the rectangle's, with print far from them and without",
        arguments: [true, false])
    func sidesBecomeStraight(hasPrint: Bool) throws {
        let outline = Self.outline(of: Self.bent)
        let found = try #require(Self.rectangle(outline, ink: hasPrint ? Self.ink(80...120) : nil))
        // Degree 4 follows a whole sine wave of 1 to 0.1, and a side's end is left out.
        let tolerance = 0.4
        for (index, point) in outline.enumerated() {
            let place = found.place(of: point)
            switch index / 60 {
            case 0: #expect(abs(place.y) < tolerance, "upper side: \(place)")
            case 1: #expect(abs(place.x - found.size.x) < tolerance, "right side: \(place)")
            case 2: #expect(abs(place.y - found.size.y) < tolerance, "lower side: \(place)")
            default: #expect(abs(place.x) < tolerance, "left side: \(place)")
            }
        }
    }

    @Test func levelRowsStayLevelInThePage() throws {
        let found = try #require(Self.rectangle(Self.outline(of: Self.bent)))
        for y in [80.0, 100, 120] {
            let heights = [10.0, 40, 70].map { found.place(of: SIMD2($0, y)).y }
            #expect((heights.max() ?? 0) - (heights.min() ?? 0) < 1e-6, "row \(y): \(heights)")
        }
    }

    @Test("Rows beside a slanting end stay level, and print beyond its middle stays on the page")
    func slantingEnd() throws {
        // Torn aslant: the upper end lies at 0 on the left and at 20 on the right; the first row stands at 8.
        let outline = Self.outline { unit in
            let upper = 20 * unit.x
            return SIMD2(80 * unit.x, upper + (200 - upper) * unit.y)
        }
        let found = try #require(Self.rectangle(outline, ink: Self.ink(8...150)))
        let heights = [2.0, 40, 78].map { found.place(of: SIMD2($0, 8)).y }
        #expect((heights.max() ?? 0) - (heights.min() ?? 0) < 1e-6, "\(heights)")
        #expect(heights[0] > -1e-6, "the row is on the page")
        // A stain at 8 is not bent either, but need not be on the page.
        let stained = try #require(Self.rectangle(outline, ink: Self.ink(80...150, other: 8...150)))
        let stains = [2.0, 40, 78].map { stained.place(of: SIMD2($0, 8)).y }
        #expect((stains.max() ?? 0) - (stains.min() ?? 0) < 1e-6 && stains[0] < 0, "\(stains)")
    }

    @Test func printBeyondAStraightEndLengthensThePageAndMovesNoSide() throws {
        let found = try #require(
            Self.rectangle(Self.outline { $0 * SIMD2(80, 200) }, ink: Self.ink(-4...150)))
        #expect(abs(found.size.y - 204) < 1e-6 && found.greatestMove < 1e-6)
        #expect((found.place(of: SIMD2(40, 100)) - SIMD2(40, 104)).length < 1e-6)
    }

    @Test func placesGoOnInOrderDownThePage() throws {
        for ink in [nil, Self.ink(80...120), Self.ink(2...198), Self.ink(-1...201)] {
            let found = try #require(Self.rectangle(Self.outline(of: Self.bent), ink: ink))
            for x in [5.0, 40, 80] {
                let heights = stride(from: -2.0, through: 204, by: 1).map { found.place(of: SIMD2(x, $0)).y }
                #expect(zip(heights, heights.dropFirst()).allSatisfy { $0 < $1 }, "column \(x)")
            }
        }
    }

    @Test("A dent in a side, a tenth of its length, does not bend the page")
    func dent() throws {
        let straight = Self.outline { $0 * SIMD2(80, 200) }
        let dented = straight.map { point in
            point.x == 80 && abs(point.y - 100) < 10 ? point - SIMD2(5, 0) : point
        }
        let found = try #require(Self.rectangle(dented))
        // Tukey's weights leave the dent out but for its flanks.
        #expect(abs(found.size.x - 80) < 0.2 && found.greatestMove < 0.005)
    }

    @Test func anEndThatTheRimCutsIsNoSide() throws {
        // The rim runs aslant: at the left it cuts 20 off, at the right nothing.
        let outline = Self.outline { unit in
            let upper = 20 * (1 - unit.x)
            return SIMD2(80 * unit.x, upper + (200 - upper) * unit.y)
        }
        let cut = try #require(Self.rectangle(outline) { $0.y <= 20 - $0.x / 4 + 1e-6 && $0.y < 20 })
        #expect(cut.cut == [true, false, false, false])
        #expect(abs(cut.size.y - 200) < 1e-6, "all that is shown stays")
        #expect((cut.place(of: SIMD2(40, 100)) - SIMD2(40, 100)).length < 1e-6, "nothing is moved")
    }

    @Test func aSheetThatNarrowsToHalfIsNoRectangle() {
        let outline = Self.outline { unit in
            SIMD2(40 + (unit.x - 0.5) * (80 - 40 * unit.y), 200 * unit.y)
        }
        #expect(Self.rectangle(outline) == nil)
    }

    @Test(
        "What has no four sides makes no rectangle",
        arguments: [
            [], [SIMD2(0.0, 0)], [SIMD2(0.0, 0), SIMD2(1, 0), SIMD2(1, 1)],
            [SIMD2(0.0, 0), SIMD2(1, 0), SIMD2(2, 0), SIMD2(3, 0)],
        ])
    func degenerate(outline: [SIMD2<Double>]) {
        #expect(Self.rectangle(outline) == nil)
    }
}

extension SIMD2<Double> {
    fileprivate var length: Double { (self * self).sum().squareRoot() }
}

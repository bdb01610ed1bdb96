import Testing

@testable import PrintDetection

@Suite struct RowLineTests {
    @Test func aStraightLineFallsEverywhereAlike() {
        let line = RowLine(intercept: 10, slope: 0.5)
        #expect(line.middle(at: 0) == 10 && line.middle(at: 8) == 14)
    }

    @Test func aBentLineRunsThroughItsPlacesAndGoesOnAsItFallsOnTheWhole() {
        let line = RowLine(intercept: 0, slope: 0.25, bends: [SIMD2(10, 3), SIMD2(20, 5), SIMD2(30, 5)])
        #expect([10, 15, 20, 25, 30].map(line.middle(at:)) == [3, 4, 5, 5, 5])
        #expect(line.middle(at: 6) == 2 && line.middle(at: 34) == 6)
    }

    @Test func placesAboveEachOtherAreNoDivisionByZero() {
        let line = RowLine(intercept: 0, slope: 0, bends: [SIMD2(10, 3), SIMD2(10, 5), SIMD2(20, 5)])
        #expect(line.middle(at: 10).isFinite && line.middle(at: 15) == 5)
    }
}

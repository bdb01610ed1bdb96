import Testing

@testable import SheetFlattening

@Suite struct RobustCurveTests {
    private static func cubic(_ x: Double) -> Double { 1 - 2 * x + 0.5 * x * x + 0.1 * x * x * x }

    @Test func aPolynomialIsFoundThoughAFifthOfThePointsIsWild() throws {
        let points = (0..<50).map { index in
            let x = Double(index) / 10
            return SIMD2(x, Self.cubic(x) + (index % 5 == 2 ? 3 : 0))
        }
        let curve = try #require(RobustCurve(through: points, degree: 3, leastScale: 0.001))
        for x in [0.0, 1.3, 4.9] { #expect(abs(curve(x) - Self.cubic(x)) < 1e-4, "\(x)") }
    }

    @Test func beyondItsPointsItGoesOnStraight() throws {
        let points = (0...10).map { SIMD2(Double($0), Double($0 * $0)) }
        let curve = try #require(RobustCurve(through: points, degree: 2, leastScale: 0.001))
        // The parabola's slope at 10 is 20, at 0 it is 0.
        #expect(abs(curve(12) - 140) < 1e-3 && abs(curve(-3)) < 1e-3)
    }

    @Test func tooFewPointsOrOnePlaceDetermineNoCurve() {
        #expect(RobustCurve(through: [SIMD2(0, 1), SIMD2(1, 1)], degree: 2, leastScale: 1) == nil)
        #expect(
            RobustCurve(through: Array(repeating: SIMD2(1, 1), count: 9), degree: 2, leastScale: 1) == nil)
    }
}

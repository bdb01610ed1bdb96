import RobustStatistics
import Testing

@testable import SheetStitching

@Suite struct SmoothFieldTests {
    private static func truth(_ p: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(0.3 + 0.004 * p.x - 0.0001 * p.y * p.y, -0.2 + 0.00005 * p.x * p.y)
    }

    @Test func aQuadraticIsRecoveredThoughAFifthOfTheSamplesIsWild() throws {
        var generator = SplitMix64(seed: 5)
        let places = (0..<100).map { _ in
            SIMD2(Double.random(in: 0...80, using: &generator), .random(in: 100...180, using: &generator))
        }
        let displacements = places.enumerated().map { index, place in
            index.isMultiple(of: 5) ? SIMD2(Double(index % 7), -3) : Self.truth(place)
        }
        let field = try #require(SmoothField(at: places, displacements: displacements))
        // The ridge of a thousandth of a sample pulls by a hundred-thousandth of the field, which is 3 at most.
        for place in places { #expect((field(place) - Self.truth(place)).length < 1e-3) }
    }

    @Test func beyondItsSamplesItStaysAsAtTheirRim() throws {
        let places = (0..<60).map { SIMD2(Double($0 % 10) * 8, Double($0 / 10) * 8) }
        let field = try #require(SmoothField(at: places, displacements: places.map(Self.truth)))
        #expect(field(SIMD2(200, 20)) == field(SIMD2(72, 20)))
        #expect(field(SIMD2(30, -90)) == field(SIMD2(30, 0)))
    }

    @Test func fiveSamplesAreTooFew() {
        let places = (0..<5).map { SIMD2(Double($0), 0) }
        #expect(SmoothField(at: places, displacements: places) == nil)
    }
}

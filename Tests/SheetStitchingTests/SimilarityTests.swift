import Foundation
import RobustStatistics
import Testing

@testable import SheetStitching

@Suite struct SimilarityTests {
    @Test func aFitRecoversScaleTurnAndShiftExactly() throws {
        let truth = Similarity(factor: SIMD2(cos(0.3), sin(0.3)) * 1.7, shift: SIMD2(-4, 9))
        var generator = SplitMix64(seed: 3)
        let points = (0..<20).map { _ in
            SIMD2(Double.random(in: -50...50, using: &generator), .random(in: -50...50, using: &generator))
        }
        let fitted = try #require(Similarity(from: points, to: points.map { truth($0) }))
        // Rounding alone: 50 units in double precision.
        #expect(abs(fitted.scale - 1.7) < 1e-12 && abs(fitted.angle - 0.3) < 1e-12)
        for point in points { #expect((fitted.inverse(truth(point)) - point).length < 1e-10) }
    }

    @Test func onePointDeterminesNone() {
        #expect(Similarity(from: [.zero], to: [.zero]) == nil)
        #expect(Similarity(from: [SIMD2(1, 1), SIMD2(1, 1)], to: [.zero, SIMD2(1, 0)]) == nil)
    }
}

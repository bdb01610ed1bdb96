import Foundation
import RobustStatistics
import Testing

@testable import Documents

@Suite struct SmallestRectangleTests {
    @Test func aTurnedRectangleIsFoundFromPointsWithinIt() throws {
        let seed: UInt64 = 5
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        for _ in 0..<100 {
            let angle = Double.random(in: 0..<(2 * .pi), using: &generator)
            let (along, across) = (SIMD2(cos(angle), sin(angle)), SIMD2(-sin(angle), cos(angle)))
            let (width, height) = (200.0, 80.0)
            func place(_ u: Double, _ v: Double) -> SIMD2<Double> { SIMD2(500, 400) + u * along + v * across }
            let corners = [place(0, 0), place(width, 0), place(width, height), place(0, height)]
            let inside = (0..<40).map { _ in
                place(.random(in: 0...width, using: &generator), .random(in: 0...height, using: &generator))
            }
            let found = try #require(SmallestRectangle.around(inside + corners))
            for corner in corners {
                // Rounding alone parts them.
                #expect(found.contains { (($0 - corner) * ($0 - corner)).sum() < 1e-12 })
            }
            // Clockwise with y down: the shoelace sum is twice the area.
            let next = found.dropFirst() + found.prefix(1)
            let sum = zip(found, next).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }
            #expect(abs(sum - 2 * width * height) < 1e-6)
            #expect(found[0].sum() <= found.map { $0.sum() }.min() ?? 0)
        }
    }

    @Test func pointsOnALineHaveNone() {
        #expect(SmallestRectangle.around([]) == nil)
        #expect(SmallestRectangle.around([SIMD2(1, 1)]) == nil)
        #expect(SmallestRectangle.around([SIMD2(0, 0), SIMD2(1, 1), SIMD2(2, 2)]) == nil)
    }
}

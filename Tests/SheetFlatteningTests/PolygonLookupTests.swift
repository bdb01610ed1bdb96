import RobustStatistics
import TestSupport
import Testing

@testable import SheetFlattening

@Suite("Polygon lookup")
struct PolygonLookupTests {
    @Test("A lookup says of every point what its polygon says", arguments: [0, 1, 2, 3, 7, 40, 400])
    func equality(count: Int) {
        let seed: UInt64 = 0x7015
        var generator = SplitMix64(seed: seed)
        func number() -> Double { Double.random(in: 0...100, using: &generator) }
        // Heights in tenths, so that vertices share them and points meet them.
        func point() -> SIMD2<Double> { SIMD2(number(), (number() / 10).rounded()) }
        let polygon = Polygon((0..<count).map { _ in point() })
        let lookup = PolygonLookup(polygon)
        for _ in 0..<2000 {
            let place = point() * 1.2 - SIMD2(10, 1)
            for place in [place, SIMD2(place.x, place.y.rounded())] {
                #expect(lookup.contains(place) == polygon.contains(place), "seed \(seed), \(place)")
            }
        }
        for place in [SIMD2(Double.nan, 5), SIMD2(50, .nan), SIMD2(50, .infinity), SIMD2(-.infinity, 5)] {
            #expect(lookup.contains(place) == polygon.contains(place), "\(place)")
        }
    }

    @Test("A polygon without height holds no point")
    func flat() {
        let lookup = PolygonLookup(Polygon([SIMD2(0, 3), SIMD2(9, 3), SIMD2(4, 3)]))
        #expect(!lookup.contains(SIMD2(4, 3)))
    }
}

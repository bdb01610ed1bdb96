import Foundation
import RobustStatistics
import Testing

@testable import Imaging

@Suite struct SamplingMapInverseTests {
    @Test func aPlaceIsFoundAgainThroughABentMap() throws {
        let seed: UInt64 = 3
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        let size = PixelSize(width: 400, height: 600)
        let map = SamplingMap(outputSize: size, spacing: 16) { place in
            SIMD2(
                300 + 1.3 * place.x - 0.4 * place.y + 12 * sin(place.y / 90),
                100 + 0.5 * place.x + 1.1 * place.y)
        }
        for _ in 0..<300 {
            let place = SIMD2(
                Double.random(in: 0...399, using: &generator), Double.random(in: 0...599, using: &generator))
            let found = try #require(map.output(of: map.source(of: place)))
            // The map is bilinear between nodes, where Newton's steps end at the rounding of single precision.
            #expect(abs(found.x - place.x) < 0.01 && abs(found.y - place.y) < 0.01)
        }
    }

    @Test func whatTheOutputDoesNotShowIsNowhere() {
        let map = SamplingMap(outputSize: PixelSize(width: 100, height: 100), spacing: 8) { $0 + 50 }
        #expect(map.output(of: SIMD2(10, 60)) == nil)
        #expect(map.output(of: SIMD2(200, 60)) == nil)
        #expect(map.output(of: SIMD2(.nan, 60)) == nil)
        let blank = SamplingMap(outputSize: PixelSize(width: 10, height: 10), spacing: 1) { _ in
            SIMD2(.nan, .nan)
        }
        #expect(blank.output(of: SIMD2(5, 5)) == nil)
    }
}

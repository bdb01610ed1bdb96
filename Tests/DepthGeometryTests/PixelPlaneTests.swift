import DepthGeometry
import RobustStatistics
import TestSupport
import Testing

@Suite struct PixelPlaneTests {
    private let places = (0..<300).map { SIMD2(Double($0 % 20), Double($0 / 20)) }
    private func value(_ place: SIMD2<Double>) -> Double { 3 + 0.01 * place.x - 0.02 * place.y }

    @Test("Exact values give their plane, at its centre and everywhere")
    func exact() throws {
        let plane = try #require(PixelPlane(through: places, values: places.map(value)))
        #expect(abs(plane.slope.x - 0.01) < 1e-12 && abs(plane.slope.y + 0.02) < 1e-12)
        #expect(abs(plane.value - value(plane.centre)) < 1e-12)
        #expect(plane.residuals.allSatisfy { abs($0) < 1e-12 } && plane.scale < 1e-12)
    }

    @Test("A fifth of the values on something else is told from the plane")
    func things() throws {
        var generator = SplitMix64(seed: 2)
        let values = places.indices.map {
            value(places[$0]) + 0.001 * generator.normalByDoubleRandom() + ($0 % 5 == 0 ? 0.3 : 0)
        }
        let plane = try #require(PixelPlane(through: places, values: values))
        #expect(abs(plane.slope.x - 0.01) < 1e-4 && abs(plane.slope.y + 0.02) < 1e-4)
        #expect(places.indices.allSatisfy { ($0 % 5 == 0) == (plane.residuals[$0] > 0.1) })
    }

    @Test("Places on a line determine no plane")
    func line() {
        let line = (0..<50).map { SIMD2(Double($0), 2 * Double($0)) }
        #expect(PixelPlane(through: line, values: line.map(value)) == nil)
    }
}

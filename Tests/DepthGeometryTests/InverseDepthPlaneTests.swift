import DepthGeometry
import Diagnostics
import RobustStatistics
import TestSupport
import Testing

@Suite struct InverseDepthPlaneTests {
    private let camera = phoneIntrinsics()

    /// Rays over the picture, and 1/z where they meet a plane.
    private func readings(of plane: Plane) -> (rays: [SIMD3<Double>], inverse: [Double]) {
        let rays = (0..<400).map { camera.ray(through: SIMD2(Double($0 % 20) * 32, Double($0 / 20) * 24)) }
        return (rays, rays.map { -plane.normal.dot($0) / plane.offset })
    }

    @Test("Exact readings give their plane")
    func exact() throws {
        let (rays, inverse) = readings(of: tiltedPlane)
        let fit = try InverseDepthPlane.fit(rays: rays, inverseDepths: inverse, prior: rays.map { _ in 1 })
        #expect(fit.plane.angle(to: tiltedPlane) < 1e-12)
        #expect(abs(fit.plane.offset - tiltedPlane.offset) < 1e-12)
        #expect(fit.scale < 1e-12 && fit.rms < 1e-12)
    }

    @Test("A quarter of wild readings moves the plane by less than its noise", arguments: UInt64(1)...3)
    func wild(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let (rays, clean) = readings(of: tiltedPlane)
        let noise = 0.002
        let inverse = clean.indices.map {
            clean[$0] + noise * generator.normalByDoubleRandom()
                + ($0 % 4 == 0 ? Double.random(in: 0.2...1, using: &generator) : 0)
        }
        let fit = try InverseDepthPlane.fit(rays: rays, inverseDepths: inverse, prior: rays.map { _ in 1 })
        let errors = rays.indices.map { abs(fit.gradient.dot(rays[$0]) - clean[$0]) }
        #expect((errors.max() ?? .infinity) < 2 * noise, "seed \(seed)")
    }

    @Test("Readings on a line, and a plane behind the camera, are refused")
    func refused() {
        let line = (0..<100).map { SIMD3(Double($0) / 100, 0, 1) }
        #expect(throws: FlatteningError.self) {
            try InverseDepthPlane.fit(
                rays: line, inverseDepths: line.map { _ in 3 }, prior: line.map { _ in 1 })
        }
        let (rays, inverse) = readings(of: tiltedPlane)
        #expect(throws: FlatteningError.self) {
            try InverseDepthPlane.fit(
                rays: rays, inverseDepths: inverse.map { -$0 }, prior: rays.map { _ in 1 })
        }
    }

    @Test("A fit judged by another plane keeps its cut-off and counts anew")
    func judged() throws {
        let (rays, inverse) = readings(of: tiltedPlane)
        var generator = SplitMix64(seed: 9)
        let points = rays.indices.map { index -> SIMD3<Float> in
            let point =
                rays[index] / inverse[index] + tiltedPlane.normal * (0.001 * generator.normalByDoubleRandom())
            return SIMD3<Float>(point)
        }
        let fit = try Plane.fit(to: points)
        let same = fit.judged(by: fit.model, points: points)
        #expect(same.inliers == fit.inliers && same.scale == fit.scale && same.spread == fit.spread)
        #expect(abs(same.rmsResidual - fit.rmsResidual) < 1e-9)
        // Twenty deviations away nothing agrees.
        let far = Plane(normal: fit.model.normal, offset: fit.model.offset + 20 * fit.scale)
        #expect(fit.judged(by: far, points: points).inlierCount == 0)
    }
}

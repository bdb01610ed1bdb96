import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import RobustStatistics
import TestSupport
import Testing

@Suite struct PlaneFittingTests {
    /// Points of `tiltedPlane` over 0.2 x 0.2 m, moved along the normal by noise.
    private func cloud(
        count: Int, noise: Double, outlierShare: Double = 0, seed: UInt64,
        outlier: (inout SplitMix64) -> SIMD3<Double> = {
            $0.point(in: SIMD3(-0.2, -0.2, 0.15), SIMD3(0.2, 0.2, 0.6))
        }
    ) -> [SIMD3<Float>] {
        var generator = SplitMix64(seed: seed)
        let frame = PlaneFrame(on: tiltedPlane, origin: SIMD3(0, 0, 0.3))
        return (0..<count).map { _ in
            if Double.random(in: 0..<1, using: &generator) < outlierShare {
                return SIMD3<Float>(outlier(&generator))
            }
            let place = SIMD2(
                Double.random(in: -0.1...0.1, using: &generator),
                Double.random(in: -0.1...0.1, using: &generator))
            return SIMD3<Float>(
                frame.point(place) + tiltedPlane.normal * (noise * generator.normalByDoubleRandom()))
        }
    }

    @Test("Points on a plane give the plane, by principal components and robustly")
    func exact() throws {
        let points = cloud(count: 5000, noise: 0, seed: 1)
        let principal = try Plane(principalComponentsOf: points)
        let robust = try Plane.fit(to: points)
        for plane in [principal, robust.model] {
            // Positions are rounded to 3e-8 m over an arm of 0.06 m, averaged over thousands.
            #expect(degrees(plane.angle(to: tiltedPlane)) < 1e-6)
            #expect(abs(plane.offset - tiltedPlane.offset) < 1e-9)
        }
        // The rounding of three parts of at most 0.3 m (half an ulp is 1.5e-8).
        #expect(robust.rmsResidual < 3e-8)
        #expect(robust.inlierCount == 5000)
    }

    @Test("A plane's rms is the noise's", arguments: [1, 2, 3] as [UInt64])
    func noise(seed: UInt64) throws {
        let points = cloud(count: 20000, noise: 0.0005, seed: seed)
        let fit = try Plane.fit(to: points)
        // The deviation of 20000 normal numbers is known to 0.5 % (1 / sqrt(2 n)): four of these.
        #expect(abs(fit.rmsResidual / 0.0005 - 1) < 0.02)
        // The median's deviation from 4096 of them to 1.8 %.
        #expect(abs(fit.scale / 0.0005 - 1) < 0.07)
        // Angle: noise / (arm sqrt(n)) = 0.0005 / (0.0577 · 141) = 6e-5 radians = 0.0035 degrees: four of these.
        #expect(degrees(fit.model.angle(to: tiltedPlane)) < 0.014)
        #expect(fit.inlierFraction > 0.9999)
        #expect(abs(fit.spread.thickness / 0.0005 - 1) < 0.1)
        #expect(fit.spread.elongationRatio > 0.95)
    }

    @Test(
        "Outliers all over the room do not move the plane",
        arguments: [(0.25, 1), (0.4, 2), (0.4, 3), (0.55, 4)] as [(Double, UInt64)])
    func scatteredOutliers(share: Double, seed: UInt64) throws {
        let points = cloud(count: 20000, noise: 0.0005, outlierShare: share, seed: seed)
        let fit = try Plane.fit(to: points)
        // As without outliers, with fewer points and some clutter inside the cut-off.
        #expect(degrees(fit.model.angle(to: tiltedPlane)) < 0.03)
        // Outliers within the cut-off of 2.3 mm on either side are a hundredth of those in 0.45 m.
        #expect(abs(fit.inlierFraction - (1 - share)) < 0.02)
        #expect(abs(fit.rmsResidual / 0.0005 - 1) < 0.1)
    }

    @Test("A second surface above the plane does not move it", arguments: [1, 2, 3] as [UInt64])
    func structuredOutliers(seed: UInt64) throws {
        // A box 12 mm high over one corner: a one-sided error, the worst kind.
        let frame = PlaneFrame(on: tiltedPlane, origin: SIMD3(0, 0, 0.3))
        let points = cloud(count: 20000, noise: 0.0005, outlierShare: 0.35, seed: seed) { generator in
            let place = SIMD2(
                Double.random(in: 0...0.1, using: &generator), Double.random(in: 0...0.1, using: &generator))
            return frame.point(place) + tiltedPlane.normal
                * (0.012 + 0.0005 * generator.normalByDoubleRandom())
        }
        let fit = try Plane.fit(to: points)
        #expect(degrees(fit.model.angle(to: tiltedPlane)) < 0.03)
        #expect(abs(fit.inlierFraction - 0.65) < 0.02)
        let pulled = try Plane(principalComponentsOf: points)
        #expect(degrees(pulled.angle(to: tiltedPlane)) > 1)
    }

    @Test("Noise that grows with z² is weighted down far away")
    func quadraticNoise() throws {
        let truth = Plane(through: SIMD3(0, 0, 0.8), normal: SIMD3(0, -1.5, -1))
        let intrinsics = phoneIntrinsics(width: 80, height: 60)
        var uniform = 0.0
        var quadratic = 0.0
        for seed in 1...6 as ClosedRange<UInt64> {
            var generator = SplitMix64(seed: seed)
            let depth = depthMap(intrinsics) { _, ray in
                guard let z = truth.intersection(along: ray)?.z, z < 2.5 else { return nil }
                return z + 0.01 * z * z * generator.normalByDoubleRandom()
            }
            let points = PointCloud(unprojecting: depth, intrinsics: intrinsics).positions
            var options = Plane.FitOptions()
            uniform += pow(try Plane.fit(to: points, options: options).model.angle(to: truth), 2)
            options.noise = .quadratic
            quadratic += pow(try Plane.fit(to: points, options: options).model.angle(to: truth), 2)
        }
        #expect(quadratic < 0.7 * uniform, "\(quadratic) against \(uniform)")
    }

    @Test("The same points give the same plane, bit for bit, and another seed nearly the same")
    func deterministic() throws {
        let points = cloud(count: 40000, noise: 0.001, outlierShare: 0.3, seed: 7)
        let first = try Plane.fit(to: points)
        #expect(try Plane.fit(to: points) == first)
        var options = Plane.FitOptions()
        options.seed = 99
        let other = try Plane.fit(to: points, options: options)
        // Both converge to the same minimum: the scale's own scatter is all that differs.
        #expect(degrees(first.model.angle(to: other.model)) < 0.003)
        #expect(first.trialCount >= 64)
    }

    @Test("A cloud a thousand times as large gives the same plane")
    func units() throws {
        let points = cloud(count: 8000, noise: 0.0005, outlierShare: 0.3, seed: 5)
        let fit = try Plane.fit(to: points)
        let scaled = try Plane.fit(to: points.map { $0 * 1024 })
        // By a power of two nothing is rounded differently, but for the roots of sums.
        #expect(fit.model.angle(to: scaled.model) < 1e-9)
        #expect(fit.inlierCount == scaled.inlierCount)
    }

    @Test("Three points are enough, two are not")
    func few() throws {
        let three: [SIMD3<Float>] = [SIMD3(0, 0, 1), SIMD3(1, 0, 1), SIMD3(0, 1, 1)]
        let fit = try Plane.fit(to: three)
        #expect(abs(fit.model.offset - 1) < 1e-6)
        #expect(fit.inlierCount == 3)
        for count in 0..<3 {
            let points = Array(three.prefix(count))
            #expect(throws: FlatteningError.self) { try Plane.fit(to: points) }
            #expect(throws: FlatteningError.self) { try Plane(principalComponentsOf: points) }
        }
    }

    @Test("Points on a line and points in one place are refused")
    func degenerate() {
        let line = (0..<500).map { SIMD3<Float>(0.001, 0.002, 0.0005) * Float($0) + SIMD3(0, 0, 0.3) }
        let place = [SIMD3<Float>](repeating: SIMD3(0.1, 0.1, 0.3), count: 500)
        for points in [line, place] {
            #expect(throws: FlatteningError.self) { try Plane.fit(to: points) }
            #expect(throws: FlatteningError.self) { try Plane(principalComponentsOf: points) }
        }
    }

    @Test("NaN and infinity anywhere are refused", arguments: [Float.nan, .infinity, -.infinity])
    func nonFinite(value: Float) {
        let clean = cloud(count: 6000, noise: 0.0005, seed: 1)
        for position in [0, 3333, 5999] {
            for part in 0..<3 {
                var points = clean
                points[position][part] = value
                #expect(throws: FlatteningError.self) { try Plane(principalComponentsOf: points) }
                #expect(throws: FlatteningError.self) { try Plane.fit(to: points) }
            }
        }
    }
}

import DepthGeometry
import Foundation
import RobustStatistics
import Testing

@testable import SheetFlattening

@Suite("Free surfaces")
struct FreeformFitTests {
    /// A scene's samples, the plane through them and the fit on it.
    private func fit(
        _ scene: SurfaceScene, noise: Double, seed: UInt64 = 1, spoiling: (Int, Double) -> Double = { $1 }
    ) throws -> (fit: FreeformFit, samples: SheetSamples) {
        var samples = SheetSamples(
            of: scene.readings(noise: noise, seed: seed), intrinsics: scene.camera)
        for index in 0..<samples.count {
            samples.inverseDepths[index] = 1 / spoiling(index, 1 / samples.inverseDepths[index])
        }
        let plane = try InverseDepthPlane.fit(
            rays: samples.rays, inverseDepths: samples.inverseDepths, prior: samples.weights)
        let outline = scene.outline.map { scene.camera.ray(through: $0) }
        return (try FreeformFit(to: samples, plane: plane.gradient, outline: outline), samples)
    }

    @Test("Exact readings of a plane give that plane, without relief or curvature")
    func plane() throws {
        let (fit, samples) = try fit(.plane, noise: 0)
        // A micrometre, where the least noise that a fit believes in is 20.
        #expect(fit.residuals.allSatisfy { abs($0) < 1e-6 })
        #expect(fit.curvatures.allSatisfy { $0 < FreeformFit.straight })
        let ray = samples.rays[samples.count / 2]
        #expect(abs(fit.surface.inverseDepth(along: ray) - samples.inverseDepths[samples.count / 2]) < 1e-4)
    }

    @Test("A cylinder's curvature is found")
    func curvature() throws {
        let (fit, _) = try fit(.cylinder(radius: 0.08, angle: 0.4), noise: 0.0001)
        // Curvature gathers in some cells and leaves others straight: its mean over the sheet is one over the radius, less what
        // the plane's slant takes off and what the penalty holds back at the rim.
        let mean = fit.curvatures.reduce(0, +) / Double(fit.curvatures.count)
        #expect(abs(mean * 0.08 - 1) < 0.3, "\(mean)")
        #expect(fit.scale < 0.0003)
    }

    @Test("One reading in thirty that is a centimetre off does not bend the surface")
    func wild() throws {
        let scene = SurfaceScene.cylinder(radius: 0.08, angle: 0.4)
        let clean = try fit(scene, noise: 0.0002).fit
        let (spoilt, samples) = try fit(scene, noise: 0.0002) { $0 % 30 == 7 ? $1 - 0.01 : $1 }
        let moved = (0..<samples.count).map { index in
            1 / spoilt.surface.inverseDepth(along: samples.rays[index])
                - 1 / clean.surface.inverseDepth(along: samples.rays[index])
        }
        // A tenth of a millimetre; weights of plain least squares would lift it by a third.
        #expect(moved.robustDeviation() < 0.0001, "\(moved.robustDeviation())")
        #expect((0..<samples.count).filter { $0 % 30 == 7 }.allSatisfy { abs(spoilt.residuals[$0]) > 0.005 })
    }
}

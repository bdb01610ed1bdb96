import DepthGeometry
import Foundation
import Imaging
import Testing

@testable import SheetFlattening

@Suite("A sensor's slow error, told from a sheet's sides")
struct SideCorrectionTests {
    /// A sheet whose readings are off by a tilt and a bend, in metres of depth at 10 cm from the middle.
    private func fit(
        _ scene: SurfaceScene, tilt: Double, bend: Double, method: SurfaceMethod, slowError: Double,
        sides: [[SIMD2<Double>]]
    ) throws -> SurfaceFit {
        var readings = scene.readings(noise: 0.0001, seed: 11)
        for index in readings.pixels.indices {
            let ray = scene.camera.ray(through: readings.pixels[index])
            let (x, y) = (ray.x * 0.25 / 0.1, ray.y * 0.25 / 0.1)
            readings.depths[index] += tilt * (x - y) + bend * (x * x - 0.7 * y * y)
        }
        readings.slowError = slowError / (0.25 * 0.25)
        return try SurfaceFit.fit(
            readings, intrinsics: scene.camera, outline: scene.outline, sides: sides, method: method)
    }

    @Test("A tilt that no table shows is taken back by a flat sheet's sides", arguments: [0.004, -0.004])
    func tilt(error: Double) throws {
        let scene = SurfaceScene.plane
        let (before, _) = scene.error(
            of: try fit(scene, tilt: error, bend: 0, method: .auto, slowError: 0.0012, sides: []).unrolled())
        let corrected = try fit(
            scene, tilt: error, bend: 0, method: .auto, slowError: 0.0012, sides: scene.sides)
        #expect(corrected.surface.method == .plane)
        let (after, scale) = scene.error(of: try corrected.unrolled())
        // 4 mm over 10 cm of a sheet of 60 x 90 mm.
        #expect(before > 0.0003, "\(before)")
        // Straight sides know the tilt to the twentieth of a millimetre that is added to their raggedness.
        #expect(after < 0.25 * before, "\(before) -> \(after)")
        #expect(abs(scale - 1) < 0.004, "\(scale)")
    }

    @Test("A bend that no table shows does not bend a flat sheet")
    func bend() throws {
        let scene = SurfaceScene.plane
        let fit = try fit(scene, tilt: 0, bend: 0.03, method: .auto, slowError: 0.0004, sides: scene.sides)
        #expect(fit.surface.method == .plane)
        #expect(fit.refused.contains { $0.reason.hasPrefix("the sheet's sides") }, "\(fit.refused)")
    }

    @Test("A bent sheet's false tilt is taken back too")
    func bentSheet() throws {
        let scene = SurfaceScene.cylinder(radius: 0.06, angle: 1.5)
        let (before, _) = scene.error(
            of: try fit(scene, tilt: 0.004, bend: 0, method: .auto, slowError: 0.0015, sides: []).unrolled())
        let corrected = try fit(
            scene, tilt: 0.004, bend: 0, method: .auto, slowError: 0.0015, sides: scene.sides)
        #expect(corrected.surface.method == .cylinder, "\(corrected.refused)")
        let (after, _) = scene.error(of: try corrected.unrolled())
        // A bend of the same sides may be made of either, so some of the tilt is taken for shape.
        #expect(after < 0.7 * before, "\(before) -> \(after)")
    }

    @Test("Where depth is as good as the sides, nothing is changed")
    func goodDepth() throws {
        let scene = SurfaceScene.cylinder(radius: 0.06, angle: 1.5)
        let plain = try fit(scene, tilt: 0, bend: 0, method: .auto, slowError: 0.0001, sides: [])
        let seen = try fit(scene, tilt: 0, bend: 0, method: .auto, slowError: 0.0001, sides: scene.sides)
        #expect(plain.surface == seen.surface)
    }
}

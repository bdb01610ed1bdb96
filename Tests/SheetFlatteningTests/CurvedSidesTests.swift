import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import RobustStatistics
import Testing

@testable import SheetFlattening

/// Sheets whose sides are drawn exactly through a camera, without depth.
@Suite struct CurvedSidesTests {
    /// The four sides of a scene, clockwise as seen, each of 120 points that are off by normal noise of `noise` pixels but
    /// for the corners.
    private func sides(_ scene: SurfaceScene, noise: Double = 0, seed: UInt64 = 1) -> [[SIMD2<Double>]] {
        var generator = SplitMix64(seed: seed)
        let (w, h) = (scene.size.x / 2, scene.size.y / 2)
        let corners = [SIMD2(-w, -h), SIMD2(w, -h), SIMD2(w, h), SIMD2(-w, h)]
        return (0..<4).map { side in
            (0...120).map { step in
                let flat = corners[side] + (corners[(side + 1) % 4] - corners[side]) * (Double(step) / 120)
                let pixel = scene.pixel(flat.x, flat.y)
                guard step % 120 != 0 else { return pixel }
                // The sum of twelve uniform numbers is normal enough.
                func normal() -> Double {
                    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
                }
                return pixel + SIMD2(normal(), normal()) * noise
            }
        }
    }

    private func curved(_ scene: SurfaceScene, _ sides: [[SIMD2<Double>]]) throws -> CurvedSides {
        let corners = Quadrilateral(
            topLeft: sides[0][0], topRight: sides[1][0], bottomRight: sides[2][0], bottomLeft: sides[3][0])
        let pose = try #require(corners.pose(intrinsics: scene.camera))
        return try CurvedSides(sides: sides, pose: pose, intrinsics: scene.camera)
    }

    /// Root mean square by which the unrolled sheet differs from the true flat one, in metres.
    private func error(of curved: CurvedSides, on scene: SurfaceScene) throws -> Double {
        let unrolling = try Unrolling(of: curved.surface, intrinsics: scene.camera, outline: scene.outline)
        return scene.error(of: unrolling, isMetric: false).rms
    }

    @Test(arguments: [0, Double.pi / 2])
    func aCurledSheetComesOutFlatWhicheverSidesCurl(rulings: Double) throws {
        let scene = SurfaceScene.cylinder(radius: 0.05, angle: rulings)
        let curved = try curved(scene, sides(scene))
        #expect(curved.explained > 0.99)
        // A tenth of a millimetre on a sheet of 60 x 90: the spline rounds and the map's grid is linear between vertices.
        let error = try error(of: curved, on: scene)
        #expect(error < 0.0001, "rms \(error) m")
    }

    @Test func aCreaseAlongARulingIsUnfolded() throws {
        // A roof of two planes, its ridge in the middle, each side sloping by 20 degrees.
        let scene = SurfaceScene(
            point: { u, v in
                SurfaceScene.pose(SIMD3(u, v * cos(Double.pi / 9), abs(v) * sin(Double.pi / 9)))
            }, size: SIMD2(0.06, 0.09))
        let curved = try curved(scene, sides(scene))
        #expect(curved.explained > 0.98)
        // The ridge is rounded over some millimetres, which takes as much off the length as is allowed here.
        let error = try error(of: curved, on: scene)
        #expect(error < 0.0004, "rms \(error) m")
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func noiseOnTheSidesDoesNotBendAFlatSheet(seed: UInt64) {
        // Half a pixel is what tracking leaves at its worst.
        let noisy = sides(.plane, noise: 0.5, seed: seed)
        #expect("seed \(seed)") {
            try curved(.plane, noisy)
        } throws: {
            isRefusal($0)
        }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func noiseOnTheSidesHardlyMovesACurledSheet(seed: UInt64) throws {
        let scene = SurfaceScene.cylinder(radius: 0.05, angle: 0)
        let curved = try curved(scene, sides(scene, noise: 0.3, seed: seed))
        // 0.3 pixels are 0.23 mm in this small picture, and no more than that may come through.
        let error = try error(of: curved, on: scene)
        #expect(error < 0.00023, "seed \(seed), rms \(error) m")
    }

    @Test func aTwistedSheetIsRefused() {
        // The left side bows towards the camera, the right one away from it.
        let scene = SurfaceScene(
            point: { u, v in
                SurfaceScene.pose(SIMD3(u, v, 0.01 * (u / 0.03) * (1 - (v / 0.045) * (v / 0.045))))
            }, size: SIMD2(0.06, 0.09))
        #expect { try curved(scene, sides(scene)) } throws: { isRefusal($0) }
    }

    private func isRefusal(_ error: any Error) -> Bool { (error as? FlatteningError)?.code == .badInput }
}

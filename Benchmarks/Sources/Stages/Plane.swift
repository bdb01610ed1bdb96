import Foundation
import ImageFiles
import ReceiptFlattening
import SyntheticCaptures

extension StageCase {
    /// A plane through points a quarter of which do not belong to it.
    static let plane: [StageCase] = [
        StageCase(.plane, "robust plane", PlaneScene.label, threading: .single, prepare: prepare),
        StageCase(.plane, "robust plane", PlaneScene.label, threading: .allCores, prepare: prepare),
    ]

    @Sendable private static func prepare(_ inputs: InputFolder) throws -> Work {
        let points = PlaneScene().points
        // The first plane loads LAPACK, once for the process: that is no part of a fit.
        _ = try Plane.fit(to: Array(points.prefix(1000)))
        return Work({ try Plane.fit(to: points).model }) { plane in
            let degrees = plane.angle(to: PlaneScene.truth) * 180 / .pi
            try require(degrees < 0.01, "the plane is off by \(degrees) degrees")
            return ["degrees": degrees]
        }
    }
}

/// A table seen by a depth camera, and things on it.
struct PlaneScene {
    static let count = 300_000
    static let label = "300,000 points, 25 % outliers"
    static let truth = Plane(normal: SIMD3(0.15, -0.1, -1), offset: 0.32)

    /// Seed 71; noise of 0.5 mm along the ray, as at 0.3 m; outliers up to 15 cm before and behind.
    let points: [SIMD3<Float>]

    init() {
        var generator = SeededGenerator(seed: 71)
        let camera = CameraIntrinsics(
            fx: 530, fy: 530, cx: 319.5, cy: 239.5, imageSize: PixelSize(width: 640, height: 480))
        points = (0..<Self.count).map { index in
            let ray = camera.ray(
                through: SIMD2(generator.uniform(0..<639), generator.uniform(0..<479)))
            let distance = -Self.truth.offset / (Self.truth.normal * ray).sum()
            let error =
                index % 4 == 0 ? generator.uniform(-0.15..<0.15) : generator.normal() * 0.0005
            return SIMD3<Float>(ray * (distance + error))
        }
    }

    func write(to folder: String) throws {
        let numbers = points.flatMap { [$0.x, $0.y, $0.z] }
        try NPYWriter.write(
            Raster<Float>(width: 3, height: points.count, elements: numbers), to: folder + "/points.npy")
    }
}

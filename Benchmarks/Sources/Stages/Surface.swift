import Foundation
import ImageFiles
import ReceiptFlattening
import SyntheticCaptures

extension StageCase {
    /// A free surface through the readings on a sheet.
    static let surface: [StageCase] = [
        StageCase(.surface, "free surface", SurfaceScene.label) { inputs in
            let scene = try SurfaceScene(inputs)
            return Work({ try scene.fit() }) { fit in
                let error = scene.rmsError(of: fit.surface)
                try require(error < 0.0003, "the surface is off by \(error * 1000) mm")
                return ["rms mm": error * 1000]
            }
        },
        StageCase(.surface, "choice of a surface", SurfaceScene.label) { inputs in
            let scene = try SurfaceScene(inputs)
            return Work({ try scene.fit(method: .auto) }) { fit in
                try require(fit.surface.method == .freeform, "a \(fit.surface.method.rawValue) was chosen")
                return ["rms mm": scene.rmsError(of: fit.surface) * 1000]
            }
        },
    ]
}

/// The crumpled receipt under a structured-light camera whose readings on the sheet are some 300,000.
struct SurfaceScene {
    static let label = "300,000 readings"
    private static let sensor = DepthSensor(kind: .structuredLight, longSide: 1216, shortSide: 912)

    let scene = PhotographSize.standard.scene
    let readings: SurfaceReadings
    let outline: [SIMD2<Double>]

    /// The scene with its depth drawn before.
    init(_ inputs: InputFolder) throws {
        self.init(depth: try inputs.depth("surface"))
    }

    init(depth: DepthMap) {
        let surface = scene.surface
        let pose = scene.pose
        let camera = scene.camera
        let (width, height) = (surface.width, surface.height)
        // Down the sides and along the ends in steps of about 2 mm.
        func side(from: SIMD2<Double>, to: SIMD2<Double>) -> [SIMD2<Double>] {
            (0..<100).map { from + (to - from) * (Double($0) / 100) }
        }
        let rim = [SIMD2(0, 0), SIMD2(width, 0), SIMD2(width, height), SIMD2(0, height)]
        outline = rim.indices.flatMap { side(from: rim[$0], to: rim[($0 + 1) % 4]) }.map {
            camera.project(pose(surface.point(u: $0.x, v: $0.y)))
        }
        readings = SurfaceReadings(depth: depth, intrinsics: camera, outline: outline)
            .correctingSlowError(in: depth, around: outline)
    }

    func fit(method: SurfaceMethod = .freeform) throws -> SurfaceFit {
        try SurfaceFit.fit(readings, intrinsics: scene.camera, outline: outline, method: method)
    }

    /// Root mean square distance along the axis between a fitted surface and the drawn one, in metres.
    func rmsError(of fitted: SheetSurface) -> Double {
        var sum = 0.0
        var count = 0.0
        for j in 1..<40 {
            for i in 1..<20 {
                let place = SIMD2(scene.surface.width * Double(i) / 20, scene.surface.height * Double(j) / 40)
                let truth = scene.pose(scene.surface.point(u: place.x, v: place.y))
                guard
                    let point = fitted.point(seenAt: scene.camera.project(truth), intrinsics: scene.camera)
                else { continue }
                sum += (point.z - truth.z) * (point.z - truth.z)
                count += 1
            }
        }
        return (sum / max(count, 1)).squareRoot()
    }

    /// How far the mean distance between the flat sheet's sides is off the drawn one's, as a share of it.
    func lengthError(of unrolling: Unrolling) throws -> Double {
        let (width, height) = (scene.surface.width, scene.surface.height)
        func flat(_ u: Double, _ v: Double) throws -> SIMD2<Double> {
            let pixel = scene.camera.project(scene.pose(scene.surface.point(u: u, v: v)))
            guard let place = unrolling.flatPosition(ofPixel: pixel) else {
                throw WrongResult("the unrolled surface does not carry the sheet")
            }
            return place
        }
        let widths = try (1..<20).map { row -> Double in
            let v = height * Double(row) / 20
            let across = try flat(width, v) - flat(0, v)
            return (across * across).sum().squareRoot()
        }
        return abs(widths.reduce(0, +) / Double(widths.count) / width - 1)
    }

    static func write(to folder: String) throws {
        let depth = PhotographSize.standard.scene.renderDepth(sensor: sensor)
        try NPYWriter.write(depth.values, to: folder + "/depth.npy")
        try SurfaceScene(depth: depth).writeReadings(to: folder)
    }

    private func writeReadings(to folder: String) throws {
        let numbers = zip(readings.pixels, readings.depths).flatMap { [Float($0.x), Float($0.y), Float($1)] }
        try NPYWriter.write(
            Raster<Float>(width: 3, height: readings.pixels.count, elements: numbers),
            to: folder + "/readings.npy")
        // The grid that is unrolled, as points in space.
        let fit = try fit()
        let unrolling = try Unrolling(of: fit.surface, intrinsics: scene.camera, outline: outline)
        let points = unrolling.photographPositions.flatMap { pixel -> [Float] in
            let point = fit.surface.point(seenAt: pixel, intrinsics: scene.camera) ?? SIMD3(repeating: .nan)
            return [Float(point.x), Float(point.y), Float(point.z)]
        }
        try NPYWriter.write(
            Raster<Float>(width: 3 * unrolling.columns, height: unrolling.rows, elements: points),
            to: folder + "/grid.npy")
    }
}

import Foundation
import ReceiptFlattening
import SyntheticCaptures

/// One thing made larger step by step while the rest stays: what it does to our error and to the best plane's.
struct Sweep: Sendable {
    let title: String
    let axis: String
    let values: [Double]
    /// Draws the capture of a value and a seed.
    let draw: @Sendable (_ value: Double, _ seed: UInt64) throws -> (SyntheticCapture, DepthMap)

    /// A sheet that rises and falls by 3 mm, read by a sensor whose readings are off by so many millimetres, each on its own.
    static let noise = Sweep(
        title: "Error against noise", axis: "standard deviation of a reading, mm",
        values: [0, 0.5, 1, 2, 4]
    ) { millimeters, seed in
        var scene = scene(.wave, seed: seed)
        scene.shape = .wave(slope: 0.25, wavelength: 0.08, phase: 0.7, direction: .pi / 2)
        let capture = try scene.render(sensor: .perfect)
        var generator = SeededGenerator(seed: seed &+ 1)
        let noisy = DepthMap(
            readings: capture.depth.values.map { depth in
                depth.isNaN ? depth : depth + Float(millimeters / 1000 * generator.normal())
            })
        return (capture, noisy)
    }

    /// A sheet curled to a circular arc, read by a structured-light camera.
    static let curvature = Sweep(
        title: "Error against curvature", axis: "curvature, 1/m (10: a radius of 10 cm)",
        values: [0, 1, 2, 4, 7, 10]
    ) { curvature, seed in
        var scene = scene(.curl, seed: seed)
        scene.shape = curvature == 0 ? .plane : .curl(curvature: curvature, direction: .pi / 2)
        let capture = try scene.render(sensor: .structuredLight)
        return (capture, capture.depth)
    }

    private static func scene(_ kind: SheetShape.Kind, seed: UInt64) -> SyntheticScene {
        var generator = SeededGenerator(seed: seed)
        var scene = SyntheticScene.random(
            kind, paper: .wide, itemCount: 8, imageSize: PixelSize(width: 1512, height: 2016),
            using: &generator)
        scene.endCut = .straight
        scene.quality = .draft
        return scene
    }

    /// A value's errors in millimetres, the mean over the seeds; NaN where nothing came out.
    struct Point {
        let value: Double
        let ours, plane: Double
    }

    func run(seeds: [UInt64], report: (String) -> Void) throws -> [Point] {
        try values.map { value in
            report("\(title.lowercased()): \(value)")
            var sums = SIMD2<Double>.zero
            for seed in seeds {
                let (drawn, depth) = try draw(value, seed)
                let capture = Capture(image: drawn.image, depth: depth, intrinsics: drawn.intrinsics)
                func error(_ method: SurfaceMethod) throws -> Double {
                    var options = ReceiptFlattener.Options()
                    options.method = method
                    return Score(try ReceiptFlattener(options: options).flatten(capture), against: drawn).rms
                }
                sums += SIMD2(try error(.auto), try error(.plane))
            }
            let means = sums / Double(seeds.count)
            return Point(value: value, ours: means.x, plane: means.y)
        }
    }
}

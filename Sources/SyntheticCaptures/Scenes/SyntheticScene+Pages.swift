import DepthGeometry
import Foundation
public import Imaging
public import RobustStatistics

extension SyntheticScene {
    /// A flat page fixed to a box, as robots' cameras see it: little of the box around it, the room behind.
    ///
    /// The camera is that of a RealSense's colour stream: a focal length of 0.96 of the image's width.
    /// - Parameters:
    ///   - paper: what is fixed there.
    ///   - distance: of the page's middle along the optical axis, in metres.
    ///   - imageSize: the photograph's size; as wide as high or wider.
    ///   - reach: how far the box goes on past the page, in metres.
    ///   - generator: source of everything else.
    public static func page(
        _ paper: ReceiptDocument.Paper, distance: Double,
        imageSize: PixelSize = PixelSize(width: 1280, height: 960), reach: Double = 0.012,
        using generator: inout SeededGenerator
    ) -> SyntheticScene {
        let document = ReceiptDocument.generated(paper: paper, itemCount: 12, using: &generator)
        let focal = 0.96 * Double(imageSize.width)
        let camera = CameraIntrinsics(
            fx: focal, fy: focal,
            cx: (Double(imageSize.width) - 1) / 2 + generator.uniform(-5..<5),
            cy: (Double(imageSize.height) - 1) / 2 + generator.uniform(-5..<5), imageSize: imageSize)
        let pose = CameraPose(
            distance: distance, tilt: generator.uniform(0.05..<0.45),
            tiltDirection: generator.uniform(0..<2 * .pi), turn: generator.uniform(-0.15..<0.15),
            offset: SIMD2(generator.uniform(-0.04..<0.04), generator.uniform(-0.02..<0.02)))
        let boxes: [TableMaterial] = [.wood, .stone, .cloth, .dark]
        var scene = SyntheticScene(
            document: document, shape: .plane, table: boxes[Int.random(in: 0..<4, using: &generator)],
            light: SceneLight(
                azimuth: generator.uniform(0..<2 * .pi), elevation: generator.uniform(0.7..<1.25),
                ambientShare: generator.uniform(0.5..<0.75)),
            camera: camera, pose: pose, seed: generator.next())
        scene.tableReach = reach
        return scene
    }
}

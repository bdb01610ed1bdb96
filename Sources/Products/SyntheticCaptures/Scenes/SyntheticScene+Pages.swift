import DepthGeometry
import Foundation
public import Imaging
public import RobustStatistics

extension SyntheticScene {
    /// The focal length in image widths: 614 of 640 pixels of a D415's colour stream.
    private static let focalOfWidth = 0.96
    /// The pose of the page relative to the camera: tilt and turn in radians, offset in metres. Chosen so that all of the
    /// page is in view.
    private static let tilts = 0.05..<0.45
    private static let turns = -0.15..<0.15
    private static let offsets = (x: -0.04..<0.04, y: -0.02..<0.02)
    /// The room's light: the lamp's elevation above the horizon in radians, and the share of ambient light.
    private static let elevations = 0.7..<1.25
    private static let ambientShares = 0.5..<0.75
    /// How far the box extends beyond the page that is fixed to it, in metres: a finger's breadth, too little to show the
    /// sensor's slow error.
    public static let usualReach = 0.012

    /// Returns a flat page fixed to a box, as robots' cameras see it: little of the box around it, the room behind.
    ///
    /// The camera is that of a RealSense's colour stream.
    /// - Parameters:
    ///   - paper: the page that is fixed there.
    ///   - distance: distance of the page's middle along the optical axis, in metres.
    ///   - imageSize: the photograph's size; at least as wide as high.
    ///   - reach: how far the box extends beyond the page, in metres.
    ///   - generator: the source of everything else.
    public static func page(
        _ paper: ReceiptDocument.Paper, distance: Double,
        imageSize: PixelSize = PixelSize(width: 1280, height: 960), reach: Double = usualReach,
        using generator: inout SeededGenerator
    ) -> SyntheticScene {
        let document = ReceiptDocument.generated(paper: paper, itemCount: 12, using: &generator)
        let focal = focalOfWidth * Double(imageSize.width)
        let camera = CameraIntrinsics(
            fx: focal, fy: focal,
            cx: (Double(imageSize.width) - 1) / 2 + generator.uniform(-5..<5),
            cy: (Double(imageSize.height) - 1) / 2 + generator.uniform(-5..<5), imageSize: imageSize)
        let pose = CameraPose(
            distance: distance, tilt: generator.uniform(tilts),
            tiltDirection: generator.uniform(0..<2 * .pi), turn: generator.uniform(turns),
            offset: SIMD2(generator.uniform(offsets.x), generator.uniform(offsets.y)))
        let boxes: [TableMaterial] = [.wood, .stone, .cloth, .dark]
        var scene = SyntheticScene(
            document: document, shape: .plane, table: boxes[Int.random(in: 0..<4, using: &generator)],
            light: SceneLight(
                azimuth: generator.uniform(0..<2 * .pi), elevation: generator.uniform(elevations),
                ambientShare: generator.uniform(ambientShares)),
            camera: camera, pose: pose, seed: generator.next())
        scene.tableReach = reach
        return scene
    }
}

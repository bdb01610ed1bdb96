import DepthGeometry
import Imaging
import Testing

@testable import Captures

// Each miniature is laid out as the format's published description says, of pictures that Pillow wrote (40 x 30, depth
// 20 x 15 with 300 + x + 10 y in its unit, confidence low in columns 0 to 4) and texts written out here.

/// The intrinsics of all miniatures, for the picture of 40 x 30.
private let miniatureCamera = CameraIntrinsics(
    fx: 42, fy: 44, cx: 18, cy: 16, imageSize: PixelSize(width: 40, height: 30))

func expectMiniature(
    _ capture: Capture, unit: Float = 0.001, droppedColumns: Int = 0,
    _ location: SourceLocation = #_sourceLocation
) throws {
    #expect(capture.image.size == PixelSize(width: 40, height: 30), sourceLocation: location)
    let intrinsics = try #require(capture.intrinsics, sourceLocation: location)
    for (value, expected) in [
        (intrinsics.fx, miniatureCamera.fx), (intrinsics.fy, miniatureCamera.fy),
        (intrinsics.cx, miniatureCamera.cx),
        (intrinsics.cy, miniatureCamera.cy),
    ] {
        // Rounding of decimal numbers, and of one scaling.
        #expect(abs(value - expected) < 1e-9, sourceLocation: location)
    }
    let depth = try #require(capture.depth, "\(capture.depthRefusal ?? "")", sourceLocation: location)
    #expect(depth.scale == .metric, sourceLocation: location)
    // One rounding of the product to Float.
    #expect(abs(depth[x: 9, y: 2] - 329 * unit) < 1e-6, sourceLocation: location)
    let valid = (0..<20).filter { !depth[x: $0, y: 9].isNaN }
    #expect(valid == Array(droppedColumns..<20), sourceLocation: location)
}

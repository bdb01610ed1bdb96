import Captures
import DepthGeometry
import Foundation
import Imaging
import TestSupport
import Testing

/// Depth inside the picture's own file, brought to the picture.
@Suite struct EmbeddedDepthTests {
    private static func description() -> CaptureDescription {
        CaptureDescription(imagePath: Fixture.imagePath("apple-disparity.jpg"))
    }

    @Test func depthAndCameraInsideThePictureAreUsed() throws {
        let capture = try Capture.read(Self.description())
        let depth = try #require(capture.depth)
        #expect(depth.scale == .relative)
        #expect(depth.size == PixelSize(width: 32, height: 24))
        // Disparity 1 + (40 + 4 x + 2 y) / 100; JPEG at quality 100 is off by one of 100 at most.
        #expect(abs(1 / depth[x: 12, y: 20] - 2.28) < 0.011)
        // Stated for 128 x 96, scaled about pixel edges to 64 x 48.
        let camera = try #require(capture.intrinsics)
        #expect(camera.fx == 35 && camera.fy == 35)
        #expect(abs(camera.cx - 16.25) < 1e-9 && abs(camera.cy - 10.75) < 1e-9)
        #expect(capture.metadata.intrinsicsOrigin.description.hasSuffix("(inside the picture)"))
        #expect(capture.metadata.depthForm?.contains("Apple") == true)
    }

    @Test func whoWantsNoDepthStillGetsTheCamera() throws {
        var description = Self.description()
        description.usesEmbeddedDepth = false
        let capture = try Capture.read(description)
        #expect(capture.depth == nil)
        #expect(capture.intrinsics?.fx == 35)
    }

    @Test func depthBesideThePictureComesBeforeDepthInside() throws {
        var description = Self.description()
        description.depth = .init(path: try Fixture.path("depth-mm.png"), unit: 0.001)
        let capture = try Capture.read(description)
        #expect(capture.depth?.scale == .metric)
        #expect(capture.depth?.size == PixelSize(width: 20, height: 15))
    }

    @Test func brokenDepthInsideDoesNotCostThePicture() throws {
        let folder = try ScratchFolder()
        var bytes = try Fixture.imageFile("apple-disparity.jpg")
        // The greatest value's name misspelt: the numbers mean nothing then.
        let name = Array("FloatMaxValue".utf8)
        for start in bytes.indices.dropLast(name.count) where bytes[start...].starts(with: name) {
            bytes[start] = UInt8(ascii: "X")
        }
        let path = folder.path + "/broken.jpg"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let capture = try Capture.read(CaptureDescription(imagePath: path))
        #expect(capture.depth == nil)
        #expect(capture.warnings.contains { $0.contains("depth inside the picture is not used") })
    }
}

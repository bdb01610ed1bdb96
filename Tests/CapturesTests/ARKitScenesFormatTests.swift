import DepthGeometry
import Imaging
import TestSupport
import Testing

@testable import Captures

@Suite struct ARKitScenesFormatTests {
    private static let image = "@picture.png"
    private static let depth = "@depth-mm.png"

    @Test func filesOfOneMomentBelongTogetherThoughTheLastDigitDiffers() throws {
        let folder = try ScratchFolder.laid([
            "lowres_wide/41_9.998.png": Self.image, "lowres_wide/41_10.015.png": Self.image,
            "lowres_depth/41_9.998.png": Self.depth, "lowres_depth/41_10.016.png": Self.depth,
            "lowres_depth/41_10.032.png": Self.depth, "lowres_wide.traj": "9.998 0 0 0 0 0 0\n",
            "lowres_wide_intrinsics/41_9.999.pincam": "40 30 42 44 18 16",
            "lowres_wide_intrinsics/41_10.014.pincam": "20 15 21 22 8.75 7.75",
        ])
        let recording = try Recording.open(folder.path)
        #expect(recording.format == "ARKitScenes" && recording.frameCount == 2)
        let first = try recording.frame(at: 0)
        #expect(first.timestamp == 9.998)
        try expectMiniature(first.capture)
        #expect(first.capture.warnings.isEmpty, "\(first.capture.warnings)")
        // The camera of the smaller picture is the same one.
        try expectMiniature(try recording.frame(at: 1).capture)
    }

    @Test(arguments: ["wide", "color", "vga_wide", "highres_RGB_0", "highres_wide"])
    func ofSeveralFormsOfAPictureTheLargestIsTaken(larger: String) throws {
        let folder = try ScratchFolder.laid([
            "lowres_wide/41_0.1.png": Self.image, larger + "/41_0.1.png": Self.image,
            "lowres_wide/41_0.2.png": Self.image, "lowres_depth/41_0.2.png": Self.depth,
            "lowres_depth/41_0.1.png": Self.depth, "highres_depth/41_0.1.png": "@depth-mm.png",
            "confidence/41_0.1.png": "@confidence-012.png",
            larger + "_intrinsics/41_0.1.pincam": "40 30 42 44 18 16",
        ])
        let recording = try Recording.open(folder.path)
        #expect(recording.frameCount == 1)
        let frame = try recording.description(at: 0).description
        #expect(frame.imagePath.hasSuffix(larger + "/41_0.1.png"))
        #expect(frame.depth?.path.hasSuffix("highres_depth/41_0.1.png") == true)
        // Confidence is of the sensor's own map.
        #expect(frame.confidencePath == nil)
        try expectMiniature(try Capture.read(frame))
        // The smaller picture names the moment.
        let named = try Recording.open(folder.path("lowres_wide/41_0.1.png")).description(at: 0).description
        #expect(named.imagePath == frame.imagePath)
    }

    @Test func namesAloneBringFilesTogetherWithoutAnyTime() throws {
        let folder = try ScratchFolder.laid([
            "lowres_wide/a.png": Self.image, "lowres_depth/a.png": Self.depth,
            "lowres_depth/b.png": Self.depth,
        ])
        let capture = try Recording.open(folder.path).frame(at: 0).capture
        #expect(capture.depth != nil && capture.intrinsics == nil)
    }

    @Test(arguments: ["rgb", "lowres_rgb"])
    func depthBesidePicturesOfOtherNamesIsAPairLikeAnyOther(pictures: String) throws {
        let folder = try ScratchFolder.laid([
            pictures + "/a.png": Self.image, "lowres_depth/a.png": Self.depth,
            "camera.json": #"{"fx":42,"fy":44,"cx":18,"cy":16,"width":40,"height":30}"#,
        ])
        let recording = try Recording.open(folder.path)
        #expect(recording.format == "pictures beside depth maps")
        try expectMiniature(try recording.frame(at: 0).capture)
    }

    @Test func whatIsIncompleteOrBrokenIsNamed() throws {
        let bare = try ScratchFolder.laid(["lowres_depth/a.png": Self.depth])
        let unknown = try #require(failure { try Recording.open(bare.path) })
        #expect(unknown.code == .badInput && unknown.seen?.contains("lowres_depth/a.png") == true)
        let apart = try ScratchFolder.laid([
            "lowres_depth/a.png": Self.depth, "lowres_wide/b.png": Self.image,
        ])
        #expect(failure { try Recording.open(apart.path) }?.seen == "1 pictures, 1 depth maps")
        let broken = try ScratchFolder.laid([
            "lowres_depth/a.png": Self.depth, "lowres_wide/a.png": Self.image,
            "lowres_wide_intrinsics/a.pincam": "40 30 42 44 18",
        ])
        let error = try #require(failure { try Recording.open(broken.path).frame(at: 0) })
        #expect(error.code == .badInput && error.file?.hasSuffix("a.pincam") == true)
        #expect(error.allowed == "width height fx fy cx cy")
    }
}

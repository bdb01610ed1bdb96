import DepthGeometry
import Foundation
import Imaging
import TestSupport
import Testing

@testable import Captures

@Suite struct PicturePairsFormatTests {
    private static let image = "@picture.png"
    private static let depth = "@depth-mm.png"
    private static let camera = #"{"fx":42,"fy":44,"cx":18,"cy":16,"width":40,"height":30}"#

    @Test(arguments: [
        ("color.png", "depth.png"), ("rgb/000007.png", "depth/7.png"), ("1.png", "1_depth.png"),
        ("color/frame-000012.color.png", "depth/frame-000012.depth.png"),
        ("run_Color_17.png", "run_Depth_17.png"), ("IMG0003.png", "aligned_depth_to_color/img_0003.png"),
    ])
    func namesThatDifferOnlyInWhatTheyShowBelongTogether(image: String, depth: String) throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: image)
        try folder.lay("depth-mm.png", as: depth)
        // A second picture, so that the names decide and not that there is but one.
        try folder.lay("picture.png", as: "zebra.png")
        let recording = try Recording.open(folder.path)
        let frame = try recording.description(at: 0).description
        #expect(recording.frameCount == 1)
        #expect(frame.imagePath.hasSuffix(image) && frame.depth?.path.hasSuffix(depth) == true)
    }

    @Test func numbersSortByValueAndMasksAreNoPictures() throws {
        let folder = try ScratchFolder()
        for number in [10, 2, 1] {
            try folder.lay("picture.png", as: "rgb/\(number).png")
            try folder.lay("depth-mm.png", as: "depth/\(number).png")
            try folder.lay("depth-8bit.png", as: "mask/\(number).png")
        }
        let recording = try Recording.open(folder.path)
        let names = try (0..<recording.frameCount).map {
            try recording.description(at: $0).description.imagePath.split(separator: "/").last.map(
                String.init)
        }
        #expect(names == ["1.png", "2.png", "10.png"])
    }

    @Test func aDepthCameraWithoutAPlaceIsTakenToBeAlignedAndSaid() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "color.png")
        try folder.lay("depth-mm.png", as: "depth.png")
        let depthCamera = #"{"width":20,"height":15,"fx":20,"fy":20,"ppx":9.5,"ppy":7}"#
        try folder.write(depthCamera, as: "depth_intrinsics.json")
        let alone = try Capture.read(folder.path)
        #expect(
            alone.intrinsics?.fx == 40 && alone.warnings.contains { $0.contains("only the depth camera's") })
        try folder.write(
            #"{"width":40,"height":30,"fx":42,"fy":44,"ppx":18,"ppy":16}"#, as: "color_intrinsics.json")
        let both = try Capture.read(folder.path)
        try expectMiniature(both)
        #expect(both.warnings.contains { $0.contains("assumed to be aligned") })
    }

    @Test func aPlaceWithoutBothCamerasIsSaidToBeOfNoUse() throws {
        let folder = try ScratchFolder.laid([
            "color.png": Self.image, "depth.png": Self.depth,
            "calibration.json":
                #"{"depth_to_color":{"rotation":[1,0,0,0,1,0,0,0,1],"translation":[0.02,0,0]},"color":\#(Self.camera)}"#,
        ])
        let capture = try Capture.read(folder.path)
        #expect(capture.warnings.contains { $0.contains("but not the intrinsics of both") })
    }
}

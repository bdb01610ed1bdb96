import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import TestSupport
import Testing

@testable import Captures

@Suite struct TransformsFormatTests {
    private static let image = "@picture.png"

    @Test(arguments: [#""integer_depth_scale": 0.0005,"#, #""depth_integer_scale": 0.0005,"#, ""])
    func transformsStateTheirDepthUnitOrMeanMillimetres(scale: String) throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "images/0.png")
        try folder.lay("depth-mm.png", as: "depth/0.png")
        let path = try folder.write(
            """
            {"fl_x": 84, "fl_y": 88, "cx": 36.5, "cy": 32.5, "w": 80, "h": 60, "camera_model": "OPENCV",
             "k1": 0.01, "k2": 0, "p1": 0, "p2": 0, \(scale)
             "frames": [{"file_path": "./images/0", "depth_file_path": "depth/0.png",
                         "transform_matrix": [[1,0,0,1],[0,1,0,2],[0,0,1,3],[0,0,0,1]]}]}
            """, as: "transforms.json")
        for name in [folder.path, path] {
            let frame = try Recording.open(name).frame(at: 0)
            try expectMiniature(frame.capture, unit: scale.isEmpty ? 0.001 : 0.0005)
            #expect(frame.capture.distortion != nil)
            #expect(frame.pose?.apply(SIMD3(0, 0, 1)) == SIMD3(1, 2, 2))
        }
    }

    @Test func transformsMayGiveAnAngleInsteadOfAFocalLength() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "a.png")
        try folder.write(
            #"{"camera_angle_x": 1.5707963267948966, "w": 40, "h": 30, "frames": [{"file_path": "a.png"}]}"#,
            as: "transforms.json")
        let intrinsics = try #require(try Capture.read(folder.path).intrinsics)
        // 90 degrees: half the width, over the tangent of 45.
        #expect(abs(intrinsics.fx - 20) < 1e-9 && abs(intrinsics.fy - 20) < 1e-9)
        #expect(intrinsics.cx == 19.5 && intrinsics.cy == 14.5)
    }

    @Test func transformsOfFisheyesAreRefused() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "a.png")
        try folder.write(
            #"{"fl_x":42,"fl_y":44,"cx":18,"cy":16,"camera_model":"OPENCV_FISHEYE","frames":[{"file_path":"a.png"}]}"#,
            as: "transforms.json")
        #expect(failure { try Capture.read(folder.path) }?.code == .unsupported)
    }

    @Test func anAngleWithoutASizeMeansNothingAndIsSaid() throws {
        let folder = try ScratchFolder.laid([
            "a.png": Self.image,
            "transforms.json": #"{"camera_angle_x": 1.2, "frames": [{"file_path": "a.png"}]}"#,
        ])
        let capture = try Capture.read(folder.path)
        #expect(capture.warnings.contains { $0.contains("camera_angle_x is ignored") })
    }
}

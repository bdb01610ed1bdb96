import DepthGeometry
import Foundation
import Imaging
import TestSupport
import Testing

@testable import Captures

/// Cameras of the files that rigs and tools lay beside pictures and depth maps.
@Suite struct FolderCameraTests {
    private static let image = "@picture.png"
    private static let depth = "@depth-mm.png"
    private static let camera = #"{"fx":42,"fy":44,"cx":18,"cy":16,"width":40,"height":30}"#

    @Test func realSenseJSONGivesTheCameraAndItsUnit() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "rgb.png")
        try folder.lay("depth-mm.png", as: "depth.png")
        try folder.write(
            #"{"width":40,"height":30,"fx":42,"fy":44,"ppx":18,"ppy":16,"model":"distortion.brown_conrady","coeffs":[0,0,0,0,0],"depth_scale":0.0001}"#,
            as: "intrinsics.json")
        try expectMiniature(try Capture.read(folder.path), unit: 1e-4)
    }

    /// AVCameraCalibrationData's own names: the matrix nested by columns, for a picture of its reference dimensions.
    @Test(arguments: [
        (#""absolute""#, #""fdep""#), ("0", "1717855600"), (#""relative""#, "1751411059"), ("1", #""hdep""#),
    ])
    func calibrationDataIsForItsReferenceDimensions(accuracy: String, type: String) throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "image.png")
        let isDisparity = type == "1751411059"
        try folder.lay(isDisparity ? "disparity.tif" : "depth-m.tif", as: "depth.tif")
        // 0, 0.001 and 0.002 in single precision.
        let table = Data(
            [0, 0.001, 0.002].flatMap { (value: Float) in
                withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init)
            }
        ).base64EncodedString()
        try folder.write(
            """
            {"depthDataAccuracy": \(accuracy), "depthDataType": \(type), "cameraCalibrationData": {
               "intrinsicMatrix": [[84, 0, 0], [0, 88, 0], [36.5, 32.5, 1]],
               "intrinsicMatrixReferenceDimensions": {"width": 80, "height": 60},
               "lensDistortionCenter": {"x": 37.5, "y": 31.5}, "pixelSize": 0.001,
               "lensDistortionLookupTable": "\(table)", "inverseLensDistortionLookupTable": [0, -0.001, -0.002]}}
            """, as: "calibration.json")
        let capture = try Capture.read(folder.path)
        let intrinsics = try #require(capture.intrinsics)
        #expect([intrinsics.fx, intrinsics.fy, intrinsics.cx, intrinsics.cy] == [42, 44, 18, 16])
        guard case .radialTable(let lens) = capture.distortion else {
            Issue.record("no table")
            return
        }
        #expect(lens.center == SIMD2(18.5, 15.5) && abs(lens.magnifications[2] - 0.002) < 1e-9)
        let depth = try #require(capture.depth)
        #expect(depth.scale == (accuracy == "0" || accuracy == #""relative""# ? .relative : .metric))
        // One rounding to Float each way.
        #expect(abs(depth[x: 9, y: 2] - 0.329) < 1e-6)
    }

    /// 7-Scenes: a pose of 4 x 4 numbers beside each picture, and the camera's nine in a file that says so.
    @Test func posesAreNotTakenForCameras() throws {
        let folder = try ScratchFolder()
        for number in 0..<12 {
            let name = "frame-" + String(1_000_000 + number).dropFirst()
            try folder.lay("picture.png", as: name + ".color.png")
            try folder.lay("depth-mm.png", as: name + ".depth.png")
            try folder.write("1 0 0 0.5\n0 1 0 0\n0 0 1 0\n0 0 0 1\n", as: name + ".pose.txt")
        }
        try folder.write("1 0 0\n0 1 0\n0 0 1\n", as: "rotation.txt")
        try folder.write("42 0 18\n0 44 16\n0 0 1\n", as: "camera-intrinsics.txt")
        let recording = try Recording.open(folder.path)
        #expect(recording.frameCount == 12)
        try expectMiniature(try recording.frame(at: 11).capture)
    }

    @Test func open3DsScaleIsUnitsAMetre() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "color/0.png")
        try folder.lay("depth-mm.png", as: "depth/0.png")
        try folder.write(
            #"{"width":40,"height":30,"intrinsic_matrix":[42,0,0,0,44,0,18,16,1],"depth_scale":4000}"#,
            as: "camera_intrinsic.json")
        try expectMiniature(try Capture.read(folder.path), unit: 1 / 4000)
    }

    static let cameraInfo = """
        image_width: 40
        image_height: 30
        camera_name: color
        camera_matrix:
          rows: 3
          cols: 3
          data: [42., 0., 18., 0., 44., 16., 0., 0., 1.]
        distortion_model: plumb_bob
        distortion_coefficients:
          rows: 1
          cols: 5
          data: [0., 0., 0., 0., 0.]
        """

    @Test(arguments: ["depth-mm.png", "depth-m.tif"])
    func rosMapsAreMillimetresAsWholeNumbersAndMetresAsFloats(depth: String) throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "rgb/5.png")
        try folder.lay(depth, as: "depth/5." + RecordedFiles.fileExtension(depth))
        try folder.write(Self.cameraInfo, as: "camera_info.yaml")
        let capture = try Capture.read(folder.path)
        try expectMiniature(capture)
        #expect(capture.warnings.isEmpty, "\(capture.warnings)")
    }

    /// What `rostopic echo -n1` prints of a sensor_msgs/CameraInfo, and of realsense2_camera/Extrinsics.
    @Test func rosMessagesAsTheyArePrintedAreRead() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "rgb.png")
        try folder.lay("depth-mm.png", as: "depth.png")
        func info(_ name: String, _ width: Int, _ height: Int, _ matrix: String) throws {
            try folder.write(
                """
                header:
                  seq: 1
                  frame_id: "camera"
                height: \(height)
                width: \(width)
                distortion_model: "plumb_bob"
                D: [0.0, 0.0, 0.0, 0.0, 0.0]
                K: [\(matrix)]
                R: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
                roi:
                  do_rectify: False
                ---

                """, as: name)
        }
        try info("color_camera_info.yaml", 40, 30, "42.0, 0.0, 18.0, 0.0, 44.0, 16.0, 0.0, 0.0, 1.0")
        let aligned = try Capture.read(folder.path)
        try expectMiniature(aligned)
        #expect(aligned.warnings.isEmpty, "\(aligned.warnings)")
        try info("depth_camera_info.yaml", 20, 15, "20.0, 0.0, 9.5, 0.0, 20.0, 7.0, 0.0, 0.0, 1.0")
        try folder.write(
            "rotation: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]\ntranslation: [0.015, 0.0, 0.0]\n---\n",
            as: "extrinsics_depth_to_color.yaml")
        let moved = try Capture.read(folder.path)
        #expect(moved.warnings.contains { $0.contains("reprojected from the depth camera") })
    }

    @Test func aCamerasFileThatIsBrokenIsNotPassedOver() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "rgb.png")
        try folder.lay("depth-mm.png", as: "depth.png")
        try folder.write("just a note: [", as: "notes.txt")
        try folder.write(
            String(repeating: "1311868164.36 0.1 0.2 0.3 0 0 0 1\n", count: 9000), as: "camera_trajectory.txt"
        )
        #expect(try Recording.open(folder.path).frameCount == 1)
        let path = try folder.write(#"{"fx": 42, "fy": 0, "cx": 18, "cy": 16}"#, as: "intrinsics.json")
        #expect(failure { try Recording.open(folder.path) }?.file == path)
        try folder.write("{", as: "intrinsics.json")
        #expect(failure { try Recording.open(folder.path) }?.file == path)
    }

    @Test func aColourCamerasNameDecidesBetweenTwo() throws {
        for (first, second) in [("color_info.json", "other.json"), ("a.json", "rgb_info.json")] {
            let folder = try ScratchFolder.laid([
                "rgb.png": Self.image, "depth.png": Self.depth,
                first: first.contains("color") ? Self.camera : Self.camera.replacing("42", with: "50"),
                second: second.contains("rgb") ? Self.camera : Self.camera.replacing("42", with: "50"),
            ])
            #expect(try Capture.read(folder.path).intrinsics?.fx == 42)
        }
    }

    @Test func anEmptyFileBesideThePicturesDescribesNoCamera() throws {
        let folder = try ScratchFolder.laid([
            "rgb.png": Self.image, "depth.png": Self.depth, "camera.json": "", "intrinsics.json": Self.camera,
        ])
        #expect(try Capture.read(folder.path).intrinsics?.fx == 42)
    }
}

import DepthGeometry
import Foundation
import ImageFiles
import Imaging
import Testing

@testable import Captures

// Each miniature is laid out as the format's published description says, of pictures that Pillow wrote (40 x 30, depth
// 20 x 15 with 300 + x + 10 y in its unit, confidence low in columns 0 to 4) and texts written out here.

/// The intrinsics of all miniatures, for the picture of 40 x 30.
private let camera = CameraIntrinsics(
    fx: 42, fy: 44, cx: 18, cy: 16, imageSize: PixelSize(width: 40, height: 30))

private func expectMiniature(
    _ capture: Capture, unit: Float = 0.001, droppedColumns: Int = 0,
    _ location: SourceLocation = #_sourceLocation
) throws {
    #expect(capture.image.size == PixelSize(width: 40, height: 30), sourceLocation: location)
    let intrinsics = try #require(capture.intrinsics, sourceLocation: location)
    for (value, expected) in [
        (intrinsics.fx, camera.fx), (intrinsics.fy, camera.fy), (intrinsics.cx, camera.cx),
        (intrinsics.cy, camera.cy),
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

@Suite struct RecordingFormatTests {
    static func strayScanner() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write("42.0, 0.0, 18.0\n0.0, 44.0, 16.0\n0.0, 0.0, 1.0\n", as: "camera_matrix.csv")
        for number in ["000000", "000001", "000002"] {
            try folder.lay("depth-mm.png", as: "depth/\(number).png")
            try folder.lay("confidence-012.png", as: "confidence/\(number).png")
            try folder.lay("picture-1.jpg", as: "rgb/\(number).jpg")
        }
        try folder.write(
            """
            timestamp, frame, x, y, z, qx, qy, qz, qw
            7.5, 000000, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0
            7.6, 000001, 0.1, 0.2, 0.3, 0.0, 0.0, 0.7071068, 0.7071068
            7.7, 0000
            """, as: "odometry.csv")
        return folder
    }

    @Test func strayScannerIsMillimetresWithItsMatrixByRowsAndItsOdometry() throws {
        let folder = try Self.strayScanner()
        let recording = try Recording.open(folder.path)
        #expect(recording.format == "Stray Scanner" && recording.frameCount == 3)
        #expect(recording.evidence == ["camera_matrix.csv", "depth/", "rgb/"])
        let frame = try recording.frame(at: 1)
        try expectMiniature(frame.capture, droppedColumns: 5)
        #expect(frame.capture.warnings.isEmpty, "\(frame.capture.warnings)")
        #expect(frame.timestamp == 7.6)
        // A quarter turn about z takes x to y; four decimals of a quaternion.
        let moved = try #require(frame.pose).apply(SIMD3(1, 0, 0))
        #expect(((moved - SIMD3(0.1, 1.2, 0.3)) * (moved - SIMD3(0.1, 1.2, 0.3))).sum() < 1e-10)
        // The line that the app did not finish says nothing.
        #expect(try recording.frame(at: 2).pose == nil)
    }

    @Test func strayScannersOdometryMayStateEachFramesCamera() throws {
        let folder = try Self.strayScanner()
        try folder.write(
            """
            timestamp, frame, x, y, z, qx, qy, qz, qw, fx, fy, cx, cy, distortion_center_x, distortion_center_y
            7.5, 000000, 0, 0, 0, 0, 0, 0, 1, 43.0, 45.0, 19.0, 15.0, , ,
            """, as: "odometry.csv")
        let recording = try Recording.open(folder.path)
        #expect(try recording.frame(at: 0).capture.intrinsics?.fx == 43)
        #expect(try recording.frame(at: 1).capture.intrinsics?.fx == 42)
    }

    @Test func polycamsCorrectedFilesGoTogetherAndItsConfidenceIsABytesRange() throws {
        let folder = try ScratchFolder()
        let angle =
            #""t_00":1,"t_01":0,"t_02":0,"t_03":5,"t_10":0,"t_11":1,"t_12":0,"t_13":6,"t_20":0,"t_21":0,"t_22":1,"t_23":7"#
        for stem in ["999000000", "1000000000"] {
            try folder.lay("picture-1.jpg", as: "keyframes/images/\(stem).jpg")
            try folder.lay("picture-1.jpg", as: "keyframes/corrected_images/\(stem).jpg")
            try folder.lay("depth-mm.png", as: "keyframes/depth/\(stem).png")
            try folder.lay("confidence-255.png", as: "keyframes/confidence/\(stem).png")
            // The uncorrected camera differs, so that a mix would show.
            for (kind, scale) in [("cameras", 1.5), ("corrected_cameras", 2)] {
                try folder.write(
                    """
                    {"fx":\(42 * scale),"fy":\(44 * scale),"cx":\(18.5 * scale - 0.5),"cy":\(16.5 * scale - 0.5),
                     "width":80,"height":60,"blur_score":120.5,\(angle)}
                    """, as: "keyframes/\(kind)/\(stem).json")
            }
        }
        let recording = try Recording.open(folder.path)
        #expect(recording.format == "Polycam" && recording.frameCount == 2)
        let frame = try recording.frame(at: 0)
        try expectMiniature(frame.capture, droppedColumns: 5)
        #expect(frame.capture.metadata.imageName.hasSuffix("corrected_images/999000000.jpg"))
        #expect(frame.timestamp == 999)
        // ARKit looks along -z with y up: what lies ahead of our camera, lies behind its.
        #expect(frame.pose?.apply(SIMD3(0, 1, 2)) == SIMD3(5, 5, 5))
    }

    @Test func scannerAppFramesWithDepthAreTakenWithTheirOwnIntrinsics() throws {
        let folder = try ScratchFolder()
        for number in ["00000", "00001"] {
            try folder.lay("picture-1.jpg", as: "frame_\(number).jpg")
            try folder.write(
                """
                {"intrinsics":[42,0,18,0,44,16,0,0,1], "time": 12.25, "frame_index": 0,
                 "cameraPoseARFrame":[1,0,0,0.5, 0,1,0,0, 0,0,1,0, 0,0,0,1]}
                """, as: "frame_\(number).json")
        }
        try folder.lay("depth-mm.png", as: "depth_00001.png")
        try folder.lay("confidence-012.png", as: "conf_00001.png")
        try folder.write("{}", as: "info.json")
        let recording = try Recording.open(folder.path)
        #expect(recording.format == "3D Scanner App" && recording.frameCount == 1)
        let frame = try recording.frame(at: 0)
        try expectMiniature(frame.capture, droppedColumns: 5)
        #expect(frame.timestamp == 12.25 && frame.pose?.translation == SIMD3(0.5, 0, 0))
    }

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

    @Test func tumPicturesTakeTheNearestDepthEachOnceAt5000AMetre() throws {
        let folder = try ScratchFolder()
        for name in ["1.00", "1.04", "1.09"] { try folder.lay("picture.png", as: "rgb/\(name).png") }
        for name in ["1.005", "1.03"] { try folder.lay("depth-mm.png", as: "depth/\(name).png") }
        try folder.write(
            "# color images\n# timestamp filename\n1.00 rgb/1.00.png\n1.04 rgb/1.04.png\n1.09 rgb/1.09.png\n",
            as: "rgb.txt")
        try folder.write("# depth maps\n1.005 depth/1.005.png\n1.03 depth/1.03.png\n", as: "depth.txt")
        try folder.write("42 44 18 16", as: "calibration.txt")
        try folder.write("# timestamp tx ty tz qx qy qz qw\n1.01 1 2 3 0 0 0 1\n", as: "groundtruth.txt")
        let recording = try Recording.open(folder.path)
        #expect(recording.format == "TUM RGB-D" && recording.frameCount == 2)
        let frame = try recording.frame(at: 0)
        try expectMiniature(frame.capture, unit: 1 / 5000)
        #expect(frame.pose?.translation == SIMD3(1, 2, 3))
        let second = try recording.description(at: 1)
        #expect(second.description.imagePath.hasSuffix("1.04.png"))
        #expect(second.description.depth?.path.hasSuffix("1.03.png") == true)
        #expect(second.pose == nil)
    }

    @Test func tumWithoutACameraTakesTheBenchmarksAndSaysSo() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "rgb/a.png")
        try folder.lay("depth-mm.png", as: "depth/a.png")
        try folder.write("0.0 depth/a.png 0.0 rgb/a.png\n", as: "associations.txt")
        let capture = try Capture.read(folder.path)
        // 525 for 640 columns, at 40.
        #expect(abs(try #require(capture.intrinsics).fx - 525.0 / 16) < 1e-9)
        #expect(capture.warnings.contains { $0.contains("default is assumed") })
    }

    static let depthMetadata = """
        [{"Accuracy": 1, "MediaSubType": "fdep", "Width": 20, "Height": 15, "Timestamp": 212876,
          "IntrinsicMatrix.0": "(21.0, 0.0, 8.75)", "IntrinsicMatrix.1": "(0.0, 22.0, 7.75)",
          "IntrinsicMatrix.2": "(0.0, 0.0, 1.0)", "IntrinsicMatrixReferenceDimensions": "(400.0, 300.0)",
          "LensDistortionCenter": "(190.0, 150.0)",
          "LensDistortionLookupTable": [0, 0.001, 0.002], "LensDistortionInverseLookupTable": [0, -0.001, -0.002]},
         {"Accuracy": 1, "Timestamp": 3}]
        """

    @Test func depthDataDumpsAreInTenthsOfMillimetresWithTheLensInReferenceDimensions() throws {
        let folder = try ScratchFolder()
        try folder.write(Self.depthMetadata, as: "DepthMetadata.json")
        try folder.lay("picture.png", as: "rgb_212876.png")
        try folder.lay("depth-mm.png", as: "depth_212876.png")
        let recording = try Recording.open(folder.path)
        #expect(recording.format == "AVDepthData" && recording.frameCount == 1)
        let capture = try recording.frame(at: 0).capture
        // The matrix is that of the map of 20 x 15, since its principal point lies in the middle of that.
        try expectMiniature(capture, unit: 1e-4)
        guard case .radialTable(let table) = capture.distortion else {
            Issue.record("no table")
            return
        }
        // 190 of 400 columns at 20, then at 40: (9.5 + 0.5) * 2 - 0.5.
        #expect(abs(table.center.x - 19.5) < 1e-9)
    }

    @Test func aMeasuredCameraIsPreferredToTheFactorys() throws {
        let folder = try ScratchFolder()
        try folder.write(
            Self.depthMetadata.replacing(
                "\"Accuracy\": 1, \"MediaSubType\": \"fdep\"", with: "\"Accuracy\": 0"),
            as: "DepthMetadata.json")
        try folder.write(
            #"{"cam_matrix": [[40, 0, 18], [0, 41, 16], [0, 0, 1]], "dist": [0, 0, 0, 0, 0]}"#,
            as: "cam_calibration.json")
        try folder.lay("picture.png", as: "rgb_212876.png")
        try folder.lay("depth-mm.png", as: "depth_212876.png")
        let capture = try Capture.read(folder.path)
        #expect(capture.intrinsics?.fx == 40 && capture.distortion == nil)
        #expect(capture.depth?.scale == .relative)
        #expect(capture.warnings.contains { $0.contains("the measured one is taken") })
    }
}

@Suite struct PicturePairsTests {
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
        #expect(both.warnings.contains { $0.contains("taken to be aligned") })
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
        #expect(moved.warnings.contains { $0.contains("brought from the depth camera") })
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

    @Test func colmapCountsPixelsFromTheCorner() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "images/a.png")
        try folder.lay("picture.png", as: "images/b.png")
        let cameras =
            "# Camera list\n1 PINHOLE 40 30 42 44 18.5 16.5\n2 SIMPLE_RADIAL 40 30 50 20.5 15.5 0.01\n"
        try folder.write(cameras, as: "sparse/0/cameras.txt")
        try folder.write(
            "# Image list\n1 1 0 0 0 0 0 0 1 a.png\n12.5 3.5 -1 7.5 8.5 4\n2 1 0 0 0 0 0 0 2 b.png\n\n",
            as: "sparse/0/images.txt")
        let recording = try Recording.open(folder.path)
        let a = try #require(try recording.frame(at: 0).capture.intrinsics)
        #expect([a.fx, a.fy, a.cx, a.cy] == [42, 44, 18, 16])
        let b = try recording.frame(at: 1).capture
        #expect(b.intrinsics?.fx == 50 && b.intrinsics?.fy == 50 && b.intrinsics?.cx == 20)
        #expect(b.distortion != nil)
        // Without images.txt nothing tells which of the two took a picture.
        let parsed = failure { try IntrinsicsDocument.parse(InputFile(cameras, name: "cameras.txt")) }
        #expect(parsed?.code == .badInput)
        let fisheye = failure {
            try IntrinsicsDocument.parse(InputFile("1 OPENCV_FISHEYE 40 30 42 44 18 16 0 0 0 0"))
        }
        #expect(fisheye?.code == .unsupported)
    }

    /// A turn of 30 degrees about z and a shift, as RealSense, as Azure Kinect and as matrices write it.
    @Test(arguments: [
        #"{"rotation": [0.8660254, 0.5, 0, -0.5, 0.8660254, 0, 0, 0, 1], "translation": [0.015, 0, 0.001]}"#,
        #"{"rotation": [0.8660254, -0.5, 0, 0.5, 0.8660254, 0, 0, 0, 1], "translation": [15, 0, 1]}"#,
        #"{"rotation": [[0.8660254, -0.5, 0], [0.5, 0.8660254, 0], [0, 0, 1]], "translation": [0.015, 0, 0.001]}"#,
        "[[0.8660254, -0.5, 0, 0.015], [0.5, 0.8660254, 0, 0], [0, 0, 1, 0.001], [0, 0, 0, 1]]",
    ])
    func oneTransformIsReadHoweverItIsWritten(extrinsics: String) throws {
        let folder = try ScratchFolder()
        try folder.write(#"{"depth_to_color": \#(extrinsics)}"#, as: "calibration.json")
        let camera = try FolderCamera.read(
            try RecordedFiles.list(folder: folder.path, limits: FlatteningLimits()))
        let point = try #require(camera.depthToColor).apply(SIMD3(1, 0, 0))
        // Seven digits.
        #expect(abs(point.x - 0.8810254) < 1e-6 && abs(point.y - 0.5) < 1e-6 && abs(point.z - 0.001) < 1e-9)
    }

    @Test func aDepthCameraBesideTheColourCameraIsBroughtToIt() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "color.png")
        try folder.lay("depth-flat.png", as: "depth.png")
        // The depth camera sits 20 mm to the right: what it sees at its column u, the colour camera sees farther right.
        try folder.write(
            """
            {"color": {"width":40,"height":30,"fx":42,"fy":44,"ppx":18,"ppy":16},
             "depth": {"width":20,"height":15,"fx":20,"fy":20,"ppx":9.5,"ppy":7},
             "depth_to_color": {"rotation":[1,0,0,0,1,0,0,0,1], "translation":[0.02,0,0]}, "depth_scale": 0.001}
            """, as: "calibration.json")
        let capture = try Capture.read(folder.path)
        #expect(capture.warnings.contains { $0.contains("brought from the depth camera") })
        let depth = try #require(capture.depth)
        // The map holds 500 mm but 250 mm in columns 10 and 11, rows 5 to 9. A reading at (10.5, 7) is at x = 12.5 mm in the
        // depth camera, 32.5 mm in the colour camera: column 42 / 0.25 * 0.0325 + 18 = 23.46 of 40, row 16.
        let row = Double(depth.height) / 30 * 16.5 - 0.5
        let column = Double(depth.width) / 40 * 23.96 - 0.5
        #expect(abs(depth[x: Int(column.rounded()), y: Int(row.rounded())] - 0.25) < 1e-6)
        // Without the shift it would have been at column 42 / 0.25 * 0.0125 + 18 = 20.1.
        let unshifted = Double(depth.width) / 40 * 20.6 - 0.5
        #expect(abs(depth[x: Int(unshifted.rounded()), y: Int(row.rounded())] - 0.5) < 1e-6)
    }
}

@Suite struct RecordingDetectionTests {
    @Test func whatIsIncompleteIsNamedWithWhatIsMissing() throws {
        let folder = try ScratchFolder()
        try folder.write("42,0,18\n0,44,16\n0,0,1\n", as: "camera_matrix.csv")
        try folder.lay("depth-mm.png", as: "depth/000000.png")
        let error = try #require(failure { try Recording.open(folder.path) })
        #expect(error.code == .badInput && error.message.contains("Stray Scanner"))
        #expect(error.seen == "no rgb/ or rgb.mp4")
    }

    @Test func whatIsAmbiguousIsRefusedUntilItsFileIsNamed() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "rgb/a.png")
        try folder.lay("depth-mm.png", as: "depth/a.png")
        try folder.write("0.0 rgb/a.png 0.0 depth/a.png\n", as: "associations.txt")
        let path = try folder.write(
            #"{"fl_x":42,"fl_y":44,"cx":18,"cy":16,"w":40,"h":30,"frames":[{"file_path":"rgb/a.png"}]}"#,
            as: "transforms.json")
        let error = try #require(failure { try Recording.open(folder.path) })
        #expect(error.message.contains("more than one format"))
        #expect(error.seen?.contains("nerfstudio (transforms.json)") == true)
        #expect(try Recording.open(path).format == "nerfstudio")
    }

    @Test func ourOwnDescriptionIsBelievedBeforeAllOthers() throws {
        let folder = try RecordingFormatTests.strayScanner()
        try folder.write(#"{"image": "rgb/000001.jpg"}"#, as: "capture.json")
        #expect(try Recording.open(folder.path).format == "capture.json")
    }

    @Test func pairsOfDifferentFoldersAreDifferentCaptures() throws {
        let folder = try ScratchFolder()
        for name in ["one", "two"] {
            try folder.lay("picture.png", as: name + "/rgb.png")
            try folder.lay("depth-mm.png", as: name + "/depth.png")
            if name == "one" { #expect(try Recording.open(folder.path).frameCount == 1) }
        }
        #expect(failure { try Recording.open(folder.path) }?.message.contains("several captures") == true)
    }

    @Test func aCaptureInAFolderOfItsOwnIsFoundAndSeveralAreNamed() throws {
        let folder = try ScratchFolder()
        for name in ["one", "two"] {
            try folder.lay("picture.png", as: name + "/a.png")
            try folder.write(#"{"image": "a.png"}"#, as: name + "/capture.json")
            if name == "one" { #expect(try Recording.open(folder.path).format == "capture.json") }
        }
        let error = try #require(failure { try Recording.open(folder.path) })
        #expect(error.message.contains("several captures") && error.seen?.contains("/two") == true)
    }

    /// Archives often hold one folder that holds the capture; their files have no paths of their own.
    @Test func filesOfAnArchiveAreReadThroughItAlone() throws {
        let picture = try InputFile.read(path: try Fixture.path("picture.png")).bytes
        let entries = [
            "scan/capture.json": Array(#"{"image": "shots/a.png"}"#.utf8), "scan/shots/a.png": picture,
        ]
        let files = RecordedFiles(
            root: "x.zip", names: Array(entries.keys), limits: FlatteningLimits(),
            unpack: { (name: String) throws(FlatteningError) -> [UInt8] in entries[name] ?? [] })
        let found = try #require(try RecordingDetection.detect(files))
        let description = try found.format.init(found.files).frame(at: 0).description
        #expect(description.imagePath == "x.zip/scan/shots/a.png")
        #expect(try Capture.read(description).image.size == PixelSize(width: 40, height: 30))
    }

    @Test func noNameLeadsOutOfTheCapture() throws {
        let outside = try ScratchFolder()
        try outside.lay("picture.png", as: "secret.png")
        let folder = try ScratchFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link.png", withDestinationPath: outside.path + "/secret.png")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/inside", withDestinationPath: outside.path)
        for name in [
            outside.path + "/secret.png", "../" + outside.path.split(separator: "/").last! + "/secret.png",
            "link.png", "inside/secret.png", "./link.png", "",
        ] {
            try folder.write(
                #"{"fl_x":42,"fl_y":44,"cx":18,"cy":16,"frames":[{"file_path":"\#(name)"}]}"#,
                as: "transforms.json")
            #expect(failure { try Capture.read(folder.path) }?.code == .fileAccess, "\(name)")
        }
        try FileManager.default.removeItem(atPath: folder.path + "/transforms.json")
        try folder.write(#"{"image": "link.png"}"#, as: "capture.json")
        #expect(failure { try Capture.read(folder.path) }?.code == .fileAccess)
    }

    @Test func whatIsNoCaptureIsToldWithWhatWasSeen() throws {
        let folder = try ScratchFolder()
        try folder.write("hello", as: "notes.txt")
        let error = try #require(failure { try Recording.open(folder.path) })
        #expect(error.code == .badInput && error.seen == "notes.txt")
        #expect(error.allowed?.contains("Polycam") == true)
        #expect(failure { try Capture.read(folder.path + "/notes.txt") }?.code == .badInput)
        var limits = FlatteningLimits()
        limits.maximumEntries = 0
        #expect(failure { try Recording.open(folder.path, limits: limits) }?.code == .limitExceeded)
    }

    @Test func aFrameThatIsNotThereIsAnError() throws {
        let folder = try RecordingFormatTests.strayScanner()
        let recording = try Recording.open(folder.path)
        #expect(failure { try recording.frame(at: 3) }?.allowed == "0 to 2")
        #expect(failure { try recording.frame(at: -1) }?.code == .badInput)
        #expect(
            try recording.description(at: 1).description.source
                == "Stray Scanner (camera_matrix.csv, depth/, rgb/), frame 1 of 0 to 2")
    }
}

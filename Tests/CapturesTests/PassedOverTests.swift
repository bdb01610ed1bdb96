import Foundation
import ImageFiles
import Imaging
import Testing

@testable import Captures

/// What in a recording is of no use, and is passed over or taken in another way: each is said.
@Suite struct PassedOverTests {
    private static let image = "@picture.png"
    private static let depth = "@depth-mm.png"
    private static let camera = #"{"fx":42,"fy":44,"cx":18,"cy":16,"width":40,"height":30}"#

    @Test func aVideoWithinAnArchiveIsRefusedWithTheWayOut() throws {
        let files = RecordedFiles(
            root: "x.zip", names: ["rgb.mp4"], limits: FlatteningLimits(),
            unpack: { (_: String) throws(FlatteningError) -> [UInt8] in [] })
        let error = try #require(failure { try VideoFrame.picture(number: 0, of: "rgb.mp4", in: files) })
        #expect(error.code == .unsupported && error.advice == "Unpack the archive first")
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

    @Test func aPlaceWithoutBothCamerasIsSaidToBeOfNoUse() throws {
        let folder = try ScratchFolder.laid([
            "color.png": Self.image, "depth.png": Self.depth,
            "calibration.json":
                #"{"depth_to_color":{"rotation":[1,0,0,0,1,0,0,0,1],"translation":[0.02,0,0]},"color":\#(Self.camera)}"#,
        ])
        let capture = try Capture.read(folder.path)
        #expect(capture.warnings.contains { $0.contains("but not the intrinsics of both") })
    }

    @Test func aDepthCameraOfAnotherShapeThanTheMapIsNotItsCamera() throws {
        let folder = try ScratchFolder.laid([
            "color.png": Self.image, "depth.png": Self.depth,
            "calibration.json": """
            {"color": \(Self.camera), "depth": {"width":64,"height":20,"fx":20,"fy":20,"ppx":9,"ppy":7},
             "depth_to_color": {"rotation":[1,0,0,0,1,0,0,0,1],"translation":[0.02,0,0]}}
            """,
        ])
        let capture = try Capture.read(folder.path)
        #expect(capture.warnings.contains { $0.contains("is not the depth camera's") })
    }

    /// Where no file states the colour picture's size it is looked at.
    @Test func aColourCameraWithoutASizeHasItsPictures() throws {
        let sized = #"{"width":40,"height":30,"fx":42,"fy":44,"ppx":18,"ppy":16}"#
        let depths = try [sized, #"{"fx":42,"fy":44,"ppx":18,"ppy":16}"#].map { color in
            let folder = try ScratchFolder.laid([
                "color.png": Self.image, "depth.png": "@depth-flat.png",
                "calibration.json": """
                {"color": \(color), "depth": {"width":20,"height":15,"fx":20,"fy":20,"ppx":9.5,"ppy":7},
                 "depth_to_color": {"rotation":[1,0,0,0,1,0,0,0,1], "translation":[0.02,0,0]}, "depth_scale": 0.001}
                """,
            ])
            return try #require(try Capture.read(folder.path).depth)
        }
        #expect(depths[0].values.map { $0.isNaN ? -1 : $0 } == depths[1].values.map { $0.isNaN ? -1 : $0 })
    }

    @Test func anAngleWithoutASizeMeansNothingAndIsSaid() throws {
        let folder = try ScratchFolder.laid([
            "a.png": Self.image,
            "transforms.json": #"{"camera_angle_x": 1.2, "frames": [{"file_path": "a.png"}]}"#,
        ])
        let capture = try Capture.read(folder.path)
        #expect(capture.warnings.contains { $0.contains("camera_angle_x means nothing") })
    }

    @Test func disparityOfADepthDumpIsSaidByItsType() throws {
        for (type, kind) in [("fdis", CaptureDescription.Depth.Kind.disparity), ("fdep", .depth)] {
            let folder = try ScratchFolder.laid([
                "DepthMetadata.json":
                    #"[{"Timestamp":3,"MediaSubType":"\#(type)","IntrinsicMatrix.0":[42,0,18],"#
                    + #""IntrinsicMatrix.1":[0,44,16],"IntrinsicMatrix.2":[0,0,1]}]"#,
                "rgb_3.png": Self.image, "depth_3.png": Self.depth,
            ])
            let description = try Recording.open(folder.path).description(at: 0).description
            #expect(description.depth?.kind == kind)
            // No size is stated anywhere: the matrix is taken as it is.
            guard case .stated(let camera, _) = description.intrinsics else {
                Issue.record("no camera")
                return
            }
            #expect(camera.fx == 42 && camera.size == nil)
        }
    }

    @Test func confidenceInTheExportOfRecord3DIsAPicture() throws {
        let folder = try ScratchFolder.laid([
            "metadata.json": #"{"w": 40, "h": 30, "K": [42, 0, 0, 0, 44, 0, 18, 16, 1]}"#,
            "rgb/0.jpg": "@picture-1.jpg", "depth/0.exr": "@depth-float.exr",
            "confidence/0.png": "@confidence-012.png",
        ])
        let depth = try #require(try Capture.read(folder.path).depth)
        #expect((0..<20).filter { !depth[x: $0, y: 9].isNaN } == Array(5..<20))
    }

    @Test func aFolderThatMayNotBeLookedIntoIsAsGoodAsNotThere() throws {
        let folder = try ScratchFolder.laid([
            "rgb.png": Self.image, "depth.png": Self.depth, "closed/a.png": Self.image,
        ])
        let closed = folder.path + "/closed"
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: closed) }
        // The superuser may look into everything; then it is another picture without depth.
        #expect(try Recording.open(folder.path).frameCount == 1)
    }
}

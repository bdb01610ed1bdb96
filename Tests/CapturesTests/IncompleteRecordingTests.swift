import Diagnostics
import Foundation
import Imaging
import TestSupport
import Testing

@testable import Captures

/// Recordings of which something is missing, contradicts itself or is of no use: what each says, and of which file.
@Suite struct IncompleteRecordingTests {
    /// A folder's files: texts, or with a leading "@" the fixture of that name.
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var files: [String: String]
        var code: FlatteningError.Code = .badInput
        /// The end of the path that the error names.
        var file = ""
        /// What its words contain.
        var words: String

        var testDescription: String { name }
    }

    private static let matrix = "42,0,18\n0,44,16\n0,0,1\n"
    private static let image = "@picture.png"
    private static let depth = "@depth-mm.png"
    private static let camera = #"{"fx":42,"fy":44,"cx":18,"cy":16,"width":40,"height":30}"#

    static let cases: [Case] = [
        Case(
            name: "a matrix without depth",
            files: ["camera_matrix.csv": matrix, "odometry.csv": "timestamp\n", "rgb/0.png": image],
            words: "no depth/"),
        Case(
            name: "numbers that do not meet",
            files: ["camera_matrix.csv": matrix, "depth/1.png": depth, "rgb/2.png": image],
            words: "no picture has a depth map of its number"),
        Case(
            name: "odometry without its columns",
            files: [
                "camera_matrix.csv": matrix, "depth/1.png": depth, "rgb/1.png": image,
                "odometry.csv": "timestamp, frame, x\n1, 2, 3\n",
            ],
            file: "odometry.csv", words: "columns are missing"),
        Case(
            name: "keyframes without cameras' names",
            files: ["keyframes/images/1.jpg": "@picture-1.jpg", "keyframes/cameras/2.json": camera],
            words: "no picture has a camera file of its name"),
        Case(
            name: "a keyframe's camera without a focal length",
            files: ["keyframes/images/1.jpg": "@picture-1.jpg", "keyframes/cameras/1.json": #"{"blur":1}"#],
            file: "keyframes/cameras/1.json", words: "no camera intrinsics"),
        Case(
            name: "frames without pictures", files: ["frame_00001.json": camera, "frame_00002.jpg": image],
            words: "no frame_*.json has a picture of its name"),
        Case(
            name: "frames and nothing else", files: ["frame_00001.json": camera],
            words: "frame_00001.jpg"),
        Case(
            name: "a frame's camera that cannot be",
            files: ["frame_00001.json": #"{"intrinsics":[0,0,18,0,44,16,0,0,1]}"#, "frame_00001.jpg": image],
            file: "frame_00001.json", words: "fx"),
        Case(
            name: "transforms of no frames", files: ["transforms.json": #"{"w": 40, "frames": []}"#],
            words: "transforms.json names no frames"),
        Case(
            name: "transforms that cannot be read", files: ["transforms.json": "{"], file: "transforms.json",
            words: "json: a key"),
        Case(
            name: "a transform's depth unit",
            files: [
                "transforms.json":
                    #"{"integer_depth_scale":0,"frames":[{"file_path":"a.png","depth_file_path":"d.png"}]}"#,
                "a.png": image, "d.png": depth,
            ],
            words: "depth unit"),
        Case(
            name: "pictures and maps of other times",
            files: [
                "rgb.txt": "1.0 rgb/a.png\nx y\n", "depth.txt": "1.021 depth/a.png\n", "rgb/a.png": image,
                "depth/a.png": depth,
            ],
            words: "at the same time"),
        Case(
            name: "a list without the other", files: ["rgb.txt": "1.0 a.png\n", "a.png": image],
            words: "no depth.txt"),
        Case(
            name: "a depth dump without its pictures", files: ["DepthMetadata.json": "[]"],
            words: "no rgb_*.png, no depth_*.png"),
        Case(
            name: "a depth dump of other times",
            files: [
                "DepthMetadata.json": #"[{"Timestamp":3},{}]"#, "rgb_4.png": image, "depth_4.png": depth,
            ],
            code: .fileAccess, file: "rgb_3.png", words: "none of the frames that DepthMetadata.json names"),
        Case(
            name: "a depth dump of no frames",
            files: ["DepthMetadata.json": "[{}]", "rgb_4.png": image, "depth_4.png": depth],
            words: "DepthMetadata.json describes no frame"),
        Case(
            name: "Record3D without metadata", files: ["rgbd/0.jpg": "@picture-1.jpg"], words: "no metadata"),
        Case(
            name: "Record3D without pictures", files: ["metadata": "{}", "rgbd/0.depth": "bvx$"],
            words: "holds no pictures"),
        Case(
            name: "Record3D without the map's size",
            files: ["metadata": #"{"w":40,"h":30}"#, "rgbd/0.jpg": "@picture-1.jpg", "rgbd/0.depth": "bvx$"],
            file: "rgbd/0.depth", words: "does not state the depth map's size"),
        Case(
            name: "Record3D's map that is not as large",
            files: [
                "metadata": #"{"w":40,"h":30,"dw":2,"dh":2}"#, "rgbd/0.jpg": "@picture-1.jpg",
                "rgbd/0.depth": "bvx$",
            ],
            file: "rgbd/0.depth", words: "not as long as it should be"),
        Case(
            name: "Record3D's map beyond all limits",
            files: [
                "metadata": #"{"w":40,"h":30,"dw":100000,"dh":2}"#, "rgbd/0.jpg": "@picture-1.jpg",
                "rgbd/0.depth": "bvx$",
            ],
            code: .limitExceeded, file: "rgbd/0.depth", words: "too large"),
        Case(
            name: "Record3D without a camera",
            files: ["metadata.json": #"{"w":40,"h":30}"#, "rgb/0.jpg": "@picture-1.jpg"],
            file: "metadata.json", words: "no camera intrinsics"),
        Case(
            name: "two cameras",
            files: [
                "rgb.png": image, "depth.png": depth, "one.json": camera,
                "two.json": camera.replacing("42", with: "50"),
            ],
            words: "two files state different cameras"),
        Case(
            name: "a place that is no turn",
            files: [
                "color.png": image, "depth.png": depth,
                "extrinsics.json": #"{"rotation":[2,0,0,0,1,0,0,0,1],"translation":[0,0,0]}"#,
            ],
            file: "extrinsics.json", words: "does not only turn"),
        Case(
            name: "a place of too few numbers",
            files: [
                "color.png": image, "depth.png": depth,
                "extrinsics.json": #"{"rotation":[1,0,0],"translation":[0,0,0]}"#,
            ],
            file: "extrinsics.json", words: "3 numbers of rotation"),
        Case(
            name: "a shift of too few numbers",
            files: [
                "color.png": image, "depth.png": depth,
                "extrinsics.json": #"{"rotation":[1,0,0,0,1,0,0,0,1],"translation":[0,0]}"#,
            ],
            file: "extrinsics.json", words: "2 numbers of translation"),
        Case(
            name: "a place that is a word",
            files: [
                "color.png": image, "depth.png": depth, "calibration.json": #"{"depth_to_color":"left"}"#,
            ],
            file: "calibration.json", words: "left"),
        Case(
            name: "a depth scale of nothing",
            files: ["color.png": image, "depth.png": depth, "calibration.json": #"{"depth_scale":1e-12}"#],
            file: "calibration.json", words: "depth unit"),
    ]

    @Test(arguments: cases)
    func whatIsWrongIsSaidAndOfWhichFile(one: Case) throws {
        let folder = try ScratchFolder.laid(one.files)
        let error = try #require(failure { try Recording.open(folder.path).frame(at: 0) })
        #expect(error.code == one.code, "\(error)")
        #expect(
            error.file?.hasPrefix(folder.path) == true && error.file?.hasSuffix(one.file) == true, "\(error)")
        #expect(error.description.contains(one.words), "\(error)")
    }
}

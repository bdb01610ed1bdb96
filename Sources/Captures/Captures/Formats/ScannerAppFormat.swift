import Diagnostics
import DepthGeometry
import ImageFiles
import Imaging
import ScalarText

/// Exports ("All Data") of the iOS app 3D Scanner App.
///
/// | file | holds |
/// |---|---|
/// | `frame_00000.jpg` | the picture |
/// | `frame_00000.json` | `intrinsics`: nine numbers by rows, in picture pixels; `cameraPoseARFrame`: 4 x 4 by rows; `time` |
/// | `depth_00000.png` | 16-bit millimetres (in its "low res" mode) |
/// | `conf_00000.png` | 0, 1 or 2, ARKit's levels |
///
/// The app's makers publish no description; this is what readers of its files agree on (PSegs' parser,
/// github.com/pwais/psegs, psegs/datasets/ios_lidar.py; RTAB-Map's CameraImages). Poses are ARKit's: y up, z backward.
struct ScannerAppFormat: RecordingFormat {
    static let name = "3D Scanner App"

    private struct Frame {
        var camera: String
        var pictures: RecordedPictures
    }

    private let files: RecordedFiles
    private let frames: [Frame]

    static func recognize(_ files: RecordedFiles) -> RecordingEvidence? {
        guard let camera = cameras(files).first else { return nil }
        var evidence = RecordingEvidence(found: [camera])
        let image = RecordedFiles.stem(camera) + ".jpg"
        if files.names(in: "", extensions: ["jpg"]).contains(where: { $0.hasPrefix("frame_") }) {
            evidence.found.append(image)
        } else {
            evidence.missing.append(image)
        }
        return evidence
    }

    init(_ files: RecordedFiles) throws(FlatteningError) {
        self.files = files
        frames = Self.cameras(files).compactMap { camera -> Frame? in
            guard let number = RecordedFiles.stem(camera).dropping(scalarPrefix: "frame_") else { return nil }
            func there(_ name: String) -> String? { files.contains(name) ? name : nil }
            return there("frame_\(number).jpg").map { image in
                Frame(
                    camera: camera,
                    pictures: RecordedPictures(
                        image: image, depth: there("depth_\(number).png"),
                        confidence: there("conf_\(number).png")))
            }
        }
        .preferring(\.pictures.depth)
        guard !frames.isEmpty else {
            throw FlatteningError(
                .badInput, "no frame_*.json has a picture of its name", stage: .capture)
        }
    }

    var frameCount: Int { frames.count }

    func files(of index: Int) -> [String] {
        frames[index].pictures.names + [frames[index].camera]
    }

    func frame(at index: Int) throws(FlatteningError) -> RecordedFrame {
        let frame = frames[index]
        let root = try files.readJSON(frame.camera)
        var recorded = try RecordedFrame(
            frame.pictures, depthUnit: CaptureDescription.Depth.millimeter, in: files)
        try recorded.stateCamera(by: frame.camera, of: files) { () throws(FlatteningError) in
            try IntrinsicsDocument.recognize(root).ofThePicture
        }
        let pose = root["cameraPoseARFrame"]?.numbers.flatMap { $0.count == 16 ? $0 : nil }
        let rows = pose.map { pose in (0..<3).map { Array(pose[(4 * $0)..<(4 * $0 + 4)]) } }
        recorded.pose = rows.flatMap(RigidTransform.init(rows:))?.turnedFromOpenGL
        recorded.timestamp = root["time"]?.number
        return recorded
    }

    /// Returns the camera files, `frame_00000.json`, in order.
    private static func cameras(_ files: RecordedFiles) -> [String] {
        files.names(in: "", extensions: ["json"]).filter {
            let stem = RecordedFiles.stem($0)
            return stem.hasScalarPrefix("frame_") && stem.count > 6
                && stem.dropFirst(6).allSatisfy(\.isNumber)
        }
    }
}

import Diagnostics
import DepthGeometry
import ImageFiles
import Imaging

/// Polycam's raw export (github.com/PolyCam/polyform, "Polycam's data format").
///
/// | file below `keyframes/` | holds |
/// |---|---|
/// | `corrected_images/T.jpg`, `images/T.jpg` | the picture at T microseconds, without or with the lens's distortion |
/// | `corrected_cameras/T.json`, `cameras/T.json` | fx, fy, cx, cy, width, height; pose t_00 ... t_23 by rows |
/// | `depth/T.png` | 16-bit millimetres |
/// | `confidence/T.png` | 0, 127 or 255 |
///
/// Corrected images and cameras belong together and are preferred, as Polycam recommends. Poses are ARKit's: y up, z
/// backward.
struct PolycamFormat: RecordingFormat {
    static let name = "Polycam"

    private struct Frame {
        var stem: String
        var camera: String
        var pictures: RecordedPictures
    }

    private let files: RecordedFiles
    private let frames: [Frame]

    static func recognize(_ files: RecordedFiles) -> RecordingEvidence? {
        guard files.hasFolder("keyframes") else { return nil }
        var evidence = RecordingEvidence(found: ["keyframes/"])
        for kind in ["cameras", "images"] {
            let folders = ["corrected_" + kind, kind].filter { files.hasFolder("keyframes/" + $0) }
            evidence.found += folders.prefix(1).map { $0 + "/" }
            if folders.isEmpty { evidence.missing.append("keyframes/\(kind)/") }
        }
        return evidence
    }

    init(_ files: RecordedFiles) throws(FlatteningError) {
        self.files = files
        let isCorrected =
            files.hasFolder("keyframes/corrected_images") && files.hasFolder("keyframes/corrected_cameras")
        let prefix = isCorrected ? "corrected_" : ""
        let images = files.stems(in: "keyframes/\(prefix)images", extensions: ["jpg", "jpeg", "png"])
        let cameras = files.stems(in: "keyframes/\(prefix)cameras", extensions: ["json"])
        let depth = files.stems(in: "keyframes/depth", extensions: ["png"])
        let confidence = files.stems(in: "keyframes/confidence", extensions: ["png"])
        frames = images.compactMap { stem, image -> Frame? in
            guard let camera = cameras[stem] else { return nil }
            return Frame(
                stem: stem, camera: camera,
                pictures: RecordedPictures(image: image, depth: depth[stem], confidence: confidence[stem]))
        }
        .preferring(\.pictures.depth)
        .sorted { ($0.stem.count, $0.stem) < ($1.stem.count, $1.stem) }
        guard !frames.isEmpty else {
            throw FlatteningError(
                .badInput, "no picture has a camera file of its name", stage: .capture,
                seen: "\(images.count) pictures, \(cameras.count) cameras")
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
            try IntrinsicsDocument.recognize(root)
        }
        let rows = (0..<3).map { row in (0..<4).compactMap { root["t_\(row)\($0)"]?.number } }
        recorded.pose = RigidTransform(rows: rows)?.turnedFromOpenGL
        recorded.timestamp = Double(frame.stem).map { $0 / 1e6 }
        return recorded
    }
}

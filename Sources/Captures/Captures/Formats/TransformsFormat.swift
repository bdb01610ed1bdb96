import Diagnostics
import DepthGeometry
import Platform
import ImageFiles
import Imaging

/// The `transforms.json` of nerfstudio, NeRFCapture and instant-ngp (docs.nerf.studio, "Data conventions";
/// github.com/NVlabs/instant-ngp, docs/nerf_dataset_tips.md).
///
/// | key | is |
/// |---|---|
/// | `fl_x`, `fl_y`, `cx`, `cy`, `w`, `h`, `k1`, `k2`, `p1`, `p2` | the camera of all frames; a frame may state its own |
/// | `camera_angle_x` | instead of `fl_x`: the full angle of view along the width, in radians |
/// | `camera_model` | OPENCV or PINHOLE; others are not read |
/// | `frames[].file_path` | the picture, perhaps without its extension |
/// | `frames[].depth_file_path`, `depth_path` | the depth map: 16 bits, or floating-point metres |
/// | `integer_depth_scale`, `depth_integer_scale` | metres per unit of the depth map; default 0.001, as nerfstudio's |
/// | `frames[].transform_matrix` | 4 x 4 pose by rows, OpenGL's camera: y up, z backward |
///
/// Frames with missing files are skipped. NeRFCapture's 8-bit depth images are previews and are refused. Principal points are
/// used as stated.
struct TransformsFormat: RecordingFormat {
    static let name = "nerfstudio"
    private static let fileName = "transforms.json"

    private let files: RecordedFiles
    private let root: StructuredValue
    private let frames: [StructuredValue]
    private let missing: String?

    static func recognize(_ files: RecordedFiles) -> RecordingEvidence? {
        files.contains(fileName) ? RecordingEvidence(found: [fileName]) : nil
    }

    init(_ files: RecordedFiles) throws(FlatteningError) {
        self.files = files
        root = try files.readJSON(Self.fileName)
        let named = (root["frames"]?.array ?? []).filter { $0["file_path"]?.string != nil }
        let listed = named.preferring { $0.first(of: .depthFile)?.value.string }
        let found = try ListedFrames(listed, of: Self.fileName, in: files) { frame in
            Self.pictures(of: frame, in: files).names
        }
        (frames, missing) = (found.frames, found.note)
        guard !frames.isEmpty else {
            throw FlatteningError(
                .badInput, "\(Self.fileName) names no frames", stage: .capture,
                seen: "keys " + root.keys.prefix(8).joined(separator: ", "),
                allowed: "\"frames\" with \"file_path\"")
        }
    }

    var frameCount: Int { frames.count }

    func files(of index: Int) -> [String] { Self.pictures(of: frames[index], in: files).names }

    func frame(at index: Int) throws(FlatteningError) -> RecordedFrame {
        let frame = frames[index]
        let pictures = Self.pictures(of: frame, in: files)
        // The scale applies to whole-number maps; floating-point maps are in metres.
        let isPNG = pictures.depth.map { RecordedFiles.fileExtension($0) == "png" } ?? false
        let unit: Double? =
            if isPNG, let scale = first(.integerDepthScale, of: frame) {
                try CaptureDescription.Depth.checkedUnit(scale, seen: "\(scale)")
            } else {
                nil
            }
        var recorded = try RecordedFrame(pictures, depthUnit: unit, in: files)
        var notes = [missing].compactMap(\.self)
        try recorded.stateCamera(by: Self.fileName, of: files) { () throws(FlatteningError) in
            try intrinsics(of: frame, notes: &notes)
        }
        recorded.description.notes += notes
        let rows = frame["transform_matrix"]?.array?.prefix(3).compactMap(\.numbers)
        recorded.pose = rows.flatMap(RigidTransform.init(rows:))?.turnedFromOpenGL
        recorded.timestamp = frame.first(of: .timestamp)?.value.number
        return recorded
    }

    /// Returns a frame's files. Blender's data sets omit an image's extension.
    private static func pictures(of frame: StructuredValue, in files: RecordedFiles) -> RecordedPictures {
        let written = RecordedFiles.plain(frame["file_path"]?.string ?? "")
        let image = ["", ".png", ".jpg", ".jpeg"].map { written + $0 }.first(where: files.holds) ?? written
        return RecordedPictures(
            image: image, depth: frame.first(of: .depthFile)?.value.string.map(RecordedFiles.plain))
    }

    /// Returns a number of the frame, or else of all frames.
    private func first(_ field: DocumentField, of frame: StructuredValue) -> Double? {
        field.keys.lazy.compactMap { frame[$0]?.number ?? root[$0]?.number }.first
    }

    /// Returns the camera of a frame: its own values take precedence over those for all frames.
    private func intrinsics(
        of frame: StructuredValue, notes: inout [String]
    ) throws(FlatteningError) -> IntrinsicsDocument? {
        let model = (frame["camera_model"] ?? root["camera_model"])?.string ?? "OPENCV"
        guard ["OPENCV", "PINHOLE", "SIMPLE_PINHOLE", "PERSPECTIVE"].contains(model.uppercased()) else {
            throw FlatteningError(
                .unsupported, "this camera model is not read", stage: .intrinsics,
                seen: String(model.prefix(40)), allowed: "OPENCV, PINHOLE")
        }
        var values: [String: StructuredValue] = [:]
        for key in ["fl_x", "fl_y", "cx", "cy", "w", "h", "k1", "k2", "k3", "k4", "p1", "p2"] {
            values[key] = frame[key] ?? root[key]
        }
        if values["fl_x"] == nil, let angle = first(.angleOfView, of: frame) {
            guard let width = values["w"]?.number, let height = values["h"]?.number, angle > 0, angle < .pi
            else {
                notes.append("\(Self.fileName): camera_angle_x is ignored, because w and h are missing")
                return nil
            }
            values["fl_x"] = .number(width / (2 * tan(angle / 2)))
            if values["cx"] == nil { values["cx"] = .number((width - 1) / 2) }
            if values["cy"] == nil { values["cy"] = .number((height - 1) / 2) }
        }
        if values["fl_y"] == nil { values["fl_y"] = values["fl_x"] }
        guard values["fl_x"] != nil else { return nil }
        return try IntrinsicsDocument.recognize(.object(values))
    }
}

extension DocumentField {
    fileprivate static let depthFile = DocumentField([.nerfstudio: ["depth_file_path", "depth_path"]])
    fileprivate static let integerDepthScale = DocumentField([
        .nerfstudio: ["integer_depth_scale", "depth_integer_scale"]
    ])
    fileprivate static let timestamp = DocumentField([.nerfstudio: ["timestamp"], .common: ["time"]])
    /// The full angle of view along the width, in radians.
    fileprivate static let angleOfView = DocumentField([.nerfstudio: ["camera_angle_x"]])
}

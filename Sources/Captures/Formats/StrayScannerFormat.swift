import DepthGeometry
import ImageFiles
import Imaging

/// What the iOS app Stray Scanner records (github.com/strayrobots/scanner, docs/format.md).
///
/// | file | holds |
/// |---|---|
/// | `camera_matrix.csv` | 3 x 3 intrinsics, row by row, in pixels of the picture |
/// | `depth/000000.png` | 16-bit millimetres, 256 x 192 |
/// | `confidence/000000.png` | 0, 1 or 2 |
/// | `rgb.mp4`, or `rgb/000000.jpg` | the pictures, one for each depth map |
/// | `odometry.csv` | timestamp, frame, x, y, z, qx, qy, qz, qw and in newer versions fx, fy, cx, cy |
///
/// Poses lead from the camera (x right, y down, z forward) to the world. Where odometry states the intrinsics of each
/// frame, they are taken: the lens moves while it focuses.
struct StrayScannerFormat: RecordingFormat {
    static let name = "Stray Scanner"
    private static let pictureExtensions = ["png", "jpg", "jpeg"]

    private struct Frame {
        var number: Int
        var image: String?
        var depth: String
        var confidence: String?
    }

    private struct Odometry {
        var timestamp: Double
        var pose: RigidTransform?
        var camera: [Double]?
    }

    private let files: RecordedFiles
    private let frames: [Frame]
    private let matrix: IntrinsicsDocument
    private let odometry: [Int: Odometry]

    static func recognize(_ files: RecordedFiles) -> RecordingEvidence? {
        guard files.contains("camera_matrix.csv"), files.hasFolder("depth") || files.contains("odometry.csv")
        else { return nil }
        var evidence = RecordingEvidence(found: ["camera_matrix.csv"])
        if files.hasFolder("depth") {
            evidence.found.append("depth/")
        } else {
            evidence.missing.append("depth/")
        }
        if files.hasFolder("rgb") {
            evidence.found.append("rgb/")
        } else if files.contains("rgb.mp4") {
            evidence.found.append("rgb.mp4")
        } else {
            evidence.missing.append("rgb/ or rgb.mp4")
        }
        return evidence
    }

    init(_ files: RecordedFiles) throws(FlatteningError) {
        self.files = files
        var matrix = try IntrinsicsDocument.parse(try files.read("camera_matrix.csv", kind: .metadata))
        matrix.isOfThePicture = true
        self.matrix = matrix
        odometry =
            files.contains("odometry.csv")
            ? try Self.odometry(try files.read("odometry.csv", kind: .sequence)) : [:]

        let maps = Self.pictureExtensions + ["npy"]
        let confidence = files.numbered(in: "confidence", extensions: maps)
        let depth = files.numbered(in: "depth", extensions: maps)
        let images =
            files.hasFolder("rgb") ? files.numbered(in: "rgb", extensions: Self.pictureExtensions) : nil
        frames = depth.sorted { $0.key < $1.key }.compactMap { number, map in
            if let images, images[number] == nil { return nil }
            return Frame(
                number: number, image: images?[number], depth: map, confidence: confidence[number])
        }
        guard !frames.isEmpty else {
            throw FlatteningError(
                .badInput, "no picture has a depth map of its number", stage: "capture",
                seen: "\(depth.count) depth maps")
        }
    }

    var frameCount: Int { frames.count }

    func frame(at index: Int) throws(FlatteningError) -> RecordedFrame {
        let frame = frames[index]
        var contents: [String: CaptureDescription.Content] = [:]
        let imagePath: String
        if let image = frame.image {
            imagePath = try files.reference(image, in: &contents)
        } else {
            let picture = try VideoFrame.picture(number: frame.number, of: "rgb.mp4", in: files)
            imagePath = picture.name
            contents[imagePath] = .file(picture)
        }
        var description = CaptureDescription(imagePath: imagePath)
        description.depth = .init(path: try files.reference(frame.depth, in: &contents), unit: 0.001)
        if let confidence = frame.confidence {
            description.confidencePath = try files.reference(confidence, in: &contents)
        }
        description.contents = contents
        let odometry = odometry[frame.number]
        if let camera = odometry?.camera {
            var document = try IntrinsicsDocument(
                fx: camera[0], fy: camera[1], cx: camera[2], cy: camera[3], form: Self.name)
            document.isOfThePicture = true
            description.intrinsics = .stated(document, file: files.path("odometry.csv"))
        } else {
            description.intrinsics = .stated(matrix, file: files.path("camera_matrix.csv"))
        }
        return RecordedFrame(
            description: description, pose: odometry?.pose, timestamp: odometry?.timestamp)
    }

    private static func odometry(_ file: InputFile) throws(FlatteningError) -> [Int: Odometry] {
        let table = try FieldTable(file)
        guard let header = table.rows.first else { return [:] }
        func column(_ name: String) -> Int? { header.firstIndex { $0 == name } }
        func columns(_ names: String...) -> [Int]? {
            let found = names.compactMap(column)
            return found.count == names.count ? found : nil
        }
        guard let fixed = columns("timestamp", "frame", "x", "y", "z", "qx", "qy", "qz", "qw") else {
            throw FlatteningError(
                .badInput, "columns are missing", file: file.name, stage: "capture",
                seen: header.joined(separator: ", "),
                allowed: "timestamp, frame, x, y, z, qx, qy, qz, qw")
        }
        let camera = columns("fx", "fy", "cx", "cy")
        var odometry: [Int: Odometry] = [:]
        for row in table.rows.dropFirst() {
            func values(_ columns: [Int]) -> [Double]? {
                let values = columns.compactMap { $0 < row.count ? FieldTable.number(row[$0]) : nil }
                return values.count == columns.count ? values : nil
            }
            // A line that was being written when the app was closed says nothing.
            guard let v = values(fixed), let frame = Int(exactly: v[1]) else { continue }
            odometry[frame] = Odometry(
                timestamp: v[0],
                pose: RigidTransform(
                    quaternion: SIMD4(v[5], v[6], v[7], v[8]), translation: SIMD3(v[2], v[3], v[4])),
                camera: camera.flatMap(values))
        }
        return odometry
    }
}

import Diagnostics
import LocalFiles
import DepthGeometry
import ImageFiles
import Imaging

/// Recordings of the iOS app Stray Scanner (github.com/strayrobots/scanner, docs/format.md).
///
/// | file | holds |
/// |---|---|
/// | `camera_matrix.csv` | 3 x 3 intrinsics, row by row, in pixels of the picture |
/// | `depth/000000.png` | 16-bit millimetres, 256 x 192 |
/// | `confidence/000000.png` | 0, 1 or 2 |
/// | `rgb.mp4`, or `rgb/000000.jpg` | the pictures, one for each depth map |
/// | `odometry.csv` | timestamp, frame, x, y, z, qx, qy, qz, qw and in newer versions fx, fy, cx, cy |
///
/// Poses map from the camera (x right, y down, z forward) to the world. If odometry states each frame's intrinsics, these are
/// used, because the lens moves while it focuses.
struct StrayScannerFormat: RecordingFormat {
    static let name = "Stray Scanner"
    private static let matrixName = "camera_matrix.csv"
    private static let odometryName = "odometry.csv"
    private static let videoName = "rgb.mp4"
    private static let pictureExtensions = ["png", "jpg", "jpeg"]

    private struct Frame {
        var number: Int
        var pictures: RecordedPictures
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
        guard files.contains(matrixName), files.hasFolder("depth") || files.contains(odometryName)
        else { return nil }
        var evidence = RecordingEvidence(found: [matrixName])
        if files.hasFolder("depth") {
            evidence.found.append("depth/")
        } else {
            evidence.missing.append("depth/")
        }
        if files.hasFolder("rgb") {
            evidence.found.append("rgb/")
        } else if files.contains(videoName) {
            evidence.found.append(videoName)
        } else {
            evidence.missing.append("rgb/ or " + videoName)
        }
        return evidence
    }

    init(_ files: RecordedFiles) throws(FlatteningError) {
        self.files = files
        matrix = try IntrinsicsDocument.parse(try files.read(Self.matrixName, kind: .metadata)).ofThePicture
        odometry =
            files.contains(Self.odometryName)
            ? try Self.odometry(try files.read(Self.odometryName, kind: .sequence)) : [:]

        let maps = Self.pictureExtensions + ["npy"]
        let confidence = files.numbered(in: "confidence", extensions: maps)
        let depth = files.numbered(in: "depth", extensions: maps)
        let images =
            files.hasFolder("rgb") ? files.numbered(in: "rgb", extensions: Self.pictureExtensions) : nil
        frames = depth.sorted { $0.key < $1.key }.compactMap { number, map in
            if let images, images[number] == nil { return nil }
            return Frame(
                number: number,
                pictures: RecordedPictures(
                    image: images?[number] ?? Self.videoName, videoFrame: images == nil ? number : nil,
                    depth: map, confidence: confidence[number]))
        }
        guard !frames.isEmpty else {
            throw FlatteningError(
                .badInput, "no picture has a depth map of its number", stage: .capture,
                seen: "\(depth.count) depth maps")
        }
    }

    var frameCount: Int { frames.count }

    func files(of index: Int) -> [String] {
        frames[index].pictures.names
    }

    func frame(at index: Int) throws(FlatteningError) -> RecordedFrame {
        let frame = frames[index]
        let odometry = odometry[frame.number]
        var recorded = try RecordedFrame(
            frame.pictures, depthUnit: CaptureDescription.Depth.millimeter, in: files)
        if let camera = odometry?.camera {
            recorded.description.intrinsics = .stated(
                try IntrinsicsDocument(
                    fx: camera[0], fy: camera[1], cx: camera[2], cy: camera[3], form: Self.name
                ).ofThePicture, file: files.path(Self.odometryName))
        } else {
            recorded.description.intrinsics = .stated(matrix, file: files.path(Self.matrixName))
        }
        recorded.pose = odometry?.pose
        recorded.timestamp = odometry?.timestamp
        return recorded
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
                .badInput, "columns are missing", file: file.name, stage: .capture,
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
            // The last line may be incomplete if the app was closed while writing it.
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

import Diagnostics
import LocalFiles
import DepthGeometry
import ImageFiles
import Imaging

/// The layout of the TUM RGB-D benchmark (cvg.cit.tum.de/data/datasets/rgbd-dataset/file_formats), which many tools export.
///
/// | file | holds |
/// |---|---|
/// | `rgb.txt`, `depth.txt` | "timestamp filename" a line |
/// | or `associations.txt` | "timestamp filename timestamp filename": pictures and depth maps, in either order |
/// | `groundtruth.txt` | "timestamp tx ty tz qx qy qz qw": the camera (z forward) in the world |
/// | depth maps | 16 bits, 5000 a metre by the benchmark, millimetres by many others; 0 = none; registered to the picture |
/// | `calibration.txt` (ETH3D) | "fx fy cx cy" |
///
/// Images and depth maps are paired as the benchmark's own `associate.py` does: the nearest in time first, at most 0.02 s
/// apart, each used once; pairs with missing files are skipped. Without a camera file, the benchmark's default camera for 640
/// x 480 is used, with a note. The unit is the benchmark's unless a file states one (`depth_scale`) or the distances suggest
/// another; see ``DepthUnit``.
struct TUMFormat: RecordingFormat {
    static let name = "TUM RGB-D"

    /// Metres per unit of the depth maps, according to the benchmark.
    private static let depthUnit = 1 / 5000.0

    private struct Frame {
        var timestamp: Double
        var pictures: RecordedPictures

        init(timestamp: Double, image: String, depth: String) {
            self.timestamp = timestamp
            pictures = RecordedPictures(
                image: RecordedFiles.plain(image), depth: RecordedFiles.plain(depth))
        }
    }

    private let files: RecordedFiles
    private let frames: [Frame]
    private let missing: String?
    private let poses: [(timestamp: Double, pose: RigidTransform)]
    private let camera: FolderCamera

    private static let associationNames = [
        "associations.txt", "association.txt", "associated.txt", "assoc.txt",
    ]
    private static let longestDifference = 0.02

    static func recognize(_ files: RecordedFiles) -> RecordingEvidence? {
        if let name = associationNames.first(where: files.contains) {
            return RecordingEvidence(found: [name])
        }
        let lists = ["rgb.txt", "depth.txt"]
        let found = lists.filter(files.contains)
        guard !found.isEmpty else { return nil }
        return RecordingEvidence(found: found, missing: lists.filter { !files.contains($0) })
    }

    init(_ files: RecordedFiles) throws(FlatteningError) {
        self.files = files
        let associations = Self.associationNames.first(where: files.contains)
        let listed =
            if let associations {
                try Self.associations(try files.read(associations, kind: .sequence))
            } else {
                Self.associate(
                    try Self.list(try files.read("rgb.txt", kind: .sequence)),
                    try Self.list(try files.read("depth.txt", kind: .sequence)))
            }
        let found = try ListedFrames(listed, of: associations ?? "rgb.txt", in: files) { $0.pictures.names }
        (frames, missing) = (found.frames, found.note)
        guard !frames.isEmpty else {
            throw FlatteningError(
                .badInput, "no picture and depth map were taken at the same time", stage: .capture,
                allowed: "\(Self.longestDifference) s apart")
        }
        poses =
            files.contains("groundtruth.txt")
            ? try Self.poses(try files.read("groundtruth.txt", kind: .sequence)) : []
        camera = try FolderCamera.read(files)
    }

    var frameCount: Int { frames.count }

    func files(of index: Int) -> [String] {
        frames[index].pictures.names
    }

    func frame(at index: Int) throws(FlatteningError) -> RecordedFrame {
        let frame = frames[index]
        var recorded = try RecordedFrame(frame.pictures, depthUnit: camera.depthUnit, in: files)
        recorded.description.depth?.usualUnit = Self.depthUnit
        recorded.description.notes += [missing].compactMap(\.self)
        if let camera = camera.color {
            recorded.description.intrinsics = .stated(camera.document, file: camera.file)
        } else {
            recorded.description.intrinsics = .stated(
                try IntrinsicsDocument(
                    fx: 525, fy: 525, cx: 319.5, cy: 239.5, size: PixelSize(width: 640, height: 480),
                    form: "default of TUM RGB-D"), file: files.root)
            recorded.description.notes.append(
                "no file states the camera; the benchmark's default is assumed: 525, 525, 319.5, 239.5 for 640 x 480"
            )
        }
        let nearest = poses.min { abs($0.timestamp - frame.timestamp) < abs($1.timestamp - frame.timestamp) }
        recorded.pose = nearest.flatMap {
            abs($0.timestamp - frame.timestamp) <= Self.longestDifference ? $0.pose : nil
        }
        recorded.timestamp = frame.timestamp
        return recorded
    }

    private static func list(_ file: InputFile) throws(FlatteningError) -> [(timestamp: Double, name: String)]
    {
        try FieldTable(file).rows.compactMap { row in
            guard row.count == 2, let time = FieldTable.number(row[0]) else { return nil }
            return (time, String(row[1]))
        }
    }

    private static func associations(_ file: InputFile) throws(FlatteningError) -> [Frame] {
        try FieldTable(file).rows.compactMap { row in
            guard row.count == 4, let first = FieldTable.number(row[0]),
                let second = FieldTable.number(row[2])
            else { return nil }
            // ICL-NUIM lists the depth map first.
            let isDepthFirst = row[1].lowercased().contains("depth")
            return isDepthFirst
                ? Frame(timestamp: second, image: String(row[3]), depth: String(row[1]))
                : Frame(timestamp: first, image: String(row[1]), depth: String(row[3]))
        }
    }

    private static func associate(
        _ images: [(timestamp: Double, name: String)], _ maps: [(timestamp: Double, name: String)]
    ) -> [Frame] {
        NearestInTime.pairs(images.map(\.timestamp), maps.map(\.timestamp), within: longestDifference)
            .map { Frame(timestamp: images[$0].timestamp, image: images[$0].name, depth: maps[$1].name) }
            .sorted { $0.timestamp < $1.timestamp }
    }

    private static func poses(
        _ file: InputFile
    ) throws(FlatteningError) -> [(timestamp: Double, pose: RigidTransform)] {
        try FieldTable(file).rows.compactMap { row in
            let v = row.compactMap { FieldTable.number($0) }
            guard v.count == 8,
                let pose = RigidTransform(
                    quaternion: SIMD4(v[4], v[5], v[6], v[7]), translation: SIMD3(v[1], v[2], v[3]))
            else { return nil }
            return (v[0], pose)
        }
    }
}

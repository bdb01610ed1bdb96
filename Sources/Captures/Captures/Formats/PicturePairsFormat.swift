import Diagnostics
import DepthGeometry
import ImageFiles
import Imaging

/// Images beside depth maps whose names differ only in words such as "rgb", "color" and "depth", in one folder or in two,
/// with or without files that describe the cameras. RealSense tools, Open3D's recorders, ROS image dumps (16UC1, 32FC1) and
/// COLMAP write such folders.
///
/// Whole-number depth is in millimetres unless a file says otherwise (`depth_scale`); see ``FolderCamera``. If the depth
/// camera's intrinsics and its pose relative to the colour camera are known, and the names do not say "aligned", the depth
/// map is reprojected to the colour camera.
struct PicturePairsFormat: RecordingFormat {
    static let name = "pictures beside depth maps"

    private static let wholeNumbers = ["png", "pgm", "pnm"]

    private struct Frame {
        var pictures: RecordedPictures
        var isAligned = false
        var folder: String
    }

    private let files: RecordedFiles
    private let frames: [Frame]
    private let camera: FolderCamera
    private let colmap: COLMAPImages?

    static func recognize(_ files: RecordedFiles) -> RecordingEvidence? {
        let frames = pairs(files)
        // Images in several folders are several separate captures.
        guard Set(frames.compactMap { $0.pictures.depth == nil ? nil : $0.folder }).count <= 1 else {
            return nil
        }
        let pair = frames.first { $0.pictures.depth != nil }
        let described = (try? FolderCamera.read(files, of: names(of: frames)))?.files ?? []
        let isCOLMAP = COLMAPImages.cameraFile(in: files) != nil
        guard let first = (pair ?? (described.isEmpty && !isCOLMAP ? nil : frames.first))?.pictures else {
            return nil
        }
        return RecordingEvidence(
            found: [first.image] + [first.depth, first.confidence].compactMap(\.self)
                + (described.isEmpty ? [COLMAPImages.cameraFile(in: files)].compactMap(\.self) : described))
    }

    init(_ files: RecordedFiles) throws(FlatteningError) {
        self.files = files
        frames = Self.pairs(files).preferring(\.pictures.depth)
        camera = try FolderCamera.read(files, of: Self.names(of: frames))
        colmap = try COLMAPImages.read(files)
    }

    /// Whether a file belongs to a pair of image and depth map.
    static func pairs(_ name: String, in files: RecordedFiles) -> Bool {
        pairs(files).contains { $0.pictures.depth != nil && $0.pictures.names.contains(name) }
    }

    /// Returns the images and maps of the frames with depth, or of all frames if none has depth.
    private static func names(of frames: [Frame]) -> [String] {
        frames.preferring(\.pictures.depth).flatMap(\.pictures.names)
    }

    var frameCount: Int { frames.count }

    func files(of index: Int) -> [String] {
        frames[index].pictures.names
    }

    func frame(at index: Int) throws(FlatteningError) -> RecordedFrame {
        let frame = frames[index]
        let isWhole =
            frame.pictures.depth.map { Self.wholeNumbers.contains(RecordedFiles.fileExtension($0)) } ?? false
        var description = try frame.pictures.description(
            in: files, unit: isWhole ? camera.depthUnit : camera.floatingPointUnit)
        if let colmap {
            description.intrinsics = .stated(
                try colmap.camera(of: frame.pictures.image), file: files.path(colmap.file))
        } else if let color = camera.color {
            description.intrinsics = .stated(color.document, file: color.file)
        } else if let depth = camera.depth {
            description.intrinsics = .stated(depth, file: files.root)
            description.notes.append(
                "only the depth camera's intrinsics are stated; they are scaled to the picture and used for it"
            )
        }
        if let accuracy = camera.accuracy { description.depth?.accuracy = accuracy }
        if let kind = camera.kind { description.depth?.kind = kind }
        if !frame.isAligned { try reproject(&description) }
        return RecordedFrame(description: description)
    }

    /// Reprojects the depth map to the colour camera if both cameras are known.
    private func reproject(_ description: inout CaptureDescription) throws(FlatteningError) {
        guard description.depth?.accuracy == .metric else { return }
        guard let transform = camera.depthToColor else {
            if let color = camera.color, let depth = camera.depth, depth.isAnotherCamera(than: color.document)
            {
                description.notes.append(
                    "the depth camera has intrinsics of its own, but its pose relative to the colour camera is not stated: "
                        + "the depth map is assumed to be aligned")
            }
            return
        }
        guard let depthDocument = camera.depth, case .stated(let colorDocument, _) = description.intrinsics
        else {
            description.notes.append(
                "the depth camera's pose relative to the colour camera is stated, but not the intrinsics of both: the "
                    + "depth map is assumed to be aligned")
            return
        }
        try description.bringDepth(
            from: depthDocument, to: colorDocument, by: transform, limits: files.limits)
    }

    /// Returns the images with the maps that belong to them, in order of their names.
    private static func pairs(_ files: RecordedFiles) -> [Frame] {
        let maps = wholeNumbers + ["tif", "tiff", "npy", "exr"]
        var images: [(role: PictureRole, name: String)] = []
        var depths: [String: (name: String, isAligned: Bool)] = [:]
        var confidences: [String: String] = [:]
        for name in files.names {
            let kind = RecordedFiles.fileExtension(name)
            guard maps.contains(kind) || ["jpg", "jpeg", "heic", "heif", "ppm"].contains(kind),
                let role = PictureRole(name: name)
            else { continue }
            switch role.kind {
            case .color where kind != "npy" && kind != "exr": images.append((role, name))
            case .depth where maps.contains(kind):
                // If a map and its aligned form are both present, the aligned one is used.
                if depths[role.key].map({ !$0.isAligned }) ?? true {
                    depths[role.key] = (name, role.isAligned)
                }
            case .confidence where maps.contains(kind): confidences[role.key] = name
            default: break
            }
        }
        // A single image and a single map belong together, whatever their names.
        if images.count == 1, depths.count == 1, let depth = depths.first?.value {
            return [
                Frame(
                    pictures: RecordedPictures(
                        image: images[0].name, depth: depth.name, confidence: confidences.first?.value),
                    isAligned: depth.isAligned, folder: "")
            ]
        }
        return images.map { role, name in
            Frame(
                pictures: RecordedPictures(
                    image: name, depth: depths[role.key]?.name, confidence: confidences[role.key]),
                isAligned: depths[role.key]?.isAligned ?? false, folder: role.folder)
        }
    }
}

import Diagnostics
import DepthGeometry
import ImageFiles
import Imaging

/// Exports of RealSense Viewer and rs-convert (librealsense, `tools/realsense-viewer` and `tools/convert`).
///
/// | file | holds |
/// |---|---|
/// | `NAME_Color.png`, `NAME_Color_MOMENT.png` | the picture |
/// | `NAME_Depth.raw`, `NAME_Depth_MOMENT.raw` | Z16; see ``RealSenseRawDepth`` |
/// | `NAME_Depth_MOMENT.bin` | metres |
/// | `NAME_Depth.png` | 16-bit depth, with `NAME_Depth_metadata.csv` but no raw file; else the tools' colour rendering |
/// | `NAME_Depth_metadata.csv`, `NAME_Color_metadata.csv` | size and camera of a stream; see ``RealSenseMetadata`` |
///
/// Streams run independently: frames are paired by their time stamps, at most 20 ms apart. None of these files states the
/// unit of Z16: it is a JSON's `depth_scale` if there is one, else D400's 1 mm. None states the relative pose of the two
/// cameras: it is taken from ``FolderCamera``, or else both are assumed to be at the same position, each with its own
/// intrinsics. A depth map whose camera is the image's was already aligned when it was recorded.
struct RealSenseFormat: RecordingFormat {
    static let name = "RealSense export"

    private struct Frame {
        var image: RealSenseStreamFile
        var depth: RealSenseStreamFile
    }

    private let files: RecordedFiles
    private let frames: [Frame]
    private let camera: FolderCamera
    private let metadata: [String: RealSenseMetadata]
    private static let longestDifference = 20.0

    static func recognize(_ files: RecordedFiles) -> RecordingEvidence? {
        let all = files.names.compactMap(RealSenseStreamFile.init)
        guard let depth = depthMaps(all).first else { return nil }
        let pictures = pictures(all)
        return RecordingEvidence(
            found: [pictures.first?.name, depth.name].compactMap(\.self),
            missing: pictures.isEmpty ? ["*_Color*.png"] : [])
    }

    init(_ files: RecordedFiles) throws(FlatteningError) {
        self.files = files
        let all = files.names.compactMap(RealSenseStreamFile.init)
        frames = Self.frames(Self.pictures(all), Self.depthMaps(all))
        guard !frames.isEmpty else {
            throw FlatteningError(
                .badInput, "no picture and depth map belong together", stage: .capture,
                allowed: "the same name but for \"Color\" and \"Depth\", or time stamps within 20 ms")
        }
        camera = try FolderCamera.read(files, of: frames.flatMap { [$0.image.name, $0.depth.name] })
        var metadata: [String: RealSenseMetadata] = [:]
        for file in all where file.isMetadata && file.fileExtension == "csv" {
            metadata[Self.key(file)] = try RealSenseMetadata(try files.read(file.name, kind: .metadata))
        }
        self.metadata = metadata
    }

    var frameCount: Int { frames.count }

    func files(of index: Int) -> [String] {
        [frames[index].image.name, frames[index].depth.name]
    }

    func frame(at index: Int) throws(FlatteningError) -> RecordedFrame {
        let frame = frames[index]
        let color = metadata[Self.key(frame.image)]
        let depth = metadata[Self.key(frame.depth)]
        var description = try RecordedPictures(image: frame.image.name, depth: frame.depth.name)
            .description(in: files, unit: frame.depth.fileExtension == "bin" ? 1 : camera.depthUnit)
        if frame.depth.fileExtension != "png", let path = description.depth?.path {
            if let format = depth?.format, frame.depth.fileExtension == "raw", format != "Z16" {
                throw FlatteningError(
                    .unsupported, "raw depth of this form is not read", file: files.path(frame.depth.name),
                    stage: .depth, seen: format, allowed: "Z16")
            }
            description.files.keep(
                try RealSenseRawDepth.map(
                    try files.read(frame.depth.name), isFloatingPoint: frame.depth.fileExtension == "bin",
                    stated: depth?.size, limits: files.limits), as: path)
        }
        let colorCamera = try color?.camera() ?? camera.color?.document
        let depthCamera = try depth?.camera() ?? camera.depth
        if let document = colorCamera ?? depthCamera {
            description.intrinsics = .stated(
                document,
                file: color == nil ? camera.color?.file ?? files.root : files.path(Self.key(frame.image)))
        }
        if let colorCamera, let depthCamera {
            try align(&description, from: depthCamera, to: colorCamera)
        } else if colorCamera == nil, depthCamera != nil {
            description.notes.append(
                "only the depth camera's intrinsics are stated; they are scaled to the picture and used for it"
            )
        }
        return RecordedFrame(
            description: description,
            timestamp: frame.image.milliseconds.map { $0 / 1000 } ?? color?.timestamp)
    }

    private func align(
        _ description: inout CaptureDescription, from depth: IntrinsicsDocument, to color: IntrinsicsDocument
    ) throws(FlatteningError) {
        if let transform = camera.depthToColor {
            try description.bringDepth(from: depth, to: color, by: transform, limits: files.limits)
        } else if !depth.seesAs(color) {
            description.notes.append(
                "the depth camera's pose relative to the colour camera is not stated: both are assumed to share one "
                    + "viewpoint, which is some 15 mm off; align depth to color on export, or state depth_to_color"
            )
            try description.bringDepth(from: depth, to: color, by: .identity, limits: files.limits)
        }
    }

    // MARK: - Which files belong together

    /// Returns the part of the name that files of one stream and moment share.
    private static func key(_ file: RealSenseStreamFile) -> String {
        file.prefix + (file.stream == .color ? "_Color" : "_Depth")
            + (file.moment.isEmpty ? "" : "_" + file.moment)
    }

    private static func pictures(_ files: [RealSenseStreamFile]) -> [RealSenseStreamFile] {
        files.filter {
            $0.stream == .color && !$0.isMetadata && ["png", "jpg", "jpeg", "ppm"].contains($0.fileExtension)
        }
    }

    /// Returns the raw dumps, and 16-bit images that have Viewer's metadata beside them but no dump. If a map exists in two
    /// forms, the whole-number form is used: it is what the camera sent.
    private static func depthMaps(_ files: [RealSenseStreamFile]) -> [RealSenseStreamFile] {
        let described = Set(files.filter { $0.isMetadata && $0.fileExtension == "csv" }.map(key))
        var maps: [String: RealSenseStreamFile] = [:]
        for kind in ["raw", "bin", "png"] {
            for file in files where file.stream == .depth && !file.isMetadata && file.fileExtension == kind {
                guard kind != "png" || described.contains(key(file)) else { continue }
                maps[key(file)] = maps[key(file)] ?? file
            }
        }
        // In the order of the listing, which is numeric.
        return files.filter { maps[key($0)] == $0 }
    }

    private static func frames(
        _ images: [RealSenseStreamFile], _ maps: [RealSenseStreamFile]
    ) -> [Frame] {
        // Images and dumps may have been written under two names: then there is only one of each.
        let isOneOfEach = Set(images.map(\.prefix)).count == 1 && Set(maps.map(\.prefix)).count == 1
        func prefix(_ file: RealSenseStreamFile) -> String { isOneOfEach ? "" : file.prefix }
        var frames: [Frame] = []
        let mapsOfPrefix = Dictionary(grouping: maps, by: prefix)
        for (own, images) in Dictionary(grouping: images, by: prefix) {
            let maps = mapsOfPrefix[own] ?? []
            let timedImages = images.filter { $0.milliseconds != nil }
            let timedMaps = maps.filter { $0.milliseconds != nil }
            frames += NearestInTime.pairs(
                timedImages.compactMap(\.milliseconds), timedMaps.compactMap(\.milliseconds),
                within: longestDifference
            ).map { Frame(image: timedImages[$0], depth: timedMaps[$1]) }
            for image in images where image.milliseconds == nil {
                if let map = maps.first(where: { $0.moment == image.moment }) {
                    frames.append(Frame(image: image, depth: map))
                }
            }
        }
        let order = Dictionary(
            images.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        return frames.sorted { order[$0.image.name] ?? 0 < order[$1.image.name] ?? 0 }
    }
}

extension IntrinsicsDocument {
    /// Whether another camera sees the same in each part of its image, whatever the two sizes: the tolerance is a hundredth
    /// of the image, the difference between streams of the same camera with different aspect ratios.
    fileprivate func seesAs(_ other: IntrinsicsDocument) -> Bool {
        guard let size, let otherSize = other.size else { return !isAnotherCamera(than: other) }
        let own = SIMD4(fx, fy, cx + 0.5, cy + 0.5)
        let others = SIMD4(other.fx, other.fy, other.cx + 0.5, other.cy + 0.5)
        func sides(_ size: PixelSize) -> SIMD4<Double> {
            let (width, height) = (Double(size.width), Double(size.height))
            return SIMD4(width, height, width, height)
        }
        let apart = own / sides(size) - others / sides(otherSize)
        return max(apart.max(), -apart.min()) < 0.01
    }
}

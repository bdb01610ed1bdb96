import DepthGeometry
import Diagnostics
import ImageFiles
import Imaging
import LocalFiles
import RobustStatistics
import ScalarText

/// Recordings of ARKit's sensors in the layout of Apple's ARKitScenes (github.com/apple/ARKitScenes, DATA.md, raw/README.md
/// and depth_upsampling/README.md).
///
/// | file | holds |
/// |---|---|
/// | `lowres_wide/`, `vga_wide/`, `wide/`, `color/`, `highres_*/` `NAME_TIME.png` | the picture at TIME seconds |
/// | `lowres_depth/`, `highres_depth/` `NAME_TIME.png` | 16-bit millimetres |
/// | `confidence/NAME_TIME.png` | 0, 1 or 2, of `lowres_depth/` |
/// | `lowres_wide_intrinsics/NAME_TIME.pincam` ... | width height fx fy cx cy |
///
/// Files of one moment have the same name, except for the last digit of its time. Of several image sizes the largest is used,
/// and of a moment's depth maps the larger one. Images are in the sensor's orientation; the trajectory is not read.
struct ARKitScenesFormat: RecordingFormat {
    static let name = "ARKitScenes"

    private struct Frame {
        var pictures: RecordedPictures
        var camera: String?
        /// Smaller images of the same moment.
        var twins: [String]
    }

    private let files: RecordedFiles
    private let frames: [Frame]

    /// Folders of depth maps and of images, the largest first.
    private static let depthFolders = ["highres_depth", "lowres_depth"]
    private static let pictureFolders = ["wide", "color", "vga_wide", "lowres_wide"]
    private static let pictureExtensions = ["png", "jpg", "jpeg"]

    /// The greatest time difference between files of one moment, in seconds: a tenth of the interval between two depth maps.
    private static let longestDifference = 0.0016

    static func recognize(_ files: RecordedFiles) -> RecordingEvidence? {
        let depth = depthFolders.filter(files.hasFolder)
        // Other formats also use these names for folders of depth maps, but with image folders of other names.
        guard !depth.isEmpty, let pictures = pictureFolders(of: files).first else { return nil }
        return RecordingEvidence(found: (depth + [pictures]).map { $0 + "/" })
    }

    /// Returns the image folders that exist, the largest images first. Copies of the data set call them "highres_RGB" and the
    /// like.
    private static func pictureFolders(of files: RecordedFiles) -> [String] {
        let all = Set(
            files.names.compactMap { name in name.firstIndex(ofScalar: "/").map { String(name[..<$0]) } })
        let large = all.filter {
            $0.hasScalarPrefix("highres_") && !depthFolders.contains($0) && !$0.hasScalarSuffix("_intrinsics")
        }
        return large.sorted() + pictureFolders.filter(all.contains)
    }

    init(_ files: RecordedFiles) throws(FlatteningError) {
        self.files = files
        func moments(_ folder: String, _ extensions: [String] = Self.pictureExtensions) -> Moments {
            Moments(files.names(in: folder, extensions: extensions), within: Self.longestDifference)
        }
        let folders = Self.pictureFolders(of: files)
        let pictures = folders.map { moments($0) }
        let cameras = (folders + Self.pictureFolders).map { moments($0 + "_intrinsics", ["pincam"]) }
        let maps = Self.depthFolders.map { moments($0, ["png"]) }
        let confidence = moments("confidence", ["png"])
        frames =
            pictures.indices.lazy.map { size in
                Self.frames(pictures[size], smaller: pictures[(size + 1)...], maps, confidence, cameras)
            }.first { !$0.isEmpty } ?? []
        guard !frames.isEmpty else {
            throw FlatteningError(
                .badInput, "no picture has a depth map of its name", stage: .capture,
                seen: "\(pictures.map(\.names.count).reduce(0, +)) pictures, "
                    + "\(maps.map(\.names.count).reduce(0, +)) depth maps")
        }
    }

    /// Returns the images of one size that have a depth map, in order of their names.
    /// - Parameter maps: the depth maps, the larger ones first; only the last are the sensor's own, to which the confidence
    ///   maps belong.
    private static func frames(
        _ pictures: Moments, smaller: ArraySlice<Moments>, _ maps: [Moments], _ confidence: Moments,
        _ cameras: [Moments]
    ) -> [Frame] {
        pictures.names.compactMap { image in
            let depth = maps.map { $0.file(like: image) }
            guard let best = depth.lazy.compactMap(\.self).first else { return nil }
            return Frame(
                pictures: RecordedPictures(
                    image: image, depth: best,
                    confidence: best == depth.last ? confidence.file(like: image) : nil),
                camera: cameras.lazy.compactMap { $0.file(like: image) }.first,
                twins: smaller.compactMap { $0.file(like: image) })
        }
    }

    var frameCount: Int { frames.count }

    func files(of index: Int) -> [String] {
        frames[index].pictures.names + [frames[index].camera].compactMap(\.self) + frames[index].twins
    }

    func frame(at index: Int) throws(FlatteningError) -> RecordedFrame {
        let frame = frames[index]
        var recorded = try RecordedFrame(
            frame.pictures, depthUnit: CaptureDescription.Depth.millimeter, in: files)
        if let camera = frame.camera {
            try recorded.stateCamera(by: camera, of: files) { () throws(FlatteningError) in
                try Self.camera(try files.read(camera, kind: .metadata))
            }
        }
        recorded.timestamp = Moments.time(of: frame.pictures.image)
        return recorded
    }

    /// Reads the camera of a .pincam file: width height fx fy cx cy.
    private static func camera(_ file: InputFile) throws(FlatteningError) -> IntrinsicsDocument {
        let numbers = try FieldTable(file).rows.first?.compactMap { FieldTable.number($0) } ?? []
        guard numbers.count == 6, let width = Int(exactly: numbers[0]), let height = Int(exactly: numbers[1]),
            width > 0, height > 0
        else {
            throw FlatteningError(
                .badInput, "the file states no camera", stage: .intrinsics, seen: "\(numbers.count) numbers",
                allowed: "width height fx fy cx cy")
        }
        return try IntrinsicsDocument(
            fx: numbers[2], fy: numbers[3], cx: numbers[4], cy: numbers[5],
            size: PixelSize(width: width, height: height), form: "pincam")
    }

    /// Files by the moment in their names, "41069021_305.377".
    private struct Moments {
        let names: [String]
        private let byStem: [String: String]
        private let times: [(time: Double, name: String)]
        private let longest: Double

        init(_ names: [String], within longest: Double) {
            self.names = names
            self.longest = longest
            byStem = Dictionary(
                names.map { (RecordedFiles.stem($0), $0) }, uniquingKeysWith: { first, _ in first })
            times = names.compactMap { name in Self.time(of: name).map { ($0, name) } }
                .sorted { $0.time < $1.time }
        }

        static func time(of name: String) -> Double? {
            let parts = RecordedFiles.stem(name).split(atScalar: "_")
            return parts.count > 1
                ? parts.last.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } : nil
        }

        /// Returns the file of the same name, or else the one of the nearest moment.
        func file(like name: String) -> String? {
            if let same = byStem[RecordedFiles.stem(name)] { return same }
            guard let time = Self.time(of: name) else { return nil }
            let next = times.partitioningIndex { $0.time >= time }
            let nearest = times[max(next - 1, 0)..<min(next + 1, times.count)]
                .min { abs($0.time - time) < abs($1.time - time) }
            return nearest.flatMap { abs($0.time - time) <= longest ? $0.name : nil }
        }
    }
}

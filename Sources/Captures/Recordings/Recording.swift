public import DepthGeometry
public import Diagnostics
package import LocalFiles
import Archives
import Foundation
import ImageFiles
import Imaging

/// A capture on disk, whatever camera or app left it: one frame or many.
///
/// The format is recognised by the names and contents of the files, never by the folder's name:
///
/// | format | is recognised by |
/// |---|---|
/// | capture.json | `capture.json` |
/// | Stray Scanner | `camera_matrix.csv` beside `depth/` |
/// | Record3D | `metadata` beside `rgbd/` (`.r3d`), `metadata.json` beside `rgb/` and `depth/` (EXR export) |
/// | Polycam | `keyframes/` with `cameras/` or `corrected_cameras/` |
/// | 3D Scanner App | `frame_00000.json` beside `frame_00000.jpg` |
/// | nerfstudio, NeRFCapture | `transforms.json` |
/// | TUM RGB-D | `rgb.txt` and `depth.txt`, or `associations.txt` |
/// | AVDepthData | `DepthMetadata.json` |
/// | RealSense export | `*_Depth*.raw` or `.bin`, `*_Depth_metadata.csv`, beside `*_Color*.png` |
/// | pictures beside depth maps | names that differ only in "rgb", "color", "depth" ...; RealSense, Open3D, ROS, COLMAP |
///
/// A file names a recording too: an archive (`.r3d`, `.zip`), or the file that describes it. A picture is a recording of
/// one frame.
public struct Recording: CaptureSource {
    /// The format's name: "Stray Scanner".
    public let format: String
    /// What it was recognised by: "camera_matrix.csv", "depth/".
    package let evidence: [String]
    /// How many frames there are.
    public var frameCount: Int { frames.frameCount }
    /// When reading must be done: the limits' deadline.
    public var deadline: ContinuousClock.Instant? { limits.deadline }

    private let frames: any RecordingFormat
    private let path: String
    private let limits: FlatteningLimits

    /// Recognises what a path leads to and reads what describes its frames, but no picture.
    /// - Throws: `.fileAccess` if there is nothing; `.badInput` for what is not recognised, is ambiguous or incomplete, in
    ///   words that say what was seen and what is missing; `.limitExceeded`; `.missingDependency` for an archive without
    ///   the library that opens it.
    /// - Complexity: O(files).
    package static func open(
        _ path: String, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> Recording {
        var status = stat()
        if path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            let files = try RecordedFiles.list(folder: path, limits: limits)
            if let found = try RecordingDetection.detect(files) {
                return try Recording(found, path: path, limits: limits)
            }
        }
        let start = path == "-" ? FileStart([]) : FileStart(path: path, count: 512) ?? FileStart([])
        if let refusal = UnreadContainer.refusal(start: start.bytes, path: path) { throw refusal }
        if start.format == .zip {
            let archive = try ZIPArchive(path: path, limits: limits)
            let files = RecordedFiles(
                root: path, names: archive.names, limits: limits,
                unpack: { (name: String) throws(FlatteningError) -> [UInt8] in try archive.read(name) })
            if let found = try RecordingDetection.detect(files) {
                return try Recording(found, path: path, limits: limits)
            }
        }
        if start.isText, mayDescribe(path), let files = try neighbours(of: path, limits: limits) {
            let marker = path.split(separator: "/").last.map(String.init)
            if let found = try RecordingDetection.detect(files, marker: marker) {
                return try Recording(found, path: path, limits: limits)
            }
        }
        return Recording(
            format: "picture", evidence: [], frames: SinglePicture(path: path), path: path, limits: limits)
    }

    /// What belongs to a frame.
    /// - Throws: `.badInput` for an index out of range.
    package func description(at index: Int) throws(FlatteningError) -> RecordedFrame {
        guard (0..<frameCount).contains(index) else {
            throw FlatteningError(
                .badInput, "there is no such frame", file: path, stage: .capture, seen: "frame \(index)",
                allowed: "0 to \(frameCount - 1)")
        }
        try limits.deadline.check(before: .init(rawValue: "frame \(index)"), file: path)
        var frame: RecordedFrame
        do throws(FlatteningError) {
            frame = try frames.frame(at: index)
        } catch {
            throw error.naming(file: path)
        }
        if !evidence.isEmpty {
            let place = frameCount > 1 ? ", frame \(index) of 0 to \(frameCount - 1)" : ""
            frame.description.source = "\(format) (\(evidence.joined(separator: ", ")))\(place)"
        }
        return frame
    }

    /// Reads one frame; see `description(at:)` for what belongs to it.
    public func frame(at index: Int) throws(FlatteningError) -> CaptureFrame {
        let frame = try description(at: index)
        return CaptureFrame(
            capture: try Capture.read(frame.description, limits: limits), pose: frame.pose,
            timestamp: frame.timestamp)
    }

    /// The frame in the middle: the hand is on its way at both ends of a recording.
    package var middleIndex: Int { frameCount / 2 }

    private init(
        _ found: RecordingDetection.Finding, path: String, limits: FlatteningLimits
    ) throws(FlatteningError) {
        do throws(FlatteningError) {
            self.init(
                format: found.format.name, evidence: found.evidence.found,
                frames: try found.format.init(found.files), path: path, limits: limits)
        } catch {
            throw error.naming(file: found.files.root)
        }
    }

    private init(
        format: String, evidence: [String], frames: any RecordingFormat, path: String,
        limits: FlatteningLimits
    ) {
        self.format = format
        self.evidence = evidence
        self.frames = frames
        self.path = path
        self.limits = limits
    }

    /// Whether a text of this name may be one that describes a recording: what has a picture's name is none.
    private static func mayDescribe(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return !name.contains(".") || describing.contains(RecordedFiles.fileExtension(name))
    }

    /// What the texts by which the formats are recognised end in.
    private static let describing: Set<String> = ["json", "csv", "txt", "yaml", "yml"]

    /// The files of the folder that a describing file lies in; nil where that may not be listed: then the file stands alone.
    private static func neighbours(
        of path: String, limits: FlatteningLimits
    ) throws(FlatteningError) -> RecordedFiles? {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        do throws(FlatteningError) {
            return try RecordedFiles.list(folder: folder.isEmpty ? "/" : folder, limits: limits)
        } catch  where error.code == .fileAccess {
            return nil
        }
    }
}

/// A picture alone.
private struct SinglePicture: RecordingFormat {
    static let name = "picture"
    let path: String

    init(path: String) { self.path = path }

    init(_ files: RecordedFiles) { path = files.root }

    static func recognize(_ files: RecordedFiles) -> RecordingEvidence? { nil }

    var frameCount: Int { 1 }

    func frame(at index: Int) -> RecordedFrame {
        RecordedFrame(description: CaptureDescription(imagePath: path))
    }
}

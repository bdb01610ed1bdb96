public import DepthGeometry
public import Diagnostics
package import LocalFiles
import Archives
import Platform
import ImageFiles
import Imaging
import ScalarText

/// A capture on disk from any camera or app: one frame or many.
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
/// | ARKitScenes | `lowres_depth/` or `highres_depth/` beside `lowres_wide/`, `vga_wide/`, `wide/`, `color/` or `highres_*/` |
/// | pictures beside depth maps | names that differ only in "rgb", "color", "depth" ...; RealSense, Open3D, ROS, COLMAP |
///
/// The recording may be inside a subfolder of the one that is named, as is usual in archives. A file can also name a
/// recording: an archive (`.r3d`, `.zip`), or the file that describes the recording. An image, a depth map or a description
/// of one frame names that frame alone, with everything that belongs to it; any other image is a recording of one frame.
///
/// A PDF, a TIFF of several pages and a HEIC of several images are documents: each page is a frame, in order; see
/// ``pageCount``.
public struct Recording: CaptureSource {
    /// The format's name: "Stray Scanner".
    public let format: String
    /// The files and folders that it was recognised by: "camera_matrix.csv", "depth/".
    package let evidence: [String]
    /// Number of frames; 1 if a file of one frame was named.
    public var frameCount: Int { named == nil ? frames.frameCount : 1 }
    /// Number of pages of a document; nil if this is not a document.
    public var pageCount: Int? { frames is any PagedDocument ? frames.frameCount : nil }
    /// The deadline for reading, from the limits.
    public var deadline: ContinuousClock.Instant? { limits.deadline }

    private let frames: any RecordingFormat
    private let path: String
    /// The folder or archive that holds the frames' files.
    private let root: String
    private let limits: FlatteningLimits
    /// The single frame, if a file of one frame was named; nil for all frames.
    private var named: NamedFrame?
    /// Notes for the user of any frame.
    private var notes: [String] = []

    /// The recording's folder, if a single file of it was named; nil if the recording was named as a whole.
    package var folderAround: String? { named?.folder }

    /// Recognises what a path leads to and reads the description of its frames, but no image.
    /// - Throws: `.fileAccess` if there is nothing; `.badInput` for something that is not recognised, ambiguous or
    ///   incomplete, with a message on what was seen and what is missing; `.limitExceeded`; `.missingDependency` for an
    ///   archive without the library that opens it.
    /// - Parameters:
    ///   - path: the file or folder, as the caller gave it.
    ///   - limits: the limits for each file.
    ///   - depthUnit: metres per unit of the depth maps, whatever the files state; nil to use what they state.
    ///   - isAlone: whether an image is read without the files beside it.
    /// - Complexity: O(files).
    package static func open(
        _ path: String, limits: FlatteningLimits = FlatteningLimits(), depthUnit: Double? = nil,
        isAlone: Bool = false
    ) throws(FlatteningError) -> Recording {
        var status = stat()
        if path != "-", unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            var files = try RecordedFiles.list(folder: path, limits: limits)
            files.depthUnit = depthUnit
            if let found = try RecordingDetection.detect(files) {
                return try Recording(found, path: path, limits: limits)
            }
        }
        let start = path == "-" ? FileStart([]) : FileStart(path: path, count: 512) ?? FileStart([])
        if let refusal = UnreadContainer.refusal(start: start.bytes, path: path) { throw refusal }
        if start.format == .pdf {
            let document = PDFPages(try PDFDocument(path: path, limits: limits))
            return Recording(
                format: PDFPages.name, evidence: [], frames: document, path: path, root: path, limits: limits)
        }
        if start.format == .zip {
            let archive = try ZIPArchive(path: path, limits: limits)
            var files = RecordedFiles(
                root: path, names: archive.names, limits: limits,
                unpack: { (name: String) throws(FlatteningError) -> [UInt8] in try archive.read(name) })
            files.depthUnit = depthUnit
            if let found = try RecordingDetection.detect(files) {
                return try Recording(found, path: path, limits: limits)
            }
        }
        if start.isText, mayDescribe(path), var files = try neighbours(of: path, limits: limits) {
            files.depthUnit = depthUnit
            let marker = path.split(atScalar: "/").last.map(String.init)
            if let found = try RecordingDetection.detect(files, marker: marker) {
                return try Recording(found, path: path, limits: limits)
            }
        }
        var notes: [String] = []
        if path != "-", !isAlone {
            let frame = try frame(named: path, limits: limits, depthUnit: depthUnit, notes: &notes)
            if let frame { return frame }
        }
        let picture = SinglePicture(path: path)
        let pages = try PicturePages(path: path, format: start.format, limits: limits)
        var recording = Recording(
            format: pages?.kind ?? "picture", evidence: [], frames: pages ?? picture, path: path,
            root: picture.folder, limits: limits)
        recording.notes = notes
        return recording
    }

    /// Returns the data of a frame.
    /// - Throws: `.badInput` for an index out of range.
    package func description(at index: Int) throws(FlatteningError) -> RecordedFrame {
        guard (0..<frameCount).contains(index) else {
            throw FlatteningError(
                .badInput, "there is no such frame", file: path, stage: .capture, seen: "frame \(index)",
                allowed: "0 to \(frameCount - 1)")
        }
        try limits.deadline.check(before: .init(rawValue: "frame \(index)"), file: path)
        let index = named?.index ?? index
        var frame: RecordedFrame
        do throws(FlatteningError) {
            frame = try frames.frame(at: index)
        } catch {
            throw error.naming(file: path)
        }
        if !evidence.isEmpty {
            let last = frames.frameCount - 1
            let place = last > 0 ? ", frame \(index) of 0 to \(last)" : ""
            frame.description.source = "\(format) (\(evidence.joined(separator: ", ")))\(place)"
        }
        let known = [named?.note(format: format)].compactMap(\.self) + notes
        frame.description.notes.insert(contentsOf: known, at: 0)
        return frame
    }

    /// Returns the index of the frame that a file belongs to: its image, its depth map, or another file of its own.
    /// - Parameter name: the file's name, with enough of its folders to be unique; or its path.
    /// - Returns: 0 to `frameCount` - 1.
    /// - Throws: `.badInput` if no frame, or more than one, has such a file. If one frame was named, only that one counts.
    /// - Complexity: O(frames).
    public func frameIndex(ofFile name: String) throws(FlatteningError) -> Int {
        // By Characters: whole parts are compared.
        let ending = "/" + name.split(atScalar: "/").filter { $0 != "." }.joined(separator: "/")
        let roots = Self.spellings(of: root)
        let paths = Self.spellings(of: name)
        let indices = named.map { $0.index..<$0.index + 1 } ?? 0..<frames.frameCount
        let found = indices.filter { index in
            frames.files(of: index).contains { file in
                roots.contains { root in
                    let path = FilePath.join(root, file)
                    // By Characters: a person names the file, in whatever spelling of its letters.
                    return paths.contains(path) || !name.hasScalarPrefix("/") && path.hasSuffix(ending)
                }
            }
        }
        guard found.count == 1 else {
            let ends = Set([indices.first, indices.last].compactMap(\.self)).sorted()
            let some = ends.compactMap { frames.files(of: $0).first }
            throw FlatteningError(
                .badInput,
                found.isEmpty
                    ? "no frame has a file of this name" : "\(found.count) frames have a file of this name",
                file: path, stage: .capture, seen: String(name.prefix(80)),
                allowed: "0 to \(frameCount - 1)"
                    + (some.isEmpty ? "" : ", or a name: " + some.joined(separator: " ... ")),
                advice: found.isEmpty ? nil : "Name it with its folders")
        }
        return found[0] - indices.lowerBound
    }

    /// Returns a path as written and, if it leads to something, also with links resolved.
    private static func spellings(of path: String) -> Set<String> {
        var spellings: Set = [URL(filePath: path).standardizedFileURL.path(percentEncoded: false)]
        if let resolved = unsafe realpath(path, nil) {
            unsafe spellings.insert(String(cString: resolved))
            unsafe free(resolved)
        }
        return spellings
    }

    /// Reads one frame; see `description(at:)` for its data.
    public func frame(at index: Int) throws(FlatteningError) -> CaptureFrame {
        let frame = try description(at: index)
        return CaptureFrame(
            capture: try Capture.read(frame.description, limits: limits), pose: frame.pose,
            timestamp: frame.timestamp)
    }

    /// The middle frame, because the hand is still moving at both ends of a recording. For a document, the first page.
    package var middleIndex: Int { pageCount == nil ? frameCount / 2 : 0 }

    /// A frame named by one of its files, in the recording around that file.
    private struct NamedFrame {
        let index: Int
        /// The file.
        let file: String
        /// The recording's folder.
        let folder: String

        func note(format: String) -> String {
            "\(file): taken as frame \(index) of \(folder) (\(format)), with what belongs to it there"
        }
    }

    /// Returns the frame that a file belongs to, in the recording around it; nil for a file that stands alone.
    /// - Parameter notes: receives the reasons why recordings around the file could not be read.
    /// - Throws: see `unread(_:around:in:)`.
    private static func frame(
        named path: String, limits: FlatteningLimits, depthUnit: Double?, notes: inout [String]
    ) throws(FlatteningError) -> Recording? {
        var places: [(place: RecordedFiles.Place, files: RecordedFiles)] = []
        for place in RecordedFiles.places(of: path) {
            do throws(FlatteningError) {
                let files = try place.files(limits: limits)
                if files.contains(place.name) { places.append((place, files)) }
            } catch {
                // A folder that may not be listed counts as missing.
                guard error.code != .fileAccess else { continue }
                notes.append(try unread(error, around: path, in: "a folder"))
            }
        }
        // Images beside depth maps are part of many formats, whose own description is in an outer folder.
        let findings =
            places.map { ($0.place, RecordingDetection.described($0.files)) }
            + places.map { ($0.place, RecordingDetection.paired($0.files, $0.place.name)) }
        for (place, found) in findings {
            for finding in found {
                do throws(FlatteningError) {
                    // The frame's description may name files that are deeper than the given one.
                    var finding = finding
                    finding.files = try RecordedFiles.list(folder: place.folder, limits: limits)
                    finding.files.depthUnit = depthUnit
                    var recording = try Recording(finding, path: place.folder, limits: limits)
                    let frames = recording.frames
                    let index = (0..<frames.frameCount).first { frames.files(of: $0).contains(place.name) }
                    guard let index else { continue }
                    recording.named = NamedFrame(index: index, file: path, folder: place.folder)
                    recording.notes = notes
                    return recording
                } catch {
                    let format = "a recording (\(finding.format.name))"
                    notes.append(try unread(error, around: path, in: format))
                }
            }
        }
        return nil
    }

    /// Returns the warning about an unreadable recording around a file: the file is then read without it.
    /// - Throws: the error itself, if it concerns the run and not the recording.
    private static func unread(
        _ error: FlatteningError, around path: String, in place: String
    ) throws(FlatteningError) -> String {
        guard ![.shortage, .timeout, .cancelled].contains(error.code) else { throw error }
        return "\(path): lies in \(place) that cannot be read: \(error)"
    }

    private init(
        _ found: RecordingDetection.Finding, path: String, limits: FlatteningLimits
    ) throws(FlatteningError) {
        do throws(FlatteningError) {
            self.init(
                format: found.format.name, evidence: found.evidence.found,
                frames: try found.format.init(found.files), path: path, root: found.files.root,
                limits: limits)
        } catch {
            throw error.naming(file: found.files.root)
        }
    }

    private init(
        format: String, evidence: [String], frames: any RecordingFormat, path: String, root: String,
        limits: FlatteningLimits
    ) {
        self.format = format
        self.evidence = evidence
        self.frames = frames
        self.path = path
        self.root = root
        self.limits = limits
    }

    /// Whether a text file of this name may describe a recording: a file with an image's name does not.
    private static func mayDescribe(_ path: String) -> Bool {
        let name = path.split(atScalar: "/").last ?? ""
        return !name.containsScalar(".") || describing.contains(RecordedFiles.fileExtension(name))
    }

    /// The extensions of the text files by which formats are recognised.
    private static let describing: Set<String> = ["json", "csv", "txt", "yaml", "yml"]

    /// Returns the files of the folder that holds a describing file; nil if it may not be listed: the file is then used
    /// alone.
    private static func neighbours(
        of path: String, limits: FlatteningLimits
    ) throws(FlatteningError) -> RecordedFiles? {
        let folder = path.lastIndex(ofScalar: "/").map { String(path[..<$0]) } ?? "."
        do throws(FlatteningError) {
            return try RecordedFiles.list(folder: folder.isEmpty ? "/" : folder, limits: limits)
        } catch  where error.code == .fileAccess {
            return nil
        }
    }
}

/// An image alone.
private struct SinglePicture: RecordingFormat {
    static let name = "picture"
    let path: String

    init(path: String) { self.path = path }

    init(_ files: RecordedFiles) { path = files.root }

    var folder: String {
        path.lastIndex(ofScalar: "/").map { String(path[..<path.index(afterScalar: $0)]) } ?? "."
    }

    static func recognize(_ files: RecordedFiles) -> RecordingEvidence? { nil }

    var frameCount: Int { 1 }

    func frame(at index: Int) -> RecordedFrame {
        RecordedFrame(description: CaptureDescription(imagePath: path))
    }

    func files(of index: Int) -> [String] { path.split(atScalar: "/").suffix(1).map(String.init) }
}

import Captures
import DepthGeometry
import ImageFiles
import Imaging
import Diagnostics
import LocalFiles
import ArgumentParser
import Platform
import ReceiptFlattening

/// What to read: the captures, which of their frames or pages, further files that belong to them, and the limits.
struct CaptureRequest: Codable, Sendable {
    /// The named folders, archives and images; "-" is standard input.
    var captures: [String] = []
    var frame: FrameName?
    var pages: PageRange?
    /// The folder where a batch has rendered the page of a PDF.
    var drawnPage: String?
    var best = false
    var fuse = false
    var depth: String?
    /// Metres.
    var depthUnit: Double?
    var depthKind: CaptureDescription.Depth.Kind?
    var depthProjection: CaptureDescription.Depth.Projection?
    var depthRelative = false
    var confidence: String?
    var intrinsics: String?
    /// Pixels.
    var fx, fy, cx, cy: Double?
    var maxMegapixels, maxDepthMegapixels: Double?
    /// Pixels.
    var maxSide: Int?
    var maxFileMib, maxTiffMib, maxJsonMib: Int?
    var noPrograms = false

    /// The only capture; empty unless there is exactly one.
    var capture: String { captures.count == 1 ? captures[0] : "" }

    /// Throws a usage error for options that do not go together.
    func validate() throws(ValidationError) {
        if best, frame != nil {
            throw ValidationError("--frame and --best exclude each other")
        }
        if pages != nil, frame != nil || best || fuse {
            throw ValidationError("--pages is of documents; --frame, --best and --fuse are of recordings")
        }
        if fuse,
            depth != nil || confidence != nil || intrinsics != nil || fx != nil || depthUnit != nil
                || depthKind != nil || depthProjection != nil || depthRelative
        {
            throw ValidationError(
                "--fuse uses the recording's own depth and camera; leave out the options that name others")
        }
        if fx != nil || fy != nil || cx != nil || cy != nil, fx == nil || cx == nil || cy == nil {
            throw ValidationError("--fx, --cx and --cy go together (and --fy, if the pixels are not square)")
        }
        if fx != nil, intrinsics != nil {
            throw ValidationError("--intrinsics and --fx exclude each other")
        }
        let inputs = captures + [depth, confidence, intrinsics].compactMap(\.self)
        if let address = inputs.first(where: { $0.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) != nil }),
            !Self.exists(address)
        {
            throw ValidationError(
                "\(address) is an address, and only files are read: fetch it first, as with curl -O \(address)"
            )
        }
        guard inputs.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("standard input (\"-\") can be only one of the files")
        }
        if let depthUnit, !(depthUnit > 0 && depthUnit.isFinite) {
            throw ValidationError("--depth-unit is a size in metres greater than 0")
        }
        for (name, value) in [("--fx", fx), ("--fy", fy)] {
            if let value, !(value > 0 && value.isFinite) {
                throw ValidationError("\(name) is a length in pixels greater than 0")
            }
        }
        for (name, value) in [("--cx", cx), ("--cy", cy)] {
            if let value, !value.isFinite { throw ValidationError("\(name) is a finite position in pixels") }
        }
        for (name, value, largest) in [
            ("--max-megapixels", maxMegapixels, Self.largestMegapixels),
            ("--max-depth-megapixels", maxDepthMegapixels, 1000),
        ] {
            if let value, !(value > 0 && value <= Double(largest)) {
                throw ValidationError("\(name) lies between 0 and \(largest)")
            }
        }
        if let maxSide, !(1...1_000_000).contains(maxSide) {
            throw ValidationError("--max-side lies between 1 and 1000000")
        }
        for (name, value) in [
            ("--max-file-mib", maxFileMib), ("--max-tiff-mib", maxTiffMib), ("--max-json-mib", maxJsonMib),
        ] {
            if let value, !(1...16384).contains(value) {
                throw ValidationError("\(name) lies between 1 and 16384")
            }
        }
    }

    /// The largest image that can be resampled, in whole megapixels.
    static let largestMegapixels = ResamplingLimits.maximumPixels / 1_000_000

    /// Throws a usage error unless there is exactly one capture. Not part of `validate()`, as a batch takes many.
    /// - Parameter command: the command's name for the message, such as "flatten inspect".
    func requireOneCapture(for command: String) throws(ValidationError) {
        try requireCaptures()
        guard captures.count == 1 else {
            throw ValidationError("\(command) takes one capture (seen: \(captures.count))")
        }
    }

    /// Throws a usage error if there is no capture, or if the last of several looks like an output. Not part of `validate()`,
    /// as a batch has its own messages.
    func requireCaptures() throws(ValidationError) {
        guard let last = captures.last else {
            throw ValidationError("there is no capture: name a folder, an archive or a picture")
        }
        if captures.count > 1, !Self.exists(last), (try? ImageWriter.Format(path: last)) != nil {
            throw ValidationError(
                "there is no \(last): if it is the picture to be written, say -o \(last)")
        }
    }

    /// Throws a usage error if several captures are the pages of a document and an option applies to one capture only.
    func requirePages() throws(ValidationError) {
        guard captures.count > 1 else { return }
        let single: [(String, Bool)] = [
            ("--depth", depth != nil), ("--confidence", confidence != nil), ("--pages", pages != nil),
            ("--frame", frame != nil),
        ]
        if let option = single.first(where: \.1)?.0 {
            throw ValidationError(
                "\(option) is of one capture, and \(captures.count) are named as pages of a document")
        }
    }

    /// Throws if a capture does not exist.
    func requireExistence() throws(FlatteningError) {
        for capture in captures where capture != "-" && !Self.exists(capture) {
            throw FlatteningError(
                .fileAccess, "there is no such file or folder", file: capture, stage: .capture)
        }
    }

    /// Returns this source with the given capture as its only one.
    func naming(_ capture: String) -> CaptureRequest {
        var source = self
        source.captures = [capture]
        return source
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0
    }

    /// The files that options name besides the capture, each with its option.
    var files: [OutputPlan.Named] {
        [("--depth", depth), ("--confidence", confidence), ("--intrinsics", intrinsics)].compactMap {
            option, path in
            path.map { OutputPlan.Named(option: option, path: $0) }
        }
    }

    /// Reads the only capture.
    /// - Parameters:
    ///   - usesDepth: whether to read depth files at all.
    ///   - isAlone: whether to read an image without the recording around it. It is always read so if `--depth` names its depth
    ///     map.
    ///   - page: the page of a document, counted from 0; nil for the first one asked for.
    ///   - deadline: when to give up reading.
    /// - Returns: the capture, and the folder of the recording if the named file is a frame of one; nil for any other capture.
    func read(
        usesDepth: Bool = true, isAlone: Bool = false, page: Int? = nil,
        until deadline: ContinuousClock.Instant?
    ) throws(FlatteningError) -> (capture: Capture, folderAround: String?) {
        var limits = limits
        limits.deadline = deadline
        if let drawnPage {
            let page = try DocumentPage.read(from: drawnPage, of: capture, limits: limits)
            return (try Capture.read(page.description, limits: limits), nil)
        }
        let recording = try Recording.open(
            capture, limits: limits, depthUnit: depthUnit, isAlone: isAlone || depth != nil)
        try refuseFrames(of: recording)
        let first = try chosenPages(of: recording)?.first
        let named = try frame?.index(in: recording)
        let index =
            best ? try recording.bestFrame().index : page ?? first ?? named ?? recording.middleIndex
        if fuse { return (try recording.fused(around: index).capture, recording.folderAround) }
        var description = try recording.description(at: index).description
        if page == nil, pages == nil, let count = recording.pageCount {
            description.notes.append("\(capture): page \(index + 1) of \(count) is taken, and no other")
        }
        if let depth { description.depth = .init(path: depth) }
        if let confidence { description.confidencePath = confidence }
        if !usesDepth {
            description.depth = nil
            description.usesEmbeddedDepth = false
            description.confidencePath = nil
        } else if depthUnit != nil || depthKind != nil || depthProjection != nil || depthRelative {
            guard var depth = description.depth else {
                throw FlatteningError(
                    .badInput, "depth options were given, but there is no depth map", file: capture,
                    stage: .depth, advice: "Name it with --depth")
            }
            // A depth map that was aligned with the colour camera is already in metres.
            if !depth.isInMeters { depth.unit = depthUnit ?? depth.unit }
            depth.kind = depthKind ?? depth.kind
            depth.projection = depthProjection ?? depth.projection
            if depthRelative { depth.accuracy = .relative }
            description.depth = depth
        }
        if let intrinsics { description.intrinsics = .file(intrinsics) }
        if let fx, let cx, let cy {
            description.intrinsics = .given(try IntrinsicsDocument(fx: fx, fy: fy ?? fx, cx: cx, cy: cy))
        }
        return (try Capture.read(description, limits: limits), recording.folderAround)
    }

    /// The pages to flatten, counted from 0; nil for a capture that is not a document.
    /// - Throws: what opening a document throws; `.badInput` if there is no such page, `.limitExceeded` for too many.
    func chosenPages(until deadline: ContinuousClock.Instant?) throws(FlatteningError) -> [Int]? {
        // A capture that is not a document need not be opened twice.
        guard capture != "-", depth == nil, drawnPage == nil,
            let format = FileStart(path: capture)?.format, [.pdf, .tiff, .heic].contains(format)
        else { return nil }
        var limits = limits
        limits.deadline = deadline
        let recording = try Recording.open(capture, limits: limits, isAlone: true)
        try refuseFrames(of: recording)
        return try chosenPages(of: recording)
    }

    /// The source of one page that a run flattens.
    struct PageSource {
        /// The capture, as it was named.
        var capture: String
        /// Its page, counted from 0; nil for a capture without pages.
        var page: Int?
    }

    /// All pages to flatten: the chosen pages of each capture, in the order in which the captures were named.
    /// - Throws: as `chosenPages`; `.limitExceeded` for too many in all.
    func allPages(until deadline: ContinuousClock.Instant?) throws(FlatteningError) -> [PageSource] {
        var sources: [PageSource] = []
        for capture in captures {
            let pages = try naming(capture).chosenPages(until: deadline)
            sources += (pages?.map(Optional.some) ?? [nil]).map { PageSource(capture: capture, page: $0) }
            guard sources.count <= limits.maximumPages else {
                throw FlatteningError(
                    .limitExceeded, "there are too many pages to be made flat at once", file: capture,
                    stage: .capture, seen: "\(sources.count) and more",
                    allowed: "\(limits.maximumPages) (maximumPages)")
            }
        }
        return sources
    }

    private func chosenPages(of recording: Recording) throws(FlatteningError) -> [Int]? {
        let count = recording.pageCount ?? 1
        let range = pages ?? PageRange(first: 1, last: nil)
        guard range.first <= count else {
            // A missing file is reported where it is read.
            if capture != "-", unsafe access(capture, F_OK) != 0 { return nil }
            throw FlatteningError(
                .badInput, "there is no such page", file: capture, stage: .capture,
                seen: "--pages \(range)", allowed: "1 to \(count)")
        }
        let chosen = range.first...min(range.last ?? count, count)
        guard recording.pageCount != nil else { return nil }
        guard chosen.count <= limits.maximumPages else {
            throw FlatteningError(
                .limitExceeded, "there are too many pages to be made flat at once", file: capture,
                stage: .capture, seen: "\(chosen.count)", allowed: "\(limits.maximumPages) (maximumPages)",
                advice: "Take some of them: --pages 1-\(limits.maximumPages)")
        }
        return chosen.map { $0 - 1 }
    }

    /// Refuses --frame, --best and --fuse for documents: they are options of recordings.
    private func refuseFrames(of recording: Recording) throws(FlatteningError) {
        guard recording.pageCount != nil, frame != nil || best || fuse else { return }
        throw FlatteningError(
            .badInput, "this has pages, and no frames of a recording", file: capture, stage: .capture,
            seen: "--frame, --best or --fuse", advice: "Choose a page: --pages 1")
    }

    /// A range of pages of a document, counted from 1.
    struct PageRange: ExpressibleByArgument, CustomStringConvertible, Codable {
        let first: Int
        /// Nil for the document's last page.
        let last: Int?

        init(first: Int, last: Int?) { (self.first, self.last) = (first, last) }

        init?(argument: String) {
            guard let match = argument.wholeMatch(of: /([0-9]{1,7})(-([0-9]{1,7})?)?/),
                let first = Int(match.1), first >= 1
            else { return nil }
            guard match.2 != nil else {
                self.init(first: first, last: first)
                return
            }
            let last = match.3.flatMap { Int($0) }
            guard last.map({ $0 >= first }) ?? true else { return nil }
            self.init(first: first, last: last)
        }

        var description: String {
            last == first ? "\(first)" : "\(first)-\(last.map(String.init) ?? "")"
        }
    }

    /// A frame, named by its place, counted from 0, or by one of its files.
    enum FrameName: ExpressibleByArgument, Codable {
        case place(Int)
        case file(String)

        init?(argument: String) {
            if let index = Int(argument) {
                self = .place(index)
            } else {
                // Every file that a recording lists for a frame has an extension.
                guard argument.contains(".") else { return nil }
                self = .file(argument)
            }
        }

        fileprivate func index(in recording: Recording) throws(FlatteningError) -> Int {
            switch self {
            case .place(let index): index
            case .file(let name): try recording.frameIndex(ofFile: name)
            }
        }
    }

    var limits: FlatteningLimits {
        var limits = FlatteningLimits()
        limits.startsPrograms = !noPrograms
        if let maxMegapixels {
            limits.maximumColorPixels = Int(maxMegapixels * 1e6)
            // A larger limit for images also raises the limits on the work and memory that they take.
            limits.maximumDecodingBytes = max(limits.maximumDecodingBytes, limits.maximumColorPixels * 12)
            limits.maximumJPEGScanPixels = max(limits.maximumJPEGScanPixels, limits.maximumColorPixels * 12)
        }
        if let maxDepthMegapixels { limits.maximumDepthPixels = Int(maxDepthMegapixels * 1e6) }
        if let maxSide { limits.maximumSide = maxSide }
        if let maxFileMib {
            limits.maximumFileBytes = maxFileMib << 20
            limits.maximumPDFBytes = max(limits.maximumPDFBytes, maxFileMib << 20)
        }
        if let maxTiffMib { limits.maximumTIFFBytes = maxTiffMib << 20 }
        if let maxJsonMib { limits.maximumJSONBytes = maxJsonMib << 20 }
        return limits
    }
}

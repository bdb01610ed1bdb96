package import Diagnostics
import LocalFiles
internal import Platform
import ScalarText

/// Lists the captures of a batch: those in folders, those named in lists, and those named directly.
package enum CaptureList {
    /// A capture, or something similar that is not tried. Nothing that was named or found disappears silently.
    package struct Entry: Equatable, Sendable {
        /// The path to read from. If a name is not valid text (UTF-8), its other bytes are written as \xe9, and `refusal`
        /// is set.
        package var path: String
        /// Whether somebody named it; only then are links followed. What is found in a folder may come from a stranger.
        package var isNamed: Bool
        /// Why it is not tried; nil for a valid capture.
        package var refusal: String?
        /// Text to add to a failure message, if there is a likely reason.
        package var hint: String?
        /// The page of a document, from 1; nil if the file has no pages.
        package var page: Int?
        /// A unique label: its path, plus the page if there are several; see ``PageLabel``.
        package var label: String

        package init(
            path: String, isNamed: Bool, refusal: String? = nil, hint: String? = nil, page: Int? = nil,
            label: String? = nil
        ) {
            self.page = page
            self.label = label ?? path
            self.path = path
            self.isNamed = isNamed
            self.refusal = refusal
            self.hint = hint
        }

        /// Whether it is a page of a document of which several pages are captures.
        package var isPageAmongOthers: Bool { page != nil && label != path }
    }

    /// Lists the captures of some inputs, each once, whatever paths name it. The order is that of the inputs and, within a
    /// folder, of the names' bytes.
    ///
    /// In a folder, each sub-folder is a capture, and so is each archive (`.r3d`, `.zip`) and each image or document,
    /// recognised by its extension or its first bytes, whether or not its format can be read: a damaged file, or one that
    /// must be converted first, must be reported, not skipped. Portable maps are recognised by their extension alone, as
    /// text may begin like one. All other files are skipped and reported by `onPassedOver`; hidden entries are ignored.
    /// Links, pipes and devices in a folder, names that are not valid text and files that cannot be opened become entries
    /// with a `refusal`. A folder that is itself a recording is refused if it is the only input, since its parts are no
    /// captures; among several inputs it is one capture.
    ///
    /// A file that is an image, an archive or the description of a recording is a capture. Any other file is a list: one
    /// path per line, relative to the current folder; empty lines are skipped. If the list contains a zero byte, zero bytes
    /// end its paths (`find -print0`), and line feeds are part of them.
    /// - Parameters:
    ///   - inputs: folders, captures, lists, or "-" for a list on standard input.
    ///   - output: the output folder; it is no capture if it lies within a folder of `inputs`.
    ///   - recursive: whether to look into sub-folders that are no recordings.
    ///   - zeroEndsPaths: whether zero bytes end the paths of lists; a list of lines is then refused.
    ///   - onRepeat: called with each path left out because an earlier path leads to the same capture, and with that
    ///     earlier path.
    ///   - onPassedOver: called with the path of each file in a folder that is no capture.
    /// - Throws: `.badInput` for a single input that is itself a recording, or the output folder; `.fileAccess`;
    ///   `.limitExceeded` for a list above 1 GiB or more than ten million entries in a folder.
    package static func entries(
        of inputs: [String], output: String, recursive: Bool = false, zeroEndsPaths: Bool = false,
        onRepeat: (_ path: String, _ first: String) -> Void = { _, _ in },
        onPassedOver: (String) -> Void = { _ in }
    ) throws(FlatteningError) -> [Entry] {
        // A name that is not valid text may be displayed like the name of another file.
        struct Name: Hashable {
            var path: PathBytes
            var isText: Bool
        }
        var seen: Set<Name> = []
        var entries: [Entry] = []
        for input in inputs {
            for entry in try self.entries(
                ofInput: input, isOnly: inputs.count == 1, output: output, recursive: recursive,
                zeroEndsPaths: zeroEndsPaths, onPassedOver)
            where seen.insert(Name(path: PathBytes(entry.path), isText: entry.refusal == nil)).inserted {
                entries.append(entry)
            }
        }
        // Entries found in one folder have distinct paths.
        guard inputs.count > 1 || entries.contains(where: \.isNamed) else { return entries }
        return withoutRepeats(entries, onRepeat)
    }

    /// Removes entries that lead to the same file or folder as an earlier one: by another spelling of its path, or by a
    /// link. A hard link counts as a separate capture.
    private static func withoutRepeats(
        _ entries: [Entry], _ onRepeat: (_ path: String, _ first: String) -> Void
    ) -> [Entry] {
        func place(_ entry: Entry) -> String {
            CaptureContent.folder(ofDescription: entry.path) ?? entry.path
        }
        // Examines each entry once; resolves paths only where two entries have the same identity.
        var firstOf: [FileIdentity: Entry] = [:]
        var resolvedPaths: [PathBytes: Entry] = [:]
        return entries.filter { entry in
            guard entry.refusal == nil, let identity = FileIdentity(of: place(entry)) else { return true }
            guard let first = firstOf[identity] else {
                firstOf[identity] = entry
                return true
            }
            guard let own = resolved(place(entry)), let others = resolved(place(first)) else { return true }
            if resolvedPaths[PathBytes(others)] == nil { resolvedPaths[PathBytes(others)] = first }
            guard let same = resolvedPaths[PathBytes(own)] else {
                resolvedPaths[PathBytes(own)] = entry
                return true
            }
            onRepeat(entry.path, same.path)
            return false
        }
    }

    private static func entries(
        ofInput input: String, isOnly: Bool, output: String, recursive: Bool, zeroEndsPaths: Bool,
        _ onPassedOver: (String) -> Void
    ) throws(FlatteningError) -> [Entry] {
        func read() throws(FlatteningError) -> InputFile {
            var limits = FlatteningLimits()
            limits.maximumFileBytes = mostListBytes
            return try InputFile.read(path: input, limits: limits)
        }
        if input == "-" { return try entries(inList: read(), zeroEndsPaths) }
        var status = stat()
        guard unsafe stat(input, &status) == 0 else {
            throw FileSystemError.last(
                "there is no such folder, capture or list", file: input, stage: .batch)
        }
        switch FolderEntry.Kind(status.st_mode) {
        case .folder:
            let folder = try OpenFolder(path: input, follows: true, stage: .batch)
            let listed = try folder.entries(most: mostEntries)
            if !isOnly, isRecording(listed) { return [Entry(path: input, isNamed: true)] }
            if let sign = listed.compactMap(\.name).first(where: signsOfRecordings.contains) {
                throw failure(
                    "this is itself a capture", file: input, seen: sign,
                    advice: "flatten it without \"batch\", or name the folder that it lies in")
            }
            let own = resolved(output)
            guard own == nil || own != resolved(input) else {
                throw failure(
                    "the output folder is the input folder", file: input, advice: "Name another folder")
            }
            return try captures(
                in: folder, listed, path: input, output: own, recursive: recursive, depth: 1, onPassedOver)
        case .file:
            if isDescription(input) { return [Entry(path: input, isNamed: true)] }
            if hasExtensionOfCapture(input) { return [Entry(path: input, isNamed: true)] }
            let list = try read()
            if let format = list.format, format != .pnm { return [Entry(path: input, isNamed: true)] }
            return try entries(inList: list, zeroEndsPaths)
        case .link, .other:
            throw failure(
                "this is a device or pipe, neither a folder nor a capture nor a list", file: input,
                advice: "Hand a list over as standard input, with the name -")
        }
    }

    // MARK: - Folders

    /// Most entries: a larger batch does not fit in one process's memory.
    private static let mostEntries = 10_000_000
    /// Largest list in bytes: ten million paths of a hundred bytes.
    private static let mostListBytes = 1 << 30
    /// Deepest nesting of folders that is searched.
    private static let mostDepth = 32

    private static func captures(
        in folder: OpenFolder, _ listed: [FolderEntry], path: String, output: String?, recursive: Bool,
        depth: Int, _ onPassedOver: (String) -> Void
    ) throws(FlatteningError) -> [Entry] {
        var found: [Entry] = []
        for entry in listed where !entry.bytes.starts(with: [0x2E]) {
            let place = FilePath.join(path, entry.shownName)
            func refuse(_ reason: String) {
                found.append(Entry(path: place, isNamed: false, refusal: reason))
            }
            guard let name = entry.name else {
                let isFile = entry.kind == .file
                if isFile, try !mayBeCapture(entry, in: folder) {
                    onPassedOver(place)
                } else {
                    refuse("its name is no text (UTF-8). Rename it")
                }
                continue
            }
            switch entry.kind {
            case .link:
                refuse(
                    "a link in a folder of captures is not followed. Name it in a list if it is to be followed"
                )
            case .other: refuse("a pipe, socket or device is no capture")
            case .file:
                if hasExtensionOfCapture(name) {
                    found.append(Entry(path: place, isNamed: false))
                } else {
                    switch try startsLikeAPicture(entry, in: folder) {
                    case true: found.append(Entry(path: place, isNamed: false))
                    case false: onPassedOver(place)
                    case nil: refuse("it cannot be opened, so that nobody knows whether it is a picture")
                    }
                }
            case .folder:
                // A folder that cannot be opened fails later as a capture, with its own message.
                let inner = try folder.folder(entry.bytes)
                let names = try inner?.entries(most: mostEntries) ?? []
                let isOne = isRecording(names)
                if let output, resolved(place) == output {
                    if isOne { refuse("it is the output folder too. Name another one") }
                    continue
                }
                if recursive, !isOne, let inner {
                    guard depth < mostDepth else {
                        refuse("it lies more than \(mostDepth) folders deep")
                        continue
                    }
                    found += try captures(
                        in: inner, names, path: place, output: output, recursive: true, depth: depth + 1,
                        onPassedOver)
                } else {
                    found.append(Entry(path: place, isNamed: false, hint: isOne ? nil : hint(names)))
                }
            }
        }
        return found
    }

    /// Returns what may be wrong if a folder with these entries is no capture, without `recursive`.
    private static func hint(_ names: [FolderEntry]) -> String? {
        if names.contains(where: { $0.name.map(hasExtensionOfCapture) ?? false }) {
            return "If it is a folder of captures, use --recursive"
        }
        let seen = names.filter { !$0.bytes.starts(with: [0x2E]) }
        guard !seen.isEmpty, seen.allSatisfy({ $0.kind == .folder }) else { return nil }
        return "It is a folder of folders: use --recursive"
    }

    private static let pictureExtensions: Set = [
        "png", "jpg", "jpeg", "tif", "tiff", "heic", "heif", "avif", "pgm", "ppm", "pnm", "pdf", "webp",
        "gif", "bmp", "jp2", "j2k",
    ]
    /// Formats that people keep receipts in but that cannot be read: each fails with advice on how to convert it.
    private static let unreadFormats: Set<ImageFileFormat> = [.jpegXL]
    private static let unreadExtensions = Set(unreadFormats.map(\.fileExtension))
    private static let archiveExtensions: Set = ["r3d", "zip"]
    /// Names found only in the folder of one recording, beside its images or their folders.
    static let signsOfRecordings: Set = [
        CaptureFolder.descriptionName, "camera_matrix.csv", "transforms.json", "DepthMetadata.json",
        "keyframes", "rgbd",
        "rgb.txt",
        "associations.txt", "frame_00000.json",
    ]

    /// Whether a folder is one recording, judged by a name that only recordings have or by a depth map among its files.
    private static func isRecording(_ entries: [FolderEntry]) -> Bool {
        entries.compactMap(\.name).contains { name in
            let words = name.lowercased().split(atScalar: ".", omittingEmptySubsequences: false)[0]
                .split { !$0.isLetter }
            return signsOfRecordings.contains(name) || words.first == "depth" || words.last == "depth"
        }
    }

    private static func hasExtensionOfCapture(_ path: String) -> Bool {
        let kind = URL(filePath: path).pathExtension.lowercased()
        return pictureExtensions.contains(kind) || archiveExtensions.contains(kind)
            || unreadExtensions.contains(kind)
    }

    /// Whether a file has the extension of an image or document format that cannot be read.
    static func hasUnreadExtension(_ name: String) -> Bool {
        unreadExtensions.contains(URL(filePath: name).pathExtension.lowercased())
    }

    private static func isDescription(_ path: String) -> Bool {
        CaptureContent.folder(ofDescription: path.containsScalar("/") ? path : "./" + path) != nil
    }

    /// Whether a file whose name is not valid text looks like a capture.
    private static func mayBeCapture(
        _ entry: FolderEntry, in folder: OpenFolder
    ) throws(FlatteningError) -> Bool {
        if hasExtensionOfCapture(entry.shownName) { return true }
        return try startsLikeAPicture(entry, in: folder) != false
    }

    /// Whether a file's first bytes are those of an image or a document; nil if it cannot be opened.
    private static func startsLikeAPicture(
        _ entry: FolderEntry, in folder: OpenFolder
    ) throws(FlatteningError) -> Bool? {
        guard let opened = try folder.file(entry.bytes) else { return nil }
        defer { close(opened) }
        guard let start = FileStart(descriptor: opened) else { return nil }
        return switch start.format {
        case .png, .jpeg, .tiff, .heic, .webp, .gif, .bmp, .jpeg2000, .pdf: true
        case let format?: unreadFormats.contains(format)
        case nil: false
        }
    }

    // MARK: - Lists

    private static func entries(
        inList list: InputFile, _ zeroEndsPaths: Bool
    ) throws(FlatteningError) -> [Entry] {
        if let format = list.format, format != .pnm {
            throw failure(
                "this is no list of paths", file: list.name, seen: format.rawValue,
                advice: "flatten a single picture without \"batch\"")
        }
        let holdsZeros = list.bytes.contains(0)
        guard !zeroEndsPaths || holdsZeros || !list.bytes.contains(0x0A) else {
            throw failure(
                "this is a list of lines: no zero byte ends a path", file: list.name,
                advice: "Leave out --null, or write the list with find -print0")
        }
        // A line feed ends a path; a carriage return before it comes from line ends of other systems.
        let end: UInt8 = zeroEndsPaths || holdsZeros ? 0 : 0x0A
        return list.bytes.split(separator: end).compactMap { line in
            let bytes = end == 0x0A && line.last == 0x0D ? line.dropLast() : line
            guard !bytes.isEmpty else { return nil }
            guard let path = String(validating: bytes, as: UTF8.self) else {
                return Entry(
                    path: String(showing: bytes), isNamed: true,
                    refusal: "its name is no text (UTF-8). Rename it")
            }
            return Entry(path: path.hasScalarPrefix("-") ? "./" + path : path, isNamed: true)
        }
    }

    /// The resolved path of a file or folder; nil if there is nothing.
    static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    private static func failure(
        _ message: String, file: String, seen: String? = nil, advice: String? = nil
    ) -> FlatteningError {
        FlatteningError(.badInput, message, file: file, stage: .batch, seen: seen, advice: advice)
    }
}

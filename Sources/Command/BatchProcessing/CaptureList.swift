package import Diagnostics
import LocalFiles
internal import Platform
import ScalarText

/// The captures that a batch is about: what folders hold, what lists name, and what is named itself.
package enum CaptureList {
    /// A capture, or what looks like one and is not tried. Nothing that was named or found vanishes without a word.
    package struct Entry: Equatable, Sendable {
        /// Where it is read from. Bytes of a name that are no text (UTF-8) are written as \xe9; there is a `refusal` then.
        package var path: String
        /// Whether somebody named it: then a link is followed. What is found in a folder is a stranger's.
        package var isNamed: Bool
        /// Why it is not tried; nil for a capture.
        package var refusal: String?
        /// What to add to the words of a failure, if there is a likely reason.
        package var hint: String?
        /// Which page of a document it is, from 1; nil for what has no pages.
        package var page: Int?
        /// What tells it from all others: its path, and of several pages the page too; see ``PageLabel``.
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

        /// Whether it is a page of a document of which several are captures.
        package var isPageAmongOthers: Bool { page != nil && label != path }
    }

    /// The captures of some inputs, each once, by whatever paths it is named, in the order of the inputs and, within a
    /// folder, of the names' bytes.
    ///
    /// Of a folder each sub-folder is a capture, each archive (`.r3d`, `.zip`), and each picture or document, by its
    /// extension or its first bytes, whether or not its format is read: one whose bytes are lost, or that is to be converted
    /// first, must be told of, not passed over. Portable maps go by their extension alone, as text may begin like one. All
    /// other files are passed over, and told of by `onPassedOver`; hidden entries are not looked at. Links, pipes and devices
    /// in a folder, names that are no text and files that cannot be looked into are entries with a `refusal`. A folder that
    /// is itself a recording is refused if it is the only input, since its parts are no captures; among several it is one.
    ///
    /// A file that is a picture, an archive or the description of a recording is a capture. Any other is a list: a path a
    /// line, relative to the current folder; empty lines are passed over. Where the list holds a zero byte, zero bytes end
    /// its paths (`find -print0`), and line feeds are part of them.
    /// - Parameters:
    ///   - inputs: folders, captures, lists, or "-" for a list on standard input.
    ///   - output: the folder that is written to; it is no capture if it lies within a folder of `inputs`.
    ///   - recursive: whether sub-folders that are no recordings are looked into.
    ///   - zeroEndsPaths: whether zero bytes end the paths of lists; a list of lines is refused then.
    ///   - onRepeat: called with each path that is left out as it leads to a capture that another path before it names,
    ///     and with that path.
    ///   - onPassedOver: called with the path of each file in a folder that is no capture.
    /// - Throws: `.badInput` for a single input that is itself a recording, or the output folder; `.fileAccess`;
    ///   `.limitExceeded` for a list above 1 GiB or more than ten million entries in a folder.
    package static func entries(
        of inputs: [String], output: String, recursive: Bool = false, zeroEndsPaths: Bool = false,
        onRepeat: (_ path: String, _ first: String) -> Void = { _, _ in },
        onPassedOver: (String) -> Void = { _ in }
    ) throws(FlatteningError) -> [Entry] {
        // A name that is no text may be shown as another one is called.
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
        // What one folder holds has one path each.
        guard inputs.count > 1 || entries.contains(where: \.isNamed) else { return entries }
        return withoutRepeats(entries, onRepeat)
    }

    /// The entries without those that lead to the same file or folder as one before: by another spelling of its path, or by
    /// a link. A file's second name (hard link) is a capture of its own.
    private static func withoutRepeats(
        _ entries: [Entry], _ onRepeat: (_ path: String, _ first: String) -> Void
    ) -> [Entry] {
        func place(_ entry: Entry) -> String {
            CaptureContent.folder(ofDescription: entry.path) ?? entry.path
        }
        // One look at each; the one path of what it leads to is asked for only where two lead to the same.
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

    /// More are no batch that one process keeps in mind.
    private static let mostEntries = 10_000_000
    /// Of a list: ten million paths of a hundred bytes.
    private static let mostListBytes = 1 << 30
    /// How deep folders within folders are looked into.
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
                // A folder that may not be looked into fails as a capture, in words of its own.
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

    /// What may be wrong where a folder that holds these is no capture, without `recursive`.
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
    /// What people keep receipts in that is not read: each fails with the words how to convert it.
    private static let unreadFormats: Set<ImageFileFormat> = [.jpegXL]
    private static let unreadExtensions = Set(unreadFormats.map(\.fileExtension))
    private static let archiveExtensions: Set = ["r3d", "zip"]
    /// What only lies in the folder of one recording, beside its pictures or their folders.
    static let signsOfRecordings: Set = [
        CaptureFolder.descriptionName, "camera_matrix.csv", "transforms.json", "DepthMetadata.json",
        "keyframes", "rgbd",
        "rgb.txt",
        "associations.txt", "frame_00000.json",
    ]

    /// Whether a folder is one recording, by a name that only recordings have or by a depth map among its files.
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

    /// Whether a file's extension is that of a picture or document which is not read.
    static func hasUnreadExtension(_ name: String) -> Bool {
        unreadExtensions.contains(URL(filePath: name).pathExtension.lowercased())
    }

    private static func isDescription(_ path: String) -> Bool {
        CaptureContent.folder(ofDescription: path.containsScalar("/") ? path : "./" + path) != nil
    }

    /// Whether a file whose name cannot be had looks like a capture.
    private static func mayBeCapture(
        _ entry: FolderEntry, in folder: OpenFolder
    ) throws(FlatteningError) -> Bool {
        if hasExtensionOfCapture(entry.shownName) { return true }
        return try startsLikeAPicture(entry, in: folder) != false
    }

    /// Whether a file's first bytes are a picture's or a document's; nil if it cannot be looked into.
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
        // A line feed ends a path; a carriage return before it is what ended lines on other systems.
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

    /// The one path of what a path leads to; nil if there is nothing.
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

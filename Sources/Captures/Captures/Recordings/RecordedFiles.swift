import Diagnostics
import Platform
import LocalFiles
import ImageFiles
import Imaging
import ScalarText

/// The files of a recording by name: those of a folder, or those within an archive.
///
/// Names are relative and come from listing what is there; whatever a document inside the recording names is looked up
/// here. So no name leads out of the recording: `..`, absolute paths and links are simply not among the files.
struct RecordedFiles: Sendable {
    /// The folder's or archive's path.
    let root: String
    let limits: FlatteningLimits
    /// The names of all files, sorted so that 10 comes after 2.
    let names: [String]
    /// Metres a unit of the depth maps, from the caller, who knows better than any file; nil for what the files say.
    var depthUnit: Double?
    private let known: Set<String>
    /// Reads an entry of an archive; nil for a folder.
    private let unpack: (@Sendable (String) throws(FlatteningError) -> [UInt8])?

    /// How deep folders are looked into: the deepest of the known layouts is four (`scan/keyframes/depth/1.png`), in a folder.
    private static let maximumDepth = 5

    /// Files from a list of names.
    /// - Parameter unpack: reads one of them; nil to read the file of that name below `root`.
    init(
        root: String, names: [String], limits: FlatteningLimits,
        unpack: (@Sendable (String) throws(FlatteningError) -> [UInt8])? = nil
    ) {
        self.root = root
        self.limits = limits
        self.unpack = unpack
        let sorted = names.map { (key: Self.sortingKey($0), name: $0) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        self.names = sorted.map(\.name)
        known = Set(names)
    }

    /// The files of a folder: regular files only, no links, nothing hidden.
    /// - Throws: `.fileAccess` for a folder that cannot be listed, `.limitExceeded` for one with too many files.
    /// - Parameters:
    ///   - depth: how deep folders are looked into, 1 for the folder alone.
    ///   - enters: whether a folder of this name is looked into.
    static func list(
        folder: String, limits: FlatteningLimits, depth: Int = maximumDepth,
        entering enters: @escaping (String) -> Bool = { _ in true }
    ) throws(FlatteningError) -> RecordedFiles {
        var listing = Listing(folder: folder, limits: limits, maximumDepth: depth, enters: enters)
        try listing.add(try OpenFolder(path: folder, follows: true, stage: .capture), prefix: "", depth: 1)
        return RecordedFiles(root: folder, names: listing.names, limits: limits)
    }

    /// The names of a folder's files on their way.
    private struct Listing {
        let folder: String
        let limits: FlatteningLimits
        let maximumDepth: Int
        let enters: (String) -> Bool
        var names: [String] = []
        /// Folders that are not listed yet.
        private var waiting = 0

        init(
            folder: String, limits: FlatteningLimits, maximumDepth: Int, enters: @escaping (String) -> Bool
        ) {
            self.folder = folder
            self.limits = limits
            self.maximumDepth = maximumDepth
            self.enters = enters
        }

        mutating func add(_ open: OpenFolder, prefix: String, depth: Int) throws(FlatteningError) {
            try limits.deadline.check(before: .init(rawValue: "listing the folder"), file: folder)
            var folders: [(bytes: [UInt8], name: String)] = []
            for entry in try open.entries(most: .max) {
                // No document can name a file whose name is not text.
                guard let name = entry.name, !name.hasScalarPrefix(".") else { continue }
                switch entry.kind {
                case .file: names.append(prefix + name)
                case .folder where depth < maximumDepth && enters(name):
                    folders.append((entry.bytes, prefix + name + "/"))
                default: break
                }
            }
            waiting += folders.count
            guard names.count + waiting <= limits.maximumEntries else {
                throw FlatteningError(
                    .limitExceeded, "the folder holds too many files for one capture", file: folder,
                    stage: .capture, seen: "more than \(limits.maximumEntries)",
                    allowed: "\(limits.maximumEntries) (maximumEntries)",
                    advice: "Name the folder of the capture itself")
            }
            for inner in folders {
                waiting -= 1
                // A folder that may not be opened counts as not there; running out of descriptors is an error.
                guard let next = try open.folder(inner.bytes) else { continue }
                try add(next, prefix: inner.name, depth: depth + 1)
            }
        }
    }

    /// Whether these are files of a folder, which other programs can open.
    var isFolder: Bool { unpack == nil }

    /// Whether there is a file of this name.
    func contains(_ name: String) -> Bool { known.contains(name) }

    /// Whether there is a file of the name that a document writes; see `read(_:kind:)`.
    func holds(_ written: String) -> Bool { contains(Self.plain(written)) }

    /// Whether there is anything below this folder.
    func hasFolder(_ folder: String) -> Bool { names.contains { $0.hasScalarPrefix(folder + "/") } }

    /// The names of the files that lie directly in a folder ("" for the root), in order.
    func names(in folder: String, extensions: [String]) -> [String] {
        let prefix = folder.isEmpty ? "" : folder + "/"
        return names.filter { name in
            guard let rest = name.dropping(scalarPrefix: prefix) else { return false }
            return !rest.containsScalar("/") && extensions.contains(Self.fileExtension(rest))
        }
    }

    /// The files of a folder by their names without folder and extension.
    func stems(in folder: String, extensions: [String]) -> [String: String] {
        Dictionary(
            names(in: folder, extensions: extensions).map { (Self.stem($0), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The files of a folder by the whole numbers that are their names without extension.
    func numbered(in folder: String, extensions: [String]) -> [Int: String] {
        Dictionary(
            names(in: folder, extensions: extensions).compactMap { name in
                Int(Self.stem(name)).map { ($0, name) }
            },
            uniquingKeysWith: { first, _ in first })
    }

    /// A folder in which a recording may lie around a file, and the file's name there.
    struct Place: Equatable {
        let folder: String
        let name: String
        /// How deep files like this one lie in the folder.
        let depth: Int

        /// The folder's files that may be a frame's: as deep as this one, in folders that are called as recordings call
        /// those of their pictures. No other folder in it is looked into.
        func files(limits: FlatteningLimits) throws(FlatteningError) -> RecordedFiles {
            try RecordedFiles.list(
                folder: folder, limits: limits, depth: depth, entering: PictureRole.isFolderOfPictures)
        }
    }

    /// Where a recording may lie around a file: in its folder, and around that as long as the folders are called as
    /// recordings call those of their pictures.
    static func places(of path: String) -> [Place] {
        let absolute = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
        var parts = absolute.split(atScalar: "/").map(String.init)
        guard var name = parts.popLast() else { return [] }
        // A folder is called as the path has it, as far as that goes.
        let here = FileManager.default.currentDirectoryPath + "/"
        var places: [Place] = []
        while true {
            let folder = "/" + parts.joined(separator: "/")
            let isBelow = !path.hasScalarPrefix("/") && (folder + "/").hasScalarPrefix(here)
            let called = isBelow ? folder.dropping(scalarPrefix: here).map(String.init) ?? "" : folder
            places.append(Place(folder: called.isEmpty ? "." : called, name: name, depth: places.count + 1))
            guard let inner = parts.popLast(), PictureRole.isFolderOfPictures(inner) else { return places }
            name = inner + "/" + name
        }
    }

    /// The recording, seen from each of its folders. O(names), however many folders there are.
    var folders: [RecordedFiles] {
        var inner: [Substring: [String]] = [:]
        for name in names {
            guard let slash = name.firstIndex(ofScalar: "/") else { continue }
            inner[name[..<slash], default: []].append(String(name[name.index(afterScalar: slash)...]))
        }
        return inner.sorted { $0.key < $1.key }.map { within(String($0.key), names: $0.value) }
    }

    private func within(_ folder: String, names: [String]) -> RecordedFiles {
        let prefix = folder + "/"
        var inner: (@Sendable (String) throws(FlatteningError) -> [UInt8])?
        if let unpack {
            inner = { (name: String) throws(FlatteningError) -> [UInt8] in try unpack(prefix + name) }
        }
        var files = RecordedFiles(root: path(folder), names: names, limits: limits, unpack: inner)
        files.depthUnit = depthUnit
        return files
    }

    /// The recording, seen from the one folder that holds all there is: what file managers put into an archive. Nil where
    /// there is more beside it.
    var onlyFolder: RecordedFiles? {
        guard let first = names.first, let slash = first.firstIndex(ofScalar: "/") else { return nil }
        let prefix = first[..<first.index(afterScalar: slash)]
        let inner = names.compactMap { $0.dropping(scalarPrefix: prefix).map(String.init) }
        return inner.count == names.count ? within(String(first[..<slash]), names: inner) : nil
    }

    /// The innermost folder that holds all of these files, "" for the root.
    static func commonFolder(of names: [String]) -> String {
        guard var common = names.first?.split(atScalar: "/").dropLast() else { return "" }
        for name in names {
            let parts = name.split(atScalar: "/").dropLast()
            common = common.prefix(zip(common, parts).prefix { $0.0 == $0.1 }.count)
        }
        return common.joined(separator: "/")
    }

    /// A file's path for messages, and for reading where there is a path.
    func path(_ name: String) -> String { FilePath.join(root, name) }

    /// Reads a file.
    /// - Throws: `.fileAccess` for a name that is not among the files, and what reading throws.
    func read(_ name: String, kind: InputFile.Kind = .image) throws(FlatteningError) -> InputFile {
        let name = try self.name(of: name)
        guard let unpack else { return try InputFile.read(path: path(name), limits: limits, kind: kind) }
        return InputFile(name: path(name), bytes: try unpack(name))
    }

    /// The value of a JSON file that describes frames.
    func readJSON(_ name: String) throws(FlatteningError) -> StructuredValue {
        let file = try read(name, kind: .sequence)
        return try StrictJSON.parse(file.bytes, name: file.name)
    }

    /// A file's path for a description. No path leads to what lies in an archive: its bytes are kept in the description's files.
    func reference(
        _ name: String, in files: inout CaptureFiles
    ) throws(FlatteningError) -> String {
        let name = try self.name(of: name)
        let path = path(name)
        if unpack != nil { files.keep(try read(name), as: path) }
        return path
    }

    /// The name of a file as it is listed, from the way a document writes it (perhaps with "./" in front).
    private func name(of written: String) throws(FlatteningError) -> String {
        let name = Self.plain(written)
        guard contains(name) else {
            throw FlatteningError(
                .fileAccess, "the capture holds no such file", file: path(String(written.prefix(80))),
                stage: .capture, allowed: "a file within the capture's folder; links are not followed")
        }
        return name
    }

    /// A name without the "./" that some write in front of it.
    static func plain(_ written: String) -> String {
        written.dropping(scalarPrefix: "./").map(String.init) ?? written
    }

    /// The part of a name after its last point, in lower case.
    static func fileExtension(_ name: some StringProtocol) -> String {
        name.lastIndex(ofScalar: ".").map { name[name.index(afterScalar: $0)...].lowercased() } ?? ""
    }

    /// A name without folders and extension.
    static func stem(_ name: some StringProtocol) -> String {
        let file = String(
            name.lastIndex(ofScalar: "/").map { name[name.index(afterScalar: $0)...] } ?? name[...])
        return file.lastIndex(ofScalar: ".").map { String(file[..<$0]) } ?? file
    }

    /// Bytes whose order is that of the names, with whole numbers in the order of their values.
    private static func sortingKey(_ name: String) -> [UInt8] {
        var key: [UInt8] = []
        var digits: [UInt8] = []
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        for byte in Array(name.utf8) + [0] {
            if isDigit(byte) {
                if digits != [0x30] { digits.append(byte) } else { digits = [byte] }
                continue
            }
            if !digits.isEmpty {
                // The number of digits comes first, among the characters where digits stand.
                key += [0x30, UInt8(clamping: digits.count)] + digits
                digits = []
            }
            key.append(byte)
        }
        return key
    }
}

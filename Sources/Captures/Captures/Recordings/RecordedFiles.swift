import Diagnostics
import Platform
import LocalFiles
import ImageFiles
import Imaging
import ScalarText

/// The files of a recording by name: those of a folder, or those in an archive.
///
/// Names are relative and come from listing the files that exist. Every name in a document of the recording is looked up
/// here, so no name leads out of the recording: `..`, absolute paths and links are simply not in the list.
struct RecordedFiles: Sendable {
    /// The folder's or archive's path.
    let root: String
    let limits: FlatteningLimits
    /// The names of all files, sorted so that 10 comes after 2.
    let names: [String]
    /// Metres per unit of the depth maps, from the caller, which takes precedence over any file; nil to use what the files
    /// state.
    var depthUnit: Double?
    private let known: Set<String>
    /// Reads an entry of an archive; nil for a folder.
    private let unpack: (@Sendable (String) throws(FlatteningError) -> [UInt8])?

    /// The greatest depth of subfolders searched: the deepest known layout has four levels (`scan/keyframes/depth/1.png`),
    /// inside a folder.
    private static let maximumDepth = 5

    /// Creates the files from a list of names.
    /// - Parameter unpack: reads one of the files; nil to read the file of that name below `root`.
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

    /// Lists the files of a folder: only regular files, no links, nothing hidden.
    /// - Throws: `.fileAccess` for a folder that cannot be listed, `.limitExceeded` for one with too many files.
    /// - Parameters:
    ///   - depth: how many levels are searched, 1 for the folder alone.
    ///   - enters: whether to search a folder of this name.
    static func list(
        folder: String, limits: FlatteningLimits, depth: Int = maximumDepth,
        entering enters: @escaping (String) -> Bool = { _ in true }
    ) throws(FlatteningError) -> RecordedFiles {
        var listing = Listing(folder: folder, limits: limits, maximumDepth: depth, enters: enters)
        try listing.add(try OpenFolder(path: folder, follows: true, stage: .capture), prefix: "", depth: 1)
        return RecordedFiles(root: folder, names: listing.names, limits: limits)
    }

    /// Collects the names of a folder's files.
    private struct Listing {
        let folder: String
        let limits: FlatteningLimits
        let maximumDepth: Int
        let enters: (String) -> Bool
        var names: [String] = []
        /// Number of folders that are not yet listed.
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
                // A file whose name is not text cannot be named by a document.
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
                // A folder that may not be opened counts as missing; running out of descriptors is an error.
                guard let next = try open.folder(inner.bytes) else { continue }
                try add(next, prefix: inner.name, depth: depth + 1)
            }
        }
    }

    /// Whether these are the files of a folder, which other programs can open.
    var isFolder: Bool { unpack == nil }

    /// Whether there is a file of this name.
    func contains(_ name: String) -> Bool { known.contains(name) }

    /// Whether there is a file of the name that a document states; see `read(_:kind:)`.
    func holds(_ written: String) -> Bool { contains(Self.plain(written)) }

    /// Whether there is any file below this folder.
    func hasFolder(_ folder: String) -> Bool { names.contains { $0.hasScalarPrefix(folder + "/") } }

    /// Returns the names of the files directly in a folder ("" for the root), in order.
    func names(in folder: String, extensions: [String]) -> [String] {
        let prefix = folder.isEmpty ? "" : folder + "/"
        return names.filter { name in
            guard let rest = name.dropping(scalarPrefix: prefix) else { return false }
            return !rest.containsScalar("/") && extensions.contains(Self.fileExtension(rest))
        }
    }

    /// Returns the files of a folder by their names without folder and extension.
    func stems(in folder: String, extensions: [String]) -> [String: String] {
        Dictionary(
            names(in: folder, extensions: extensions).map { (Self.stem($0), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the files of a folder whose names without extension are whole numbers, by these numbers.
    func numbered(in folder: String, extensions: [String]) -> [Int: String] {
        Dictionary(
            names(in: folder, extensions: extensions).compactMap { name in
                Int(Self.stem(name)).map { ($0, name) }
            },
            uniquingKeysWith: { first, _ in first })
    }

    /// A folder around a file in which a recording may lie, and the file's name relative to it.
    struct Place: Equatable {
        let folder: String
        let name: String
        /// The depth of files like this one in the folder.
        let depth: Int

        /// Returns the folder's files that may belong to a frame: at most as deep as this one, in folders with names usual
        /// for a recording's images. Other folders in it are not searched.
        func files(limits: FlatteningLimits) throws(FlatteningError) -> RecordedFiles {
            try RecordedFiles.list(
                folder: folder, limits: limits, depth: depth, entering: PictureRole.isFolderOfPictures)
        }
    }

    /// Returns the folders in which a recording around a file may lie: the file's own folder, and those around it as long as
    /// their names are usual for a recording's images.
    static func places(of path: String) -> [Place] {
        let absolute = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
        var parts = absolute.split(atScalar: "/").map(String.init)
        guard var name = parts.popLast() else { return [] }
        // A folder's path is written as in the given path where possible.
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

    /// The recording as seen from each of its folders. O(names), however many folders there are.
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

    /// The recording as seen from the one folder that holds everything, as file managers create in archives. Nil if there are
    /// other files beside it.
    var onlyFolder: RecordedFiles? {
        guard let first = names.first, let slash = first.firstIndex(ofScalar: "/") else { return nil }
        let prefix = first[..<first.index(afterScalar: slash)]
        let inner = names.compactMap { $0.dropping(scalarPrefix: prefix).map(String.init) }
        return inner.count == names.count ? within(String(first[..<slash]), names: inner) : nil
    }

    /// Returns the innermost folder that holds all of these files, "" for the root.
    static func commonFolder(of names: [String]) -> String {
        guard var common = names.first?.split(atScalar: "/").dropLast() else { return "" }
        for name in names {
            let parts = name.split(atScalar: "/").dropLast()
            common = common.prefix(zip(common, parts).prefix { $0.0 == $0.1 }.count)
        }
        return common.joined(separator: "/")
    }

    /// Returns a file's path for messages, and for reading if it is on disk.
    func path(_ name: String) -> String { FilePath.join(root, name) }

    /// Reads a file.
    /// - Throws: `.fileAccess` for a name that is not in the list, and errors of reading.
    func read(_ name: String, kind: InputFile.Kind = .image) throws(FlatteningError) -> InputFile {
        let name = try self.name(of: name)
        guard let unpack else { return try InputFile.read(path: path(name), limits: limits, kind: kind) }
        return InputFile(name: path(name), bytes: try unpack(name))
    }

    /// Reads a JSON file that describes frames.
    func readJSON(_ name: String) throws(FlatteningError) -> StructuredValue {
        let file = try read(name, kind: .sequence)
        return try StrictJSON.parse(file.bytes, name: file.name)
    }

    /// Returns a file's path for a description. Files in an archive have no path, so their bytes are kept in the
    /// description's files.
    func reference(
        _ name: String, in files: inout CaptureFiles
    ) throws(FlatteningError) -> String {
        let name = try self.name(of: name)
        let path = path(name)
        if unpack != nil { files.keep(try read(name), as: path) }
        return path
    }

    /// Returns the name of a file as listed, given the way a document writes it (perhaps with "./" in front).
    private func name(of written: String) throws(FlatteningError) -> String {
        let name = Self.plain(written)
        guard contains(name) else {
            throw FlatteningError(
                .fileAccess, "the capture holds no such file", file: path(String(written.prefix(80))),
                stage: .capture, allowed: "a file within the capture's folder; links are not followed")
        }
        return name
    }

    /// Removes the "./" that some write in front of a name.
    static func plain(_ written: String) -> String {
        written.dropping(scalarPrefix: "./").map(String.init) ?? written
    }

    /// Returns the part of a name after its last point, in lower case.
    static func fileExtension(_ name: some StringProtocol) -> String {
        name.lastIndex(ofScalar: ".").map { name[name.index(afterScalar: $0)...].lowercased() } ?? ""
    }

    /// Returns a name without folders and extension.
    static func stem(_ name: some StringProtocol) -> String {
        let file = String(
            name.lastIndex(ofScalar: "/").map { name[name.index(afterScalar: $0)...] } ?? name[...])
        return file.lastIndex(ofScalar: ".").map { String(file[..<$0]) } ?? file
    }

    /// Returns bytes that sort names so that whole numbers are in the order of their values.
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
                // The number of digits comes first, at the place of a digit among the characters.
                key += [0x30, UInt8(clamping: digits.count)] + digits
                digits = []
            }
            key.append(byte)
        }
        return key
    }
}

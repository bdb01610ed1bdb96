import Checksums
package import Diagnostics
internal import Platform
import LocalFiles
import ScalarText

/// Chooses the names of the outputs of a batch's captures.
package enum OutputNames {
    /// Returns a name for each path, so that no two captures write the same file. The name is the last part of the path
    /// without its extension (kept if the format cannot be read), plus the number of a page. Captures whose files would
    /// share a name, even on file systems that ignore case, all get eight digits of their path's hash appended. Names thus
    /// depend on the set of paths, never on their order or on time.
    ///
    /// A capture that has ended before keeps its name, even if the set of paths has changed; other captures that would
    /// share a file with it get another name.
    /// - Parameters:
    ///   - suffixes: what each capture's files add to its name: ".png", ".relief.png" ...
    ///   - taken: files that no capture may write.
    ///   - earlier: the names that captures had before.
    /// - Throws: errors of ``SHA256/init()``, if digits are needed.
    package static func unique(
        for paths: [String], suffixes: [String], taken: [String] = [], earlier: EarlierNames = EarlierNames()
    ) throws(FlatteningError) -> [String] {
        let stems = try paths.map { (path) throws(FlatteningError) in try stem(of: path) }
        var names = stems
        let shared = sharing(names, suffixes, taken)
        for index in shared { names[index] = try name(stems[index], of: paths[index], digits: fewDigits) }
        // A new name may equal another existing one; then each takes all digits of its own path's hash, which no other path
        // has.
        if !shared.isEmpty, !sharing(names, suffixes, taken).isEmpty {
            for (index, path) in paths.enumerated() {
                names[index] = try name(stems[index], of: path, digits: allDigits)
            }
        }
        guard !earlier.isEmpty else { return names }
        var isKept = names.map { _ in false }
        for (index, path) in paths.enumerated() {
            guard let name = earlier[path], try canHave(name, stem: stems[index], path: path) else {
                continue
            }
            (names[index], isKept[index]) = (name, true)
        }
        // Captures that keep a name change it only last: for a file of the batch, or for each other if there are new
        // outputs.
        for givesWay in [{ !isKept[$0] }, { _ in true }] as [(Int) -> Bool] {
            for index in sharing(names, suffixes, taken) where givesWay(index) {
                names[index] = try name(stems[index], of: paths[index], digits: allDigits)
            }
        }
        return names
    }

    private static let (fewDigits, allDigits) = (8, 64)

    private static func name(_ stem: String, of path: String, digits: Int) throws(FlatteningError) -> String {
        stem + "-" + (try hash(of: path, digits: digits))
    }

    /// Whether a capture can have had this name. A log is a file like any other: it must not be able to name files
    /// elsewhere.
    private static func canHave(_ given: String, stem: String, path: String) throws(FlatteningError) -> Bool {
        if given == stem { return true }
        for digits in [fewDigits, allDigits] where given.utf8.count == stem.utf8.count + 1 + digits {
            return given == (try name(stem, of: path, digits: digits))
        }
        return false
    }

    /// The names that would write a file of another capture, or a file that is taken.
    private static func sharing(_ names: [String], _ suffixes: [String], _ taken: [String]) -> Set<Int> {
        let (names, suffixes) = (names.map { $0.lowercased() }, suffixes.map { $0.lowercased() })
        // Two names write the same file if they are equal, or if one is the other plus the part of a suffix that precedes
        // another suffix, such as ".relief" in ".relief.png" before ".png".
        let beginnings = Set(
            suffixes.flatMap { long in
                suffixes.compactMap { long.dropping(scalarSuffix: $0) }.filter { !$0.isEmpty }.map(
                    String.init)
            })
        var owners: [String: Int] = [:]
        owners.reserveCapacity(names.count)
        var shared: Set<Int> = []
        for (index, name) in names.enumerated() {
            if let other = owners.updateValue(index, forKey: name) { shared.formUnion([other, index]) }
        }
        for beginning in beginnings {
            for (index, name) in names.enumerated() {
                guard let other = owners[name + beginning] else { continue }
                // All captures of that name (one of them is found here), and all of this capture's name, each in its turn.
                shared.formUnion([index, other])
            }
        }
        if !taken.isEmpty {
            let taken = Set(taken.map { $0.lowercased() })
            for (index, name) in names.enumerated()
            where suffixes.contains(where: { taken.contains(name + $0) }) {
                shared.insert(index)
            }
        }
        return shared
    }

    /// Longest name in bytes. File names have at most 255 bytes; suffixes and hash need some of them.
    private static let maximumBytes = 160

    private static func stem(of path: String) throws(FlatteningError) -> String {
        if let (document, page) = PageLabel.parted(path) { return try stem(of: document) + "-\(page)" }
        let trimmed = CaptureFolder.folder(describedBy: path) ?? path
        let last = trimmed.split(atScalar: "/").last.map(String.init) ?? ""
        let dot = last.lastIndex(ofScalar: ".")
        var status = stat()
        let isFolder =
            unsafe path != trimmed || (lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
        // A file that cannot be read writes nothing, and takes no name from an image beside it.
        let name =
            isFolder || CaptureList.hasUnreadExtension(last) ? last : dot.map { String(last[..<$0]) } ?? last
        guard !name.isEmpty, name != ".", name != "..", !name.hasScalarPrefix(".") else {
            return "capture-" + (try hash(of: path))
        }
        guard name.utf8.count > maximumBytes else { return name }
        var short = name
        while short.utf8.count > maximumBytes { short.removeLast() }
        return short + "-" + (try hash(of: path))
    }

    private static func hash(of path: String, digits: Int = fewDigits) throws(FlatteningError) -> String {
        String(try SHA256.digest(of: path).prefix(digits))
    }
}

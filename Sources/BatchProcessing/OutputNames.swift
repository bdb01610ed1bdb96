package import Diagnostics
internal import Platform
import LocalFiles

/// What the outputs of a batch's captures are called.
package enum OutputNames {
    /// A name for each path, so that no two captures write the same file: the last part of the path without a picture's
    /// extension. Captures whose files would share a name, also where upper and lower case are one, all get eight digits
    /// of their path's hash after it: names depend on the set of paths, never on their order or on the moment.
    /// - Parameters:
    ///   - suffixes: what each capture's files add to its name: ".png", ".relief.png" ...
    ///   - taken: files that no capture may write.
    /// - Throws: as ``SHA256/init()``, where digits are needed.
    package static func unique(
        for paths: [String], suffixes: [String], taken: [String] = []
    ) throws(FlatteningError) -> [String] {
        let stems = try paths.map { (path) throws(FlatteningError) in try stem(of: path) }
        var names = stems
        // Some name may be what another one becomes; then each takes all digits of its own path, which no other has.
        let shared = sharing(names, suffixes, taken)
        for index in shared { names[index] = stems[index] + "-" + (try hash(of: paths[index], digits: 8)) }
        if !sharing(names, suffixes, taken).isEmpty {
            for (index, path) in paths.enumerated() {
                names[index] = stems[index] + "-" + (try hash(of: path, digits: 64))
            }
        }
        return names
    }

    /// The names that would write a file of another one, or one that is taken.
    private static func sharing(_ names: [String], _ suffixes: [String], _ taken: [String]) -> Set<Int> {
        let taken = Set(taken.map { $0.lowercased() })
        var owners: [String: Int] = [:]
        var shared: Set<Int> = []
        for index in names.indices {
            for suffix in suffixes {
                let file = (names[index] + suffix).lowercased()
                if let other = owners[file] { shared.formUnion([other, index]) }
                if taken.contains(file) { shared.insert(index) }
                owners[file] = index
            }
        }
        return shared
    }

    /// Names of files are at most 255 bytes long; suffixes and hash need some of them.
    private static let maximumBytes = 160

    private static func stem(of path: String) throws(FlatteningError) -> String {
        let trimmed = CaptureFolder.folder(describedBy: path) ?? path
        let last = trimmed.split(separator: "/").last.map(String.init) ?? ""
        let dot = last.lastIndex(of: ".")
        var status = stat()
        let isFolder = path != trimmed || (lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
        let name = isFolder ? last : dot.map { String(last[..<$0]) } ?? last
        guard !name.isEmpty, name != ".", name != "..", !name.hasPrefix(".") else {
            return "capture-" + (try hash(of: path))
        }
        guard name.utf8.count > maximumBytes else { return name }
        var short = name
        while short.utf8.count > maximumBytes { short.removeLast() }
        return short + "-" + (try hash(of: path))
    }

    private static func hash(of path: String, digits: Int = 8) throws(FlatteningError) -> String {
        String(try SHA256.digest(of: path).prefix(digits))
    }
}

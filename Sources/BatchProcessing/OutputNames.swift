internal import Foundation

/// What the outputs of a batch's captures are called.
package enum OutputNames {
    /// A name for each path, so that no two captures write the same file: the last part of the path without a picture's
    /// extension. Captures whose files would share a name, also where upper and lower case are one, all get eight digits
    /// of their path's hash after it: names depend on the set of paths, never on their order or on the moment.
    /// - Parameter suffixes: what each capture's files add to its name: ".png", ".relief.png" ...
    package static func unique(for paths: [String], suffixes: [String]) -> [String] {
        var names = paths.map(stem)
        var owners: [String: Int] = [:]
        var shared: Set<Int> = []
        for index in names.indices {
            for suffix in suffixes {
                let file = (names[index] + suffix).lowercased()
                if let other = owners[file] { shared.formUnion([other, index]) }
                owners[file] = index
            }
        }
        for index in shared { names[index] += "-" + hash(of: paths[index]) }
        return names
    }

    /// Names of files are at most 255 bytes long; suffixes and hash need some of them.
    private static let maximumBytes = 200

    private static func stem(of path: String) -> String {
        let trimmed = path.hasSuffix("/capture.json") ? String(path.dropLast("/capture.json".count)) : path
        let last = trimmed.split(separator: "/").last.map(String.init) ?? ""
        let dot = last.lastIndex(of: ".")
        let isFolder =
            path != trimmed
            || (try? FileManager.default.attributesOfItem(atPath: path))?[.type]
                as? FileAttributeType == .typeDirectory
        let name = isFolder ? last : dot.map { String(last[..<$0]) } ?? last
        guard !name.isEmpty, name != ".", name != "..", !name.hasPrefix(".") else {
            return "capture-" + hash(of: path)
        }
        guard name.utf8.count > maximumBytes else { return name }
        var short = name
        while short.utf8.count > maximumBytes { short.removeLast() }
        return short + "-" + hash(of: path)
    }

    private static func hash(of path: String) -> String {
        var hash = SHA256()
        hash.update(path)
        return String(hash.digest().prefix(8))
    }
}

import ScalarText

/// The files that lie among a batch's captures but are not captures.
struct PassedOverFiles {
    private var count = 0
    /// The names of the first few files.
    private var names: [String] = []

    /// The most files that are named; people look up any others themselves.
    private static let mostNames = 5

    mutating func add(_ path: String) {
        count += 1
        if names.count < Self.mostNames {
            names.append(path.split(atScalar: "/").last.map(String.init) ?? path)
        }
    }

    /// The message about these files; nil if there are none.
    var description: String? {
        guard count > 0 else { return nil }
        return "\(count) other \(count == 1 ? "file" : "files") passed over: " + names.joined(separator: ", ")
            + (count > names.count ? " ..." : "")
    }
}

import ScalarText

/// The files that lie among a batch's captures and are none.
struct PassedOverFiles {
    private var count = 0
    /// The names of the first of them.
    private var names: [String] = []

    /// As many are named; people look at more themselves.
    private static let mostNames = 5

    mutating func add(_ path: String) {
        count += 1
        if names.count < Self.mostNames {
            names.append(path.split(atScalar: "/").last.map(String.init) ?? path)
        }
    }

    /// What is said of them; nil if there are none.
    var description: String? {
        guard count > 0 else { return nil }
        return "\(count) other \(count == 1 ? "file" : "files") passed over: " + names.joined(separator: ", ")
            + (count > names.count ? " ..." : "")
    }
}

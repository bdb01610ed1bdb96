import Foundation

/// A folder of a test's own, gone with the last reference to it.
final class ScratchFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "image-files-" + UUID().uuidString + "/"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The names of what is in the folder, sorted.
    var content: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

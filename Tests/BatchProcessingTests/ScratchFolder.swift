import Foundation

/// A folder of a test's own, gone with the last reference to it.
final class ScratchFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "batch-processing-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { path + "/" + name }

    /// Writes a file, with the folders that it lies in.
    func write(_ text: String, to name: String) throws {
        try FileManager.default.createDirectory(
            at: URL(filePath: path(name)).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path(name)))
    }
}

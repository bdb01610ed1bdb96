package import Foundation

/// A folder of a test's own, gone with the last reference to it.
package final class ScratchFolder {
    /// Where it lies, without a slash at the end.
    package let path: String

    /// Makes an empty one.
    package init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "flatten-\(UUID().uuidString)")
            .path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Where it lies, as a URL.
    package var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// The path of a file in it.
    package func path(_ name: String) -> String { path + "/" + name }

    /// The names of what is in it, sorted.
    package var contents: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Writes a file, with the folders that it lies in.
    /// - Returns: the file's path.
    @discardableResult
    package func write(_ text: String, as name: String) throws -> String {
        try makeFolder(of: name)
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        return path(name)
    }

    /// Writes a program that may be run at once.
    ///
    /// A process of its own writes it: a descriptor that is open for writing here is inherited for a moment by every child
    /// that another test starts, and the system runs no file that is open for writing ("Text file busy").
    /// - Returns: the program's path.
    @discardableResult
    package func writeProgram(_ text: String, as name: String) throws -> String {
        try makeFolder(of: name)
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "printf %s \"$1\" > \"$0\" && chmod 755 \"$0\"", path(name), text]
        try shell.run()
        shell.waitUntilExit()
        guard shell.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
        return path(name)
    }

    /// Copies a file into it, with the folders that it lies in.
    package func copy(_ file: String, as name: String) throws {
        try makeFolder(of: name)
        try FileManager.default.copyItem(atPath: file, toPath: path(name))
    }

    private func makeFolder(of name: String) throws {
        try FileManager.default.createDirectory(
            at: URL(filePath: path(name)).deletingLastPathComponent(), withIntermediateDirectories: true)
    }
}

import Foundation
import ImageFiles
import Imaging
import Testing

/// The small files that make-fixtures.py made.
enum Fixture {
    static func path(_ name: String) throws -> String {
        let folder = try #require(Bundle.module.resourcePath)
        return folder + "/Fixtures/" + name
    }
}

/// A folder of a test's own, gone with the last reference to it.
final class ScratchFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "captures-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func write(_ text: String, as name: String) throws -> String {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: file).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// Lays a fixture into the folder under a name of its own, folders included.
    func lay(_ fixture: String, as name: String) throws {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: file).deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Fixture.path(fixture), toPath: file)
    }

    /// A folder of these files: texts, or with a leading "@" the fixture of that name.
    static func laid(_ files: [String: String]) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for (name, content) in files {
            if content.hasPrefix("@") {
                try folder.lay(String(content.dropFirst()), as: name)
            } else {
                try folder.write(content, as: name)
            }
        }
        return folder
    }

    func copy(_ names: String...) throws {
        for name in names {
            try FileManager.default.copyItem(atPath: Fixture.path(name), toPath: path + "/" + name)
        }
    }
}

extension InputFile {
    init(_ text: String, name: String = "test.json") {
        self.init(name: name, bytes: Array(text.utf8))
    }
}

/// The error that an expression throws, nil if it throws none.
func failure<Value>(of body: () throws -> Value) -> FlatteningError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? FlatteningError
    }
}

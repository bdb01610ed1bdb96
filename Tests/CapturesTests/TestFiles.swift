import Foundation
import LocalFiles
import TestSupport

/// The small files that make-fixtures.py made.
enum Fixture {
    static func path(_ name: String) throws -> String { Fixtures(of: .module).path(name) }

    /// A picture of those that another program wrote for the tests of ImageFiles.
    static func imageFile(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: imagePath(name))))
    }

    /// Where such a picture lies.
    static func imagePath(_ name: String) -> String {
        Repository.folder.appending(path: "Tests/ImageFilesTests/Fixtures/" + name).path(
            percentEncoded: false)
    }
}

extension ScratchFolder {
    /// Lays a fixture into the folder under a name of its own, folders included.
    func lay(_ fixture: String, as name: String) throws { try copy(Fixture.path(fixture), as: name) }

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
        for name in names { try lay(name, as: name) }
    }
}

extension InputFile {
    init(_ text: String, name: String = "test.json") {
        self.init(name: name, bytes: Array(text.utf8))
    }
}

import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import DocumentArchive

@Suite struct ArchiveCopiesTests {
    private let folder: ScratchFolder
    private let archive: DocumentArchive

    init() throws {
        folder = try ScratchFolder()
        archive = try DocumentArchive(path: folder.path("papers"))
    }

    /// Three documents, one changed, and one merged into another.
    private func fill() throws -> [ArchivedDocument] {
        let first = try archive.addOne()
        let second = try archive.addOne(TestDocuments.receipt("Two: a/b\\c", day: nil))
        let third = try archive.addOne(TestDocuments.receipt("Three"))
        var change = ArchiveChange()
        change.values = ["merchant": "First"]
        try archive.change(first.id, change)
        try archive.merge([first.id, third.id])
        try archive.noteExport(of: [first.id, second.id], to: "accountant")
        return try archive.documents([first.id, second.id, third.id])
    }

    @Test func aBackupIsTheSameArchive() throws {
        let documents = try fill()
        try archive.backup(to: folder.path("copy"))
        try archive.remove([documents[1].id])
        try DocumentArchive.restore(folder.path("copy"), to: folder.path("again"))
        let again = try DocumentArchive(path: folder.path("again"), access: .existing)
        #expect(try again.documents(documents.map(\.id)) == documents && again.check().isEmpty)
        for file in documents.flatMap(\.files) { _ = try again.contents(of: file) }
        #expect(try again.undo(documents[0].id).values["merchant"]?.text == "First")
        #expect(throws: FlatteningError.self) { try archive.backup(to: folder.path("copy")) }
    }

    @Test func anExportThatIsImportedIsTheSameArchive() throws {
        let documents = try fill()
        let summaries = try archive.list()
        try archive.export(to: folder.path("plain"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("plain"))
        #expect(names.count == 3 && names.contains { $0.hasPrefix("2026-03-02 First ") })
        let other = try DocumentArchive(path: folder.path("other"))
        #expect(try other.importing(folder.path("plain")) == 3)
        #expect(try other.importing(folder.path("plain")) == 0)
        #expect(try other.documents(documents.map(\.id)) == documents && other.list() == summaries)
        #expect(try other.check().isEmpty)
        // Changes and mergers can be undone there too.
        #expect(try other.undo(documents[0].id).values["merchant"]?.text == "First")
        #expect(try other.list().count == 3)
    }

    @Test func whatAnEarlierVersionExportedIsImported() throws {
        let documents = try fill()
        try archive.export(to: folder.path("plain"))
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("plain")) {
            let path = folder.path("plain/\(name)/document.json")
            var json = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
                    as? [String: Any])
            var document = try #require(json["document"] as? [String: Any])
            #expect(document.removeValue(forKey: "exported") != nil)
            json["document"] = document
            try JSONSerialization.data(withJSONObject: json).write(to: URL(filePath: path))
        }
        let other = try DocumentArchive(path: folder.path("other"))
        #expect(try other.importing(folder.path("plain")) == 3)
        #expect(try other.documents(documents.map(\.id)).allSatisfy(\.exported.isEmpty))
    }

    @Test func whatIsMergedIsImportedBehindTheOneThatItWasMergedInto() throws {
        let first = try archive.addOne()
        let second = try archive.addOne(TestDocuments.receipt("Another", day: "2020-01-01"))
        let third = try archive.addOne(TestDocuments.receipt("A third", day: "2019-01-01"))
        try archive.merge([second.id, third.id])
        try archive.merge([first.id, second.id])
        try archive.export(to: folder.path("plain"))
        // By their names the innermost comes first. One whose files are broken ends the import; what is there by then is no document
        // that stands by itself and should not.
        let folders = try FileManager.default.contentsOfDirectory(atPath: folder.path("plain")).sorted()
        #expect(folders[0].hasPrefix("2019-01-01"))
        let flat = folder.path("plain/\(folders[0])/flat.png")
        let content = try #require(FileManager.default.contents(atPath: flat))
        try Data("broken".utf8).write(to: URL(filePath: flat))
        let other = try DocumentArchive(path: folder.path("other"))
        #expect(throws: FlatteningError.self) { try other.importing(folder.path("plain")) }
        #expect(try other.list().map(\.id) == [first.id])
        try content.write(to: URL(filePath: flat))
        #expect(try other.importing(folder.path("plain")) == 1)
        #expect(
            try other.list().map(\.id) == [first.id] && other.documents([second.id, third.id]).count == 2)
    }

    @Test func whatWasChangedOnTheDiskIsNoticed() throws {
        let document = try fill()[0]
        let file = document.files(.flat)[0]
        let path = try #require(archive.objects as? ObjectFolder).path(of: file.hash)
        try Data("another image".utf8).write(to: URL(filePath: path))
        #expect(throws: FlatteningError.self) { try archive.contents(of: file) }
        #expect(try archive.check().count == 1)
        #expect(throws: FlatteningError.self) { try archive.backup(to: folder.path("copy")) }
        try FileManager.default.removeItem(atPath: path)
        try folder.write("stranger", as: "papers/objects/aa/" + String(repeating: "b", count: 62))
        #expect(try archive.check().count == 2)
        // What could not be finished is not there.
        #expect(try folder.contents == ["papers"])
    }

    @Test func whatIsNoExportIsRefused() throws {
        try folder.write("{}", as: "junk/a/document.json")
        #expect(throws: FlatteningError.self) { try archive.importing(folder.path("junk")) }
        #expect(try archive.count() == 0)
        _ = try fill()
        try archive.export(to: folder.path("plain"))
        let inner = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("plain")).first)
        try folder.write("changed", as: "plain/\(inner)/flat.png")
        let other = try DocumentArchive(path: folder.path("other"))
        #expect(throws: FlatteningError.self) { try other.importing(folder.path("plain")) }
        #expect(try other.check().isEmpty)
    }

    @Test func aBackupMayBeMadeWhileOthersWrite() async throws {
        _ = try fill()
        let path = folder.path("papers")
        let copy = folder.path("copy")
        async let writing: Void = {
            let other = try DocumentArchive(path: path)
            for number in 0..<20 { try other.addOne(TestDocuments.receipt("Late \(number)")) }
        }()
        try archive.backup(to: copy)
        try await writing
        #expect(try DocumentArchive(path: copy, access: .existing).check().isEmpty)
        #expect(try archive.count() == 22)
    }

    @Test(arguments: [
        ("a/b", "a_b"), ("..", "_"), ("...x", "x"), ("", "_"), ("ok.jpg", "ok.jpg"), ("a\nb", "a_b"),
    ])
    func namesOfFilesLeadNowhere(_ name: String, _ expected: String) {
        #expect(DocumentArchive.fileName(name) == expected)
    }
}

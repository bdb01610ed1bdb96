import Diagnostics
import Foundation
import SQLiteDatabase
import TestSupport
import Testing

@testable import DocumentArchive

@Suite struct DocumentArchiveTests {
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.path("papers")
    }

    private func code<Value>(_ work: () throws -> Value) -> FlatteningError.Code? { failure(of: work)?.code }

    @Test func whatIsAddedIsThereWithItsFilesByTheByte() throws {
        let photograph = TestDocuments.photograph("IMG 1.jpg")
        var new = TestDocuments.receipt(codes: ["4006381333931"])
        new.tags = ["b", "a", "a"]
        let added = try #require(
            try DocumentArchive(path: path).add(
                [new, TestDocuments.receipt("Second")], originals: [photograph]))
        let archive = try DocumentArchive(path: path, access: .existing)
        let found = try #require(try archive.document(added[0].id))
        #expect(found == added[0] && added.count == 2)
        #expect(found.values["merchant"] == .init("Bäckerei Groß GmbH", confidence: 0.95))
        #expect(found.tags == ["a", "b"] && found.codes == ["4006381333931"] && found.text == new.text)
        #expect(try archive.contents(of: found.files(.original)[0]) == photograph.content)
        #expect(try archive.contents(of: found.files(.flat)[0]) == new.files[0].content)
        #expect(try archive.document(UUID()) == nil)
        #expect(try archive.check().isEmpty)
    }

    @Test func onePhotographIsArchivedOnce() throws {
        let archive = try DocumentArchive(path: path)
        let photograph = TestDocuments.photograph()
        let first = try #require(try archive.add([TestDocuments.receipt()], originals: [photograph]))
        #expect(try archive.add([TestDocuments.receipt("Other")], originals: [photograph]) == nil)
        #expect(try archive.documents(with: photograph.content) == [first[0].id])
        #expect(try archive.count() == 1 && archive.check().isEmpty)
    }

    @Test func aFileThatTwoDocumentsHaveTakesItsBytesOnce() throws {
        let archive = try DocumentArchive(path: path)
        let page = 4096
        let empty = try archive.usedBytes()
        #expect(empty > 0 && empty.isMultiple(of: page))
        var both = [TestDocuments.receipt(), TestDocuments.receipt("Other")]
        let flat = Data(repeating: 7, count: 100_001)
        for index in both.indices {
            both[index].files = [.init(.flat, name: "flat.png", content: flat)]
            try archive.addOne(both[index])
        }
        let originals = try archive.documents().flatMap { $0.files(.original) }.reduce(0) {
            $0 + $1.byteCount
        }
        let files = try archive.usedBytes() - empty - originals - flat.count
        #expect(files >= 0 && files.isMultiple(of: page), "what is left are pages of the database")
    }

    @Test func onlyTheOwnerMayReadIt() throws {
        try DocumentArchive(path: path).addOne()
        let all = try #require(FileManager.default.enumerator(atPath: path)).compactMap { $0 as? String }
        #expect(all.count > 5)
        for name in all {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
            let mode = try #require(attributes[.posixPermissions] as? Int)
            #expect(mode & 0o077 == 0, "\(name) has \(String(mode, radix: 8))")
        }
    }

    @Test func whatWasEnteredWinsAndIsUndone() throws {
        let archive = try DocumentArchive(path: path)
        let document = try archive.addOne()
        var change = ArchiveChange()
        change.values = ["merchant": "Groß", "total": "25.00", "project": "kitchen"]
        change.addedTags = ["tax"]
        change.notes = "paid by Anna"
        let changed = try archive.change(document.id, change)
        #expect(changed.values["merchant"] == .init("Groß") && changed.read == document.read)
        #expect(changed.values["project"] == .init("kitchen") && changed.tags == ["tax"])
        #expect(try archive.list(ArchiveQuery(words: "kitchen anna"))[0].total == "25.00")
        var back = ArchiveChange()
        back.values = ["total": nil]
        #expect(try archive.change(document.id, back).values["total"] == .init("24.23", confidence: 0.95))
        #expect(try archive.undo(document.id).values["total"] == .init("25.00"))
        let undone = try archive.undo(document.id)
        #expect(undone.values == document.values && undone.tags.isEmpty && undone.notes.isEmpty)
        #expect(code { try archive.undo(document.id) } == .badInput)
        #expect(try archive.list(ArchiveQuery(words: "kitchen")).isEmpty)
    }

    @Test(
        arguments: [
            ("date", "02.03.2026"), ("date", "2026-13-01"), ("total", "1,50"), ("currency", "€"),
            ("Total", "1"),
            ("merchant", ""),
        ])
    func whatAFieldCannotHaveIsRefused(_ name: String, _ value: String) throws {
        let archive = try DocumentArchive(path: path)
        let document = try archive.addOne()
        var change = ArchiveChange()
        change.values = [name: value]
        #expect(code { try archive.change(document.id, change) } == .badInput)
        var new = TestDocuments.receipt()
        new.entered = [name: value]
        #expect(code { try archive.add([new], originals: []) } == .badInput)
        #expect(try archive.document(document.id) == document)
    }

    @Test func whatIsMergedStandsBehindOneUntilUndone() throws {
        let archive = try DocumentArchive(path: path)
        let first = try archive.addOne()
        var other = TestDocuments.receipt("Baeckerei")
        other.tags = ["blue"]
        other.notes = "creased"
        let second = try archive.addOne(other)
        let merged = try archive.merge([first.id, second.id])
        #expect(merged.id == first.id && merged.tags == ["blue"] && merged.notes == "creased")
        #expect(try archive.list().map(\.id) == [first.id])
        #expect(try archive.document(second.id)?.files == second.files)
        #expect(code { try archive.merge([first.id, second.id]) } == .badInput)
        #expect(code { try archive.merge([first.id, first.id]) } == .badInput)
        try archive.undo(first.id)
        #expect(try Set(archive.list().map(\.id)) == [first.id, second.id])
        #expect(try archive.document(first.id)?.tags.isEmpty == true)
        try archive.merge([first.id, second.id])
        try archive.remove([first.id])
        #expect(try archive.document(second.id) == nil && archive.check().isEmpty)
    }

    @Test func aDocumentIsNamedByTheBeginningOfItsIdentifier() throws {
        let archive = try DocumentArchive(path: path)
        let document = try archive.addOne()
        let name = document.id.uuidString
        #expect(try archive.document(beginning: String(name.prefix(8)).lowercased()).id == document.id)
        #expect(code { try archive.document(beginning: String(name.prefix(3))) } == .badInput)
        #expect(code { try archive.document(beginning: "zzzz") } == .badInput)
    }

    @Test func whatIsNoArchiveIsRefusedAndStaysAsItIs() throws {
        #expect(code { try DocumentArchive(path: path, access: .existing) } == .fileAccess)
        try folder.write("hello", as: "letters/a.txt")
        #expect(code { try DocumentArchive(path: folder.path("letters")) } == .badInput)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("letters")) == ["a.txt"])
        try folder.write("x", as: "file")
        #expect(code { try DocumentArchive(path: folder.path("file")) } != nil)
        _ = try DocumentArchive(path: path)
        try Database(path: path + "/archive.sqlite", patience: 0).execute("PRAGMA user_version = 99")
        #expect(code { try DocumentArchive(path: path) } == .unsupported)
        try FileManager.default.createDirectory(
            atPath: folder.path("other"), withIntermediateDirectories: true)
        try Database(path: folder.path("other") + "/archive.sqlite", patience: 0).execute(
            "CREATE TABLE t (x)")
        #expect(code { try DocumentArchive(path: folder.path("other")) } == .badInput)
    }

    @Test func filesThatAProgramLeftWhenItWasEndedGoWithTheNextOpening() throws {
        let archive = try DocumentArchive(path: path)
        let document = try archive.addOne()
        // As a program leaves them that was ended between bringing its files and noting their document.
        let stray = try DocumentArchive.StoredFile(TestDocuments.photograph())
        try archive.writing { try $0.execute("INSERT INTO leftover VALUES (?)", [.text(stray.file.hash)]) }
        try archive.objects.write(stray.content, hash: stray.file.hash)
        try folder.write("photo", as: "papers/incoming/half")
        let again = try DocumentArchive(path: path)
        #expect(try again.objects.hashes() == Set(document.files.map(\.hash)))
        #expect(try folder.contents.isEmpty == false && again.check().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/incoming").isEmpty)
    }

    @Test func programsThatBringFilesKeepOthersFromTakingThemAway() throws {
        let archive = try DocumentArchive(path: path)
        let stray = try DocumentArchive.StoredFile(TestDocuments.photograph())
        try archive.writing { try $0.execute("INSERT INTO leftover VALUES (?)", [.text(stray.file.hash)]) }
        try archive.objects.write(stray.content, hash: stray.file.hash)
        let other = try ArchiveLock(.keeping, folder: path, patience: 0)
        #expect(try !archive.removeLeftovers(patience: 0.05))
        #expect(try archive.objects.hashes() == [stray.file.hash])
        withExtendedLifetime(other) {}
    }
}

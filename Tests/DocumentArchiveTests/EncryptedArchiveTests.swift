import Diagnostics
import Foundation
import SQLiteDatabase
import TestSupport
import Testing

@testable import DocumentArchive

/// Archives with a passphrase: SQLCipher encrypts them, and this program keeps everything within what it encrypts.
@Suite struct EncryptedArchiveTests {
    private let folder: ScratchFolder
    private let path: String
    /// With what SQL would end a text at.
    private static let passphrase = "it's geheim; ünd \"lang\""

    init() throws {
        folder = try ScratchFolder()
        path = folder.path("papers")
    }

    private func open(_ passphrase: String? = passphrase) throws -> DocumentArchive {
        try DocumentArchive(path: path, passphrase: passphrase)
    }

    /// All files below a folder, with their bytes.
    private func contents(of path: String) throws -> [String: Data] {
        let names = try #require(FileManager.default.enumerator(atPath: path)).compactMap { $0 as? String }
        return names.reduce(into: [:]) { $0[$1] = FileManager.default.contents(atPath: path + "/" + $1) }
    }

    @Test func noWordAndNoFileOfADocumentStandsInAnyByte() throws {
        let archive = try open()
        var new = TestDocuments.receipt("Mqzwx Markt", text: "Tqzwx\nKäse 3,58", codes: ["Cqzwx"])
        new.notes = "Nqzwx"
        new.tags = ["Gqzwx"]
        new.files.append(.init(.pdf, name: "Fqzwx.pdf", content: Data("Pqzwx".utf8)))
        let added = try archive.add([new], originals: [TestDocuments.photograph("Oqzwx.jpg", "Bqzwx")])
        let id = try #require(added?.first?.id)
        try archive.change(id, ArchiveChange(values: ["merchant": "Eqzwx"]))
        try archive.refuse("hash", name: "Rqzwx.jpg", reason: "no picture")
        // Also while it is open, when the log of changes is not yet part of the database.
        let files = try contents(of: path)
        #expect(files.count >= 5, "\(files.keys)")
        for (name, content) in files {
            #expect(content.range(of: Data("qzwx".utf8)) == nil, "\(name)")
            #expect(content.range(of: Data("SQLite format".utf8)) == nil, "\(name)")
            let mode = try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions]
            #expect((mode as? Int).map { $0 & 0o077 } == 0, "\(name)")
        }
        let again = try open()
        let document = try #require(try again.document(id))
        #expect(document.values["merchant"]?.text == "Eqzwx" && document.notes == "Nqzwx")
        #expect(try again.contents(of: document.files(.original)[0]) == Data("photograph Bqzwx".utf8))
        #expect(try again.undo(id).values["merchant"]?.text == "Mqzwx Markt" && again.check().isEmpty)
    }

    @Test func thePassphraseIsTheFirstLineOfAFile() throws {
        for content in ["geheim", "geheim\n", "geheim\r\nmore", "geheim\nmore"] {
            try folder.write(content, as: "key")
            #expect(try DocumentArchive.passphrase(inFile: folder.path("key")) == "geheim")
        }
        for content in ["", "\ngeheim"] {
            try folder.write(content, as: "key")
            #expect(failure { try DocumentArchive.passphrase(inFile: folder.path("key")) }?.code == .badInput)
        }
        #expect(failure { try DocumentArchive.passphrase(inFile: folder.path("none")) }?.code == .fileAccess)
    }

    @Test func plainAndEncryptedArchivesAndWrongPassphrasesAreToldApart() throws {
        try open().addOne()
        let missing = try #require(failure { try open(nil) })
        #expect(missing.code == .badInput && missing.message.contains("is encrypted"))
        #expect(missing.advice?.contains("--passphrase-file") == true)
        for wrong in ["geheim", "it's geheim; ünd \"lang\" "] {
            let error = try #require(failure { try open(wrong) })
            #expect(error.code == .badInput && error.message.contains("passphrase is wrong"), "\(error)")
        }
        for none in ["", "a\0b"] {
            #expect(failure { try open(none) }?.message.contains("passphrase") == true)
        }
        let plain = folder.path("plain")
        try DocumentArchive(path: plain).addOne()
        let needless = try #require(failure { try DocumentArchive(path: plain, passphrase: "geheim") })
        #expect(needless.code == .badInput && needless.message.contains("not encrypted"))
        // None of it changed anything.
        #expect(try open().count() == 1 && DocumentArchive(path: plain).count() == 1)
    }

    @Test func wordsAreFoundAsInAPlainArchive() throws {
        let archive = try open()
        try ArchiveQueryTests.fill(archive)
        for (words, expected) in ArchiveQueryTests.words {
            #expect(try archive.list(ArchiveQuery(words: words)).map(\.merchant) == expected, "\(words)")
        }
        // Signs of FTS4's own language are none of words, as those of FTS5's are not; and threes of signs are found within one number.
        let plain = try DocumentArchive(path: folder.path("plain"))
        try ArchiveQueryTests.fill(plain)
        for words in [
            "ka*e", "^rewe 1", "\"wein", "-rewe", "rewe:1", "we*", "581 123", "5812", "581", "162026", "½",
            "3,5",
        ] {
            #expect(
                try archive.list(ArchiveQuery(words: words)).map(\.merchant)
                    == plain.list(ArchiveQuery(words: words)).map(\.merchant), "\(words)")
        }
        #expect(try archive.totals(by: .all).map { "\($0.total)" } == ["141.39"])
        #expect(try archive.duplicates().isEmpty)
    }

    /// From one protection to another: the same documents with the same files, and what could be undone still can be.
    @Test(
        arguments: [
            (passphrase, passphrase), (nil, passphrase), (passphrase, nil), (passphrase, "another"),
        ] as [(String?, String?)])
    func aCopyWithAnotherProtectionIsTheSameArchive(_ before: String?, _ after: String?) throws {
        let archive = try open(before)
        let first = try archive.addOne()
        let second = try archive.addOne(TestDocuments.receipt("Two", day: nil))
        let third = try archive.addOne(TestDocuments.receipt("Three"))
        try archive.change(first.id, ArchiveChange(values: ["merchant": "First"]))
        try archive.merge([first.id, third.id])
        try archive.reread(second.id, as: TestDocuments.receipt("Second", text: "read again"))
        try archive.refuse("hash", name: "a.jpg", reason: "no picture")
        let documents = try archive.documents([first.id, second.id, third.id])
        try DocumentArchive.restore(
            path, to: folder.path("copy"), passphrase: before, newPassphrase: after)
        let copy = try DocumentArchive(path: folder.path("copy"), access: .existing, passphrase: after)
        #expect(try copy.documents(documents.map(\.id)) == documents && copy.list() == archive.list())
        #expect(try copy.refusals().map(\.name) == ["a.jpg"] && copy.check().isEmpty)
        for file in documents.flatMap(\.files) {
            #expect(try copy.contents(of: file) == archive.contents(of: file))
        }
        let read = try copy.undo(second.id)
        #expect(read.values["merchant"]?.text == "Two")
        for file in read.files { _ = try copy.contents(of: file) }
        #expect(try copy.undo(first.id).values["merchant"]?.text == "First" && copy.list().count == 3)
        #expect(try copy.undo(first.id).values == first.values && copy.check().isEmpty)
    }

    @Test func whatIsRemovedIsGoneAndItsSpaceGivenBack() throws {
        let archive = try open()
        let kept = try archive.addOne()
        var large = TestDocuments.receipt("Large")
        large.files.append(
            .init(
                .pdf, name: "large.pdf",
                content: Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })))
        let gone = try archive.addOne(large)
        func bytes() throws -> Int { try contents(of: path).values.map(\.count).reduce(0, +) }
        let before = try bytes()
        try archive.remove([gone.id])
        #expect(try bytes() < before - 2_000_000)
        #expect(try archive.objects.hashes() == Set(kept.files.map(\.hash)) && archive.check().isEmpty)
        #expect(throws: FlatteningError.self) { try archive.contents(of: gone.files[0]) }
    }

    @Test func aFileThatIsLostOrChangedIsNoticed() throws {
        let document = try open().addOne()
        let objects = path + "/objects.sqlite"
        do {
            let database = try Database(path: objects, patience: 0, passphrase: Self.passphrase)
            try database.execute(
                "UPDATE object SET content = ? WHERE hash = ?",
                [.bytes(Array("other".utf8)), .text(document.files[0].hash)])
            try database.execute("DELETE FROM object WHERE hash = ?", [.text(document.files[1].hash)])
        }
        let problems = try open().check().joined(separator: "; ")
        #expect(problems.contains("was changed") && problems.contains("has lost"), "\(problems)")
        // Encrypted pages are signed: one that somebody else wrote is none.
        let handle = try #require(FileHandle(forUpdatingAtPath: path + "/archive.sqlite"))
        try handle.seek(toOffset: 5000)
        try handle.write(contentsOf: Data("x".utf8))
        try handle.close()
        #expect(throws: FlatteningError.self) { try open().check() }
    }

    @Test func severalProgramsMayUseItAtOnce() async throws {
        _ = try open()
        try await withThrowingTaskGroup(of: Void.self) { [path] group in
            for writer in 0..<3 {
                group.addTask {
                    let archive = try DocumentArchive(path: path, passphrase: Self.passphrase)
                    for number in 0..<4 { try archive.addOne(TestDocuments.receipt("W\(writer) N\(number)")) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try open().count() == 12 && open().check().isEmpty)
    }
}

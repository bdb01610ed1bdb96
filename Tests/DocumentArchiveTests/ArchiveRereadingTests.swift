import Diagnostics
import Foundation
import ReceiptFlattening
import TestSupport
import Testing

@testable import DocumentArchive

/// Documents that a later program reads again.
@Suite struct ArchiveRereadingTests {
    private let folder: ScratchFolder
    private let archive: DocumentArchive

    init() throws {
        folder = try ScratchFolder()
        archive = try DocumentArchive(path: folder.path("papers"))
    }

    /// What a better reader makes of the test's receipt.
    private func better() -> NewDocument {
        var new = TestDocuments.receipt("Bäckerei Weiß", total: "24.32", text: "Bäckerei Weiß\nQuark 0,09")
        new.read["tip"] = .init("1.00", confidence: 0.9)
        new.read["currency"] = nil
        new.codes = ["4006381333931"]
        new.program = "receipt-flattening 99"
        new.files.append(.init(.pdf, name: "flat.pdf", content: Data("a PDF".utf8)))
        return new
    }

    @Test func whatIsReadAgainCountsUntilItIsUndone() throws {
        let before = try archive.addOne()
        try archive.change(before.id, ArchiveChange(values: ["total": "25.00"]))
        let after = try archive.reread(before.id, as: better(), date: Date(timeIntervalSince1970: 0))
        #expect(after.values["merchant"]?.text == "Bäckerei Weiß" && after.values["total"]?.text == "25.00")
        #expect(after.read["currency"] == nil && after.read["tip"]?.text == "1.00")
        #expect(after.program == "receipt-flattening 99" && after.codes == ["4006381333931"])
        #expect(after.files(.original) == before.files(.original) && after.files(.pdf).count == 1)
        #expect(try archive.contents(of: after.files(.flat)[0]) == Data("flat image of Bäckerei Weiß".utf8))
        #expect(try archive.list(ArchiveQuery(words: "quark 81333")).map(\.id) == [before.id])
        #expect(try archive.list(ArchiveQuery(words: "brezel")).isEmpty && archive.check().isEmpty)

        let undone = try archive.undo(before.id)
        #expect(undone.read == before.read && undone.text == before.text && undone.codes == before.codes)
        #expect(undone.files == before.files && undone.program == before.program)
        #expect(undone.values["total"]?.text == "25.00")
        #expect(try archive.list(ArchiveQuery(words: "quark")).isEmpty)
        #expect(
            try archive.contents(of: undone.files(.flat)[0]) == Data("flat image of Bäckerei Groß GmbH".utf8))
        #expect(try archive.undo(before.id).entered.isEmpty)
        // What only the other reading had goes with the next opening.
        let again = try DocumentArchive(path: archive.path)
        #expect(try again.objects.hashes() == Set(before.files.map(\.hash)) && again.check().isEmpty)
    }

    @Test func twoReadingsAreUndoneOneAfterTheOther() throws {
        let first = try archive.addOne()
        let second = try archive.reread(first.id, as: better())
        let third = try archive.reread(first.id, as: TestDocuments.receipt("Third"))
        #expect(third.values["merchant"]?.text == "Third")
        let undone = try archive.undo(first.id)
        #expect(undone.files == second.files && undone.read == second.read)
        #expect(try archive.undo(first.id).files == first.files && archive.check().isEmpty)
    }

    @Test func anExportKeepsTheFormerReading() throws {
        let before = try archive.addOne()
        try archive.reread(before.id, as: better())
        try archive.export(to: folder.path("plain"))
        let other = try DocumentArchive(path: folder.path("other"))
        #expect(try other.importing(folder.path("plain")) == 1)
        #expect(try other.document(before.id) == archive.document(before.id) && other.check().isEmpty)
        let undone = try other.undo(before.id)
        #expect(undone.read == before.read && undone.files == before.files)
        for file in undone.files { _ = try other.contents(of: file) }
    }

    @Test func nothingOfAFormerReadingIsLeftOfARemovedDocument() throws {
        var first = TestDocuments.receipt("Mqzwx", text: "Tqzwx")
        first.files.append(.init(.pdf, name: "Fqzwx.pdf", content: Data("Pqzwx".utf8)))
        let id = try archive.addOne(first).id
        try archive.reread(id, as: better())
        try archive.remove([id])
        let names = try #require(FileManager.default.enumerator(atPath: archive.path)).compactMap {
            $0 as? String
        }
        for name in names {
            let content = FileManager.default.contents(atPath: archive.path + "/" + name) ?? Data()
            #expect(content.range(of: Data("qzwx".utf8)) == nil, "\(name)")
        }
        #expect(try archive.objects.hashes().isEmpty)
    }

    @Test func whatIsSaidOtherwiseIsComparedValueByValue() throws {
        var new = better()
        // Only the confidence is another.
        new.read["date"] = .init("2026-03-02", confidence: 0.5)
        let changes = try archive.addOne().changes(in: new)
        #expect(changes.map(\.name) == ["currency", "merchant", "tip", "total"])
        #expect(changes.map { $0.before?.text } == ["EUR", "Bäckerei Groß GmbH", nil, "24.23"])
        #expect(changes.map { $0.after?.text } == [nil, "Bäckerei Weiß", "1.00", "24.32"])
    }

    @Test func outdatedIsWhatAnotherVersionReadAndCanBeReadAgain() throws {
        var current = TestDocuments.receipt("Current")
        current.program = DocumentArchive.program
        try archive.addOne(current)
        let old = try archive.addOne(TestDocuments.receipt("Old"))
        try archive.add([TestDocuments.receipt("Without its photograph")], originals: [])
        var query = ArchiveQuery()
        query.isOutdated = true
        #expect(try archive.list(query).map(\.id) == [old.id] && archive.count(query) == 1)
    }

    @Test func readingsOfACaptureBelongToItsDocumentsInOrderOrByTheirWords() throws {
        let texts = ["one two three four five six", "seven eight nine ten eleven twelve"]
        let documents = try #require(
            try archive.add(
                texts.map { TestDocuments.receipt(text: $0) }, originals: [TestDocuments.photograph()]))
        #expect(try archive.documents(addedWith: documents[1]) == documents)
        func readings(_ new: [String]) -> [String?] {
            DocumentArchive.readings(new.map { TestDocuments.receipt(text: $0) }, of: documents).map {
                $0?.text
            }
        }
        #expect(readings(["a", "b"]) == ["a", "b"])
        #expect(readings([texts[1], texts[0]]) == texts)
        #expect(readings([texts[1], "b"]) == ["b", texts[1]])
        #expect(readings([texts[1]]) == [nil, texts[1]])
        #expect(readings(["something else", texts[1], texts[0]]) == texts)
        #expect(readings([]) == [nil, nil])
    }

    @Test func aReadingThatBlacksOutWhatTheOriginalShowsIsRefused() throws {
        let id = try archive.addOne().id
        let image = RGBImage(rgb: [UInt8](repeating: 255, count: 12), width: 2, height: 2)
        let redacted = try NewDocument(
            report: Data(#"{"method": "cut", "redaction": {}}"#.utf8), text: "", image: image, files: [],
            name: "a")
        #expect(failure { try archive.reread(id, as: redacted) }?.code == .badInput)
        #expect(failure { try archive.reread(UUID(), as: better()) }?.code == .badInput)
        #expect(try archive.document(id)?.values["merchant"]?.text == "Bäckerei Groß GmbH")
    }
}

import Foundation
import TestSupport
import Testing

@testable import DocumentArchive

/// Archives that earlier versions of the program made: `Fixtures/archive-N` has N steps of the schema.
@Suite struct ArchiveSchemaTests {
    /// A receipt of a hardware store and a business card, drawn, as version 1 archived them.
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.path("papers")
        try folder.copy(Fixtures(of: .module).path("archive-1"), as: "papers")
    }

    @Test("An archive of version 1 is brought up to date, with all that was in it and what follows from it")
    func versionOne() throws {
        let archive = try DocumentArchive(path: path, access: .existing)
        #expect(try archive.check().isEmpty)
        let documents = try archive.documents()
        #expect(documents.map(\.files.count) == [5, 5])
        let receipt = try #require(try archive.list(ArchiveQuery(words: "Gummibärchen")).first)
        #expect(receipt.merchant == "HORNBACH Baumarkt AG" && receipt.total == "18.56")
        let taxes = try archive.taxes()
        #expect(taxes.map(\.rate) == ["19", "7"] && taxes.map(\.currency) == ["EUR", "EUR"])
        #expect(taxes.map { "\($0.base ?? 0) \($0.tax)" } == ["14.7 2.79", "1 0.07"])
        var query = ArchiveQuery()
        query.merchant = "Hornbach"
        #expect(try archive.list(query).map(\.id) == [receipt.id])
        query = ArchiveQuery()
        query.kind = "business_card"
        let card = try #require(try archive.documents(query).first?.contact)
        #expect(card.emails.map(\.value) == ["anna.huber@nordlicht-optik.de"])
        #expect(card.organisation?.value == "Nordlicht Optik GmbH")
    }

    @Test("An archive of version 2 is brought up to date, with what can be undone of it")
    func versionTwo() throws {
        // Its files are those of version 1.
        try FileManager.default.removeItem(atPath: path + "/archive.sqlite")
        try folder.copy(Fixtures(of: .module).path("archive-2/archive.sqlite"), as: "papers/archive.sqlite")
        let archive = try DocumentArchive(path: path, access: .existing)
        #expect(try archive.check().isEmpty && archive.list().count == 2)
        let card = try #require(try archive.list(ArchiveQuery(words: "kuche office kitchen")).first)
        #expect(try archive.document(card.id)?.notes == "Für die Küche")
        try archive.reread(card.id, as: TestDocuments.receipt("Read again"))
        #expect(try archive.undo(card.id).files.count == 5)
        #expect(try archive.undo(card.id).entered.isEmpty && archive.check().isEmpty)
    }

    @Test("An archive of version 3 is brought up to date, with a reading that can be undone")
    func versionThree() throws {
        // Its files are those of version 1, and the PDF of the new reading.
        try FileManager.default.removeItem(atPath: path + "/archive.sqlite")
        let fixture = Fixtures(of: .module).path("archive-3")
        try folder.copy(fixture + "/archive.sqlite", as: "papers/archive.sqlite")
        try folder.copy(fixture + "/objects/21", as: "papers/objects/21")
        let archive = try DocumentArchive(path: path, access: .existing)
        #expect(try archive.check().isEmpty)
        let receipt = try #require(try archive.documents(ArchiveQuery(words: "Hornbach")).first)
        #expect(receipt.exported.isEmpty && receipt.values["brand"]?.text == "Hornbach")
        try archive.noteExport(of: [receipt.id], to: "accountant")
        let former = try archive.undo(receipt.id)
        #expect(former.values["brand"] == nil && former.files.count == 5 && former.exported.count == 1)
        #expect(try archive.check().isEmpty)
    }

    @Test("What was changed in it before can be undone after")
    func changes() throws {
        let id = try #require(try DocumentArchive(path: path).list().first?.id)
        let archive = try DocumentArchive(path: path)
        let before = try #require(try archive.document(id))
        try archive.change(id, ArchiveChange(values: ["category": "home"]))
        #expect(try archive.undo(id).read == before.read)
    }
}

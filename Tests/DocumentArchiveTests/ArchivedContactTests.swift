import ContactStore
import Documents
import Foundation
import ReceiptFlattening
import TestSupport
import Testing

@testable import DocumentArchive

/// Business cards in an archive.
@Suite struct ArchivedContactTests {
    private let report = #"""
        {"method": "cut", "document": {"kind": "business_card", "confidence": 0.9},
         "fields": {"phone": {"value": "+49 40 2345678", "confidence": 0.8}},
         "contact": {
           "names": [{"full": "Dr. Anna Huber", "given": "Anna", "family": "Huber", "prefix": "Dr.", "suffix": "",
             "printed": "Dr. Anna Huber", "confidence": 0.95}],
           "organisation": {"value": "Nordlicht Optik GmbH", "confidence": 0.9},
           "title": null,
           "phones": [{"value": "+49402345678", "kind": "work", "confidence": 0.9},
             {"value": "+49402345679", "kind": "work", "confidence": 0.9},
             {"value": "+491712345678", "kind": "mobile", "confidence": 0.7}],
           "emails": [{"value": "anna@nordlicht.example", "confidence": 0.9}], "urls": [],
           "address": {"full": "Lindenallee 12, 20095 Hamburg", "confidence": 0.8}}}
        """#

    private func card() throws -> NewDocument {
        try NewDocument(
            report: Data(report.utf8), text: "Dr. Anna Huber",
            image: RGBImage(rgb: [UInt8](repeating: 255, count: 12), width: 2, height: 2),
            files: [],
            name: "card")
    }

    @Test("A card's values are those of its contact, and come back as one")
    func values() throws {
        let read = try card().read
        #expect(read["name"] == .init("Dr. Anna Huber", confidence: 0.95))
        #expect(read["phone"]?.text == "+49402345678" && read["phone_2"]?.text == "+49402345679")
        #expect(read["mobile"]?.text == "+491712345678" && read["title"] == nil)
        let folder = try ScratchFolder()
        let archive = try DocumentArchive(path: folder.path("papers"))
        let id = try archive.addOne(try card()).id
        let contact = try #require(try archive.document(id)?.contact)
        #expect(contact.names.map(\.value.family) == ["Huber"])
        #expect(contact.phones.map(\.value.number) == ["+49402345678", "+49402345679", "+491712345678"])
        #expect(contact.phones.map(\.value.kind) == [.work, .work, .mobile])
        #expect(contact.emails.map(\.value) == ["anna@nordlicht.example"])
        #expect(ArchiveExport.vCards(of: try archive.documents()).contains("ORG:Nordlicht Optik GmbH"))
        // Another name has other parts.
        let changed = try archive.change(id, ArchiveChange(values: ["name": "Berta Klein"]))
        #expect(changed.contact?.names.first?.value.family == "")
        #expect(changed.summary.name == "Berta Klein")
    }

    @Test("A receipt is no contact, and none is exported")
    func receipt() throws {
        let folder = try ScratchFolder()
        let archive = try DocumentArchive(path: folder.path("papers"))
        #expect(try archive.addOne().contact == nil)
        #expect(ArchiveExport.vCards(of: try archive.documents()).isEmpty)
    }

    @Test("Cards are listed from A to Z, and what is no card behind them")
    func order() throws {
        let folder = try ScratchFolder()
        let archive = try DocumentArchive(path: folder.path("papers"))
        try archive.addOne()
        for name in ["clara", "Anna", "berta"] {
            var document = try card()
            document.read["name"] = .init(name, confidence: 0.9)
            try archive.addOne(document)
        }
        var query = ArchiveQuery()
        query.order = .name
        #expect(try archive.list(query).map(\.name) == ["Anna", "berta", "clara", nil])
        query.kind = "business_card"
        #expect(try archive.list(query, offset: 1, limit: 1).map(\.name) == ["berta"])
    }

    @Test("Contacts of a store become cards, once, with what was entered and what was read")
    func store() throws {
        let folder = try ScratchFolder()
        let book = try ContactBook(path: folder.path("cards.store"))
        var anna = Contact()
        anna.names = [.init(.init(full: "Dr. Anna Huber", given: "Anna", family: "Huber"))]
        anna.organisation = .init("Nordlicht Optik", confidence: 0.8, printed: "NORDLICHT Optik")
        anna.phones = [
            .init(.init(number: "+49402345678"), confidence: 0.9, printed: "040 2345678"),
            .init(.init(number: "+49402345679")), .init(.init(number: "+491712345678", kind: .mobile)),
        ]
        anna.urls = [.init("nordlicht.example")]
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let stored = try book.add(anna, pictures: [.init(hash: "h", name: "a.jpg")], date: date)
        let archive = try DocumentArchive(path: folder.path("papers"))
        #expect(try archive.importing(contactsOf: book.path) == 1)
        let card = try #require(try archive.documents().first)
        #expect(card.added == date && card.read["organisation"] == .init("Nordlicht Optik", confidence: 0.8))
        #expect(card.entered["name"] == "Dr. Anna Huber" && card.entered["family_name"] == "Huber")
        let contact = try #require(card.contact)
        // What was entered by hand stands first in its field.
        #expect(contact.phones.map(\.value.number) == ["+49402345679", "+49402345678", "+491712345678"])
        #expect(contact.urls.map(\.value) == ["nordlicht.example"])
        #expect(try archive.list(ArchiveQuery(words: "nordlicht 402345")).map(\.id) == [card.id])
        // Known again, also after it was edited in the store.
        anna.title = .init("Director")
        try book.edit(stored.id, to: anna)
        #expect(try archive.importing(contactsOf: book.path) == 0 && archive.check().isEmpty)
    }

    @Test("Two cards of one person are offered, and one of them gets what the other says besides")
    func merging() throws {
        let folder = try ScratchFolder()
        let archive = try DocumentArchive(path: folder.path("papers"))
        let first = try archive.addOne(try card())
        var other = try card()
        other.read["title"] = .init("Leiterin", confidence: 0.9)
        other.read["phone"] = .init("+49 40 2345679", confidence: 0.9)
        other.read["phone_2"] = .init("+49409999999", confidence: 0.9)
        other.read["email"] = .init("a.huber@nordlicht.example", confidence: 0.9)
        other.read["organisation"] = .init("Nordlicht AG", confidence: 0.9)
        let second = try archive.addOne(other)
        var stranger = TestDocuments.receipt("Shop")
        stranger.read = [
            "kind": .init("business_card", confidence: 1), "name": .init("Bert Koch", confidence: 1),
        ]
        try archive.addOne(stranger)
        #expect(try archive.duplicates().map { $0.map(\.id) } == [[first.id, second.id]])
        let merged = try archive.merge([first.id, second.id])
        #expect(
            merged.entered == [
                "title": "Leiterin", "phone_3": "+49409999999", "email_2": "a.huber@nordlicht.example",
            ])
        #expect(merged.contact?.organisation?.value == "Nordlicht Optik GmbH")
        #expect(try archive.undo(first.id).entered.isEmpty && archive.list().count == 3)
        // A number that is taken is passed over, also where one before it is free.
        try archive.change(first.id, ArchiveChange(values: ["phone_3": "+49401111111"]))
        let numbers = try archive.merge([first.id, second.id]).entered
        #expect(numbers["phone_3"] == "+49401111111" && numbers["phone_4"] == "+49409999999")
    }

    @Test("Cards of colleagues are not one, however much of them is the same")
    func colleagues() throws {
        let folder = try ScratchFolder()
        let archive = try DocumentArchive(path: folder.path("papers"))
        let firm =
            "Nordlicht Optik GmbH\nLindenallee 12\n20095 Hamburg\n+49 40 2345678\nwww.nordlicht.example"
        for (name, mail) in [
            ("Anna Huber", "anna@nordlicht.example"), ("Bernd Krause", "bernd@nordlicht.example"),
        ] {
            var card = try card()
            card.read["name"] = .init(name, confidence: 0.9)
            card.read["email"] = .init(mail, confidence: 0.9)
            for name in ["mobile", "given_name", "family_name"] { card.read[name] = nil }
            card.text = name + "\n" + firm
            try archive.addOne(card)
        }
        #expect(try archive.duplicates().isEmpty && archive.sameContacts().isEmpty)
    }
}

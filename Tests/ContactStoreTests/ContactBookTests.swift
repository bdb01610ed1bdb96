import Diagnostics
import Documents
import Foundation
import Testing

@testable import ContactStore

@Suite struct ContactBookTests {
    let scratch: ScratchBook
    var book: ContactBook { scratch.book }

    init() throws { scratch = try ScratchBook() }

    @Test func whatIsAddedIsThereWhenTheStoreIsOpenedAgain() throws {
        let picture = StoredContact.Picture(hash: "00ff", name: "card.jpg")
        let date = Date(timeIntervalSince1970: 1_700_000_000.25)
        let added = try book.add(.anna, pictures: [picture], date: date)
        let again = try ContactBook(path: scratch.path, access: .existing)
        let found = try again.contacts()
        #expect(found == [added])
        #expect(found[0].contact == .anna)
        #expect(found[0].pictures == [picture])
        #expect(found[0].added == date)
        #expect(try again.hasPicture("00ff"))
        #expect(try !again.hasPicture("00fe"))
    }

    /// Marks behind and signs before a quotation mark make other Characters of it; the search's language knows none of them.
    @Test(arguments: [
        "x\"\u{301} OR anna\"\u{301}", "x\"\u{200D} OR anna\"\u{FE0F}", "x\u{600}\" OR anna\u{600}\"", "\"",
        "a\"b", "*q",
        "NEAR(a b)", "a AND NOT b", "name:a", "^q", "a\u{0}\"b", "ⓐ", "ⓐ\u{301}", "½\"", "-q", "q'", "{q}",
        "(q", "a OR",
    ])
    func noQueryIsMoreThanItsWords(query: String) throws {
        try book.add(.anna)
        #expect(try book.search(query).isEmpty)
        #expect(try book.search("anna").count == 1)
    }

    @Test func aContactWithoutValuesIsRefused() throws {
        #expect(throws: FlatteningError.self) { try book.add(Contact()) }
        #expect(try book.contacts().isEmpty)
    }

    @Test func contactsStandInOrderOfFamilyNamesAndThoseWithoutANameLast() throws {
        var zoe = Contact.read()
        zoe.names = [.init(.init(full: "Dr. Zoé Ábel", given: "Zoé", family: "Ábel", prefix: "Dr."))]
        try book.add(.read(organisation: "Aachen AG"))
        try book.add(.read(name: "Berta Adam"))
        try book.add(zoe)
        #expect(
            try book.contacts().map { $0.text(of: .name) ?? $0.text(of: .organisation) }
                == ["Dr. Zoé Ábel", "Berta Adam", "Aachen AG"])
    }

    @Test func aNumberIsNotGivenTwice() throws {
        let first = try book.add(.read(name: "One"))
        try book.remove([first.id])
        #expect(try book.add(.read(name: "Two")).id == first.id + 1)
    }

    @Test(arguments: [
        "anna", "mull", "MÜLLER", "mü", "weiss", "weiß", "soh", "anna weiß", "einkauf berlin", "hauptstraße",
        "eller@", "soehne.ex", "2345678", "+4930", "030/12345678".replacing("030/", with: ""),
        "a.mueller@weiss",
        "  anna   müller ",
    ])
    func aWordItsBeginningOrAPartOfAnAddressFindsAContact(query: String) throws {
        try book.add(.anna)
        try book.add(.read(name: "Karl Fischer", emails: ["karl@fischer.example"]))
        #expect(try book.search(query).map(\.contact) == [.anna])
    }

    @Test(arguments: [
        "", " ", "+", "\"", "*", "nna", "annab", "anna fischer", "NOT", "a OR b", "name:anna",
        "99999", "')--",
    ])
    func whatIsNotThereFindsNothing(query: String) throws {
        try book.add(.anna)
        #expect(try book.search(query).isEmpty)
    }

    @Test func signsOfTheQueryLanguageAreWords() throws {
        try book.add(.read(name: "Anna Or", organisation: "And & Not \"Near\""))
        for query in ["or", "AND", "not", "\"anna", "\"near\"", "near*", "(anna)", "^anna"] {
            #expect(try book.search(query).count == 1, "\(query)")
        }
    }

    @Test func namesStandBeforeOrganisationsAndThoseBeforeTheRest() throws {
        let address = try book.add(.read(name: "Ada Klein", address: "Berg 5, Ulm"))
        let organisation = try book.add(.read(name: "Bea Klein", organisation: "Berg"))
        let name = try book.add(.read(name: "Cara Berg"))
        #expect(try book.search("berg").map(\.id) == [name.id, organisation.id, address.id])
    }

    @Test func aNumberIsFoundAsItIsPrintedToo() throws {
        var contact = Contact()
        contact.phones = [
            .init(.init(number: "+493012345678"), confidence: 0.9, printed: "Tel. 030 / 123 456-78")
        ]
        try book.add(contact)
        for query in ["030/12345678", "(030)123", "030123456", "493012", "5678"] {
            #expect(try book.search(query).count == 1, "\(query)")
        }
    }

    // MARK: Editing and merging

    @Test func whatIsEnteredByHandReplacesAndStaysFirstWhenMerged() throws {
        let first = try book.add(.read(name: "Anna Mullcr", emails: ["anna@x.example"]))
        var edited = first.contact
        edited.names[0].value = .init(full: "Anna Müller")
        let kept = try book.edit(first.id, to: edited)
        #expect(kept.values.map(\.isEnteredByHand) == [true, false])
        // A sure reading that comes later.
        let second = try book.add(
            .read(
                name: "Anna Muiler", phones: [.init(number: "+4930111")], emails: ["anna@x.example"],
                confidence: 1))
        let merged = try book.merge([second.id, first.id])
        #expect(merged.id == first.id)
        #expect(merged.values.map(\.text) == ["Anna Müller", "Anna Muiler", "+4930111", "anna@x.example"])
        #expect(try book.contacts() == [merged])
        #expect(try book.search("muiler").map(\.id) == [first.id])
        #expect(try book.search("mullcr").isEmpty)
    }

    @Test func aMergerKeepsEveryValueOnceAndTheLatestFirst() throws {
        let old = try book.add(
            .read(name: "Anna Müller", organisation: "Alt AG", title: "Buyer", emails: ["anna@alt.example"]),
            pictures: [.init(hash: "1", name: "a.png")], date: Date(timeIntervalSince1970: 100))
        let new = try book.add(
            .read(
                name: "Anna Mueller", organisation: "Neu AG",
                emails: ["ANNA@alt.example", "anna@neu.example"]),
            pictures: [.init(hash: "1", name: "a.png"), .init(hash: "2", name: "b.png")],
            date: Date(timeIntervalSince1970: 200))
        let merged = try book.merge([old.id, new.id], date: Date(timeIntervalSince1970: 300))
        #expect(
            merged.values.map(\.text) == [
                "Anna Mueller", "Anna Müller", "Neu AG", "Alt AG", "Buyer", "ANNA@alt.example",
                "anna@neu.example",
            ])
        #expect(merged.contact.organisation?.value == "Neu AG")
        #expect(merged.pictures.map(\.hash) == ["1", "2"])
        #expect(merged.added == Date(timeIntervalSince1970: 100))
        #expect(merged.changed == Date(timeIntervalSince1970: 300))
        #expect(throws: FlatteningError.self) { try book.merge([old.id]) }
        #expect(throws: FlatteningError.self) { try book.merge([old.id, new.id]) }
    }

    @Test func aMergerKeepsDegreesAndLegalFormsAndOneNumberOnce() throws {
        let number = "+491715550123"
        let one = try book.add(
            .read(name: "Anna Müller", organisation: "Weiß", phones: [.init(number: number)], confidence: 0.8)
        )
        let other = try book.add(
            .read(
                name: "Dr. Anna Müller", organisation: "WEISS GmbH",
                phones: [.init(number: number, kind: .mobile)]))
        let merged = try book.merge([one.id, other.id])
        #expect(
            merged.values.map(\.text) == ["Dr. Anna Müller", "Anna Müller", "WEISS GmbH", "Weiß", number])
        // Of one value the surer reading stays.
        #expect(merged.contact.phones.map(\.value.kind) == [.mobile])
    }

    // MARK: Removing

    @Test func whatIsRemovedIsGoneFromTheFile() throws {
        // Enough that the search lies in several parts and values in several pages.
        for number in 0..<300 {
            try book.add(
                .read(
                    name: "Person \(number)", organisation: "Firm \(number % 20)",
                    emails: ["person\(number)@firm\(number % 20).example"]))
        }
        let secret = "Zwetschgenkuchen"
        let one = try book.add(
            .read(
                name: "Xaver \(secret)", phones: [.init(number: "+498899776655")],
                emails: ["xaver@\(secret.lowercased()).example"],
                address: String(repeating: "Quittenweg 7, ", count: 900)),
            pictures: [.init(hash: "abcdef0123456789", name: "\(secret).jpg")])
        let traces = [
            secret, secret.lowercased(), "898899776655".dropFirst().description, "Quitten", "quitten",
            "abcdef0123456789",
        ]
        for trace in traces {
            #expect(try scratch.bytes().firstRange(of: Data(trace.utf8)) != nil, "\(trace)")
        }
        try book.remove([one.id])
        for trace in traces {
            #expect(try scratch.bytes().firstRange(of: Data(trace.utf8)) == nil, "\(trace)")
        }
        #expect(try book.search(secret).isEmpty)
        #expect(try book.contacts().count == 300)
        #expect(try book.search("person").count == 300)
    }

    @Test func whatWasCorrectedIsGone() throws {
        let one = try book.add(.read(name: "Zwetschge"))
        try book.edit(one.id, to: .read(name: "Pflaume"))
        #expect(try scratch.bytes().firstRange(of: Data("Zwetschge".utf8)) == nil)
        #expect(try scratch.bytes().firstRange(of: Data("zwetschge".utf8)) == nil)
    }

    @Test func nothingIsRemovedIfOneIsMissing() throws {
        let one = try book.add(.anna)
        let error = try #require(throws: FlatteningError.self) { try book.remove([one.id, 77]) }
        #expect(error.code == .badInput)
        #expect(error.message.contains("77"))
        #expect(try book.contacts().count == 1)
    }
}

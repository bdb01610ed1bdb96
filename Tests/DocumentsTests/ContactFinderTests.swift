import Imaging
import TextRecognition
import TextTestSupport
import Testing

@testable import Documents

@Suite("Contacts of business cards") struct ContactFinderTests {
    @Test("A German card") func german() {
        let contact = Contact(
            of: readText(
                """
                Vogelsang Maschinenbau GmbH

                Dr. Katrin Lindner
                Leiterin Einkauf

                Industriestr. 12
                86150 Augsburg
                Tel. 0821 / 123 45 60
                Fax 0821 / 123 45 61
                Mobil 0171 2345678
                k.lindner@vogelsang.de
                www.vogelsang.de
                """))
        #expect(
            contact.names.map(\.value) == [
                Contact.Name(full: "Dr. Katrin Lindner", given: "Katrin", family: "Lindner", prefix: "Dr.")
            ])
        #expect(contact.organisation?.value == "Vogelsang Maschinenbau GmbH")
        #expect(contact.title?.value == "Leiterin Einkauf")
        #expect(
            contact.phones.map(\.value) == [
                Contact.Phone(number: "+498211234560"), Contact.Phone(number: "+498211234561", kind: .fax),
                Contact.Phone(number: "+491712345678", kind: .mobile),
            ])
        #expect(contact.emails.map(\.value) == ["k.lindner@vogelsang.de"])
        #expect(contact.urls.map(\.value) == ["https://www.vogelsang.de"])
        #expect(
            contact.address?.value
                == Contact.Address(
                    full: "Industriestr. 12, 86150 Augsburg", street: "Industriestr. 12",
                    locality: "Augsburg",
                    postalCode: "86150"))
    }

    @Test("Name and job in one row, numbers with what they are behind them") func american() {
        let contact = Contact(
            of: readText(
                """
                Fiona Blackwood, Sales Manager
                Harbour Logistics Inc.
                120 Oak Avenue
                Portland, OR 97201
                (503) 555-0123 office
                (503) 555-0124 fax
                (503) 555-0125 cell
                fblackwood@harbourlogistics.com
                """))
        #expect(contact.names.map(\.value.full) == ["Fiona Blackwood"])
        #expect(contact.title?.value == "Sales Manager")
        #expect(contact.organisation?.value == "Harbour Logistics Inc.")
        #expect(contact.phones.map(\.value.number) == ["+15035550123", "+15035550124", "+15035550125"])
        #expect(contact.phones.map(\.value.kind) == [.work, .fax, .mobile])
        #expect(contact.address?.value.postalCode == "OR 97201")
    }

    @Test("What stands in two columns is not one row") func columns() {
        let contact = Contact(
            of: readText(
                """
                Renata Nogueira            Teixeira Engenharia Ltda.
                Gerente de Vendas          Rua Augusta, 120
                renata@teixeira.com.br     01304-001, Campinas
                """))
        #expect(contact.names.map(\.value.full) == ["Renata Nogueira"])
        #expect(contact.organisation?.value == "Teixeira Engenharia Ltda.")
        #expect(contact.title?.value == "Gerente de Vendas")
        #expect(contact.address?.value.full == "Rua Augusta, 120, 01304-001, Campinas")
    }

    @Test("Where two rows could be the name, the mail address decides") func mailboxDecides() {
        let contact = Contact(of: readText("Silver Meadow\nMarlo Quent\nm.quent@silvermeadow.com"))
        #expect(contact.names.map(\.value.full) == ["Marlo Quent"])
        #expect(contact.organisation?.value == "Silver Meadow")
    }

    @Test("Umlauts in a name match their spelling in mail addresses") func umlauts() throws {
        let words = readText("Jürgen Müller").words
        let name = try #require(PersonName(words, region: "DE"))
        #expect(name.match(mailbox: "juergen.mueller") == 1)
        #expect(name.match(mailbox: "jmuller") == 0.9)
        #expect(name.match(mailbox: "info") == 0)
    }

    @Test(
        "Family names keep their particles, and are what stands in capitals",
        arguments: [
            ("Sanne van den Berg", "NL", "Sanne", "van den Berg"), ("Jean DUPONT", "FR", "Jean", "DUPONT"),
            ("DUPONT Jean", "FR", "Jean", "DUPONT"), ("Lucía García López", "ES", "Lucía", "García López"),
            ("Anna Maria Huber", "DE", "Anna Maria", "Huber"), ("Prof. Dr. Max Groß", "DE", "Max", "Groß"),
        ])
    func familyNames(printed: String, region: String, given: String, family: String) throws {
        let name = try #require(PersonName(readText(printed).words, region: region)).name
        #expect(name.given == given)
        #expect(name.family == family)
    }

    @Test(
        "What is no name is none",
        arguments: ["Total 12.50", "anna huber", "Huber", "Dr. Huber", "A. B.", "iPHONE 12"])
    func noNames(printed: String) {
        #expect(PersonName(readText(printed).words, region: nil) == nil)
    }

    @Test(
        "A page without a person gives none",
        arguments: [
            "", "TOTAL 12.50\nCASH 20.00\nCHANGE 7.50", "Lorem ipsum dolor\nsit amet consectetur",
            "www.firma.de",
        ])
    func absent(page: String) {
        let contact = Contact(of: readText(page))
        #expect(contact.names == [])
        #expect(contact.organisation == nil)
        #expect(contact.title == nil)
        #expect(contact.address == nil)
    }

    @Test("Places grow with the page") func scaling() throws {
        let contact = Contact(of: readText("Tel. +49 30 1234567"))
        let box = try #require(contact.phones.first?.box)
        #expect(
            contact.scaled(by: 2).phones.first?.box
                == Box(left: 2 * box.left, top: 2 * box.top, right: 2 * box.right, bottom: 2 * box.bottom))
    }

    @Test(
        "A receipt or invoice has no contact, nor has a sheet whose surest name, firm or address is not sure")
    func whatIsNoCard() {
        var contact = Contact()
        contact.organisation = Contact.Reading("Acme Ltd", confidence: 0.8)
        func kind(_ kind: DocumentKind) -> DocumentClassification {
            DocumentClassification(kind: kind, confidence: 0.9, reasons: [])
        }
        for other in [DocumentKind.businessCard, .unknown, .label, .page] {
            #expect(contact.isOfCard(among: kind(other)))
        }
        #expect(!contact.isOfCard(among: kind(.receipt)) && !contact.isOfCard(among: kind(.invoice)))
        contact.organisation?.confidence = 0.4
        contact.phones = [Contact.Reading(Contact.Phone(number: "+442079460991"))]
        contact.title = Contact.Reading("Sales tax 7")
        #expect(!contact.isOfCard(among: kind(.unknown)), "a number and a job are no contact")
        contact.emails = [Contact.Reading("anna@acme.example", confidence: 0.9)]
        #expect(contact.isOfCard(among: kind(.unknown)))
    }
}

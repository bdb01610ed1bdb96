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

    @Test(
        "Telephones of India and Nepal without a word before are numbers, and digits that are none stay none",
        arguments: [
            ("Nilesh Khatri\n98251 83175\nnilkhatri.nk@gmail.com", ["98251 83175"]),
            ("Arjun Shrestha\n9851018504\nKathmandu, Nepal", ["+9779851018504"]),
            ("Sachin : 99042 45801\nAhmedabad", ["99042 45801"]),
            ("C : 8080808599\nMumbai", ["8080808599"]),
            ("Call +91 98250 09640\n84859 62253", ["+919825009640", "+918485962253"]),
            ("Anna Huber\nOrder 9851018504", []), ("Anna Huber\n98251 831756", []),
            ("Anna Huber\nTel. +49 821 123456\n98251 83175", ["+49821123456"]),
            ("F 0504 171 0515| M 010-8244-0515", ["0504 171 0515", "010-8244-0515"]),
        ])
    func numbersOfTen(card: String, numbers: [String]) {
        #expect(Contact(of: readText(card)).phones.map(\.value.number) == numbers)
    }

    @Test(
        "Two readings of one mail address are one, and a firm's form before one is none of it",
        arguments: [
            ("byteRays Technology Pvt. Ltd. info@byterays.com", ["info@byterays.com"]),
            ("jmahon@marshall.com\njmabon@marshall.com", ["jmahon@marshall.com"]),
            ("anna1@huber.de\nanna2@huber.de", ["anna1@huber.de", "anna2@huber.de"]),
            ("a.huber@huber.de\nb.huber@huber.de", ["a.huber@huber.de", "b.huber@huber.de"]),
            ("oayina@polytech.cm\nayina@yahoo.fr", ["oayina@polytech.cm", "ayina@yahoo.fr"]),
            ("@anna@social.example.com", []),
        ])
    func mail(card: String, addresses: [String]) {
        #expect(Contact(of: readText(card)).emails.map(\.value) == addresses)
    }

    @Test("An address whose name another has with a letter more is less sure") func lostLetter() {
        let emails = Contact(of: readText("oayina@polytech.cm\nayina@yahoo.fr")).emails
        #expect(emails.count == 2 && emails[1].confidence < emails[0].confidence)
    }

    @Test(
        "A person is told from a firm by given names, initials, and the firm that bears the name",
        arguments: [
            ("Manuel Joseph Lobo\nLOBO ASSOCIATES", "Manuel Joseph Lobo"),
            ("ALAMO PRODUCTIONS\nTony Alamo\n(805) 252-6157", "Tony Alamo"),
            ("nethernet\nBen Congleton\nbc@nethernet.com", "Ben Congleton"),
            ("PETE HODGSON glorified typist\nphodgson@thoughtworks.com", "PETE HODGSON"),
            ("Keyur Shah\nSales Consultant\nBagga Hyundai\nbaggahyundaisales@gmail.com", "Keyur Shah"),
            ("GAYATRI\nAUTO PARTS\ngayatriautoparts2015@gmail.com", nil),
            ("Sharath Rao\nManager - Business Development\n+91 9133884848", "Sharath Rao"),
        ])
    func persons(card: String, name: String?) {
        #expect(Contact(of: readText(card)).names.map(\.value.full) == [name].compactMap(\.self))
    }

    @Test(
        "Whose a firm is, and dotted letters, are not its name; a university's is",
        arguments: [
            (
                "Merrill Hill (Asia) Ltd\nA Subsidiary of Bank of Somewhere Corporation",
                "Merrill Hill (Asia) Ltd"
            ),
            ("A Subsidiary of Bank of Somewhere Corporation", nil), ("U.S.A./ U.K.\nSpecialist", nil),
            ("THE UNIVERSITY OF YAOUNDE I\nDeputy - Director", "THE UNIVERSITY OF YAOUNDE I"),
        ])
    func firms(card: String, firm: String?) {
        #expect(Contact(of: readText(card)).organisation?.value == firm)
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

import Foundation
import Imaging
import Testing
import TextRecognition

@testable import Documents

@Suite struct PersonalDataTests {
    /// The first of January 2020.
    private let today = Date(timeIntervalSince1970: 1_577_836_800)

    /// One line a block; words stand ten pixels a character apart.
    private func text(_ lines: [String]) -> RecognizedText {
        let blocks = lines.enumerated().map { row, line in
            var left = 0.0
            let words = line.split(separator: " ").map { word in
                defer { left += Double(word.count + 1) * 10 }
                let box = Box(
                    left: left, top: Double(row) * 30, right: left + Double(word.count) * 10,
                    bottom: Double(row) * 30 + 20)
                return RecognizedWord(text: String(word), confidence: 0.9, box: box)
            }
            return RecognizedBlock(lines: [RecognizedLine(words: words)])
        }
        return RecognizedText(
            blocks: blocks, pageSize: PixelSize(width: 500, height: 500), pixelsPerMillimeter: nil,
            language: "eng", legibility: .readable)
    }

    private func redacted(_ line: String, _ kinds: Set<PersonalData>) -> String {
        let outcome = text([line]).redacted(kinds)
        #expect(outcome.boxes.isEmpty == (outcome.text == text([line])))
        return outcome.text.lines[0].text
    }

    // The card schemes' published numbers for tests.
    @Test(arguments: [
        ("VISA 4111111111111111 OK", "VISA **************** OK"),
        ("4111 1111 1111 1111 12/25", "**** **** **** **** 12/25"),
        ("Card:5555-5555-5555-4444", "****:****-****-****-****"),
        ("AMEX 3782 822463 10005", "AMEX **** ****** *****"),
        // One digit read for a letter, one misread: the print is a card's all the same.
        ("4111 1111 1I11 1111", "**** **** **** ****"), ("4111 1112 1111 1111", "**** **** **** ****"),
        ("6011111111111117", "****************"),
    ])
    func cardNumbersGo(line: String, expected: String) {
        #expect(redacted(line, [.cards]) == expected)
    }

    @Test(arguments: [
        "Card ****5124 APPROVED", "Total 12.50", "4111111111111112", "2025-02-13 09:44:31",
        "Tel +49 30 1234567", "Milk 1.99 2.99 3.99", "0000000000000000",
    ])
    func othersStay(line: String) {
        #expect(redacted(line, [.cards]) == line)
    }

    @Test(arguments: [
        ("Tel. 030 / 123 45 67", "Tel. *** / *** ** **"), ("+1 (555) 123-4567", "+* (***) ***-****"),
        ("call 555-123-4567 now", "call ***-***-**** now"), ("Total 1234.56", "Total 1234.56"),
    ])
    func telephoneNumbersGo(line: String, expected: String) {
        #expect(redacted(line, [.phones]) == expected)
        #expect(redacted(line, [.cards]) == line, "only what is asked for")
    }

    @Test(arguments: [
        ("Cashier: Anna Smith #12", "Cashier: **** ***** #12"), ("Cashier:Anna", "*******:****"),
        ("You were served by JOHN", "You were served by ****"),
        ("Es bediente Sie Frau Müller", "Es bediente Sie **** ******"),
        ("Server 12", "Server 12"), ("Anna's Bakery", "Anna's Bakery"),
    ])
    func namesGo(line: String, expected: String) {
        #expect(redacted(line, [.names]) == expected)
    }

    @Test func theBoxesAreThoseOfTheWords() {
        let outcome = text(["Pay 12.00", "4111 1111 1111 1111"]).redacted([.cards])
        #expect(outcome.boxes.count == 4)
        #expect(outcome.boxes.allSatisfy { $0.top == 30 && $0.bottom == 50 && $0.width == 40 })
        #expect(outcome.text.lines[0].text == "Pay 12.00")
    }

    @Test func mailAddressesAreHiddenAndTheRestStays() {
        #expect(redacted("Write to anna@firm.example today", [.emails]) == "Write to ****@****.******* today")
        #expect(redacted("Total 12.50 EUR", [.emails]) == "Total 12.50 EUR")
    }

    @Test func theNameOfABusinessCardIsHidden() {
        let card = text([
            "Anna Huber", "Sales Manager", "Acme Widgets Ltd", "anna.huber@acme.example",
            "Tel. +44 20 7946 0991",
        ])
        let lines = card.redacted([.names]).text.lines.map(\.text)
        #expect(lines[0] == "**** *****")
        #expect(lines[2] == "Acme Widgets Ltd")
    }

    @Test func aPersonNamedSeveralTimesIsHiddenEverywhereAndNoContactIsLeft() {
        let card = text([
            "Dr. Anna Mueller", "Sales Manager", "Acme Widgets Ltd", "anna.mueller@acme.example",
            "www.acme.example/anna.mueller", "MUELLER, ANNA", "Tel. +44 20 7946 0991", "A. Müller",
        ])
        // Mail addresses tell who it is, also where they are hidden themselves.
        let redacted = card.redacted([.names, .emails])
        let said = redacted.text.lines.map(\.text)
        for word in ["anna", "mueller", "Müller", "MUELLER", "A."] {
            #expect(!said.contains { $0.contains(word) }, "\(word): \(said)")
        }
        #expect(said[2] == "Acme Widgets Ltd" && said[6] == "Tel. +44 20 7946 0991")
        #expect(Contact(of: redacted.text).names.isEmpty)
        #expect(redacted.hidden.kindsSaid(in: redacted.text.string).isEmpty)
        #expect(redacted.hidden.kindsSaid(in: card.string) == [.names, .emails])
    }

    // Two rows that could be the name as well as each other, and one that little speaks for: a contact has none of them.
    @Test(arguments: [
        [
            "Jens Albrecht", "Albrecht, Jens", "Petra Vogelsang", "Nordwerk GmbH",
            "Lindenweg 4, 24103 Kiel",
        ],
        ["Nordwerk GmbH", "Lindenweg 4, 24103 Kiel", "jens@nordwerk.de", "Jens Albrecht"],
        // Neither a known given name nor a known domain: the mailbox, or the job below, tells who it is.
        ["Nordwerk GmbH", "Lindenweg 4, 24103 Kiel", "j.vogelsang@nordwerk.example", "Jjens Vogelsang"],
        ["Xjens Albrecht", "Sales Manager", "Nordwerk GmbH", "Lindenweg 4, 24103 Kiel"],
    ])
    func rowsThatMayBeANameAreHiddenToo(lines: [String]) {
        let said = text(lines).redacted([.names]).text.string
        for word in ["Jens", "Albrecht", "jens", "Petra", "Vogelsang"] {
            #expect(!said.contains(word), "\(said)")
        }
        #expect(said.contains("Nordwerk GmbH") && said.contains("Lindenweg 4, 24103 Kiel"), "\(said)")
    }

    @Test func aNameBehindALabelIsHiddenWhereverItStands() {
        let receipt = text([
            "ANNA'S CAFE", "Cashier: Anna Price", "Price 1.99", "Thank you, Anna", "Total 1.99",
        ])
        #expect(
            receipt.redacted([.names]).text.lines.map(\.text) == [
                "****'* CAFE", "Cashier: **** *****", "Price 1.99", "Thank you, ****", "Total 1.99",
            ])
    }

    @Test func whatIsHiddenIsCountedByPlacesNotByWords() {
        let redacted = text([
            "Cashier: Anna Smith", "Smith, Anna and Anna", "4111 1111 1111 1111", "Total 2.00",
        ]).redacted([.names, .cards, .phones])
        #expect(redacted.counts == [.names: 3, .cards: 1])
    }

    @Test func aMailAddressIsHiddenInAWebAddressToo() {
        let page = text([
            "anna.mueller@acme.example", "acme.example/anna.mueller", "info@acme.example", "info desk",
        ])
        #expect(
            page.redacted([.emails]).text.lines.map(\.text) == [
                "****.*******@****.*******", "****.*******/****.*******", "****@****.*******", "info desk",
            ])
    }

    @Test func whatAZoneSaysIsHiddenWhereverItIsPrinted() throws {
        // The specimen of ICAO 9303.
        let zone = try #require(
            MachineReadableZone(
                lines: [
                    "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
                    "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
                ], today: today))
        var hidden = HiddenContent()
        hidden.hide(zone)
        let page = text([
            "Surname Eriksson", "Given names Anna Maria", "No. L898902C3", "Born 12.08.74", "Utopia",
            "Misread Erlksson, cut Eriks",
        ])
        let lines = page.redacted([.mrz], hiding: [.mrz: hidden]).text.lines.map(\.text)
        #expect(
            lines == [
                "Surname ********", "Given names **** *****", "No. *********", "Born **.**.**", "Utopia",
                "Misread ********, cut *****",
            ])
    }

    @Test(arguments: [
        "12 AUG 1974", "12.8.74", "Aug 12, 1974", "12 AUG/AOÛT 1974", "1974-08-12", "120874", "12AUG1974",
        "08/12/1974",
    ])
    func aHiddenDayIsHiddenHoweverItIsPrinted(day: String) throws {
        let lines = [
            "I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6",
            "ERIKSSON<<ANNA<MARIA<<<<<<<<<<",
        ]
        var hidden = HiddenContent()
        hidden.hide(try #require(MachineReadableZone(lines: lines, today: today)))
        let page = text(["Born \(day) 1975", "12 AUG 1975", "12 1974", "Total 12.08"])
        let redacted = page.redacted([.mrz], hiding: [.mrz: hidden]).text.lines.map(\.text)
        let starred = String(day.map { $0.isLetter || $0.isNumber ? "*" : $0 })
        #expect(redacted == ["Born \(starred) 1975", "12 AUG 1975", "12 1974", "Total 12.08"])
    }

    // ICAO 9303-3 writes Ü as UE or U, Ø as OE, Å as AA, ß as SS, Æ as AE.
    @Test(arguments: [
        ("MUELLER<<JUERGEN<<<<<<<<<<<<<<", "Müller, Jürgen"),
        ("MULLER<<JURGEN<<<<<<<<<<<<<<<<", "Müller, Jürgen"),
        ("GROSS<<SOEREN<AAGE<<<<<<<<<<<<", "Groß, Søren Åge"),
        ("KAERGAARD<<AESE<<<<<<<<<<<<<<<", "Kærgård, Æse"),
        // One letter of three left out, put in or changed by the reader, or a word made two.
        ("MUSTERMANN<<ERIKA<<<<<<<<<<<<<", "Mustrmann, Eriika"),
        ("MUSTERMANN<<ERIKA<<<<<<<<<<<<<", "Muster mann ERA A"),
    ])
    func namesAreHiddenInTheirOwnLettersToo(line: String, printed: String) throws {
        let lines = ["I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", line]
        var hidden = HiddenContent()
        hidden.hide(try #require(MachineReadableZone(lines: lines, today: today)))
        let starred = String(printed.map { $0.isLetter ? "*" : $0 })
        let redacted = text([printed, "Utopia Meldung"]).redacted([.mrz], hiding: [.mrz: hidden]).text.lines
            .map(
                \.text)
        #expect(redacted == [starred, "Utopia Meldung"])
    }

    @Test func theDigitsBelowACodeAreHiddenAndOtherNumbersStay() {
        var hidden = HiddenContent()
        hidden.codes = ["4006381333931"]
        let page = text(["4006381333931", "4 006381 333931", "12.50 2025"])
        let lines = page.redacted([.codes], hiding: [.codes: hidden]).text.lines.map(\.text)
        #expect(lines == ["*************", "4 ****** ******", "12.50 2025"])
    }

    @Test func wordsThatStandWhereSomethingIsHiddenAreHidden() {
        var hidden = HiddenContent()
        hidden.boxes = [Box(left: 0, top: 0, right: 60, bottom: 20)]
        // "SECRET" fills the box; of the next word a fifth lies in none.
        let lines = text(["SECRET open"]).redacted([.faces], hiding: [.faces: hidden]).text.lines.map(\.text)
        #expect(lines == ["****** open"])
    }

    // Words are 60 by 20 pixels; the rows begin at 0, 30 and 60.
    @Test func aWordThatAMarkedAreaTouchesIsHiddenWholeAndTheRowsBesideItStay() {
        let page = text(["OPENED", "SECRET OPENED", "OPENED"])
        func lines(hiding area: Box) -> [String] {
            let hidden = HiddenContent(areas: [area])
            return page.redacted([], hiding: [.areas: hidden]).text.lines.map(\.text)
        }
        // A quarter of the word and its whole height, with three pixels of the rows above and below.
        #expect(
            lines(hiding: Box(left: 0, top: 17, right: 15, bottom: 63)) == [
                "OPENED", "****** OPENED", "OPENED",
            ])
        // Its last letters at half their height: nothing may say what is black there.
        #expect(
            lines(hiding: Box(left: 55, top: 40, right: 60, bottom: 50)) == [
                "OPENED", "****** OPENED", "OPENED",
            ])
        // The blank between two words.
        #expect(
            lines(hiding: Box(left: 61, top: 30, right: 69, bottom: 50)) == page.lines.map(\.text))
    }
}

import Imaging
import RobustStatistics
import Testing
import TextRecognition

@testable import Documents

@Suite struct CodeContentTests {
    private func values(_ text: String, _ kind: CodeContent.Kind) throws -> [String: String] {
        let content = try #require(CodeContent(text: text))
        #expect(content.kind == kind)
        return content.values
    }

    @Test func aLinkIsItsAddress() throws {
        #expect(try values("HTTPS://Example.org/a?b=c", .link) == ["url": "HTTPS://Example.org/a?b=c"])
        for text in [
            "https://", "http:", "4006381333931", "see https://example.org", "", ":", "ftp://a.example",
        ] {
            #expect(CodeContent(text: text) == nil, "\(text)")
        }
    }

    /// The example of GS1's standard: a number of 13 digits is filled with a zero, a wrong check digit is no product.
    @Test func gs1sDigitalLinkNamesTheProduct() throws {
        let text = "https://id.gs1.org/01/9506000134352/10/ABC%2F1/21/12457?17=261231"
        #expect(
            try values(text, .link) == [
                "url": text, "gtin": "09506000134352", "lot": "ABC/1", "serial": "12457", "expiry": "261231",
            ])
        let wrong = "https://id.gs1.org/01/9506000134353/10/ABC"
        #expect(try values(wrong, .link) == ["url": wrong])
    }

    @Test(arguments: ["\n", "\r\n"])
    func aGirocodeIsAPayment(lineEnd: String) throws {
        // The European Payments Council's own example (EPC069-12).
        let lines = [
            "BCD", "001", "1", "SCT", "BPOTBEB1", "Red Cross of Belgium", "BE72000000001616", "EUR1", "CHAR",
            "",
            "Urgency fund", "Sample EPC QR code",
        ]
        #expect(
            try values(lines.joined(separator: lineEnd), .payment) == [
                "scheme": "epc", "iban": "BE72000000001616", "bic": "BPOTBEB1",
                "name": "Red Cross of Belgium",
                "amount": "1", "currency": "EUR", "text": "Urgency fund",
            ])
        for (index, value) in [(6, "BE72000000001617"), (7, "EUR1,50"), (7, "1"), (3, "XXX"), (5, "")] {
            var other = lines
            other[index] = value
            #expect(CodeContent(text: other.joined(separator: lineEnd)) == nil, "\(value)")
        }
    }

    @Test func aSwissBillIsAPayment() throws {
        // Laid out as in the implementation guidelines of SIX; the IBAN is their example.
        let lines = [
            "SPC", "0200", "1", "CH4431999123000889012", "S", "Max Muster & Söhne", "Musterstrasse", "123",
            "8000",
            "Seldwyla", "CH", "", "", "", "", "", "", "", "1949.75", "CHF", "S", "Simon Muster",
            "Musterstrasse",
            "1", "8000", "Seldwyla", "CH", "QRR", "210000000003139471430009017", "Order of 15 June 2020",
            "EPD",
        ]
        #expect(
            try values(lines.joined(separator: "\r\n"), .payment) == [
                "scheme": "swiss", "iban": "CH4431999123000889012", "name": "Max Muster & Söhne",
                "amount": "1949.75", "currency": "CHF", "debtor": "Simon Muster",
                "reference": "210000000003139471430009017", "text": "Order of 15 June 2020",
            ])
        #expect(CodeContent(text: lines.dropLast().joined(separator: "\n")) == nil)
    }

    @Test func aBoardingPassHasFieldsOfFixedLength() throws {
        // The example of IATA's implementation guide.
        let pass = "M1DESMARAIS/LUC       EABC123 YULFRAAC 0834 226F001A0025 100"
        #expect(
            try values(pass, .boardingPass) == [
                "name": "LUC DESMARAIS", "booking": "ABC123", "from": "YUL", "to": "FRA", "carrier": "AC",
                "flight": "834", "day_of_year": "226", "cabin": "F", "seat": "1A", "sequence": "25",
            ])
        #expect(CodeContent(text: String(pass.dropLast(2))) == nil)
        #expect(CodeContent(text: "M1" + String(repeating: "é", count: 40)) == nil)
    }

    @Test func aDrivingLicenceHasElementsOfThreeLetters() throws {
        let text =
            "@\n\u{1E}\rANSI 636026080102DL00410288ZA03290015DLDAQD12345678\nDCSPUBLIC\nDDEN\nDACJOHN\nDDFN\nDADQUINCY\n"
            + "DBD08242015\nDBB01311970\nDBA01312035\nDBC1\nDAG789 E OAK ST\nDAIANYTOWN\nDAJCA\nDAK902230000  \nDCGUSA\r"
        #expect(
            try values(text, .drivingLicence) == [
                "number": "D12345678", "family_name": "PUBLIC", "given_names": "JOHN QUINCY",
                "birth": "1970-01-31", "issue": "2015-08-24", "expiry": "2035-01-31", "sex": "M",
                "street": "789 E OAK ST", "town": "ANYTOWN", "state": "CA", "postal_code": "90223",
                "country": "USA",
            ])
        let canadian = "@\n\u{1E}\rANSI 636012090002DL00DLDAQA1\nDCGCAN\nDBB19700131\n"
        #expect(try values(canadian, .drivingLicence)["birth"] == "1970-01-31")
        #expect(CodeContent(text: "@ANSI without elements") == nil)
    }

    @Test func numbersMailsNetworksAndPlacesAreWhatTheyAreCalled() throws {
        #expect(try values("tel:+4930123456", .phone) == ["number": "+4930123456"])
        #expect(
            try values("mailto:a@b.example?subject=Hello%20you&body=x", .email)
                == ["address": "a@b.example", "subject": "Hello you", "text": "x"])
        #expect(
            try values("MATMSG:TO:a@b.example;SUB:Hi;BODY:semi\\;colon;;", .email)
                == ["address": "a@b.example", "subject": "Hi", "text": "semi;colon"])
        #expect(try values("SMSTO:+4930:come: now", .message) == ["number": "+4930", "text": "come: now"])
        #expect(
            try values("WIFI:T:WPA;S:my\\;net;P:\\\"quoted\\\";;", .wifi)
                == ["network": "my;net", "security": "WPA", "password": "\"quoted\""])
        #expect(
            try values("geo:52.5,13.4?z=4", .place) == ["latitude": "52.5", "longitude": "13.4"])
        #expect(CodeContent(text: "geo:95,13") == nil && CodeContent(text: "WIFI:T:WPA;;") == nil)
    }

    @Test func cardsInCodesAreContacts() throws {
        #expect(
            try values(
                "MECARD:N:Doe,John;TEL:+493012345678;EMAIL:john@doe.example;ORG:Doe\\, Inc.;;", .contact) == [
                    "name": "John Doe", "phone": "+493012345678", "email": "john@doe.example",
                    "organisation": "Doe, Inc.",
                ])
        let card = """
            BEGIN:VCARD\r
            VERSION:3.0\r
            N:Müller;Anna;;Dr.;\r
            FN:Dr. Anna Müll\r
             er\r
            ORG:Werk GmbH;Einkauf\r
            item1.TEL;TYPE=CELL:+49 151 12345678\r
            TEL;TYPE=FAX:tel:+49-30-1234567\r
            NOTE;ENCODING=QUOTED-PRINTABLE:=C3=BC\r
            TITLE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Leiterin B=C3=BCro\r
            EMAIL:anna@werk.example\r
            URL:https://werk.example\r
            ADR:;;Hauptstr. 1;Berlin;;10115;Deutschland\r
            END:VCARD\r
            """
        #expect(
            try values(card, .contact) == [
                "name": "Dr. Anna Müller", "organisation": "Werk GmbH, Einkauf",
                "phone": "+4915112345678; +49301234567", "title": "Leiterin Büro",
                "email": "anna@werk.example",
                "url": "https://werk.example", "address": "Hauptstr. 1, 10115 Berlin, Deutschland",
            ])
    }

    @Test func aCodesContactStandsInThePlaceOfWhatWasReadAlmostAlike() throws {
        var read = Contact()
        read.names = [
            .init(.init(full: "Jahn Doe"), confidence: 0.6), .init(.init(full: "约翰"), confidence: 0.7),
        ]
        read.phones = [.init(.init(number: "+493012345679")), .init(.init(number: "+442071234567"))]
        read.emails = [.init("john@doe.exampl", confidence: 0.5)]
        read.title = .init("Engineer", confidence: 0.8)
        let code = SheetCode(
            symbology: .qr, bytes: [],
            text: "MECARD:N:Doe,John;TEL:+493012345678;EMAIL:John@doe.example;ORG:Doe;;", elements: nil,
            engine: .zbar, corners: [SIMD2(0, 0), SIMD2(9, 0), SIMD2(9, 9), SIMD2(0, 9)],
            photographCorners: nil)
        let contact = read.completed(by: [code])
        #expect(contact.names.map(\.value.full) == ["John Doe", "约翰"])
        #expect(contact.names[0].confidence == 1 && contact.names[0].box != nil)
        #expect(contact.phones.map(\.value.number) == ["+493012345678", "+442071234567"])
        #expect(contact.emails.map(\.value) == ["john@doe.example"] && contact.organisation?.value == "Doe")
        #expect(contact.title?.value == "Engineer")
        #expect(read.completed(by: []) == read)
    }

    @Test func whatBelongsToAPersonIsPersonal() {
        func isPersonal(_ text: String) -> Bool {
            SheetCode(
                symbology: .qr, bytes: [], text: text, elements: nil, engine: .zbar, corners: nil,
                photographCorners: nil
            ).isPersonal
        }
        #expect(isPersonal("M1DESMARAIS/LUC       EABC123 YULFRAAC 0834 226F001A0025 100"))
        #expect(isPersonal("BEGIN:VCARD broken") && isPersonal("x@y") && isPersonal("WIFI:S:a;P:b;;"))
        #expect(!isPersonal("https://example.org") && !isPersonal("4006381333931"))
    }

    @Test func whatACodeSaysOfAPersonIsHiddenInPrintToo() throws {
        let line = RecognizedLine(
            words: ["Passenger", "DESMARAIS", "LUC", "to", "Frankfurt", "on", "business"].enumerated().map {
                RecognizedWord(
                    text: $1, confidence: 0.9,
                    box: Box(left: 100 * Double($0), top: 0, right: 100 * Double($0) + 90, bottom: 20))
            })
        let pass = try #require(
            CodeContent(text: "M1DESMARAIS/LUC       EABC123 YULFRAAC 0834 226F001A0025 100"))
        var hidden: [PersonalData: HiddenContent] = [:]
        pass.hide([.phones, .cards], in: &hidden)
        #expect(hidden.isEmpty)
        pass.hide([.names], in: &hidden)
        #expect(hidden[.names]?.words(of: line) == [1, 2])
        // Who is paid is a firm, and its name stays.
        let girocode = try #require(
            CodeContent(text: "BCD\n001\n1\nSCT\n\nDesmarais\nBE72000000001616\nEUR1"))
        var ofPayment: [PersonalData: HiddenContent] = [:]
        girocode.hide([.names], in: &ofPayment)
        #expect(ofPayment.isEmpty)
    }

    @Test("Whatever stands in a code ends; seed 46")
    func anyTextEnds() {
        var generator = SplitMix64(seed: 46)
        let pieces = [
            "M1", "@ANSI ", "BCD\n001\n1\nSCT\n", "SPC\n0200\n", "BEGIN:VCARD\n", "MECARD:", "N:", ";", ",",
            "\\", "\r",
            "\n", " ", "=", "=C", "%", "%4", "?", "&", "https://", "/01/", "geo:", "WIFI:", "é", "\u{301}",
            "\u{200D}",
            "DAQ", "TEL", ":", "0", "9506000134352",
        ]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            if let content = CodeContent(text: text) {
                #expect(!content.values.isEmpty && !content.values.values.contains(""), "\(text)")
            }
        }
    }
}

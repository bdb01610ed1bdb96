import TextRecognition
import TextTestSupport
import Testing

@testable import Documents

@Suite("Items on a page") struct ItemFinderTests {
    private func values(_ kind: RecognizedItem.Kind, in text: String, region: String? = nil) -> [String] {
        readText(text).items(region: region).filter { $0.kind == kind }.map(\.value)
    }

    @Test(
        "Mail addresses are found as printed and as readers spoil them",
        arguments: [
            ("Email: Info@Example.COM", "info@example.com"),
            ("anna . huber @ firma,de", "anna.huber@firma.de"),
            ("info(at)firma.co.uk", "info@firma.co.uk"), ("E-MAIL: SHOP@HOTMAIL,.COM", "shop@hotmail.com"),
            ("CARELINE@MYNEWS COM.MY", "careline@mynews.com.my"),
            ("kontakt@müller-söhne.de", "kontakt@müller-söhne.de"),
        ])
    func mails(line: String, address: String) {
        #expect(values(.email, in: line) == [address])
    }

    @Test(
        "What only looks like a mail address is none",
        arguments: ["GST @ 6% 12.00", "2PC @ 13.69", "BAR WANG RICE@PERMAS JAYA", "@home", "a@b", "x@y.zz9"])
    func noMails(line: String) {
        #expect(values(.email, in: line) == [])
    }

    @Test(
        "Web addresses have their scheme, and no blanks",
        arguments: [
            ("www.Example.com/Shop", "https://www.example.com/Shop"),
            ("WWW. POPULAR . COM. MY", "https://www.popular.com.my"),
            ("http://firma.de/", "http://firma.de"),
            ("visit facebook.com/page now", "https://facebook.com/page"),
            ("www.firma.de. Tel 1", "https://www.firma.de"), ("huber-soehne.de", "https://huber-soehne.de"),
        ])
    func links(line: String, url: String) {
        #expect(values(.url, in: line) == [url])
    }

    @Test(
        "Words with points are no web addresses",
        arguments: ["St.John", "12.50 a.m.", "No.5", "etc.De", "e.g. this"])
    func noLinks(line: String) {
        #expect(values(.url, in: line) == [])
    }

    // RR473124829GB is the example that encyclopaedias give for S10, 1Z999AA10123456784 UPS's own.
    @Test(
        "Parcels have numbers whose check holds",
        arguments: [
            ("Tracking RR 473 124 829 GB", ["RR473124829GB"]), ("RR473124828GB", []),
            ("1Z 999 AA1 01 2345 6784", ["1Z999AA10123456784"]), ("1Z999AA10123456785", []),
            ("Sendung JJD000390007882823436", ["JJD000390007882823436"]), ("AB12345678901CD", []),
        ])
    func parcels(line: String, numbers: [String]) {
        #expect(values(.parcel, in: line) == numbers)
    }

    @Test(
        "Flights have numbers behind their word",
        arguments: [
            ("Flight LH 0834  MUC - FRA", ["LH834"]), ("Flug: 4U 17", ["4U17"]), ("VUELO IB1234", ["IB1234"]),
            ("LH 834", []), ("Flight of 12 steps", []), ("Flight 1234", []), ("RUM 40% VOL DE 700 ML", []),
            ("LOT AB 1234", []), ("WINE FLIGHT RB 12.00", []),
        ])
    func flights(line: String, numbers: [String]) {
        #expect(values(.flight, in: line) == numbers)
    }

    @Test(
        "Times of day are items beside dates",
        arguments: [
            ("13.02.2025 14:32 Uhr", ["14:32"]), ("2:05 PM", ["14:05"]), ("25:70", []), ("1.20 EUR", []),
        ])
    func times(line: String, times: [String]) {
        #expect(values(.time, in: line) == times)
    }

    @Test("A mail address is no web address") func mailIsNoLink() {
        #expect(values(.url, in: "info@firma.de") == [])
    }

    // The national numbers are libphonenumber's examples or of its test file; E.164 is checked by hand.
    @Test(
        "Telephone numbers get their country code",
        arguments: [
            ("Tel. 030/1234567", "DE", ["+49301234567"]), ("+49 (0)30 1234567", "DE", ["+49301234567"]),
            ("Tel: 03-5122 1701, 51313091", "MY", ["+60351221701", "+60351313091"]),
            ("TEL: 012-321 6447 FAX: 03 - 33623608", "MY", ["+60123216447", "+60333623608"]),
            ("TEL: (603) 6243 5520", "MY", ["+60362435520"]),
            ("TEL: 03-9201 6281/6920", "MY", ["+60392016281"]),
            ("03-80709188 / 80757830", "MY", ["+60380709188", "+60380757830"]),
            ("Call (617) 555-0123", "US", ["+16175550123"]), ("Tel. 06 69821234", "IT", ["+390669821234"]),
            ("Fon 0044 20 7031 3000", "DE", ["+442070313000"]),
            ("Cel. (11) 98765-4321", "BR", ["+5511987654321"]),
            ("Fone: (21) 2294-9484", "BR", ["+552122949484"]), ("2294-9484", "BR", ["2294-9484"]),
            ("Tel.: 2294-9484 / 9.9679-9468", "BR", ["2294-9484", "9.9679-9468"]),
            ("575-1628095", "US", ["+15751628095"]), ("Ph 575.1628095", "US", ["+15751628095"]),
            ("Tél. 01 42 68 53 00", "FR", ["+33142685300"]), ("Tel 030 12345O7", "DE", ["+49301234507"]),
        ])
    func phones(line: String, region: String, numbers: [String]) {
        #expect(values(.phone, in: line, region: region) == numbers)
    }

    @Test(
        "Amounts, dates and numbers of receipts are no telephone numbers",
        arguments: [
            "Total 1234567.00", "2018-03-18 13:21:02", "GST ID NO 001531760640", "Card 4111 1111 1111 1111",
            "Invoice 0012345678 1", "0.50 12.50 100.00", "25/02/2017 07:43", "2018-2019", "2345-6789",
            "4111-1111-1111-1111",
        ])
    func noPhones(line: String) {
        #expect(values(.phone, in: line, region: "MY") == [])
    }

    @Test("Without a country a labelled number is given as printed") func unknownCountry() {
        let items = readText("Phone 555 12 34 56").items()
        #expect(items.map(\.value) == ["555 12 34 56"])
        #expect(items.allSatisfy { $0.confidence < 0.7 }, "it may be any country's")
    }

    @Test("All dates of a row are found, in ISO 8601") func dates() {
        #expect(
            values(.date, in: "13/02/2025 to 2025-03-01, then 5 May 2025") == [
                "2025-02-13", "2025-03-01", "2025-05-05",
            ])
    }

    @Test("Prices have two digits behind the mark, or a currency") func prices() {
        let items = readText("1 x RM 12.50 6.00% 3 pcs\nTotal 1,234.00 MYR\n2.50 kg @15.90").items()
            .filter { $0.kind == .price }
        #expect(items.map(\.value) == ["12.5", "1234", "15.9"])
        #expect(items.map(\.currency) == ["MYR", "MYR", nil])
    }

    @Test("A box holds the words that the item was printed in") func boxes() throws {
        let text = readText("Tel. 030 1234567 x\n\nwww.firma.de")
        let items = text.items(region: "DE")
        try #require(items.map(\.kind) == [.phone, .url])
        #expect(items[0].printed == "030 1234567")
        #expect(items[0].box == text.lines[0].words[1].box.union(text.lines[0].words[2].box))
        #expect(items[1].box == text.lines[1].words[0].box)
    }

    @Test("An empty page has no items") func empty() { #expect(readText("").items() == []) }

    @Test("A page gives the same items each time") func repeats() {
        let text = readText("Huber GmbH\nTel. 030 1234567\ninfo@huber.de www.huber.de\n12,50 EUR 13.02.2025")
        #expect(text.items() == text.items())
        #expect(text.items().map(\.kind) == [.phone, .email, .url, .price, .date])
    }
}

import Foundation
import TestSupport
import Testing
import TextTestSupport

@testable import Documents

/// Which chain a receipt is of, and what is sold there.
@Suite struct BrandTests {
    private func fields(_ head: String, foot: String = "", items: String = "2 Fish Tacos   9.50    19.00")
        -> ReceiptFields
    {
        ReceiptFields(
            of: readText(
                """
                \(head)
                   9 Harbor Lane
                   Rockford, IL 61101
                03/22/2025  8:47 PM  Check 10442
                \(items)
                1 House Salad     7.25     7.25
                Sub Total                 26.25
                Sales Tax                  2.10
                Total                     28.35
                \(foot)
                """))
    }

    @Test(
        "A common word is no chain whose name has a blank in it", arguments: ["Points", "POINTS", "PointS"])
    func joinedName(word: String) {
        #expect(fields("      \(word)\n will be collected next day").brand == nil)
    }

    @Test(
        "A chain whose name says what is sold is found with its sign, and none of another trade where no country is known",
        arguments: [
            ("Pizza Station", nil), ("&pizza Station", "&pizza"), ("CASTRO PIZZA", nil), ("CASTRO", "Castro"),
        ] as [(String, String?)])
    func tradesWord(head: String, brand: String?) {
        let fields = ReceiptFields(
            of: readText("\(head)\n27-11-2022\nHalf & Half 115.00\nSausage 110.00\nTotal 225.00"))
        #expect(fields.brand?.value == brand)
        if brand == nil { #expect(fields.country == nil && fields.currency == nil) }
    }

    @Test("A misread name is the chain's that a website spells, also in capitals and behind another label")
    func misreadBesideSite() {
        func merchant(_ head: String, foot: String, confidence: Double) -> String? {
            ReceiptFields(
                of: readText(
                    "\(head)\n9 Harbor Lane\nRockford, IL 61101\n2 Fish Tacos 19.00\nTotal 19.00\n\(foot)",
                    confidence: confidence)
            ).merchant?.value
        }
        let (head, foot) = ("Smart&Fingl.\nWarehouse &Market", "Visit www.smartandfinal.com/survey")
        #expect(merchant(head, foot: foot, confidence: 0.9) == "Smart & Final")
        // What is plainly read is what it says.
        #expect(merchant(head, foot: foot, confidence: 0.99) != "Smart & Final")
        #expect(merchant("Walmar", foot: "SURVEY.WALMART.CA", confidence: 0.9) == "Walmart")
        #expect(merchant("Corner House", foot: "SURVEY.WALMART.CA NO.DE", confidence: 0.9) == "Corner House")
    }

    @Test("A chain of filling stations that prints no fuel has sold something else")
    func fuel() {
        func category(_ item: String) -> String? {
            ReceiptFields(of: readText("Walmart\nGREENWOOD IN 46143\n\(item) 9.99\nTAX 0.70\nTOTAL 10.69"))
                .category?.value
        }
        #expect(category("UNLEADED 2.5 GALLONS") == "fuel")
        #expect(category("TATER TOTS") != "fuel")
    }

    @Test("A country that is not sure enough to be given rules out chains of other countries")
    func otherCountry() {
        let fields = ReceiptFields(
            of: readText(
                """
                World Class
                Thai Tea
                Karnnarong Group Co.,Ltd.
                One Bangkok Branch
                RECEIPT/TAX INVOICE (ABB)
                DATE 13/02/2025 12:25
                1 Milk Tea 25%           155.00
                Exclude VAT 7%            10.85
                Total                    165.85
                """, confidence: 0.85))
        #expect(fields.country == nil && fields.currency == nil)
        #expect(fields.brand == nil)
    }

    @Test("Every spelling of the table is found, and stands behind the one before it")
    func table() throws {
        let file = Repository.folder.appending(path: "Sources/Tables/CReceiptTables/brands.table")
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let keys = rows.map { String($0.prefix { $0 != "\t" }) }
        #expect(keys.count > 10_000)
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(keys.filter { BrandTable.brand($0) == nil } == [])
        let ikea = try #require(BrandTable.brand("ikea"))
        #expect(ikea.name == "IKEA" && ikea.category == .home && ikea.isOwnName)
        #expect(BrandTable.brand("TRADER JOE'S") == BrandTable.brand("trader joes"))
        #expect(BrandTable.brand("") == nil && BrandTable.brand("'") == nil)
        #expect(BrandTable.brand("Copper Kettle of Rockford") == nil)
    }

    @Test(
        "A chain of the country is found by its name with one misread letter, strokes for strokes counting half"
    )
    func misread() {
        #expect(BrandTable.misread("Weamans", in: "US")?.name == "Wegmans")
        #expect(BrandTable.misread("Waimari", in: "US")?.name == "Walmart")
        #expect(BrandTable.misread("Weamans", in: "DE") == nil)
        #expect(BrandTable.misread("Weamams", in: "US") == nil)
        // Too short to be told by the rest.
        #expect(BrandTable.misread("LipL", in: "DE") == nil)
    }

    @Test(
        "A seller's name has its blanks where its chain's has them, unless print parts it in whole words",
        arguments: [
            ("Tac oBell", "Taco Bell"), ("Bu ca di Be ppo", "Buca di Beppo"), ("WAL MART", "WAL MART"),
            ("Pan da Ex press", "Panda Express"), ("ALDI SUD", "ALDI SÜD"), ("Aldi Sud", "Aldi Süd"),
        ])
    func blanks(read: String, name: String) {
        #expect(fields("   \(read)").merchant?.value == name)
    }

    @Test("A chain that only its website names is called as it writes itself")
    func site() {
        #expect(fields("", foot: "www.homedepot.com/survey").merchant?.value == "The Home Depot")
        #expect(fields("", foot: "www.bathandbodyworks.com").merchant?.value == "Bath & Body Works")
    }

    @Test("Two letters apart are no name", arguments: [("K : K", nil), ("A L D I", "ALDI")])
    func lettersApart(row: String, name: String?) {
        #expect(fields("   \(row)").merchant?.value == name)
    }

    @Test("A seller whose name is not surely read is the chain that it is but for a letter")
    func misreadSeller() {
        func merchant(_ name: String, confidence: Double) -> String? {
            var text = readText(
                """
                   \(name)
                   9 Harbor Lane
                   Rockford, IL 61101
                03/22/2025  8:47 PM  Check 10442
                2 Fish Tacos   9.50    19.00
                1 House Salad     7.25     7.25
                Sub Total                 26.25
                Sales Tax                  2.10
                Total                     28.35
                """)
            for word in text.blocks[0].lines[0].words.indices {
                text.blocks[0].lines[0].words[word].confidence = confidence
            }
            return ReceiptFields(of: text).merchant?.value
        }
        #expect(merchant("Buca di Bepo", confidence: 0.9) == "Buca di Beppo")
        #expect(merchant("Buca di Bepo", confidence: 0.99) == "Buca di Bepo")
        // Two letters, or too few of them to be told by the rest.
        #expect(merchant("Buka di Bepo", confidence: 0.9) == "Buka di Bepo")
        #expect(merchant("Weamans", confidence: 0.9) != "Wegmans")
    }

    @Test(
        "A chain's name with its shop's number, or before what it says of itself, is the seller below other print"
    )
    func numbered() {
        #expect(fields("    There For You\nIHOP Store # 9005").brand?.value == "IHOP")
        let foot = "Go to our website and tell us\nMcDonald's Restaurant #31278"
        #expect(fields("       112", foot: foot).brand?.value == "McDonald's")
        #expect(fields("      Rockford, Downtown\nTarget - 10 Years in Rockford").brand?.value == "Target")
    }

    @Test("A chain is not found where it is not")
    func countries() throws {
        let brand = try #require(BrandTable.brand("In-N-Out Burger"))
        #expect(brand.isFound(in: "US", payingIn: nil) && !brand.isFound(in: "DE", payingIn: "USD"))
        #expect(brand.isFound(in: nil, payingIn: "USD") && !brand.isFound(in: nil, payingIn: "EUR"))
        #expect(brand.isFound(in: nil, payingIn: nil))
    }

    @Test(
        "The chain of a seller is named as it writes itself",
        arguments: [
            ("TRADER JOE'S", "Trader Joe's"), ("   MACY'S", "Macy's"), ("  CARL'S JR", "Carl's Jr."),
            ("  IKEA INC", "IKEA"), ("  IKEA ROCKFORD", "IKEA"),
        ])
    func ofMerchant(head: String, brand: String) {
        let fields = fields(head)
        #expect(fields.brand?.value == brand)
        #expect(fields.category != nil)
    }

    @Test("A seller's name is of a chain where the rest of it is no more than form or trade")
    func sellers() {
        #expect(BrandTable.chain(ofSeller: "HORNBACH Baumarkt AG") == "Hornbach")
        #expect(BrandTable.chain(ofSeller: "Rewe-Markt GmbH") == "Rewe")
        #expect(BrandTable.chain(ofSeller: "Columbus Restaurant") == nil)
        #expect(
            BrandTable.chain(ofSeller: "") == nil && BrandTable.chain(ofSeller: "The Copper Kettle") == nil)
    }

    @Test(
        "A name that only begins as a chain's does is of none",
        arguments: ["  Columbus Restaurant", "   Delta Fish Shack", "   Target Shooting Range"])
    func othersNames(head: String) {
        #expect(fields(head).brand == nil)
    }

    @Test(
        "Where nothing else is the seller's name, a chain that is named above, greeted or linked to is",
        arguments: [
            (
                "2013-08-10 L1 T2 3:04 PM\nYOUR GUEST NUMBER IS\n25\nIN-N-OUT BURGER ROCKFORD", "",
                "IN-N-OUT BURGER"
            ),
            ("3470 177 CASH-1 0094 0347 077", "THANK YOU FOR SHOPPING AT IKEA!! :)", "IKEA"),
            ("0347 077 0094", "www.traderjoes.com", "Trader Joe's"),
        ])
    func mentioned(head: String, foot: String, merchant: String) {
        let fields = fields(head, foot: foot)
        #expect(
            fields.merchant?.value.hasPrefix(merchant) == true
                && fields.merchant?.value.contains("!") == false)
        #expect(fields.brand != nil && fields.category != nil)
    }

    /// A Polish receipt, below its head.
    private func polish(_ head: String) -> ReceiptFields {
        ReceiptFields(
            of: readText(
                """
                \(head)
                NIP 7121008323
                   PARAGON FISKALNY
                CHLEB ZYTNI  C 1 x3,99    3,99C
                SER GOUDA    C 1 x8,01    8,01C
                SPRZEDAZ OPODATKOWANA C  12,00
                PTU C 5,00 %              0,57
                SUMA PLN                 12,00
                2026-02-14 12:36
                """))
    }

    @Test("A legal form whose letters are read as digits is one, and is given with its letters")
    func digitsInForm() {
        let fields = polish("Stokrotka Sp, 2 0.0.\n20-209 Lublin, ul. Projektowa 1")
        #expect(fields.merchant?.value == "Stokrotka Sp, z o.o.")
        #expect(fields.brand?.value == "Stokrotka")
    }

    @Test(
        "A chain is told by its company in another row, by the trade before it, and above its slogan",
        arguments: [
            (
                "* CARREFOUR * CH Borowik\n91-211 Łódź ul. Szparagowa 7\nCARREFOUR Polska Sp. z o. o.",
                "Carrefour"
            ),
            ("HIPERMARKET AUCHAN\n60-198 Poznań, ul. Bukowska 156", "Auchan"),
            ("- 2 5 Biedronka\nCodziennie niskie ceny\nul. Wrocławska 156, 45-754 Opole", "Biedronka"),
            ("BIEDRONKA \"CODZIENNIE NISKIE CENY\"\nul. Zniwna 5, 62-025 Kostrzyn", "Biedronka"),
            (
                "Adres siedziby: Poznańska 48, Jankowice 62-080\nnr rej: 0000265 Lidl sp, z o, o sp. k.\nul. Sienkiewicza 5B",
                "Lidl"
            ),
        ])
    func polishChains(head: String, brand: String) {
        let fields = polish(head)
        #expect(fields.brand?.value == brand)
        #expect(fields.merchant?.value.lowercased().contains(brand.lowercased()) == true)
    }

    @Test("A chain whose name stands in two rows, or before its thanks, is the seller where nothing else is")
    func mentionedOtherwise() {
        #expect(
            fields("3470 177 0094\n0347 077\nBARNES &\nNOBLE").merchant?.value == "BARNES & NOBLE")
        let lidl = ReceiptFields(
            of: readText(
                """
                   LE BOUSCAT 0963
                367 Avenue de la Libération
                33110 LE BOUSCAT
                MIMOLETTE 40%        1,60 A
                CERVELAS             2,09 A
                A payer              3,69
                TVA 5,5 %            0,19
                29.05.2012 10:57
                LIDL vous remercie pour vos achats
                """))
        #expect(lidl.merchant?.value == "Lidl" && lidl.brand?.value == "Lidl")
    }

    @Test(
        "What is sold is told by the name, or by print that only such sellers have",
        arguments: [
            ("   Lan Sheng Restaurant", "", "restaurant"),
            ("   The Copper Kettle", "Server: Ann\n Table No 5", "restaurant"),
            ("   DELPHIN APOTHEKE", "", "health"), ("   Miller's Hardware", "", "home"),
        ])
    func categories(head: String, foot: String, category: String) {
        #expect(fields(head, foot: foot).category?.value == category)
    }

    @Test(
        "What is sold is left open where nothing says it, or names speak of two things",
        arguments: ["   The Copper Kettle", "   Bakery Restaurant Miller"])
    func open(head: String) {
        #expect(fields(head, items: "2 Boxes   9.50    19.00").category == nil)
    }

    @Test("Every category has words, and every word is folded, so that it can be found")
    func words() {
        let words = CategoryWords.shared
        for category in ReceiptCategory.allCases {
            #expect(
                [
                    "kiosk", "supermarket", "restaurant", "tankstelle", "apotheke", "friseur", "shoes",
                    "baumarkt",
                    "elektronik", "buchhandlung", "hotel", "autohaus", "post office",
                ].contains {
                    words.category(ofName: $0.split(separator: " ").map(String.init)) == category
                }, "\(category)")
        }
    }

    /// A Norwegian receipt below a head.
    private func norwegian(_ head: String) -> ReceiptFields {
        ReceiptFields(
            of: readText(
                """
                \(head)
                ORG NR. 996 861 260 MVA
                Foretaksregisteret
                TLF: 22 65 27 77
                15.02.14 18:09      Kasse:001
                POTETGULL      15%      27,90
                AGURK          15%      13,90
                Sum 2 varer             41,80
                BANK                    41,80
                """))
    }

    @Test(
        "A chain above the company that runs the shop is the seller, and a number may be of its name",
        arguments: [
            ("  REMA 1000 BJERKE\n  Fredrik Nordvik AS", "REMA 1000"),
            ("  JOKER KIRKEVEIEN\n  SOLLI KOLONIAL AS", "JOKER"),
            ("  KIWI 026 OYER", "KIWI"),
        ])
    func aboveCompany(head: String, name: String) {
        let fields = norwegian(head)
        #expect(fields.merchant?.value == name)
        #expect(fields.country?.value == "NO")
        #expect(fields.currency?.value == "NOK")
    }

    @Test("A chain of an unmistakable name stands before its place") func beforePlace() {
        #expect(
            fields("  i'm lovin' it\n  McDonald's Harbor-West").merchant?.value.hasPrefix("McDonald's")
                == true)
    }

    @Test(
        "What is sold may stand before a chain's name and its shop's number, below the company that runs it")
    func shopOfCompany() {
        let fields = ReceiptFields(
            of: readText(
                """
                        P.U.H. ADI
                   Sklep Zabka 21452
                80-894 Gdansk ul.Garncarska 10/16
                NIP 583-140-41-51
                2011-05-18            nr 045332
                        PARAGON FISKALNY
                WODA ZROD 0,5 GAZ-A  1 x 0.99  0.99A
                Sprzedaz opodatk. A            0.99
                Kwota PTU A 23 %               0.19
                Suma PLN                       0.99
                """))
        #expect(fields.merchant?.value == "Zabka" && fields.brand?.value == "Żabka")
    }

    @Test("Where print says neither, country and currency are those of a chain of one country")
    func place() {
        func fields(_ name: String) -> ReceiptFields {
            ReceiptFields(
                of: readText(
                    """
                      \(name)
                    YOGUR NATURAL     4,29
                    DORADA RACION    13,60
                    TOTAL            17,89
                    """))
        }
        #expect(fields("ALCAMPO BURGOS").country?.value == "ES")
        #expect(fields("ALCAMPO BURGOS").currency?.value == "EUR")
        #expect(fields("TIENDA LOLA").currency == nil)
    }

    @Test("An unmistakable name is the seller where only the currency is known")
    func unmistakable() {
        let head = "SuperValu\nReal Food, Real People\nO GORMAN'S SUPERVALU\nMARKET SQUARE"
        let text = head + "\nSV CARROT BAG €0.49\nRAFFERTYS HAM €2.99\nTOTAL €3.48"
        #expect(ReceiptFields(of: readText(text)).merchant?.value == "SuperValu")
    }

    @Test("A chain is named by its company below the items, whatever stands behind the legal form")
    func companyBelowItems() {
        let text = "TEL 250 360 0880\nCLOCK 29.99\nTAX 1.50\nBAL 31.49\n(P)ST 1.50"
        let foot = "\nVICTORIA BC Canada\nLONDON DRUGS LIMITED GST #R103378972"
        #expect(ReceiptFields(of: readText(text + foot)).merchant?.value == "London Drugs")
    }

    @Test("A chain that the print names elsewhere is surer than a seller's name that was poorly read")
    func poorlyRead() {
        func seller(_ confidence: Double) -> String? {
            var text = readText(
                "   TLSCC\nwww.tesco.com/store-locator\nVAT Number: GB 220 4302 31\nBread £1.40\nTOTAL £1.40")
            text.blocks[0].lines[0].words[0].confidence = confidence
            return ReceiptFields(of: text).merchant?.value
        }
        #expect(seller(0.43) == "Tesco")
        #expect(seller(0.99) != "Tesco")
    }
}

import Testing
import TextTestSupport

@testable import Documents

@Suite struct MerchantCandidateTests {
    private func merchant(_ head: String, foot: String = "") -> String? {
        ReceiptFields(
            of: readText(
                """
                \(head)
                03/22/2025  8:47 PM  Check 10442
                2 Fish Tacos      9.50    19.00
                1 House Salad     7.25     7.25
                Sub Total                 26.25
                Sales Tax                  2.10
                Total                     28.35
                       THANK YOU
                \(foot)
                """)
        ).merchant?.value
    }

    @Test("Letters set apart are one word")
    func spaced() {
        #expect(merchant("      O L M A\n   9 Harbor Lane\n   Rockford, IL 61101") == "OLMA")
    }

    @Test("A street with a number for its name is no name, though its province looks like a company's form")
    func numberedStreet() {
        #expect(merchant("   1818 16TH AVE, NW CALGARY, AB T2M OL8\n   (403)284-7925") == nil)
    }

    @Test(
        "A town behind a postcode of two parts is no name", arguments: ["SE-212 14 Malmö", "110 00 Praha 1"])
    func town(row: String) { #expect(merchant(row) == nil) }

    @Test(
        "Headings and greetings above a name are none of it",
        arguments: [
            "GUEST CHECK", "RECEIPT", "WELCOME", "TAX INVOICE", "Kassenbon", "For a Chance to WIN",
            "(Diganos en Español) N", "TRANSACTION RECORD", "Your order number is",
            "BOLETA ELECTRONICA", "BOLETA AFECTA ELECTRONICA", "CUPOM FISCAL",
            "NOTA DE VENTA", "TICKET DE CAISSE", "CASH MEMO", "Subtotal 2", "S.I.I. - VILLARRICA",
            "SENIAT",
        ])
    func headings(heading: String) {
        #expect(
            merchant("    \(heading)\n    The Copper Kettle\n   9 Harbor Lane\n   Rockford, IL 61101")
                == "The Copper Kettle")
    }

    @Test(
        "A street or a town alone is no name",
        arguments: [
            "255-41 Jericho Turnptke\nFloral Park, NY 11001", "Warburger Straße 130\n33100 Paderborn",
            "1660 India Street\nSan Diego, CA 92101",
            "Fairview, NJ 07022", "1092 E EL CAMINO REAL\nSUNNYVALE,CA",
            "SUNNYVALE #423\n150 Lawrence Station\nSunnyvale, CA 94086",
            "J1. Medayu Utara , Sural:", "#03-18 HARBOR PLAZA\n68 ORCHARD ROAD 238839",
            "Adres siedziby: Polna 4, 62-080 Tarnowo",
        ])
    func streets(head: String) {
        #expect(merchant(head) == nil)
    }

    @Test(
        "What a cut head leaves, a label with its value or a thing above its price, is no name",
        arguments: [
            "rminal: POS 2", "Store: 987 - Rockford", "MANAGER TOM HOLLIS", "RESTAURANT",
            "1 x Friet Stoofvlees",
            "Oolong Milk Tea\n2              1.49     2.98", "Oolong Milk Tea\n(A\n2 @ 1.49          2.98",
        ])
    func cutHeads(head: String) {
        #expect(merchant(head) == nil)
    }

    @Test("A heading of things is no name where others stand among the things")
    func headingsOfThings() {
        let things = "\nSALAD       4.00\nHOUSEHOLD\nSOAP        2.00\nGROCERY\nTEA         3.00"
        #expect(merchant("CLEANING SUPPLIES\nBLEACH      5.00" + things) == nil)
    }

    @Test("A saying above a company that a website is named like is no name")
    func sayings() {
        #expect(
            merchant(
                "    Live well for less\nCopper Kettle Supermarkets Ltd\n33 Holborn London EC1N 2HT\nwww.copperkettle.co.uk"
            )
                == "Copper Kettle Supermarkets Ltd")
    }

    @Test("A name above its website is the name, and a telephone behind it none of it")
    func besides() {
        #expect(
            merchant("    ovologrill\novologrill.co.nz\n9 Harbor Lane\nRockford, IL 61101") == "ovologrill")
        #expect(
            merchant("The Copper Kettle tel. 0107670800\n9 Harbor Lane\nRockford, IL 61101")
                == "The Copper Kettle")
        #expect(
            merchant("Copper Kettle CNPJ 61.412.110/0855-50\n9 Harbor Lane\nRockford, IL 61101")
                == "Copper Kettle")
        // A label of Morocco's numbers is a word of names elsewhere.
        #expect(merchant("Copper Ice 0107670800\n9 Harbor Lane\nRockford, IL 61101") == "Copper Ice")
    }

    @Test(
        "Behind a legal form quotation marks hold the name, though figures are read for its letters",
        arguments: ["UAB", "ООО", "3АО"])
    func quoted(form: String) {
        let name = form + " \"Copper Kettle\""
        #expect(merchant("    \(name)\n9 Harbor Lane\nRockford, IL 61101") == name)
        #expect(merchant("    Copperia \"Best of all\"\n9 Harbor Lane\nRockford, IL 61101") == "Copperia")
    }

    @Test("A legal form behind a comma makes no town of a name")
    func legalForm() {
        #expect(
            merchant("      OLMARKET\n   OLMARKET, SA\n   9 Harbor Lane\n   Rockford, IL 61101")?
                .hasPrefix("OLMARKET") == true)
    }

    @Test(
        "The number of a shop is none of its name",
        arguments: [" #199", " (030)", " #00003675", " a00003675"])
    func shopNumbers(number: String) {
        #expect(
            merchant("   The Copper Kettle\(number)\n   9 Harbor Lane\n   Rockford, IL 61101")
                == "The Copper Kettle")
    }

    @Test("A logo and the name below it are one name")
    func twice() {
        #expect(
            merchant("    COPPERKETTLE\n    Copper Kettle\n   9 Harbor Lane\n   Rockford, IL 61101")
                .map { $0.lowercased().filter { $0 != " " } } == "copperkettle")
    }

    @Test("Where no row names the shop, the website above the goods does; one below them is somebody else's")
    func website() {
        let head = "9 Harbor Lane\nRockford, IL 61101\nTel. 815-555-0134"
        #expect(merchant("\(head)\nwww.ovolo-grill.com") == "ovolo grill")
        #expect(merchant("\(head)\nwww.ask.ovologrill.com") == nil)
        #expect(merchant(head, foot: "www.cardterminals.com") == nil)
    }

    @Test("A website, a repeat of the name or of its beginning, and a greeting speak for a name")
    func support() throws {
        func numbers(_ head: String, foot: String) throws -> [Double] {
            let parser = ReceiptFieldParser(
                text: readText("\(head)\n9 Harbor Lane\n2 Fish Tacos  19.00\nTotal  19.00\n\(foot)"),
                context: ReceiptContext(today: .distantPast))
            return try #require(parser.merchantCandidates().last { $0.name == "Ovolo Grill" }?.numbers)
        }
        let plain = try numbers("Ovolo Grill", foot: "Thank you")
        let web = try numbers("Ovolo Grill", foot: "www.ovologrill.com")
        let repeated = try numbers("Ovolo Grill", foot: "Ovolo Grill is hiring")
        let begun = try numbers("Ovolo Grill", foot: "OVOLO")
        let greeted = try numbers("Welcome to Ovolo Grill", foot: "Thank you")
        #expect(plain[16] == 0 && web[16] == 1)
        #expect(plain[17] == 0 && repeated[17] == 1 && begun[17] == 1)
        #expect(plain[18] == 0 && greeted[18] == 1)
    }

    @Test(
        "What kind of sale or print it is, above a name, is none",
        arguments: ["Dine In", "NON FISCAL", "RETAIL INVOICE", "To Go", "DUPLICATE COPY"])
    func notices(notice: String) {
        let name = merchant("    \(notice)\n    The Copper Kettle\n   9 Harbor Lane\n   Rockford, IL 61101")
        #expect(name == nil || name == "The Copper Kettle")
    }

    @Test("The first thing of a receipt whose head is cut off is no name") func firstThing() {
        let fields = ReceiptFields(
            of: readText(
                """
                SOUR CREAM & ONION CORN  $2.49
                SLICED WHOLE WHEAT BREAD $2.49
                RICE CAKES               $3.99
                Balance to pay           $8.97
                Visa Debit               $8.97
                """))
        #expect(fields.merchant == nil)
    }

    @Test("A name with a word of greetings in it is whole") func eating() {
        #expect(
            merchant("AL AZIM EATING RESTAURANT PTE LTD\n   11 CHONG LANE RD\n   SINGAPORE 599736")
                == "AL AZIM EATING RESTAURANT PTE LTD")
        #expect(
            merchant("9 Harbor Lane\nRockford, IL 61101", foot: "Thank you for visiting Ovolo Grill")
                == "Ovolo Grill")
    }

    @Test("A label before a company is none of its name") func labelled() {
        #expect(
            merchant("Npedyzehe: NORDKAUF d.o.o.\n   Slavonska avenija 50\n   10000 Zagreb")
                == "NORDKAUF d.o.o.")
    }

    @Test(
        "A company above the things is the seller though another row looks more like a name",
        arguments: [
            ("ONUR HADIMLI\nOZEN ALISVERIS HIZMETLERI A.S.", "OZEN ALISVERIS HIZMETLERI A.S."),
            ("BIM BIRLESIK MAGAZALAR A.S.\nATAKUM\\SAMSUN", "BIM BIRLESIK MAGAZALAR A.S."),
        ])
    func companyAboveThings(head: String, name: String) {
        let fields = ReceiptFields(
            of: readText(
                """
                \(head)
                CUMHURIYET MAH. ALPARSLAN CAD. NO:2
                BUYUK MUKELLEFLER V.D 1750051846
                TARIH: 29.08.2010
                SAAT: 12:44
                FIS NO: 0055
                METRO 40 GR       %08    *0,55
                YERFISTIK         %08    *1,55
                TOPKDV                   *0,16
                TOPLAM                   *2,10
                NAKIT                    *2,10
                """))
        #expect(fields.merchant?.value == name)
    }

    @Test(
        "A slogan and what is sold are no names",
        arguments: [
            "Save money. Live better.", "Für mich und dich.", "More saving.", "EWHOLESALE", "RESTAURANT",
        ])
    func slogans(row: String) {
        let name = merchant("    \(row)\n   9 Harbor Lane\n   Rockford, IL 61101")
        #expect(name == nil)
    }

    @Test("A number of the seller's that was badly read is no name") func badNumber() {
        let name = merchant("GST NO zo o\n10 CASHIER STATION\n9 Harbor Lane\nRockford, IL 61101")
        #expect(name?.hasPrefix("GST") != true)
    }

    @Test("What a restaurant is stands below its name, and both are given") func nameAboveTrade() {
        let fields = ReceiptFields(
            of: readText(
                """
                        ANJAPPAR
                AUTHENTIC CHETTINAAD RESTAURANT
                (Unit of Maestro Soft Pte Ltd)
                #76,78 Race Lane Rd,SPore 218575
                Tel:+65 62965545 Fax:+65 62965575
                GST Reg. No. 200103698Z
                23/05/2013 18:51 ACA1 201305231
                Bill: A296102       Pax: 1
                1 Prawn Masala      10.00
                1 Garlic Naan        3.80
                SUBTTL              13.80
                TOTAL               13.80
                """))
        #expect(fields.merchant?.value == "ANJAPPAR AUTHENTIC CHETTINAAD RESTAURANT")
    }

    @Test("Who owns the shop that is named above is not the seller") func owner() {
        let head =
            "BAYSIDE RESTAURANT MANILA\nOwned by\nFRONTIER ORTIGAS\nHOTEL and RESORT CORP.\n9 Harbor Lane"
        #expect(merchant(head + "\nRockford, IL 61101") == "BAYSIDE RESTAURANT MANILA")
    }

    @Test(
        "What kind of print a row announces is no name",
        arguments: ["=CHECKING=", "** GUEST CHECK **", "TAGIHAN"])
    func notice(row: String) {
        #expect(
            merchant("\(row)\nCOPPER KETTLE RESTAURANT\n9 Harbor Lane\nRockford, IL 61101")
                == "COPPER KETTLE RESTAURANT")
    }

    @Test("A row that begins with its count as others do is a thing and no name") func counted() {
        let things = (1...8).map { "1 PATE H \($0) CERDO" }.joined(separator: "\n")
        #expect(merchant(things)?.contains("PATE") != true)
    }

    @Test(
        "A name in the first rows is said again by a website or by a row below, or is not",
        arguments: [
            ("Visit our new website Roadchef.com", "roadchef"), ("ROADCHEF", "roadchef"),
            ("ROADCHEF LIMITED 1234", "roadchef"), ("Thank you for your visit", nil),
        ] as [(String, String?)])
    func saidAgain(foot: String, name: String?) {
        let parser = ReceiptFieldParser(
            text: readText(
                """
                roadchef
                01327 879 0 1uth NN6 7UZ
                Date : 12 September 2019
                1 X RED BULL COCONUT   £1.80
                1 X NEW YORK DELI      £4.49
                To Pay:                £6.29
                \(foot)
                """), context: ReceiptContext(today: .distantPast))
        #expect(parser.nameSaidAgain().map { $0.map(\.text).joined(separator: " ") } == name)
    }

    @Test("The first row of a cut receipt is an item and no seller, as is the one below it")
    func cutHead() {
        let text = readText(
            """
            PAR BAKED RUSTIC ROLLS 3.29
            CANDY DK HONEY MINT 3.99
            OIL CANOLA 2.49
            FRESH TANGERINE JUICE QUARTS 3.49
            CRV 0.10
            GROUND TURKEY 4.22
            CHICKEN BREAKFAST SAUSAGE 2.99
            MONTEREY JACK 2.47
            SUBTOTAL $38.13
            $38.13
            """)
        #expect(ReceiptFields(of: text).merchant == nil)
    }
}

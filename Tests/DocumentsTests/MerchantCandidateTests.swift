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

    @Test(
        "Headings and greetings above a name are none of it",
        arguments: [
            "GUEST CHECK", "RECEIPT", "WELCOME", "TAX INVOICE", "Kassenbon", "For a Chance to WIN",
            "(Diganos en Español) N",
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
            "#03-18 HARBOR PLAZA\n68 ORCHARD ROAD 238839", "Adres siedziby: Polna 4, 62-080 Tarnowo",
        ])
    func streets(head: String) {
        #expect(merchant(head) == nil)
    }

    @Test(
        "What a cut head leaves, a label with its value or a thing above its price, is no name",
        arguments: [
            "rminal: POS 2", "Store: 987 - Rockford", "RESTAURANT", "1 x Friet Stoofvlees",
            "Oolong Milk Tea\n2              1.49     2.98", "Oolong Milk Tea\n(A\n2 @ 1.49          2.98",
        ])
    func cutHeads(head: String) {
        #expect(merchant(head) == nil)
    }

    @Test("A name above its website is the name, and a telephone behind it none of it")
    func besides() {
        #expect(
            merchant("    ovologrill\novologrill.co.nz\n9 Harbor Lane\nRockford, IL 61101") == "ovologrill")
        #expect(
            merchant("The Copper Kettle tel. 0107670800\n9 Harbor Lane\nRockford, IL 61101")
                == "The Copper Kettle")
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
}

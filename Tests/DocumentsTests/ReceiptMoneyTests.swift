import Foundation
import Testing
import TextTestSupport

@testable import Documents

/// Which sum is the total, and in which currency.
@Suite struct ReceiptMoneyTests {
    private func fields(_ sums: String, head: String = "9 Harbor Lane\nRockford, IL 61101") -> ReceiptFields {
        ReceiptFields(
            of: readText(
                """
                      The Copper Kettle
                \(head)
                03/22/2025  8:47 PM  Check 10442
                1 Fish Tacos              19.00
                1 House Salad              7.25
                \(sums)
                """))
    }

    @Test(
        "A lone digit behind the total, a lost mark and a letter for the sign do not hide it",
        arguments: [
            "Sub Total          26.25\nTax                 2.10\nTOTAL: 28.35 1",
            "Sub Total         $26.25\nTax                $2.10\nTOTAL             $28 35",
            "Sub Total         $26.25\nTax                S2.10\nTotal             $28.35",
        ])
    func spoiled(sums: String) {
        #expect(fields(sums).total?.value == Decimal(2835) / 100)
    }

    @Test("A whole number behind the word for it is the total where no other is")
    func whole() {
        let text = """
                   Nile Grill
               12 Tahrir St, Nasr City, Cairo
            Date 25/12/2021  20:11
            Koshary        2    40.00   80.00
            Kofta          1   122.00  122.00
            Total 202
            """
        #expect(ReceiptFields(of: readText(text)).total?.value == 202)
    }

    @Test(
        "A rule's limit, a sum of taxes and a second currency are no total",
        arguments: [
            ("PURCHASES UNDER $20.00 NO SIGNATURE", "20"), ("SUMA PTU  3.45", "3.45"),
            ("Total CHF 28.35\nTotal in Euro EUR 26.20", "26.2"),
        ])
    func others(row: String, value: String) {
        #expect(fields(row).total.map { "\($0.value)" } != value)
    }

    @Test("A total that nothing says again is misread where payment and items say one a digit away")
    func misread() {
        let text = """
                  real GmbH
               33100 Paderborn
            KAROTTENSALAT          1,19 E
            INDISCHES CHICKEN      3,99 E
            BROETCHEN              0,29 E
            SUMME EUR              5,17
            Bar EUR                5,47
            E 7,0%  0,36  5,11     5,47
            29.02.20 14:52
            """
        #expect(ReceiptFields(of: readText(text)).total?.value == Decimal(547) / 100)
    }

    @Test(
        "A total that was paid as misprinted is what items and the table of tax both come to, and stays where one of them differs",
        arguments: [("8,99", "7,55", "19.46"), ("8,95", "7,55", "19.16"), ("8,99", "7,51", "19.16")])
    func misprinted(item: String, base: String, total: String) {
        let text = """
                  real GmbH
               33100 Paderborn
            SEBAMED TROCKENE H     \(item) V
            INDISCHES CHICKEN      3,99 E
            WALNUESSE              3,49 E
            MANDARINEN             2,99 E
            SUMME EUR             19,16
            MasterCard EUR        19,16
            Mehrwertst.  ohne MwSt  mit MwSt
            V 19,0%  1,44  \(base)  8,99
            E  7,0%  0,68  9,79  10,47
            15.04.20 16:15
            """
        let found = ReceiptFields(of: readText(text))
        #expect(found.total.map { "\($0.value)" } == total)
        #expect(found.total?.printed == "EUR 19,16")
        let told = found.contradictions.contains { $0.hasPrefix("The total's row says 19.16") }
        #expect(told == (total == "19.46"))
    }

    @Test(
        "A total below a tip that it grew by is what is paid; of several tips to choose from none is",
        arguments: [
            ("Tip 18%            5.10\nTotal             33.45", 3345),
            ("Voluntary 18% Tip: 5.10\nplease adjust or remove\nTotal 33.45", 3345),
            ("Suggested tips\nTip 15%   4.25   Total 32.60\nTip 18%   5.10   Total 33.45", 2835),
        ])
    func grown(foot: String, cents: Int) {
        let sums = "Sub Total         26.25\nSales Tax          2.10\nTotal             28.35\n\(foot)"
        #expect(fields(sums).total?.value == Decimal(cents) / 100)
    }

    @Test(
        "The country says what \"$\" means, and without one it is open",
        arguments: [
            ("9 Harbor Lane\nRockford, IL 61101", "Tax", "USD"),
            ("9 Harbor Lane", "Sales Tax", "USD"), ("9 Harbor Lane", "Sales Tax 8.25%", "USD"),
            // No such rate in the United States.
            ("9 Harbor Lane", "Sales Tax 20%", nil),
            ("9 Harbor Lane\nHamilton, ON L8P 1A1", "HST 13%", "CAD"),
            ("9 Harbor Lane\nHST # 123456789RT0001", "HST 13%", "CAD"),
            ("9 Harbor Lane", "GST", nil),
        ] as [(String, String, String?)])
    func dollars(head: String, tax: String, currency: String?) {
        let sums = "Sub Total         $26.25\n\(tax)      $2.10\nTotal             $28.35"
        #expect(fields(sums, head: head).currency?.value == currency)
    }

    @Test(
        "Words that are spelled as currencies are none away from amounts",
        arguments: ["AM Dining RM", "Atatürk CAD No:12"])
    func words(row: String) {
        let found = fields("Total             28.35", head: "\(row)\n9 Harbor Lane").currency?.value
        #expect(found != "MYR" && found != "CAD")
    }

    @Test(
        "Signs are known in each country's spelling",
        arguments: [
            ("157.500₫", nil, "VND"), ("52,64zł", ",", "PLN"), ("189,00Kč", ",", "CZK"),
            ("US$5.00", ".", "USD"),
            ("CAD", ".", "CAD"), ("EGP", ".", "EGP"),
        ] as [(String, Character?, String)])
    func signs(word: String, mark: Character?, code: String) {
        #expect(PrintedAmount.sign(of: word, style: NumberStyle(decimalMark: mark))?.code == code)
    }
}

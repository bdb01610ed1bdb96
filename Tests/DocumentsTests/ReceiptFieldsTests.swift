import Foundation
import Imaging
import Testing
import TextRecognition
import TextTestSupport

@testable import Documents

/// Made-up receipts of ten layouts, written out as they would be printed.
@Suite struct ReceiptFieldsTests {
    private func decimal(_ text: String) -> Decimal? {
        Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// Items as "quantity|description|amount".
    private func items(_ fields: ReceiptFields) -> [String] {
        fields.items.map { "\($0.quantity.map { "\($0)" } ?? "")|\($0.description)|\($0.amount)" }
    }

    @Test("A discount with a mark is no day: it has no blank behind the mark")
    func amountAsDay() {
        let order = PrintedDate.Order(monthFirst: false)
        #expect(PrintedDate.find(in: "Disc. 2,35)", order: order) == nil)
        #expect(PrintedDate.find(in: "Dec. 2, 35", order: order)?.date.iso == "2035-12-02")
    }

    @Test("US supermarket: tax on top, month first, AM and PM")
    func unitedStates() {
        let fields = ReceiptFields(
            of: readText(
                """
                       MAPLE STREET MARKET
                        412 Maple Street
                       Rockford, IL 61101
                         (815) 555-0142
                07/04/2024        06:12 PM
                Receipt #: 0048213  Reg 2

                ORGANIC BANANAS            1.98 F
                WHOLE MILK 1 GAL           4.29 F
                PAPER TOWELS 6CT          11.49 T
                7 UP 2L                    2.19 T

                SUBTOTAL                  19.95
                TAX 8.25%                  1.13
                TOTAL                    $21.08
                VISA ************1881    $21.08
                CHANGE                    $0.00
                """))
        #expect(fields.merchant?.value == "MAPLE STREET MARKET")
        #expect(fields.address?.value == "412 Maple Street, Rockford, IL 61101")
        #expect(fields.phone?.value == "(815) 555-0142")
        #expect(fields.date?.value == "2024-07-04")
        #expect(fields.time?.value == "18:12")
        #expect(fields.currency?.value == "USD")
        #expect(
            items(fields) == [
                "|ORGANIC BANANAS|1.98", "|WHOLE MILK 1 GAL|4.29", "|PAPER TOWELS 6CT|11.49", "|7 UP 2L|2.19",
            ])
        #expect(fields.subtotal?.value == decimal("19.95"))
        #expect(fields.tax?.value == decimal("1.13"))
        #expect(fields.total?.value == decimal("21.08"))
        #expect(fields.payment?.value == "card")
        #expect(fields.receiptNumber?.value == "0048213")
        #expect(fields.contradictions.isEmpty)
        #expect((fields.total?.confidence ?? 0) > 0.97, "sums that agree raise the confidence")
    }

    @Test("US restaurant: tip and a grand total after the total")
    func restaurant() {
        let fields = ReceiptFields(
            of: readText(
                """
                      The Copper Kettle
                       9 Harbor Lane
                Table 12        Server Mia
                03/22/2025  8:47 PM  Check 10442
                2 Fish Tacos      9.50    19.00
                1 House Salad     7.25     7.25
                Sub Total                 26.25
                Sales Tax                  2.10
                Tip                        5.25
                Grand Total               33.60
                """))
        #expect(fields.date?.value == "2025-03-22")
        #expect(fields.time?.value == "20:47")
        #expect(items(fields) == ["2|Fish Tacos|19", "1|House Salad|7.25"])
        #expect(fields.items.first?.unitPrice == decimal("9.50"))
        #expect(fields.tip?.value == decimal("5.25"))
        #expect(fields.total?.value == decimal("33.60"))
        #expect(fields.merchant?.value == "The Copper Kettle")
    }

    @Test("UK shop: day first, VAT included, cash and change are not the total")
    func unitedKingdom() {
        let fields = ReceiptFields(
            of: readText(
                """
                Fennel & Rye Bakery
                18 Castle Terrace
                York YO1 9QL
                Tel: 01904 555 018
                VAT No 123 4567 89

                03/04/2024 14:05
                2 x Sourdough            £7.60
                Rye Loaf                 £3.95
                TOTAL                   £11.55
                CASH                    £20.00
                CHANGE                   £8.45
                VAT @ 20%                £1.93
                """))
        #expect(fields.date?.value == "2024-04-03")
        #expect(fields.phone?.value == "01904 555 018")
        #expect(fields.currency?.value == "GBP")
        #expect(items(fields) == ["2|Sourdough|7.6", "|Rye Loaf|3.95"])
        #expect(fields.total?.value == decimal("11.55"))
        #expect(fields.tax?.value == decimal("1.93"))
        #expect(fields.payment?.value == "cash")
        #expect(fields.subtotal == nil)
        #expect(fields.contradictions.isEmpty)
    }

    @Test("German supermarket: decimal comma, quantity above the item, tax table")
    func germany() {
        let fields = ReceiptFields(
            of: readText(
                """
                     Kaufhalle Lindenhof
                      Birkenweg 14
                     99084 Erfurt
                   Tel. 0361/5550199
                                 EUR
                Joghurt Natur        0,79 B
                2 x 1,49
                Roggenbrot           2,98 B
                0,482 kg x 2,99 EUR/kg
                Äpfel                1,44 B
                Pfand                0,25-A
                Summe                4,96
                Geg. Girocard        4,96
                MwSt 7% 4,64 0,32
                Datum 15.03.24 17.32 Uhr
                Beleg-Nr. 004711
                """))
        #expect(fields.merchant?.value == "Kaufhalle Lindenhof")
        #expect(fields.address?.value == "Birkenweg 14, 99084 Erfurt")
        #expect(fields.phone?.value == "0361/5550199")
        #expect(fields.date?.value == "2024-03-15")
        #expect(fields.time?.value == "17:32")
        #expect(fields.currency?.value == "EUR")
        #expect(items(fields).prefix(3) == ["|Joghurt Natur|0.79", "2|Roggenbrot|2.98", "0.482|Äpfel|1.44"])
        #expect(fields.total?.value == decimal("4.96"))
        #expect(fields.tax?.value == decimal("0.32"))
        #expect(fields.payment?.value == "card")
        #expect(fields.receiptNumber?.value == "004711")
    }

    @Test("French café: space for thousands, TTC and HT")
    func france() {
        let fields = ReceiptFields(
            of: readText(
                """
                Brasserie du Moulin
                3 rue des Tilleuls
                35000 Rennes
                Tél : 02 99 55 50 12
                Facture 2024-118
                12 juillet 2024 13h20
                Banquet 12 couverts   1 140,00 €
                Café x12                 30,00 €
                Total HT              1 063,64 €
                TVA 10%                 106,36 €
                Total TTC             1 170,00 €
                Carte bancaire        1 170,00 €
                """))
        #expect(fields.date?.value == "2024-07-12")
        #expect(fields.time?.value == "13:20")
        #expect(fields.phone?.value == "02 99 55 50 12")
        #expect(items(fields) == ["|Banquet 12 couverts|1140", "|Café x12|30"])
        #expect(fields.subtotal?.value == decimal("1063.64"))
        #expect(fields.tax?.value == decimal("106.36"))
        #expect(fields.total?.value == decimal("1170.00"))
        #expect(fields.payment?.value == "card")
    }

    @Test("Japanese style: no decimals, year first")
    func japan() {
        let fields = ReceiptFields(
            of: readText(
                """
                スーパー みどり
                電話 03-5550-0123
                2024年03月15日 19:08
                おにぎり             ¥150
                緑茶                 ¥128
                弁当                 ¥1,280
                小計                 ¥1,558
                消費税               ¥124
                合計                 ¥1,682
                お預り               ¥2,000
                お釣り               ¥318
                """))
        #expect(fields.merchant?.value == "スーパー みどり")
        #expect(fields.date?.value == "2024-03-15")
        #expect(fields.time?.value == "19:08")
        #expect(fields.currency?.value == "JPY")
        #expect(fields.items.map(\.amount) == [150, 128, 1280])
        #expect(fields.subtotal?.value == 1558)
        #expect(fields.tax?.value == 124)
        #expect(fields.total?.value == 1682)
        #expect(fields.payment?.value == "cash")
        #expect(fields.contradictions.isEmpty)
    }

    @Test("Swiss style: apostrophe for thousands, a code before the amount")
    func switzerland() {
        let fields = ReceiptFields(
            of: readText(
                """
                Sporthaus Gipfel AG
                Talstrasse 5
                7270 Davos
                21.12.2024 10:15:42
                Tourenski Modell 8    CHF 1'249.00
                Felle                   CHF 189.50
                Total                 CHF 1'438.50
                Karte                 CHF 1'438.50
                """))
        #expect(fields.time?.value == "10:15:42")
        #expect(fields.currency?.value == "CHF")
        #expect(items(fields) == ["|Tourenski Modell 8|1249", "|Felle|189.5"])
        #expect(fields.total?.value == decimal("1438.50"))
        #expect((fields.total?.confidence ?? 0) > 0.97)
    }

    @Test("Hardware store: quantity and price of one below the description, a discount")
    func quantityBelow() {
        let fields = ReceiptFields(
            of: readText(
                """
                GRANITE HARDWARE
                77 Quarry Road
                Dunhill 40112
                Date 2025-01-09
                WOOD SCREWS 4X40
                  3 @ 2.50             7.50
                PAINT ROLLER           8.99
                DISCOUNT              -1.50
                SUBTOTAL              14.99
                TOTAL                 14.99
                Gift Card             14.99
                """))
        #expect(fields.date?.value == "2025-01-09")
        #expect(items(fields) == ["3|WOOD SCREWS 4X40|7.5", "|PAINT ROLLER|8.99", "|DISCOUNT|-1.5"])
        #expect(fields.total?.value == decimal("14.99"))
        #expect(fields.payment?.value == "voucher")
        #expect(fields.contradictions.isEmpty)
    }

    @Test("A total printed large stands in the row below its label")
    func totalBelowItsLabel() {
        let fields = ReceiptFields(
            of: readText(
                """
                Parkhaus Nord
                Einfahrt 02.05.2024 09:10
                Parkgebühr             6,50
                GESAMT
                        6,50 €
                """))
        #expect(fields.total?.value == decimal("6.50"))
        #expect(fields.date?.value == "2024-05-02")
    }

    @Test("Dutch style, letters read for digits inside amounts")
    func misreadDigits() {
        let fields = ReceiptFields(
            of: readText(
                """
                Bloemenhuis Tulp
                Kade 3
                5 mei 2024
                Rozen                 l2,5O
                Vaas                  24,00
                Totaal                36,50
                PIN                   36,50
                """))
        #expect(fields.date?.value == "2024-05-05")
        #expect(items(fields) == ["|Rozen|12.5", "|Vaas|24"])
        #expect(fields.total?.value == decimal("36.50"))
        #expect(fields.payment?.value == "card")
    }

    @Test("Sums that do not agree are reported and lower the confidence")
    func contradiction() {
        let fields = ReceiptFields(
            of: readText(
                """
                Corner Shop
                Tea           2.00
                Milk          1.00
                Subtotal      4.00
                Tax           0.30
                TOTAL         9.30
                """))
        #expect(fields.contradictions.count == 2)
        #expect(fields.total?.value == decimal("9.30"), "what is printed is reported, not what it should be")
        #expect((fields.total?.confidence ?? 1) < 0.6)
    }

    @Test("A total that the sums make is surer than one that they contradict")
    func agreement() {
        func fields(_ total: String) -> ReceiptFields {
            ReceiptFields(
                of: readText(
                    """
                    Corner Shop
                    Tea           2.00
                    Milk          1.00
                    Subtotal      3.00
                    Tax           0.30
                    TOTAL         \(total)
                    """))
        }
        let (right, wrong) = (fields("3.30"), fields("9.30"))
        #expect(right.contradictions.isEmpty && !wrong.contradictions.isEmpty)
        #expect((wrong.total?.confidence ?? 1) + 0.1 < right.total?.confidence ?? 0)
    }

    @Test(
        "A date whose day and month may be exchanged is not sure without a country",
        arguments: ["03/04/2024", "05-06-23"])
    func ambiguousDate(printed: String) throws {
        let fields = ReceiptFields(
            of: readText(
                """
                Corner Shop
                \(printed)
                Tea           2.00
                TOTAL         2.00
                """))
        #expect(fields.country == nil)
        #expect(try #require(fields.date).confidence <= ConfidenceCeiling.ambiguousDate)
    }

    @Test(
        "What stands behind a name's legal form is none of it",
        arguments: [
            ("NORTHERN TEA TRADING SDN BHD 19 Mar", "NORTHERN TEA TRADING SDN BHD"),
            ("Delta Realties Sdn Bhd (Co. No:20154-T)", "Delta Realties Sdn Bhd"),
            ("FOUR RIVERS RESTAURANT SDN DHD", "FOUR RIVERS RESTAURANT SDN BHD"),
            // A form of its own, though one letter from Singapore's.
            ("EUREKA OPERATIONS PTY LTD", "EUREKA OPERATIONS PTY LTD"),
            ("SABRINA DOLCI SRL - P.U. Via OBERDAN", "SABRINA DOLCI SRL"),
            ("DROGARIA SAO PAULO SA CNPJ-61.412.110/0855-50", "DROGARIA SAO PAULO SA"),
        ])
    func legalForm(printed: String, name: String) {
        let fields = ReceiptFields(
            of: readText(
                """
                \(printed)
                12, JALAN BESAR
                81750 JOHOR BAHRU
                TEA              RM 2.00
                TOTAL            RM 2.00
                """))
        #expect(fields.merchant?.value == name)
    }

    @Test(
        "An address ends with the country's name, and a name that begins inside a bracket with the row above")
    func ends() {
        let fields = ReceiptFields(
            of: readText(
                """
                LIM HARDWARE TRADING (BUKIT
                INDAH) SDN BHD
                822737-X
                No 8, Jalan Razak
                56000 Kuala Lumpur, Malaysia
                AMPANG CENTRE
                TEA              RM 2.00
                TOTAL            RM 2.00
                """))
        #expect(fields.merchant?.value == "LIM HARDWARE TRADING (BUKIT INDAH) SDN BHD")
        #expect(fields.address?.value == "No 8, Jalan Razak, 56000 Kuala Lumpur, Malaysia")
    }

    @Test("Without a label there is no total, however large a number is")
    func noTotal() {
        let fields = ReceiptFields(
            of: readText(
                """
                Corner Shop
                Tea           2.00
                Watch       999.00
                Total items      2
                """))
        #expect(fields.total == nil && fields.tax == nil && fields.date == nil && fields.currency == nil)
        #expect(fields.items.count == 2)
    }

    @Test("Nothing read gives no fields, and says of each why")
    func nothing() {
        var fields = ReceiptFields(of: readText(""))
        #expect(!fields.missing.isEmpty)
        fields.missing = [:]
        #expect(fields == ReceiptFields())
    }

    @Test("Fields survive JSON")
    func coding() throws {
        let fields = ReceiptFields(of: readText("Corner Shop\nTea   2.05\nTotal  2.05"))
        let coded = try JSONEncoder().encode(fields)
        #expect(try JSONDecoder().decode(ReceiptFields.self, from: coded) == fields)
    }
}

@Suite struct PrintedAmountTests {
    @Test(
        "Amounts in many spellings",
        arguments: [
            ("12.50", ".", "12.5"), ("1,234.50", ".", "1234.5"), ("1.234,50", ",", "1234.5"),
            ("€3,50", ",", "3.5"),
            ("3,50€", ",", "3.5"), ("-2.00", ".", "-2"), ("2.00-", ".", "-2"), ("($4.25)", ".", "-4.25"),
            ("1'249.00", ".", "1249"), ("¥1,280", "", "1280"), ("1O.5O", ".", "10.5"), ("0.05", ".", "0.05"),
            ("$1,234,567.89", ".", "1234567.89"),
        ])
    func spellings(word: String, mark: String, value: String) {
        let amount = PrintedAmount(word, style: NumberStyle(decimalMark: mark.first))
        #expect(amount?.value == Decimal(string: value, locale: Locale(identifier: "en_US_POSIX")))
    }

    @Test(
        "What is no amount",
        arguments: [
            "", "Tea", "SOLO", "12.05.24", "1.2.3.4", "12..50", "1,23,456.00", "12.345.6", "-", "€", "9.",
            "٣.٥٠",
        ])
    func noAmounts(word: String) {
        #expect(PrintedAmount(word, style: NumberStyle(decimalMark: "."))?.isCertain != true)
    }
}

@Suite struct DeadlineTests {
    private func fields(_ foot: String) -> ReceiptFields {
        ReceiptFields(
            of: readText(
                """
                     The Copper Kettle
                       9 Harbor Lane
                     Rockford, IL 61101
                2 Fish Tacos      9.50    19.00
                1 House Salad     7.25     7.25
                SUBTOTAL                  26.25
                A 8.625% TAX               2.26
                TOTAL                    $28.51
                \(foot)
                """))
    }

    @Test(
        "A day on which something ends is not that of the receipt",
        arguments: [
            "LAST VALID RETURN DATE IS:\n       07/20/13", "Coupon expires 07/20/13",
            "TOTAL UP T0 07/20/13 62",
            "OFFER VALID THRU 07/20/13",
            "Umtausch bis 20.07.13", "RETURNS WITH RECEIPT THRU 07/20/13",
        ])
    func deadline(foot: String) { #expect(fields(foot).date == nil) }

    @Test(
        "Words that only sound like a deadline take no day away",
        arguments: [
            "DRIVE THRU\n07/20/13 8:35 PM", "Cascade Mall 07/20/13", "EXPRESS LANE 4\n07/20/13 8:35 PM",
        ])
    func noDeadline(foot: String) { #expect(fields(foot).date?.value == "2013-07-20") }

    @Test("Of two days the one beside a time counts, wherever it stands")
    func dayWithTime() {
        let fields = fields(
            "Any points collected\nfrom 19/07/19 onwards will be\nallocated later\n8/08/19 12:26 3095 074 9074"
        )
        #expect(fields.date?.value == "2019-08-08")
    }

    @Test("Of a day and a deadline in one row the day counts")
    func both() {
        #expect(fields("04/21/2013 04:13 PM EXPIRES 07/20/13").date?.value == "2013-04-21")
    }

    @Test("A tax of 8.625 % is none of 25 %: it may be of the United States")
    func rate() {
        #expect(fields("").currency?.value == "USD")
        #expect(RowShapes.rate(in: "T = CA TAX 8.6250% on 7.49") == Decimal(string: "8.625"))
        #expect(RowShapes.rate(in: "12345%") == nil)
    }
}

@Suite struct CutTotalTests {
    private func total(_ printed: String) -> Decimal? {
        ReceiptFields(
            of: readText(
                """
                    HOLLOWAY CAFE & SPORTS BAR
                Date: 09/08/2017  Time: 12:45 PM
                SODA                       2.49
                CHEESE STEAK              10.49
                CHICKEN STEAK             12.24
                SUB-TOTAL                 25.22
                Total Tax                  1.74
                TOTAL                     \(printed)
                         THANK YOU!
                """)
        ).total?.value
    }

    @Test("A total of which the cents were not read, and which subtotal and tax contradict, is not given")
    func cut() {
        #expect(total("26") == nil)
        #expect(total("26.96") == Decimal(string: "26.96"))
        #expect(total("31") == nil)
    }
}

@Suite struct PrintedDateTests {
    @Test(
        "Dates in many orders",
        arguments: [
            ("13/02/2025", true, "2025-02-13"), ("02/13/2025", false, "2025-02-13"),
            ("03/04/2024", true, "2024-03-04"),
            ("03/04/2024", false, "2024-04-03"), ("2024-03-15", false, "2024-03-15"),
            ("15.03.24", true, "2024-03-15"),
            ("15 Mar 2024", false, "2024-03-15"), ("March 5, 2024", false, "2024-03-05"),
            ("1. Mai 2024", false, "2024-05-01"),
            ("29/02/2024", false, "2024-02-29"), ("12 août 2023", false, "2023-08-12"),
            ("7 Juin 2023", false, "2023-06-07"), ("7 Juillet 2023", false, "2023-07-07"),
            ("2 Julai 2023", false, "2023-07-02"), ("2 ottobre 2023", false, "2023-10-02"),
            ("2 out 2023", false, "2023-10-02"), ("2 maart 2023", false, "2023-03-02"),
        ])
    func orders(text: String, monthFirst: Bool, iso: String) {
        #expect(
            PrintedDate.find(in: "Date " + text + " x", order: .init(monthFirst: monthFirst))?.date.iso == iso
        )
    }

    @Test(
        "Tills print the name, the day and two digits of the year, and their own number before it",
        arguments: [
            ("13:35:22 Ven., 28 Avril 2017", "2017-04-28"), ("Feb23'19 10:23AM", "2019-02-23"),
            ("#04 MAR.19'17", "2017-03-19"),
            ("#02 MAY.21'19 12:31", "2019-05-21"), ("Jun 26, 15 04:55 PM", "2015-06-26"),
            ("26FEB'19", "2019-02-26"), ("3:48PM   MAR 29/13", "2013-03-29"), ("Dec-15-2018", "2018-12-15"),
            ("Order #12 03/04/2019", "2019-04-03"),
            ("12/05/2567", "2024-05-12"), ("令和6年2月11日", "2024-02-11"),
            ("07.09 2025 15:00 DOC N 2228", "2025-09-07"),
            ("Datum 11,12.2025 17:37:28", "2025-12-11"),
            ("2070372013 14:28:20 CCF:06251", "2013-03-20"), ("10/0672013 17: 16", "2013-06-10"),
            ("260ct 16 12:45", "2016-10-26"), ("12 Apr11 2018 04:17", "2018-04-12"),
            ("12Apr11", "2011-04-12"), ("12Apr11 14:17", "2011-04-12"),
            ("20220813(土) 12:50", "2022-08-13"), ("20220813 12:50:01", "2022-08-13"),
        ])
    func tills(text: String, iso: String) {
        #expect(PrintedDate.find(in: text, order: .init(monthFirst: false))?.date.iso == iso)
    }

    @Test("A thing's name that begins as a month does, and its price, are no date")
    func names() {
        #expect(PrintedDate.find(in: "2 Marinara 12.99", order: .init(monthFirst: true)) == nil)
    }

    @Test("Where the year may stand first, the reading nearest before today is taken")
    func yearFirst() throws {
        var order = PrintedDate.Order(monthFirst: false, yearFirst: true)
        order.today = try #require(PrintedDate(year: 2026, month: 6, day: 30))
        #expect(PrintedDate.find(in: "26/02/11", order: order)?.date.iso == "2026-02-11")
        #expect(PrintedDate.find(in: "03/04/19", order: order)?.date.iso == "2019-04-03")
        order.yearFirst = false
        #expect(PrintedDate.find(in: "26/02/11", order: order)?.date.iso == "2011-02-26")
    }

    @Test("A day after today gives way to the other order")
    func future() throws {
        var order = PrintedDate.Order(monthFirst: false)
        order.today = PrintedDate(year: 2024, month: 6, day: 30)
        let date = try #require(PrintedDate.find(in: "05/11/2024", order: order)?.date)
        #expect(date.iso == "2024-05-11" && !date.isAmbiguous)
    }

    @Test("A year of two digits that is to come is one of the Thai calendar where that is not long ago")
    func thaiYears() throws {
        var order = PrintedDate.Order(monthFirst: false)
        order.today = PrintedDate(year: 2026, month: 6, day: 30)
        func year(_ text: String) -> Int? { PrintedDate.find(in: text, order: order)?.date.year }
        #expect(year("30/06/68 20:52") == 2025 && year("30/06/62") == 2019)
        #expect(year("30/06/24") == 2024 && year("30/06/45") == 2045)
        // An article's number is no day.
        #expect(PrintedDate.find(in: "20220813 12.50", order: order) == nil)
        #expect(PrintedDate.find(in: "Order #20220813 12:50", order: order) == nil)
    }

    @Test("The day that a receipt is read decides what its date may mean")
    func today() throws {
        let text = readText("Corner Shop\nDate 05/11/2024\nTea   2.00\nTotal 2.00")
        func date(_ day: String) throws -> String? {
            let today = try Date(day, strategy: .iso8601.year().month().day())
            return ReceiptFields(of: text, context: ReceiptContext(today: today)).date?.value
        }
        #expect(try date("2024-06-30") != date("2024-12-31"))
    }

    /// What is printed leaves open which day the date is, and whose dollars the amounts are.
    private let openReceipt = "Corner Shop\nDate 03/04/2024\nTea   $2.00\nBread   $3.50\nTotal   $5.50"

    @Test(
        "A known country decides what print leaves open, and a known currency comes before the country's",
        arguments: [
            ("US", nil, "2024-03-04", "USD"), ("CA", nil, "2024-03-04", "CAD"),
            ("AU", nil, "2024-04-03", "AUD"), ("AU", "NZD", "2024-04-03", "NZD"),
            // "$" is no sign of the euro.
            ("DE", nil, "2024-04-03", nil),
        ] as [(String, String?, String, String?)])
    func knownCountry(country: String, currency: String?, day: String, expected: String?) {
        let known = ReceiptContext(country: country, currency: currency)
        let fields = ReceiptFields(of: readText(openReceipt), context: known)
        #expect(fields.date?.value == day)
        #expect(fields.ambiguous.isEmpty)
        #expect(fields.currency?.value == expected)
        #expect(fields.country == nil, "which print does not show")
    }

    @Test("Without a known country a date and a sign stay open")
    func unknownCountry() {
        let fields = ReceiptFields(of: readText(openReceipt))
        #expect(fields.ambiguous["date"]?.sorted() == ["2024-03-04", "2024-04-03"])
        #expect(fields.currency == nil)
    }

    @Test("A known currency is that of amounts without a sign, and never that of a sign of another")
    func knownCurrency() {
        func currency(_ print: String) -> String? {
            ReceiptFields(of: readText(print), context: ReceiptContext(currency: "CHF")).currency?.value
        }
        #expect(currency("Corner Shop\nTea   2.00\nBread   3.50\nTotal   5.50") == "CHF")
        #expect(currency("Corner Shop\nTea   2.00 €\nBread   3.50 €\nTotal   5.50 €") == "EUR")
        #expect(currency("Corner Shop\nopen all day") == nil, "there is no amount")
    }

    @Test("What print shows of a country comes before the known one")
    func printedCountry() {
        let text = readText(
            "MAPLE STREET MARKET\n412 Maple Street\nRockford, IL 61101\n(815) 555-0142\nDate 03/04/2024\nTotal   $5.50\nSales Tax   $0.50"
        )
        let fields = ReceiptFields(of: text, context: ReceiptContext(country: "AU"))
        #expect(fields.date?.value == "2024-03-04")
        #expect(fields.currency?.value == "USD")
    }

    @Test(
        "Days that no calendar has are no dates",
        arguments: ["30/02/2024", "29.02.2023", "00/01/2024", "45/45/2024", "12.5.1"])
    func impossible(text: String) {
        #expect(PrintedDate.find(in: text, order: .init(monthFirst: false)) == nil)
    }

    @Test(
        "Times",
        arguments: [
            ("14:05", "14:05"), ("2:05 PM", "14:05"), ("12:00 am", "00:00"), ("13h20", "13:20"),
            ("17.32 Uhr", "17:32"),
            ("10:15:42", "10:15:42"),
        ])
    func times(text: String, iso: String) {
        #expect(PrintedDate.findTime(in: "at " + text)?.time == iso)
    }

    @Test("Amounts and numbers are no times", arguments: ["12.50", "25:10", "13:61", "1:234", "13:05 PM"])
    func noTimes(text: String) {
        #expect(PrintedDate.findTime(in: text) == nil)
    }
}

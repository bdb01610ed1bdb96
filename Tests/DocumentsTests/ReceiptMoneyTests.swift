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

    @Test("A total with a digit too many is not given") func digitTooMany() {
        #expect(
            fields("Subtotal          164.62\nTax                6.51\nTOTAL           1831.13").total == nil)
    }

    @Test("A total whose sign was misread is no sum in a second currency")
    func misreadSign() {
        let fields = ReceiptFields(
            of: readText(
                """
                TESCO
                South Plaza Express
                VAT Number: GB 220 4302 31
                Warburtons Danish Sliced     £1.40
                TOTAL:                       €1.40
                Card                         £1.40
                23/02/2025 14:48
                """))
        #expect(fields.total?.value == Decimal(string: "1.4"))
        #expect(fields.currency?.value == "GBP")
    }

    @Test("A sum converted to another currency is not the total, nor its currency the receipt's")
    func converted() {
        let fields = ReceiptFields(
            of: readText(
                """
                RISTORANTE PIZZERIA
                Hofmattweg 6  CH-6010 Kriens
                Telefon +41 (0)41 320 34 34
                www.pizzeria-hofmatt.ch
                14.09.2022 Kasse 1
                3 Stange            4.90   14.70
                4 Pizza            25.90  103.60
                Zwischensumme             118.30
                Total in Euro             112.67
                Bar-Tntal CHE             118.30
                MwSt. 7.7%                  8.46
                CHE-102.716.802 MWST
                Herzlichen Dank
                """))
        #expect(fields.total?.value == Decimal(11830) / 100)
        #expect(fields.currency?.value == "CHF")
    }

    @Test("A sum that is to be paid is the total, whatever was read of the word before it")
    func payable() {
        let fields = ReceiptFields(
            of: readText(
                """
                ГОСТЕВОЙ СЧЕТ
                Открыт: 17.03.2022 12:44
                ЛАГМАН            1   1290,00
                Чай ташкентский   1    750,00
                Полная сумма:         2040,00
                Обслуживание 10%       204,00
                ОПЛАТЕ:               2244,00
                СПАСИБО!
                """))
        #expect(fields.total?.value == 2244)
    }

    @Test(
        "A country's own tax numbers and sign tell the currency where none is printed",
        arguments: [
            ("142-85-08846\n2023-10-15 16:13", "TOTAL     22,670", "KRW"),
            ("OIB: 89936314980\n23.10.2011 14:05", "UKUPNO    134.00", "HRK"),
            ("RECEIPT/TAX INVOICE (ABB)\nOne Bangkok\n30/01/2025 13:10", "Total    955.19", "THB"),
            (
                "12 Apr 2018 14:17", "2 Sprite        R38.00\n1 Beef        R80.00\nTotal        R118.00",
                "ZAR"
            ),
        ]) func ownNumbers(head: String, sums: String, currency: String)
    {
        #expect(ReceiptFields(of: readText("THE SHOP\n\(head)\n\(sums)\n")).currency?.value == currency)
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

    @Test("Amounts with one digit behind the mark are amounts where all are written so")
    func tenths() {
        let text =
            "Copper Kettle\n1 ENTREE   39.0\n1 STRIPLOIN   78.0\n1 WINE   15.0\nSubtotal   132.0\nTOTAL   132.0"
        let fields = ReceiptFields(of: readText(text))
        #expect(fields.total?.value == 132 && fields.items.map(\.amount) == [39, 78, 15])
    }

    @Test("Thousands that are set apart by a space alone are one amount")
    func spacedThousands() {
        let text =
            "THUC COFFEE\n22 Quang Trung, Go Vap\n1 TEA   35 000\n1 CAKE   20 000\nTien Thanh Toan :   55 000\nKhach dua:   55 000"
        let fields = ReceiptFields(of: readText(text))
        #expect(fields.total?.value == 55_000 && fields.items.map(\.amount) == [35_000, 20_000])
    }

    @Test("A blank behind the mark of thousands parts no amount, and RP is rupiah as Rp is")
    func blankBehindMark() {
        let text =
            "SATE LESTARI\n1 Sate kambing   74,000\n1 Es teh   16,000\nSUBTOTAL   90,000\nTOTAL   90, 000\nTUNAI   RP100,000"
        let fields = ReceiptFields(of: readText(text))
        #expect(fields.total?.value == 90_000 && fields.currency?.value == "IDR")
        #expect(fields.items.map(\.amount) == [74_000, 16_000])
    }

    @Test(
        "Thousands and fraction with one mark, and a speck before the class of tax, leave amounts what they are"
    )
    func oddMarks() {
        let alike =
            "UMAKU SUSHI\n1 GUNKAN SET   89.000.00\n1 SAKE   95.000.00\nSubtotal   184.000.00\nTotal   184.000.00"
        #expect(ReceiptFields(of: readText(alike)).total?.value == 184_000)
        let specked = "Kilronan\nCarrots   0.90 A\n2 Kebabs   1.99.A\nTurnip   0.89 A\nTOTAL   3.78"
        let fields = ReceiptFields(of: readText(specked))
        #expect(fields.items.map(\.amount) == [Decimal(90) / 100, Decimal(199) / 100, Decimal(89) / 100])
    }

    @Test("Several deductions below a subtotal are one, where together they lead to the total")
    func severalDiscounts() {
        let text =
            "Drogerie Olm\n4015400622772 PAMPERS 3,49 A\n4305615207124 HUSTENTEE 0,55 B\n4305615248172 TEE 1,99 B\nZWS 6,03\nCoupon Pampers -2,00\n10% AUF ALLES COUPON -0,40\n10% AUF ALLES COUPON -0,40\nTotal 3,23\nBar 5,00"
        let fields = ReceiptFields(of: readText(text))
        #expect(fields.discount?.value == Decimal(280) / 100)
        #expect(fields.subtotal?.value == Decimal(603) / 100 && fields.contradictions.isEmpty)
    }

    @Test("Service that looks like a tax is service")
    func serviceCharge() {
        let sums = "SUB-TOTAL 26.25\nSVC (10%) 2.63\nROUNDING 0.02\nTOTAL 28.90"
        let found = fields(sums)
        #expect(found.tax == nil && found.service?.value == Decimal(263) / 100)
    }

    @Test("What another sheet shows behind the total hides it not")
    func beforeOthers() {
        #expect(fields("Sub Total  £26.25\nTOTAL  £26.25  DG 25 May").total?.value == Decimal(2625) / 100)
    }

    @Test("The state's half of a tax counts beside the centre's, and a rate without its sign is one")
    func halves() {
        let sums = "TOTAL 480.00\nCGST @ 2.50% ON 457.14 11.43\nSGST @ 2.50% ON 457.14 11.43"
        let text = "Mahal Ranchi\n1 Biryani 440.00\n1 Cola 40.00\n" + sums
        #expect(ReceiptFields(of: readText(text)).tax?.value == Decimal(2286) / 100)
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

    @Test("What was sold at each rate is neither a tax nor a discount, and makes the total")
    func taxedSums() {
        func fields(_ sums: String) -> ReceiptFields {
            ReceiptFields(
                of: readText(
                    """
                         SKLEP BOROWIK Sp. z o.o.
                    ul. Zniwna 5, 62-025 Kostrzyn
                       PARAGON FISKALNY
                    KAWA         A 1 x69,99  69,99A
                    REKLAMOWKA   A 1 x0,79    0,79A
                    CHLEB        C 1 x3,99    3,99C
                    \(sums)
                    2025-12-01 19:49
                    """))
        }
        let sums =
            "SPRZEDAZ OPODATKOWANA A  70,78\nSPRZEDAZ OPODATKOWANA C   3,99\nPTU A 23%  13,24\nPTU C 5%  0,19\nSUMA PTU  13,43"
        let whole = fields("\(sums)\nSUMA PLN  74,77")
        #expect(whole.total?.value == Decimal(7477) / 100 && whole.tax?.value == Decimal(1343) / 100)
        #expect(whole.discount == nil && whole.items.count == 3)
        // The sum of the taxes is what is printed as such, however the others are read.
        #expect(fields(sums.replacing("0,19", with: "0,79")).tax?.value == Decimal(1343) / 100)
    }

    @Test("Of two rows at one rate the tax is the one that is the rate's share of the other")
    func baseAndTax() {
        let sums =
            "Sub Total        26.25\nService Tax 6% Sales  26.25\nService Tax 6% Amount  1.58\nTotal            27.83"
        #expect(fields(sums).tax?.value == Decimal(158) / 100)
    }

    @Test("A tax that is included, and a price without a word, are no total where none is printed")
    func cutBelow() {
        #expect(fields("This receipt includes GST of $15.51").total == nil)
        #expect(fields("1 Bread                    2.00\n1 Milk                     2.00").total == nil)
    }

    @Test(
        "The number of a seller's tax tells the country, and it what '$' means",
        arguments: [
            ("Tax Invoice - GST No. 44-833-938", "NZ", "NZD"), ("GST#126-924-976", "NZ", "NZD"),
            ("VAT REG NO. 4450241109", "ZA", nil),
        ] as [(String, String, String?)])
    func taxNumbers(row: String, country: String, currency: String?) {
        let fields = ReceiptFields(
            of: readText(
                """
                      The Copper Kettle
                      9 Harbor Lane
                \(row)
                22/03/2025  20:47
                Fish Tacos               $19.00
                House Salad               $7.25
                Total                    $26.25
                """))
        #expect(fields.country?.value == country && fields.currency?.value == currency)
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

    @Test("A total that lost its mark has that of the same subtotal, and a point read as a comma is a point")
    func marksOfTotals() {
        let lost = fields("SUBTOTAL         58.23\nTOTAL            5823", head: "9 Harbor Lane")
        #expect(lost.total?.value == Decimal(5823) / 100)
        let style = NumberStyle(words: ["$56,809.50", "$64,055,76"])
        #expect(PrintedAmount("$64,055,76", style: style)?.value == Decimal(6_405_576) / 100)
        // Without its sign it may be any number.
        #expect(PrintedAmount("64,055,76", style: style) == nil)
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

    @Test("The sum of a table of taxes is the tax, however its lines were read") func sumOfTable() {
        let fields = fields(
            """
            SUBTOTAL                372,49
            Sum 12 varer            372,49
            BANK                    372,49
            Mva%  Grunnlag  Mva    Totalt
            15.00  12 34  8 18:52  142:00
            25,00  179,59  44,90   224,49
            SUM    309,07  63,42   372,49
            """)
        #expect(fields.tax?.value == Decimal(6342) / 100)
    }

    @Test("A printed rounding is no misreading of the total") func rounding() {
        let fields = ReceiptFields(
            of: readText(
                """
                  SOLLI KOLONIAL AS
                ORG NR. 915 852 467 MVA
                17.11.12 18:08   Kasse:001
                TACO DINNER      15%     31,90
                BROKKOLI PK      15%    101,30
                SUBTOTAL                133,20
                OREAVRUNDING             -0,20
                Sum 2 varer             133,00
                KONTANT                 200,00
                TILBAKE                  67,00
                Mva%  Grunnlag  Mva    Totalt
                15,00  115,83   17,37  133,20
                """))
        #expect(fields.total?.value == 133)
        #expect(fields.rounding?.value == Decimal(-20) / 100)
    }

    @Test("A total that is said to be rounded is what is paid") func rounded() {
        let sums =
            "Sub Total         26.25\nSales Tax          2.10\nBill Total        28.35\nBill Total (rounded)  28.00"
        #expect(fields(sums).total?.value == 28)
    }

    @Test("India's two equal taxes count twice beside a third") func splitTaxes() {
        let sums = """
            Sub Total       8086.00
            Service Charge 10%  808.60
            CGST2.5 2.5%     114.65
            SGST2.5 2.5%     114.65
            VAT 10%          350.00
            Bill Total      9473.90
            """
        #expect(
            fields(sums, head: "9 Harbor Lane\nMumbai 400001\nGSTIN 27AAACC8021G1Z5").tax?.value == Decimal(
                57930) / 100)
    }

    @Test("Letters behind an amount in dollars are a class of tax and no forint") func foodAndTax() {
        let sums =
            "OATMILK    $3.99 FT\nSub Total         $26.25\nSales Tax          $2.10\nTotal             $28.35"
        #expect(fields(sums, head: "9 Harbor Lane\nRockford, IL 61101").currency?.value == "USD")
    }

    @Test(
        "Before a country took the euro its receipts are in its own money",
        arguments: [("25.04.2022", "HRK"), ("25.04.2024", "EUR")])
    func beforeEuro(day: String, currency: String) {
        let fields = ReceiptFields(
            of: readText(
                """
                  NORDKAUF HRVATSKA d.o.o.
                Slavonska avenija 50, 10000 Zagreb
                OIB: 46108893754
                Racun 15039  \(day) 20:35
                KRUH              12,00
                UKUPNO            12,00
                GOTOVINA          20,00
                PDV 25%  9,60  2,40
                JIR: 1a2b3c4d
                HVALA
                """))
        #expect(fields.currency?.value == currency)
    }

    @Test("The tax within an amount is told by its rate, whichever stands at the right")
    func taxWithinAmount() {
        let sums = "0.42 7% GST          6.40\nTotal                6.40\nPayment              6.40"
        let found = ReceiptFields(
            of: readText(
                "Copper Kettle\n252 North Lane\nSingapore 179103\nGST No: 18-8800670-D\nLatte   6.40\n\(sums)"
            ))
        #expect(found.tax?.value == Decimal(42) / 100)
    }

    @Test("Forints have thousands set apart by a blank, also where a price has a fraction")
    func forints() {
        let fields = ReceiptFields(
            of: readText(
                """
                TESCO-GLOBAL ZRT.
                2040 BUDAORS KINIZSI UT 1-3
                2.000 DB x 599.00 Ft /DB
                P.F.F.CSEM.KARAJ         1 198 C00
                JOGOBELLA CLASS 900g       779 B00
                OSSZESEN:                3 924 Ft
                BANKKARTYA:              3 924 Ft
                """))
        #expect(fields.total?.value == 3924 && fields.currency?.value == "HUF")
    }

    @Test("A capital that was read small parts no word: a rounding is one")
    func smallCapital() {
        #expect(Vocabulary.shared.tokens(of: "øREAVRUNDING") == ["oreavrunding"])
        #expect(Vocabulary.shared.tokens(of: "TotalAmt").first == "total")
    }

    @Test(
        "Amounts below one with three digits behind the mark make it one of thousandths; weights beside thousands do not"
    )
    func thousandths() {
        func amount(_ word: String, among words: [String]) -> String? {
            PrintedAmount(word, style: NumberStyle(words: words)).map { "\($0.value)" }
        }
        let dinars = ["0.550", "3.300", "4.250", "0.428", "3.346", "0.430", "14.149"]
        #expect(amount("14.149", among: dinars) == "14.149")
        #expect(amount("0.550", among: dinars) == "0.55")
        let weighed =
            (1...4).flatMap { _ in ["0.375", "32.000", "12.000"] } + ["0.250", "44.000", "157.500"]
        #expect(amount("157.500", among: weighed) == "157500")
        let won = ["0.524", "0.310", "0.875", "6,500", "12,900", "3,000"]
        #expect(amount("6,500", among: won) == "6500")
    }

    @Test("A total in the country's former currency is in that, whatever stands beside it")
    func formerCurrency() {
        func currency(_ total: String) -> String? {
            ReceiptFields(
                of: readText(
                    """
                          SVJETIONIK d.o.o.
                    Slavonska avenija 50, 10000 Zagreb
                    OIB: 46108893754
                    JAJA S BUDGET         16.49
                    SMOOT.JAG. 330 g      17.98
                    \(total)
                    Ukupno EUR             4.58
                    PLACENO Visa          34.47
                    """)
            ).currency?.value
        }
        #expect(currency("Ukupno kn             34.47") == "HRK")
        #expect(currency("Ukupno                34.47") == "EUR")
    }

    @Test("A comma read as a point is one where the amount is printed with it elsewhere") func readAsPoint() {
        let fields = ReceiptFields(
            of: readText(
                """
                IRON FITTING
                1 X 16,000.00 16,000.00 A
                TOTAL 16.000.00
                VAT A-18% 2,440.68
                TOTAL VAT 2,440.68
                CASH 16,000.00
                """))
        #expect(fields.total?.value == 16000)
        #expect(
            PrintedAmount("16.000.00", style: NumberStyle(words: ["1,500.00", "16,000.00"]))?.value == 16000)
        #expect(PrintedAmount("17.000.00", style: NumberStyle(words: ["1,500.00", "16,000.00"])) == nil)
    }

    @Test("Two kinds of payment that add up to the total prove it, though a slip says one of them again")
    func partlyPaid() {
        let fields = ReceiptFields(
            of: readText(
                """
                LATTE INTERO          1,48
                PANE                  8,89
                TOTALE COMPLESSIVO   10,37
                Pagamento elettronico 4,47
                Ticket restaurant     5,90
                Importo pagato        4,47
                BANCOMAT              4,47
                """))
        #expect(fields.total?.value == Decimal(string: "10.37"))
    }

    @Test("Rates behind amounts are no amounts, though the sign of per cent is missing") func ratesBehind() {
        let fields = ReceiptFields(
            of: readText(
                """
                Winkelleiste   1.000 STK 13.99 19
                Rundstab       1.000 STK  6.99 19
                Blumenerde     1.000 STK  5.99 7
                SUMME EUR                26.97
                """))
        #expect(fields.items.map(\.amount) == ["13.99", "6.99", "5.99"].map { Decimal(string: $0) })
    }

    @Test("A tax class right behind an amount may be a small letter; letters of units are none")
    func smallClasses() {
        let fields = ReceiptFields(
            of: readText(
                """
                CORNER HOUSE
                1 FILTERPATRONE        9,99    9,99a
                1 KAUGUMMI             0,49    0,49b
                Zwischensumme                 10,48
                ZU BEZAHLEN EUR               10,48
                """))
        #expect(fields.items.map(\.taxClass) == ["a", "b"])
        #expect(fields.items.map(\.amount) == ["9.99", "0.49"].map { Decimal(string: $0) })
        #expect(PrintedAmount("1,50g", style: NumberStyle(decimalMark: ",")) == nil)
    }
}

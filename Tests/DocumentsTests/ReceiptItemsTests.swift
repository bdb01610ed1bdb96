import Foundation
import Testing
import TextTestSupport

@testable import Documents

/// What was bought, in the layouts of tills in several countries.
@Suite struct ReceiptItemsTests {
    private func decimal(_ text: String) -> Decimal? {
        Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// Items as "quantity unit|description|amount".
    private func items(_ fields: ReceiptFields) -> [String] {
        fields.items.map { item in
            [item.quantity.map { "\($0)" }, item.unit].compactMap(\.self).joined(separator: " ")
                + "|\(item.description)|\(item.amount)"
        }
    }

    /// A supermarket's receipt with these rows between its head and its sums.
    private func german(_ rows: String, sum: String) -> ReceiptFields {
        ReceiptFields(
            of: readText(
                """
                      Frischmarkt Brandt
                       Lindenallee 14
                       33098 Paderborn
                                         EUR
                \(rows)
                SUMME            EUR    \(sum)
                BAR              EUR    \(sum)

                MwSt       NETTO   MwSt   UMSATZ
                B  7%       8,87   0,62     9,49
                C 19%      14,63   2,78    17,41
                20.04.2020  09:50   Bon 8571
                """))
    }

    @Test("The star of a class of tax close to the amount does not hide it") func star() {
        let fields = german(
            """
            TONIC WATER            1,59 C
            PFAND                  0,25*C
            SALATBAR               2,42xB
            MORTADELLA             0,99 B
            """, sum: "5,25")
        #expect(items(fields) == ["|TONIC WATER|1.59", "|PFAND|0.25", "|SALATBAR|2.42", "|MORTADELLA|0.99"])
        #expect(fields.items.map(\.taxClass) == ["C", "C", "B", "B"])
    }

    @Test("A deposit belongs to the drink above it; one given back belongs to none") func deposits() {
        let fields = german(
            """
            TONIC WATER            1,59 C
            PFAND                  0,25*C
            LEERGUT EW MINUS      -0,50*C
            MORTADELLA             0,99 B
            """, sum: "2,33")
        #expect(fields.items.map(\.kind) == [.goods, .deposit, .deposit, .goods])
        #expect(fields.items.map(\.ofItem) == [nil, 0, nil, nil])
    }

    @Test("A deduction belongs to the item above it, unless it is more than that") func discounts() {
        let fields = german(
            """
            KAFFEE 500G            6,99 B
            Rabatt                -1,00
            MORTADELLA             0,99 B
            Coupon                -2,00
            """, sum: "4,98")
        #expect(fields.items.map(\.kind) == [.goods, .discount, .goods, .discount])
        #expect(fields.items.map(\.ofItem) == [nil, 0, nil, nil])
    }

    @Test("A count in a row above is the item's below, and a weight in a row below the item's above")
    func rows() {
        let above = german(
            """
            SALATBAR               2,42 B
            2 x 1,15
            CARACTERE 12           2,30 B
            MORTADELLA             0,99 B
            """, sum: "5,71")
        #expect(items(above) == ["|SALATBAR|2.42", "2|CARACTERE 12|2.3", "|MORTADELLA|0.99"])
        #expect(above.items[1].unitPrice == decimal("1.15"))
        let below = german(
            """
            Bananen                0,19 A
               0,162 kg x   1,15 EUR/kg
            Bulgur     0,89 x 2    1,78 A
            Salat                  0,99 A
            """, sum: "2,96")
        #expect(items(below) == ["0.162 kg|Bananen|0.19", "2|Bulgur|1.78", "|Salat|0.99"])
    }

    @Test("A word between a count and its cross is its unit where the next row bears the product")
    func ownUnit() {
        let fields = german(
            """
            ART/EAN 4002245701618
            2 Rolle x 4,85
            PARKETTZUBEHOR         9,70 1
            ART/EAN 4002245704800
            2 Rolle x 24,90
            SELITstop Komfort     49,80 1
            """, sum: "59,50")
        #expect(items(fields) == ["2 Rolle|PARKETTZUBEHOR|9.7", "2 Rolle|SELITstop Komfort|49.8"])
        #expect(fields.items.map(\.code) == ["4002245701618", "4002245704800"])
    }

    @Test("Columns without a name are named by the row below, and no unit is a name") func namedBelow() {
        let fields = ReceiptFields(
            of: readText(
                """
                    Moebelhaus Kern
                    Senefelder Str. 2
                    33100 Paderborn
                Datum: 26.09.2016 13:56
                Pos Artikel-Nr. Menge  €/Stk   €/Ges M
                1 23530028 03   2,00   14,99   29,98 1
                Duschvorhang
                2 02770034 01   2,00   14,99   29,98 1
                WC-Garnitur
                elec.-cash                     59,96
                       Netto   MwSt.
                1 19,00 % 50,38  9,58
                """))
        #expect(items(fields) == ["2|Duschvorhang|29.98", "2|WC-Garnitur|29.98"])
        #expect(fields.items.map(\.code) == ["23530028", "02770034"])
    }

    @Test("The rate of tax behind an amount is its class where the receipt prints that rate")
    func rateBehind() {
        let fields = ReceiptFields(
            of: readText(
                """
                    Baumarkt Kern GmbH
                     Gruener Weg 41
                    33098 Paderborn
                4078500017343 Kunststoff-Vertikutierer
                   1.000 STK           20.99 19
                4078500023542 Blumenrechen
                   1.000 STK           11.99 19
                SUMME           EUR    32.98
                GEGEBEN Mastercard     32.98
                MWST-CODE NETTO-Entgelt MWST-Betrag
                19.00 %     27.71     5.27
                04.04.2020 13:45
                """))
        #expect(items(fields) == ["1 STK|Kunststoff-Vertikutierer|20.99", "1 STK|Blumenrechen|11.99"])
        #expect(fields.items.map(\.taxClass) == ["19", "19"])
    }

    @Test("What stands in brackets is in the price above where the others make the sum") func bracketed() {
        let fields = ReceiptFields(
            of: readText(
                """
                       Harbor Burgers
                      1955 Broadway
                  Santa Monica, CA 90404
                Jan 25, 2018  11:47 AM
                French Fries                 $5.00
                Turkey Burger                $8.85
                Grilled Onion               ($0.75)
                Subtotal                    $13.85
                Sales Tax                    $1.42
                Total                       $15.27
                """))
        #expect(items(fields) == ["|French Fries|5", "|Turkey Burger|8.85"])
        #expect(fields.discount == nil)
        #expect(fields.contradictions.isEmpty)
    }

    @Test("A row taken for a tip is an item where it stands among them and closes the sum") func lackingRow()
    {
        let fields = german(
            """
            TIP GESCHIRRTUECHE     5,99 C
            TONIC WATER            1,59 C
            MORTADELLA             0,99 B
            """, sum: "8,57")
        #expect(items(fields).first == "|TIP GESCHIRRTUECHE|5.99")
        #expect(fields.tip == nil)
    }

    @Test(
        "A blank or no mark within an amount does not hide it",
        arguments: [("13, 49 C", "14,48", "13.49"), ("029 C", "1,28", "0.29"), ("1,4D C", "2,39", "1.40")])
    func broken(printed: String, sum: String, amount: String) {
        let fields = german("WALNUESSE              \(printed)\nMORTADELLA             0,99 B", sum: sum)
        #expect(fields.items.first?.amount == decimal(amount))
    }

    // MARK: Tills of countries

    /// A Polish receipt with these goods and sums.
    private func polish(_ rows: String) -> ReceiptFields {
        ReceiptFields(
            of: readText(
                """
                     SKLEP BOROWIK
                  ul. Zniwna 5, 62-025 Kostrzyn
                NIP 779-10-11-327
                   PARAGON FISKALNY
                \(rows)
                2023-03-12 14:22
                """))
    }

    @Test("Poland: the class of tax, count and price behind the name, and a sum of taxes that is no tax")
    func poland() {
        let fields = polish(
            """
            CHLEB ZYTNI   C 1 x3,99      3,99C
            MLEKO 3,2% 1L C 2 x3,50      7,00C
            BANANY LUZ    C 0,845 x5,99  5,06C
            Rabat                       -1,00C
            SPRZEDAZ OPODATKOWANA C     15,05
            PTU C 5,00 %                 0,72
            SUMA PTU                     0,72
            SUMA PLN                    15,05
            KARTA                       15,05
            """)
        #expect(
            items(fields) == [
                "1|CHLEB ZYTNI|3.99", "2|MLEKO 3,2% 1L|7", "0.845|BANANY LUZ|5.06", "|Rabat|-1",
            ])
        #expect(fields.items.map(\.ofItem) == [nil, nil, nil, 2])
        #expect(fields.taxLines.map(\.amount) == [decimal("0.72")])
        #expect(fields.taxLines.first?.rate == 5)
    }

    @Test("Poland: classes of tax with strokes behind them, and read as digits where count and price say so")
    func strokes() {
        let fields = polish(
            """
            LODY MARL     C 1 x2,49      2,49Cc
            CHIPSY 125G   B 1 x2,99      2,99BSc
            CZEKOLADA     A 2 x3,99      7,98A€
            POLICZKI        1 x36,00     36,008
            MAKA          2,000 x 1,10   2,200
            SPRZEDAZ OPODATK. A          7,98
            SPRZEDAZ OPODATK. B          38,99
            SPRZEDAZ OPODATK. C          4,69
            PTU A 23%                    1,49
            PTU B 8%                     2,89
            PTU C 5%                     0,22
            SUMA PTU                     4,60
            SUMA PLN                     51,66
            """)
        #expect(
            items(fields) == [
                "1|LODY MARL|2.49", "1|CHIPSY 125G|2.99", "2|CZEKOLADA|7.98", "1|POLICZKI|36",
                "2|MAKA|2.2",
            ])
        #expect(fields.total?.value == decimal("51.66") && fields.contradictions == [])
        #expect(fields.currency?.value == "PLN")
    }

    @Test("A dollar that is read as a digit is none where count and price say so")
    func dollars() {
        let fields = ReceiptFields(
            of: readText(
                """
                     The Copper Kettle
                Date: 02/05/2022 17:43
                TANBAYA SPONGE CAKE
                $6.70 x 1           56.70
                MEIJI CHOCOLATE
                $1.30 x 2           $2.60
                LARGE BOX
                1 @ $56.70         $56.70
                Total              $66.00
                """))
        #expect(fields.items.map(\.amount) == ["6.7", "2.6", "56.7"].map(decimal))
    }

    @Test("Romania: names above rows of count, unit and price") func romania() {
        let fields = ReceiptFields(
            of: readText(
                """
                      BOROVIC FOOD SRL
                   Str. Lunga 12, Brasov
                 COD FISCAL RO11607939
                                         LEI
                PAINE ALBA FELIATA
                1 BUC X 2,17         2,17 A
                LAPTE ZUZU 1,5L
                2 BUC X 6,50        13,00 A
                ROSII
                0,512 KG X 3,99      2,04 A
                TOTAL LEI           17,21
                NUMERAR             20,00
                REST                 2,79
                TVA A 9%             1,42
                20.04.2023 10:15
                """))
        #expect(
            items(fields) == [
                "1 BUC|PAINE ALBA FELIATA|2.17", "2 BUC|LAPTE ZUZU 1,5L|13", "0.512 KG|ROSII|2.04",
            ])
        #expect(fields.items.map(\.unitPrice) == [decimal("2.17"), decimal("6.50"), decimal("3.99")])
    }

    @Test("Sweden: count and price in one word") func sweden() {
        let fields = ReceiptFields(
            of: readText(
                """
                     Ekmans Supermarket
                  Storgatan 12
                  211 42 Malmo
                Mjolk 1,5%   2*12,90     25,80
                Bananer EKO
                 0,655kg*24,90kr/kg      16,31
                Kaffe Brygg              54,90
                Rabatt: Kaffe           -10,00
                Totalt                   87,01
                Kort                     87,01
                Moms %  Moms  Netto  Brutto
                12     9,32  77,69   87,01
                2023-03-12 14:22
                """))
        #expect(
            items(fields) == [
                "2|Mjolk 1,5%|25.8", "0.655 kg|Bananer EKO|16.31", "|Kaffe Brygg|54.9", "|Rabatt: Kaffe|-10",
            ])
    }

    @Test("Italy: the rate of tax in a column of its own") func italy() {
        let fields = ReceiptFields(
            of: readText(
                """
                     ALIMENTARI FONTANA SRL
                  VIA GIAMBOLOGNA 1 MILANO
                  P.IVA 04916380159
                DOCUMENTO COMMERCIALE
                DESCRIZIONE        IVA   Prezzo
                LATTE INTERO       4%      1,59
                2 x 0,89
                YOGURT MAGRO      10%      1,78
                SCONTO                    -0,30
                SHOPPER           22%      0,10
                TOTALE COMPLESSIVO         3,17
                di cui IVA                 0,23
                Pagamento elettronico      3,17
                12-03-2023 18:20
                """))
        #expect(
            items(fields) == [
                "|LATTE INTERO|1.59", "2|YOGURT MAGRO|1.78", "|SCONTO|-0.3", "|SHOPPER|0.1",
            ])
        #expect(fields.items.map(\.taxClass) == ["4", "10", nil, "22"])
    }

    @Test("The table of tax has class, rate, net, tax and gross") func taxTable() throws {
        let fields = german("SALATBAR 2,42 B\nMORTADELLA 24,48 C", sum: "26,90")
        let lines = fields.taxLines
        try #require(lines.count == 2)
        #expect(lines.map(\.taxClass) == ["B", "C"])
        #expect(lines.map(\.rate) == [7, 19])
        #expect(lines.map(\.base) == [decimal("8.87"), decimal("14.63")])
        #expect(lines.map(\.amount) == [decimal("0.62"), decimal("2.78")])
        #expect(lines.map(\.gross) == [decimal("9.49"), decimal("17.41")])
    }

    @Test("What was paid in two ways is two parts") func payments() {
        let fields = ReceiptFields(
            of: readText(
                """
                       MAPLE STREET MARKET
                        412 Maple Street
                       Rockford, IL 61101
                07/04/2024        06:12 PM
                ORGANIC BANANAS            1.98 F
                PAPER TOWELS 6CT          11.49 T
                SUBTOTAL                  13.47
                TAX                        0.53
                TOTAL                    $14.00
                GIFT CARD                $10.00
                VISA ************0881     $4.00
                """))
        #expect(fields.payments.map(\.kind) == ["voucher", "card"])
        #expect(fields.payments.map(\.amount) == [10, 4])
        #expect(fields.cardNumber?.value == "0881", "digits are text")
    }

    // MARK: What is said of values

    @Test("Amounts have their currency's digits") func digits() {
        var fields = ReceiptFields()
        func text(_ amount: String, in currency: String?) -> String? {
            fields.currency = currency.map {
                .init(value: $0, confidence: 1, printed: $0, box: .init(left: 0, top: 0, right: 1, bottom: 1))
            }
            return decimal(amount).map(fields.text)
        }
        #expect(text("76.8", in: "EUR") == "76.80")
        #expect(text("-3", in: "USD") == "-3.00")
        #expect(text("2400", in: "JPY") == "2400")
        #expect(text("1.5", in: "KWD") == "1.500")
        #expect(text("1.599", in: "EUR") == "1.599", "no digit is lost")
        #expect(text("202", in: nil) == "202")
    }

    @Test("What is missing has a reason, and no reason stands for what is there") func missing() {
        let fields = german("SALATBAR 2,42 B\nMORTADELLA 0,99 B", sum: "3,41")
        #expect(fields.missing["tip"] == "nothing found")
        #expect(fields.missing["total"] == nil)
        #expect(
            Set(fields.missing.keys)
                == Set(ReceiptFieldName.allCases.filter { fields.text(of: $0) == nil }.map(\.key)))
        let blank = ReceiptFields(of: readText(""))
        #expect(blank.missing["card_number"] == "no text was read")
        #expect(blank.missing["items"] == "no text was read")
    }

    @Test("A dollar sign alone says why there is no currency") func openCurrency() {
        let fields = ReceiptFields(of: readText("Corner Cafe\n2 Tea   $4.00\nTotal   $4.00"))
        #expect(fields.currency == nil)
        #expect(fields.missing["currency"]?.contains("several currencies") == true)
    }

    @Test("A date that may be two days has both, one that a country decides has one") func ambiguous() {
        func fields(_ town: String) -> ReceiptFields {
            ReceiptFields(
                of: readText(
                    """
                      Corner Cafe
                    \(town)
                    03/04/2019 10:15
                    Tea      4.00
                    Total    4.00
                    """))
        }
        #expect(fields("Main Road 5").ambiguous["date"] == ["2019-04-03", "2019-03-04"])
        #expect(fields("10115 Berlin, Deutschland").ambiguous.isEmpty)
        let past = ReceiptFields(
            of: readText("Corner Cafe\nMain Road 5\n03/04/2019 10:15\nTea 4.00\nTotal 4.00"),
            context: ReceiptContext(today: Date(timeIntervalSince1970: 1_552_000_000)))
        #expect(past.ambiguous.isEmpty, "in March 2019 the third of April is still to come")
        #expect(past.date?.value ?? "2019-03-04" == "2019-03-04")
    }

    /// A shop's receipt of the United States with these rows between its head and its sums.
    private func american(_ rows: String, sum: String) -> ReceiptFields {
        ReceiptFields(
            of: readText(
                """
                      Copper Kettle Market
                       9 Harbor Lane
                    Rockford, IL 61101
                03/22/2025  8:47 PM  Check 10442
                \(rows)
                SUBTOTAL              $\(sum)
                TOTAL                 $\(sum)
                VISA                  $\(sum)
                """))
    }

    @Test("What a thing cost before is no deduction where the sum is made without it") func savedOff() {
        let fields = american(
            """
            040910763 TRAIL MIX   FN   $3.39
            054280103 CANDLE      T   $14.00
               Saved $13.99 off $27.99
            200050034 PLATES      T    $1.99
            """, sum: "19.38")
        #expect(fields.items.map(\.amount) == [decimal("3.39"), decimal("14"), decimal("1.99")])
        #expect(fields.discount == nil)
        #expect(fields.contradictions.isEmpty)
    }

    @Test("A name with the words of a deduction is a thing where the sum is made with it")
    func fiftyPercentLess() {
        let fields = american(
            """
            SOURDOUGH BREAD            $2.49
            50% LESS SALT PEANUTS      $2.99
            GREENS KALE 10 OZ          $1.99
            """, sum: "7.47")
        #expect(items(fields).contains("|50% LESS SALT PEANUTS|2.99"))
        #expect(fields.contradictions.isEmpty)
    }

    @Test("A dollar that was read as a digit is taken off where the sum says so") func digitForDollar() {
        let fields = american(
            """
            Mozzarella Sticks         812.95
            Brussels Sprouts          $11.95
            House Salad               $10.95
            Kale Caesar               $12.95
            """, sum: "48.80")
        #expect(items(fields).first == "|Mozzarella Sticks|12.95")
        #expect(fields.contradictions.isEmpty)
        let other = american(
            """
            Grand Piano              812.95
            Brussels Sprouts          $11.95
            House Salad               $10.95
            """, sum: "835.85")
        #expect(items(other).first == "|Grand Piano|812.95")
    }

    /// A receipt as it was read, with nothing added.
    private func items(of read: String) -> [String] { items(ReceiptFields(of: readText(read))) }

    /// A supermarket's receipt of these rows, with article numbers behind the names.
    private func numbered(_ rows: String) -> ReceiptFields {
        ReceiptFields(
            of: readText(
                """
                           SAVE CENTER
                     13059 FAIR LAKES PARKWAY
                       FAIRFAX VA 22033
                ST# 2015 OP# 00004950 TE# 11 TR# 01902
                \(rows)
                """))
    }

    @Test("Article numbers behind names are codes, and weights set out in full belong to the names above")
    func articleNumbers() {
        let fields = numbered(
            """
            BANANAS      000000004011KI
             1.75 lb @ 1 lb /0.54         0.95 R
            BEVERAGE     003120002133 F   2.00 R
            AVOCADO      000000004046KI
              4 AT 1 FOR 0.44             1.76 R
            EGGS         060538871461 F   2.58 Y
            44500982114  004450098211 F   3.98 Y
                         SUBTOTAL        11.27
                 TAX 1   6.000 %          0.50
                            TOTAL        11.77
            """)
        #expect(
            items(fields) == [
                "1.75 lb|BANANAS|0.95", "|BEVERAGE|2", "4|AVOCADO|1.76", "|EGGS|2.58",
                "|44500982114 004450098211 F|3.98",
            ])
        #expect(
            fields.items.map(\.code) == ["000000004011", "003120002133", "000000004046", "060538871461", nil])
    }

    @Test("A row that looks like a registration is a thing where it stands in the column of things")
    func amongThings() {
        let fields = numbered(
            """
            SHALLOTS     003784205600 I   2.28 R
            FRESH HERB   076857300100 F   2.24 R
            TOMATO ROMA  000000004087KI
              3.18 lb @ 1 lb /0.94        2.99 R
            GREEN ONION  068896200806 I   1.15 R
            GREEN ONION  068896200806 I   1.15 R
            GREEN ONION  068896200806 I   1.15 R
            EGGS         060538871461 F   2.58 Y
            """)
        #expect(
            items(fields) == [
                "|SHALLOTS|2.28", "|FRESH HERB|2.24", "3.18 lb|TOMATO ROMA|2.99", "|GREEN ONION|1.15",
                "|GREEN ONION|1.15", "|GREEN ONION|1.15", "|EGGS|2.58",
            ])
    }

    @Test("A thing whose name is spelled as a card and a sum is neither a tax nor a total")
    func thingSpelledAsSum() {
        let fields = numbered(
            """
            B/S BRST LG  020546690943 F   9.43 Y
            B/S BRST LG  020546611017 F  10.17 Y
                         SUBTOTAL        19.60
            MC CELERY SE 005210000218 F   2.98 R
            MC CELERY SE 005210000218 F   2.98 R
            MCC/SCH PICK 005210000502 F   2.98 R
            CHICKN BROTH 005100013279 F   1.98 Y
                         SUBTOTAL        30.52
                    TAX 1 6.000 %         0.99
                    TAX 2 2.500 %         0.50
                            TOTAL        32.01
            """)
        #expect(
            fields.items.map(\.amount) == [9.43, 10.17, 2.98, 2.98, 2.98, 1.98].map { decimal("\($0)") })
        #expect(fields.tax?.value == decimal("1.49"))
        #expect(fields.total?.value == decimal("32.01"))
    }

    @Test("A deduction may be named by article numbers alone, with its class close to the dash")
    func deductionByNumber() {
        let fields = ReceiptFields(
            of: readText(
                """
                        BIGBOX WHOLESALE
                     5301 Almaden Expressway
                       San Jose, CA 95118
                 1423302  BATH TOWEL     19.99 A
                 0000370371 / 1423302     4.00-A
                 1897220  ZIP BAGS QT    12.99 A
                 0000368237 / 1897220     2.60-A
                 1007162  ORG EGGS        5.69
                          SUBTOTAL       32.07
                          TAX             2.60
                    **** TOTAL           34.67
                          VISA           34.67
                """))
        #expect(fields.items.map(\.amount) == [19.99, -4, 12.99, -2.6, 5.69].map { decimal("\($0)") })
        #expect(fields.items.map(\.kind) == [.goods, .discount, .goods, .discount, .goods])
        #expect(fields.items.map(\.ofItem) == [nil, 0, nil, 2, nil])
        #expect(fields.contradictions.isEmpty)
    }

    @Test("An amount is parted from the count or the name that it was read close to")
    func closeAmounts() {
        let found = items(
            of: """
                The Cove in Fairlight
                    53 Waites Lane
                   Hastings TN35 4AX
                PRODUCT          PRICE  QTY   TOTAL
                Olives           £5.00  1     £5.00
                Garlic Soup      £9.00  2£18.00
                Welsh Rarebit    £10.00 1£10.00
                Filter Coffee£2.70
                Sub Total              £35.70
                Total                  £35.70
                """)
        #expect(
            found == ["1|Olives|5", "2|Garlic Soup|18", "1|Welsh Rarebit|10", "|Filter Coffee|2.7"])
    }

    @Test("A letter before several amounts is a currency's, and a word for a sale behind one is none of it")
    func lettersBefore() {
        let romanian = items(
            of: """
                  SC INTERMEZZO SRL
                PL.CJ.NAPOCA,STR.SINCAI 11
                COD FISCAL R021558302
                2.00 X @9.00
                SUPA DE ROSII            L18.00
                1.00 X @19.00
                SALATA CAPRESE           L19.00
                TOTAL                    L37.00
                """)
        #expect(romanian == ["2|SUPA DE ROSII|18", "1|SALATA CAPRESE|19"])
        let canadian = items(
            of: """
                    CITY MARKET
                    12 Main Street
                    Hamilton, ON
                LOOSE CARROTS              $1.04
                YOGURT BLBRY          $2.99 SALE
                ANGUS STEWING         $5.55 SALE
                Subtotal                   $9.58
                Total                      $9.58
                """)
        #expect(canadian == ["|LOOSE CARROTS|1.04", "|YOGURT BLBRY|2.99", "|ANGUS STEWING|5.55"])
    }

    @Test("The first name above a weight is one though it looks like a registration") func firstName() {
        let fields = ReceiptFields(
            of: readText(
                """
                       STORE 1061
                800 MATHESON BLVD. WEST
                    MISSISSAUGA, ON
                        L5V 2N6
                ST# 01061 OP# 004101 TE# 18 TR# 05579
                CHERRIES     000000004045K
                  1.010 kg @ $3.62/kg       $3.66 D
                CHERRIES     000000004045K
                  1.035 kg @ $3.62/kg       $3.75 D
                             SUBTOTAL       $7.41
                                TOTAL       $7.41
                """))
        #expect(items(fields) == ["1.01 kg|CHERRIES|3.66", "1.035 kg|CHERRIES|3.75"])
    }

    @Test("Prices of one have up to four digits behind the mark, and a sign between cross and price")
    func finePrices() {
        let ecuadorian = items(
            of: """
                * SUPERMAXI MANTA *
                RUC:1790016919001
                Descripcion    Cantidad  Pre.Uni  Pre.Tot
                SX.CREMA DE L     1      2.8509     2.85
                ORIENTAL SALS     2      0.9035     1.81
                TOTAL                               4.66
                """)
        #expect(ecuadorian == ["1|SX.CREMA DE L|2.85", "2|ORIENTAL SALS|1.81"])
        let norwegian = items(
            of: """
                KIWI 026 OYER
                ORG.NR. 982 897 564 MVA
                ENERGISTYKKE 100G  15%   10,40
                LIME               15%    2,57
                0,086k9 x kr 29,91
                SUBTOTAL                 12,97
                Sum 2 varer              12,97
                """)
        #expect(norwegian == ["|ENERGISTYKKE 100G|10.4", "0.086 k9|LIME|2.57"])
    }

    @Test("A row of sums names no thing, with a count or above its amounts") func totalIsNoName() {
        let counted = items(
            of: """
                Fort, Mumbai-400001
                TAX INVOICE
                Item name             Qty    Sale Price
                Tall Hot chocolate      1        150.00
                Grande Frapuccino       1        205.00
                Total Amount            2        355.00
                Net Invoice Amount               355.00
                """)
        #expect(!counted.contains { $0.contains("Total") })
        let above = items(
            of: """
                CITY CENTRE MART
                CHOCOLATE CROISSANT
                2    1    20.00   0.00      20.00
                VANILLA CAKE
                3    1    10.00   0.00      10.00
                TOTAL:--
                     2.000        0.00      30.00
                Credit Card                 30.00
                """)
        #expect(!above.contains { $0.contains("TOTAL") })
    }

    @Test("No thing costs more than all, whatever else was lost") func dearerThanAll() {
        let fields = american(
            """
            Mozzarella Sticks           512.95
            Brussels Sprouts            $11.95
            Kale Caesar                 $12.95
            """, sum: "71.85")
        #expect(fields.items.map(\.amount) == [12.95, 11.95, 12.95].map { decimal("\($0)") })
    }

    @Test("A count stands before a name that begins with a mark too") func countsBeforeMarks() {
        let fields = american(
            """
            1 BURGER COMBO               9.99
            1 **add bacon**              1.99
            1 (L) SPARE RIBS             2.49
            """, sum: "14.47")
        #expect(items(fields) == ["1|BURGER COMBO|9.99", "1|**add bacon**|1.99", "1|(L) SPARE RIBS|2.49"])
    }

    @Test("Whole numbers are count, price and amount where they multiply, whatever the sums are printed with")
    func products() {
        let found = items(
            of: """
                      MANGAL SWEETS
                PATPAR GANJ , DELHI - 110092
                Bill No : H-54
                Description     Qty  Rate  Amount
                DAL MAKHNI       1    136    136
                MALAI KOFTA      2    170    340
                BUTTER NAN       2     26     52
                Total :                    528.00
                VAT on Food 12.5% :         66.00
                Bill Total :               594.00
                """)
        #expect(found == ["1|DAL MAKHNI|136", "2|MALAI KOFTA|340", "2|BUTTER NAN|52"])
    }

    @Test(
        "Units, stars and marks that were misread are told by the next row, by the other amounts and by the sum"
    )
    func misreadMarks() {
        let turkish = items(
            of: """
                DEMIR MAGAZALAR A.S.
                ATAKUM / SAMSUN
                TARIH : 15.06.2019
                1,44 K6x 1,65 TL
                DOMATES            %08  *2,38
                4 ADx 0, 45 TL
                SU 1,5 LT          %08  *1,80
                COKONAT 37         %08  *0165
                SUT 1LT Y.         %08  x5,99
                KEKSTRA            %08  *3,00
                TOPKDV                  *1,02
                TOPLAM                 *13,82
                NAKIT                  *20,00
                """)
        #expect(
            turkish == [
                "1.44 K6|DOMATES|2.38", "4 AD|SU 1,5 LT|1.8", "|COKONAT 37|0.65", "|SUT 1LT Y.|5.99",
                "|KEKSTRA|3",
            ])
        let lostMark = german(
            """
            KAMILLENTEE            0,59 C
            BRIOCHE-KNOTEN           29 C
            KIWI 400g              1,99 C
            """, sum: "2,87")
        #expect(items(lostMark) == ["|KAMILLENTEE|0.59", "|BRIOCHE-KNOTEN|0.29", "|KIWI 400g|1.99"])
        let lostDigit = german(
            """
            KAMILLENTEE            0,59 C
            MARZIPAN-BROT           3,0 C
            KIWI 400g              1,99 C
            """, sum: "5,68")
        #expect(items(lostDigit) == ["|KAMILLENTEE|0.59", "|MARZIPAN-BROT|3.1", "|KIWI 400g|1.99"])
    }

    @Test("Deductions that the prices hold already are left out where these make the sum without them")
    func informalDeductions() {
        let found = items(
            of: """
                BIG PLACE STORES
                3129 HWY 74 W
                MONROE NC 28110
                ARTIFICIAL PLANT IN GREY   33.56 T
                810586804 4 @ 11.99  Disc (14.40)
                FIDDLE PLANT IN WHITE       6.98 T
                810682218 2 @ 4.99   Disc (3.00)
                Total Discount            -17.40
                Sub-Total                  40.54
                NC 6.75% Tax                2.74
                Total                      43.28
                """)
        #expect(found == ["|ARTIFICIAL PLANT IN GREY|33.56", "|FIDDLE PLANT IN WHITE|6.98"])
    }

    @Test("What a thing cost before is no deduction where no sum was read either") func formerPrice() {
        let found = items(
            of: """
                CORNER GROCERY
                12 Main Street
                Des Moines, IA 50309
                071100661 MP CRACKER      FN  $1.73
                  Cartwheel 5% off   $1.83
                071100702 MP SALTINES     FN  $1.93
                  Saved $0.11 off    $2.04
                211214070 CELERY          FN  $1.57
                """)
        #expect(found.map { $0.split(separator: "|").last } == ["1.73", "1.93", "1.57"])
    }

    @Test("A sum without the mark that the other amounts have is none") func sumWithoutMark() {
        let fields = american(
            """
            BREAD                     $29.05
            CHEESE                    $31.70
            """, sum: "60.75")
        #expect(fields.total?.value == decimal("60.75"))
        let style = NumberStyle(words: ["$29.05", "$31.70"])
        let row = readText("DEBIT $ 45695").lines[0]
        #expect(ReceiptRow(splitting: row.words, style: style, acceptsBare: false).amount == nil)
    }

    @Test("A count with the price of each, and the price before, are no things") func quantityOfEach() {
        let fields = american(
            """
            PEACH SKYR YOGURT          $3.98 F
            Qty 2 $1.99 ea
            ROASTED CASHEWS            $5.93 F
            Reg $7.69
            RASPBERRIES                $6.49 F
            """, sum: "16.40")
        #expect(fields.items.map(\.amount) == [decimal("3.98"), decimal("5.93"), decimal("6.49")])
        #expect(fields.items.first?.quantity == 2)
    }

    @Test("The rate of tax behind a name is none of it, whichever side its sign stands on")
    func rateBehindName() {
        let fields = german(
            """
            ANADOLU NOHUT 1 K   %08    8,75
            KIRMIZI MERCIMEK    X08   12,10
            MARKET POSETI       %18    0,25
            """, sum: "21,10")
        #expect(
            fields.items.map(\.description) == ["ANADOLU NOHUT 1 K", "KIRMIZI MERCIMEK", "MARKET POSETI"])
        #expect(fields.items.map(\.taxClass) == ["8", "8", "18"])
    }

    @Test("Of a page whose print was not read no things are given, and why") func mostlyUnread() {
        var text = readText(
            """
            CYMA NOAATKY 3HKKA
            naket n/e 40x60 3i      1,45 A
            IrOTIBKA                2,00
            CYMA                    3,45
            """, confidence: 0.5)
        text.shareRead = 0.2
        let fields = ReceiptFields(of: text)
        #expect(fields.items.isEmpty && fields.merchant == nil && fields.tax == nil)
        #expect(fields.missing["items"] == "most of the print was not read")
    }

    @Test("A weight with the price of one is no thing where the sum is made without it, nor is a usual price")
    func weights() {
        let fields = german(
            """
            7,300 k9 X        14,99
            KARPUZ KG        109,43
            8,430 k9 X        14,99
            KARPUZ KG        126,37
            NORMAL PRICE       2,50
            ROKA ADET         24,99
            """, sum: "260,79")
        #expect(fields.items.map(\.amount) == [decimal("109.43"), decimal("126.37"), decimal("24.99")])
        #expect(fields.contradictions.isEmpty)
    }

    @Test("What says that it was paid with is no thing where the sum is made without it") func paidWith() {
        let fields = ReceiptFields(
            of: readText(
                """
                Harbor Donuts
                100 Institute Rd
                Worcester, MA 01609
                1 Sm Hot Latte              3.69
                2 2pc Ham Slider            9.98
                Gift Card Redeem           14.63
                Subtotal                   13.67
                State Tax                   0.96
                Payment                    14.63
                """))
        #expect(fields.items.map(\.amount) == [decimal("3.69"), decimal("9.98")])
        #expect(fields.contradictions.isEmpty)
    }

    @Test("Rows whose count and price make their amount are things below a thing") func provenRows() {
        let fields = ReceiptFields(
            of: readText(
                """
                SPAR MARKET
                VOEN: 1300361872
                Kassir: Minaser
                TARIX: 05.05.2024 15:54
                Mehsul               Say  Qiymet  Cemi
                4760048700558
                MISTER TUM BALQABAQ  1.00  2.99   2.99
                * edv %18
                4760027100348
                CIKO BALQABAQ TUMU   1.00  4.59   4.59
                * edv %18
                8022033007063
                LIFE COLOR PLUS      1.00  6.35   6.35
                * edv %18
                YEKUN MEBLEG                     13.93
                Nagd                             13.93
                """))
        #expect(fields.items.map(\.amount) == [decimal("2.99"), decimal("4.59"), decimal("6.35")])
    }

    @Test("A whole number behind an amount and its currency is the rate of its tax") func rateBehindCurrency()
    {
        let fields = ReceiptFields(
            of: readText(
                """
                U EXPRESS SOULT
                127, Boulevard Soult
                75012 Paris
                YAOURT A BOIRE 825G      2,47 € 11
                NOIX CAJOU 100G          1,90 € 11
                TOTAL 2 Article(s)       4,37 €
                CB                       4,37 €
                """))
        #expect(items(fields) == ["|YAOURT A BOIRE 825G|2.47", "|NOIX CAJOU 100G|1.9"])
        #expect(fields.items.map(\.taxClass) == ["11", "11"])
    }

    @Test("Hungary's tax classes stand behind whole forints, a zero read as a letter or not") func forints() {
        let fields = ReceiptFields(
            of: readText(
                """
                TESCO-GLOBAL ZRT.
                2040 BUDAORS KINIZSI UT 1-3
                ADOSZAM:10307078-2-44
                2.000 DB x 599.00 Ft /DB
                P.F.F.CSEM.KARAJ        1 198 CO0
                PRIV.F.F.TARJA            599 C00
                JOGOBELLA CLASS           779 B00
                OSSZESEN:               2 576 Ft
                BANKKARTYA:             2 576 Ft
                """))
        #expect(
            items(fields) == ["2 DB|P.F.F.CSEM.KARAJ|1198", "|PRIV.F.F.TARJA|599", "|JOGOBELLA CLASS|779"])
        #expect(fields.items.map(\.taxClass) == ["C00", "C00", "B00"])
    }

    @Test("Brazil's rows begin with their place and a code, and end in the tax within and the amount")
    func placeAndCode() {
        let fields = ReceiptFields(
            of: readText(
                """
                CIA BRASILEIRA DE DISTRIBUICAO
                RUA MARQUES DE ABRANTES, 165
                CNPJ 47.508.411/2407-00
                001 1415344 QA LEITE COCO 1 UN X 6,69 (2,37)   6,69
                002 1015447 QA HORTELA EMB 2 UN X 5,99 (2,13) 11,98
                VALOR TOTAL R$                               18,67
                """))
        #expect(items(fields) == ["1 UN|QA LEITE COCO|6.69", "2 UN|QA HORTELA EMB|11.98"])
        #expect(fields.items.map(\.code) == ["1415344", "1015447"])
    }

    @Test("A count and a price for each stand below the name, the amount beside them or above")
    func priceForEach() {
        let fields = ReceiptFields(
            of: readText(
                """
                Woolworths
                ABN 88 000 014 675
                Woolworths Eggs CageFree 12pk
                $5.00                          10.00
                Qty 2 @ $5.00 each
                #Mirabella LED GLS ES11W 2Pk
                Qty 2 @ $7.50 each             15.00
                D/F Thick Creamy Vanilla        4.40
                SUBTOTAL                      $29.40
                TOTAL                         $29.40
                """))
        #expect(
            items(fields) == [
                "2|Woolworths Eggs CageFree 12pk|10", "2|#Mirabella LED GLS ES11W 2Pk|15",
                "|D/F Thick Creamy Vanilla|4.4",
            ])
    }

    @Test("A surcharge for the card is no item") func surcharge() {
        let fields = ReceiptFields(
            of: readText(
                """
                CORAL FRUIT BAR
                ABN 72 768 643 978
                Rockmelon                       1.99
                Mandarin                        6.38
                1% EFTPOS Surcharge             0.08
                Sub-Total                      $8.45
                EFTPOS                         $8.45
                """))
        #expect(items(fields) == ["|Rockmelon|1.99", "|Mandarin|6.38"])
        #expect(fields.service?.value == decimal("0.08"))
    }
}

import Testing
import TextRecognition
import TextTestSupport

@testable import Documents

/// Invoices as people write letters: seller, buyer and numbers side by side above a table.
@Suite struct LetterPageTests {
    private static let table = """

        Description                                            Quantity         Price            Amount
        Oak shelf, oiled                                              2         45.00             90.00
        Brass hooks                                                   6          5.00             30.00
                                                                             Subtotal            120.00
                                                                              VAT 20%             24.00
                                                                                Total            144.00
        """

    private func head(_ printed: String) -> LetterPage? {
        let text = readText(printed + Self.table)
        return LetterPage(text, style: NumberStyle(words: text.words.map(\.text)))
    }

    private func fields(_ printed: String, foot: String = "") -> ReceiptFields {
        ReceiptFields(of: readText(printed + Self.table + "\n\n" + foot))
    }

    private static let sideBySide = """
        Harbour Joinery Ltd                                     Fenwick & Daughters Ltd
        9 Harbour Lane                                          12 Mill Road
        Whitby YO21 3AB                                         York YO1 7HH
        """

    @Test("Rows that stand side by side are read column by column")
    func columns() {
        #expect(
            head(Self.sideBySide)?.text.lines.prefix(6).map(\.text) == [
                "Harbour Joinery Ltd", "9 Harbour Lane", "Whitby YO21 3AB", "Fenwick & Daughters Ltd",
                "12 Mill Road", "York YO1 7HH",
            ])
    }

    @Test("What was read column by column stays so")
    func isReadOnce() throws {
        let text = try #require(head(Self.sideBySide)).text
        let again = try #require(LetterPage(text, style: NumberStyle(words: text.words.map(\.text))))
        #expect(again.text == text)
    }

    @Test(
        "A label keeps the number, day or sum that it labels",
        arguments: [
            "Contact:                     Ann Fenwick", "Invoice number:              2024-118",
            "Date of issue                5 May 2024",
            "Rechnungsnummer              10442", "Amount due on 5 May 2024     144.00",
        ])
    func labels(row: String) {
        #expect(
            head(row + "\n" + Self.sideBySide)?.text.lines.first?.text
                == row.split(separator: " ").joined(separator: " "))
    }

    @Test("Rows of more columns than a head has are those of a table, and stay")
    func tables() {
        let row = "Ref      Due      Agent      Terms      From                                 Page"
        #expect(
            head(row + "\n" + Self.sideBySide)?.text.lines[1].text.hasPrefix("Harbour Joinery Ltd Fen")
                == true)
    }

    @Test("Sums beside a table of taxes stand below it")
    func sums() {
        let rows = """

            VAT table, by rates                                     Net total           120.00
            20%       120.00    24.00 VAT                           Total taxes          24.00
            Paid by card on 5 May                                   Total               144.00
            """
        let printed =
            Self.sideBySide + Self.table.split(separator: "\n").prefix(3).joined(separator: "\n") + rows
        let text = readText(printed)
        let letter = LetterPage(text, style: NumberStyle(words: text.words.map(\.text)))
        #expect(
            letter?.text.lines.suffix(5).map(\.text) == [
                "20% 120.00 24.00 VAT", "Paid by card on 5 May", "Net total 120.00", "Total taxes 24.00",
                "Total 144.00",
            ])
    }

    @Test("A net total that nothing makes gives way to the sum of it and the tax")
    func proven() {
        let printed = """
            Harbour Joinery Ltd                                     Invoice number: 2024-118
            Description                                            Quantity         Price            Amount
            Oak shelf, oiled                                              2         45.00             90.00
            Brass hooks                                                   6          5.00             30.00
                                                                        Net total: 120.00
            VAT     Net amount     VAT amount
            20%         120.00          24.00
                                                                        VAT total:  24.00
                                                                      Due payable: 144.00
            """
        #expect(ReceiptFields(of: readText(printed)).total?.value == 144)
    }

    @Test("A till's strip is no letter")
    func strips() {
        #expect(
            LetterPage(
                readText(
                    "The Copper Kettle         Table 4\n9 Harbor Lane             Check 10442\nTotal   28.35"),
                style: NumberStyle(words: ["28.35"])) == nil)
    }

    @Test("Text without an amount is left in its order")
    func letters() {
        let printed =
            "Harbour Joinery Ltd                                            12 March 2024\nDear Ms Fenwick"
        let text = readText(printed)
        #expect(LetterPage(text, style: NumberStyle(words: []))?.text == text)
    }

    @Test(
        "The seller is not who buys",
        arguments: [
            "Bill to:", "Rechnungsempfänger", "Adresse de facturation", "Nabywca",
            "Käufer/Leistungsempfänger",
        ])
    func buyers(label: String) {
        let gap = String(repeating: " ", count: 56)
        let printed = """
            INVOICE
            \(label)\(gap.dropFirst(label.count))Invoice number: 2024-118
            Fenwick & Daughters Ltd                                 Date: 5 May 2024
            12 Mill Road                                            Harbour Joinery Ltd
            York YO1 7HH                                            9 Harbour Lane
            """
        #expect(fields(printed).merchant?.value == "Harbour Joinery Ltd")
    }

    @Test(
        "A label says who sells",
        arguments: [
            "Vendor: Oak and Ash", "Sold by\nOak and Ash", "Verkäufer\nNummer: 549910\nName: Oak and Ash",
        ])
    func sellers(row: String) {
        let printed = """
            Invoice                                                              Number: 2024-118
            \(row)
            Customer: Fenwick & Daughters Ltd
            """
        #expect(fields(printed).merchant?.value == "Oak and Ash")
    }

    @Test("A day beside the word from names no seller")
    func periods() {
        let printed = """
            Harbour Joinery Ltd                                     Invoice number: 2024-118
            From: 1 April 2024
            """
        #expect(fields(printed).merchant?.value == "Harbour Joinery Ltd")
    }

    @Test(
        "The street that follows a name in its row is none of it",
        arguments: [
            "Oak & Ash AG - Uferweg 40-42 - 63571 Gelnhausen", "Oak & Ash b.v., Mill Road 12, York YO1 7HH",
        ])
    func senders(row: String) {
        let printed = """
            \(row)
            Bill to                                                 Invoice number: 2024-118
            Fenwick & Daughters Ltd                                 Date: 5 May 2024
            www.oak-ash.com
            """
        let name = fields(printed).merchant?.value ?? ""
        #expect(name.hasPrefix("Oak & Ash") && !name.contains { $0.isNumber })
    }

    @Test(
        "A heading is no seller, with its number or without",
        arguments: ["INVOICE", "Invoice number 2E9958F3-0010"])
    func headings(row: String) {
        let printed = """
            \(row)
            Oak & Ash, LLC                                          Bill to
            9 Harbour Lane                                          Fenwick & Daughters Ltd
            ar@oakash.com                                           12 Mill Road
            """
        #expect(fields(printed).merchant?.value == "Oak & Ash, LLC")
    }

    @Test(
        "The day of an invoice is not that of the order, of delivery or of payment",
        arguments: [
            "Order date: 1 March 2024", "Delivered 28 April 2024", "Leistungsdatum: 28.04.2024",
            "Rechnung gemäß Bestellung vom 01.03.2024", "Date due\n31 May 2024",
        ])
    func days(row: String) {
        let printed = """
            Harbour Joinery Ltd                                     Whitby YO21 3AB
            \(row)
            Invoice 2024-118 of 5 May 2024
            """
        #expect(fields(printed).date?.value == "2024-05-05")
    }

    @Test("A number stands below its label too, and behind a kind in brackets")
    func numbers() {
        let printed = """
            Harbour Joinery Ltd                                     Invoice No.
            9 Harbour Lane                                          HJ/24-118
            """
        #expect(fields(printed).invoiceNumber?.value == "HJ/24-118")
        #expect(
            fields("Harbour Joinery Ltd                         Whitby YO21 3AB\nRechnung (380) Nr. 471102")
                .invoiceNumber?.value == "471102")
    }

    @Test("Who sells may stand below who buys, and close behind the label's colon")
    func sellerBelowBuyer() {
        let printed = """
            Invoice                                                              Number: 2024-118
            Customer: Fenwick & Daughters Ltd
            Vendor:Oak & Ash
            """
        #expect(fields(printed).merchant?.value == "Oak & Ash")
    }

    @Test(
        "Who serves is no seller, and where a journey begins is none",
        arguments: ["Verkäufer: Frau Holm", "From: Whitby"])
    func servers(row: String) {
        let printed = """
            Harbour Joinery Ltd                                     Invoice number: 2024-118
            9 Harbour Lane                                          \(row)
            Whitby YO21 3AB
            """
        #expect(fields(printed).merchant?.value == "Harbour Joinery Ltd")
    }

    @Test("A day that is the invoice's and the delivery's is the invoice's")
    func sharedDay() {
        let printed = """
            Harbour Joinery Ltd                                     Whitby, 1 March 2024
            Invoice date / Delivery date: 5 May 2024
            """
        #expect(fields(printed).date?.value == "2024-05-05")
    }

    @Test("GmbH is a legal form on letters, in a sender's row too")
    func mixedLetters() {
        let printed = """
            Oak GmbH | Uferweg 40 | 63571 Gelnhausen,
            Herr                                                    Rechnungsdatum: 05.05.2024
            Karl Holm                                               Rechnung Nr. 118
            Hafenstraße 113
            88045 Friedrichshafen
            """
        #expect(fields(printed).merchant?.value == "Oak GmbH")
    }

    @Test("A page of sums goes on what was bought, though a day to pay by stands on it")
    func pagesOfSums() {
        let things = Self.sideBySide + Self.table.split(separator: "\n").prefix(3).joined(separator: "\n")
        let sums = """
            Zahlbar innerhalb 30 Tagen netto bis 04.06.2024
            Skonto innerhalb 10 Tagen bis 15.05.2024                             Bedingungen siehe Vertrag
                                                                             Subtotal            120.00
                                                                              VAT 20%             24.00
                                                                                Total            144.00
            """
        func receipts(_ second: String) -> [PagedReceipt] {
            PagedReceipt.receipts(on: [
                .init(number: 1, text: readText(things)), .init(number: 2, text: readText(second)),
            ])
        }
        #expect(receipts(sums).map(\.pages) == [[1, 2]] && receipts(sums).first?.fields.total?.value == 144)
        // The head alone on the first page, and captions that look like a name on the second.
        let head = Self.sideBySide + "\nInvoice number: 2024-118"
        let captions = "Pos Art Menge                                           Einzel\n" + sums
        let joined = PagedReceipt.receipts(on: [
            .init(number: 1, text: readText(head)), .init(number: 2, text: readText(captions)),
        ])
        #expect(joined.map(\.pages) == [[1, 2]])
        #expect(
            receipts("Oak & Ash Ltd                                           9 Harbour Lane\n" + sums).map(
                \.pages) == [[1], [2]])
        #expect(receipts("Rechnung vom 02.05.2024\n" + sums).map(\.pages) == [[1], [2]])
    }

    @Test("Nobody is called seller and buyer")
    func words() {
        let words = LetterWords.shared
        #expect(words.seller.isDisjoint(with: words.buyer) && words.other.isDisjoint(with: words.buyer))
        #expect(words.seller.count > 20 && words.buyer.count > 50 && words.other.count > 40)
        #expect(words.own.count > 20 && words.own.isDisjoint(with: words.other))
        let label = ["order", "date", "invoice", "date"]
        #expect(
            LetterWords.last(in: label, of: words.own) == 2..<4
                && LetterWords.last(in: label, of: words.other) == 0..<2)
        #expect(LetterWords.last(in: ["paid"], of: words.other) == nil)
        #expect(LetterWords.areAll(["sold", "by", "seller"], in: words.seller))
        #expect(
            !LetterWords.areAll(["sold", "yesterday"], in: words.seller)
                && !LetterWords.areAll([], in: words.seller))
    }
}

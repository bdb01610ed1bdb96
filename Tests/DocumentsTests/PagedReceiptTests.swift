import Foundation
import TextRecognition
import TextTestSupport
import Testing

@testable import Documents

/// Receipts that go on over pages, and pages that hold a receipt each.
@Suite struct PagedReceiptTests {
    private func receipts(
        _ pages: [String], _ joining: PagedReceipt.Joining = .auto
    ) -> [PagedReceipt] {
        PagedReceipt.receipts(
            on: pages.enumerated().map { .init(number: $0 + 1, text: readText($1)) }, joining: joining)
    }

    /// Rows of things, each dearer by one than the one before.
    private func items(_ numbers: ClosedRange<Int>) -> String {
        numbers.map { "Widget blue no \($0 + 100)           \($0 + 3).10" }.joined(separator: "\n")
    }

    private let first = """
             Northwind Supplies Ltd
        12 High Street
        Leeds LS1 4AB
        VAT No GB 123 4567 89
        Invoice No 2024-0815
        Date: 14.03.2024
        """

    @Test("An invoice of two pages is one: head of the first, things of both, sums of the second")
    func invoice() throws {
        let found = receipts([
            first + "\n" + items(1...20) + "\nCarried forward                  272.00\nPage 1 of 2",
            """
                 Northwind Supplies Ltd
            Invoice No 2024-0815
            Brought forward                  272.00
            \(items(21...30))
            Subtotal                         558.00
            VAT 20%                          111.60
            Total GBP                        669.60
            Page 2 of 2
            """,
        ])
        let receipt = try #require(found.first)
        #expect(found.count == 1)
        #expect(receipt.pages == [1, 2])
        #expect(receipt.fields.merchant?.value == "Northwind Supplies Ltd")
        #expect(receipt.fields.merchant?.page == 1)
        #expect(receipt.fields.date?.value == "2024-03-14")
        #expect(receipt.fields.items.count == 30)
        #expect(receipt.fields.total?.value == Decimal(string: "669.6"))
        #expect(receipt.fields.contradictions == [])
        #expect(Set(receipt.fields.items.compactMap(\.page)) == [1, 2])
        let total = try #require(receipt.fields.total)
        #expect(total.page == 2)
        // The fourteenth row of the second page; rows are 40 pixels apart.
        #expect(total.box.top == 15 * 40)
    }

    @Test("A page that says that it goes on has no total of its own")
    func open() {
        let page = first + "\n" + items(1...20) + "\nPage 1 of 2"
        #expect(ReceiptFields(of: readText(page)).total == nil)
        #expect(ReceiptFields(of: readText(page)).items.count == 20)
    }

    private static let shop = """
             Corner Grocery
        5 Elm Road, Springfield
        03/22/2025  8:47 PM
        Bread                  2.50
        Milk                   1.25
        TOTAL                  3.75
        """
    private static let bar = """
             The Copper Kettle
        9 Harbor Lane, Rockford
        03/24/2025  1:12 PM
        Fish Tacos            19.00
        House Salad            7.25
        TOTAL                 26.25
        """

    @Test("Receipts on pages of their own stay apart, or are joined where that is asked for")
    func pile() {
        let pile = [Self.shop, Self.bar, ""]
        #expect(receipts(pile).map(\.pages) == [[1], [2], [3]])
        #expect(receipts(pile, .all).map(\.pages) == [[1, 2, 3]])
        #expect(receipts(pile).compactMap(\.fields.total?.value) == [3.75, 26.25])
        #expect(receipts(pile).allSatisfy { $0.fields.total?.page == nil })
    }

    @Test("Two invoices with page numbers of their own are two")
    func numbered() {
        let end = "Total                 9.10\nPage 2 of 2"
        let found = receipts([
            first + "\n" + items(1...2) + "\nPage 1 of 2", items(3...3) + "\n" + end,
            first + "\n" + items(1...2) + "\nPage 1 of 2", items(3...3) + "\n" + end,
        ])
        #expect(found.map(\.pages) == [[1, 2], [3, 4]])
        #expect(receipts([first + "\nPage 1 of 2", end], .none).map(\.pages) == [[1], [2]])
    }

    @Test(
        "A pile whose pages are numbered is no receipt",
        arguments: [("Page 1", "Page 2"), ("Page 1 of 2", "Page 2 of 2")])
    func numberedPile(first: String, second: String) {
        #expect(receipts([Self.shop + "\n" + first, Self.bar + "\n" + second]).map(\.pages) == [[1], [2]])
    }

    @Test("Two copies of one receipt are no receipt of two pages, nor are two of a shop on one day")
    func copies() {
        func slip(_ number: String, _ total: String) -> String {
            "     Corner Grocery\nReceipt No \(number)\nReceipt date 03/22/2025\nBread          \(total)\nTOTAL          \(total)"
        }
        #expect(receipts([slip("48151", "2.50"), slip("48151", "2.50")]).map(\.pages) == [[1], [2]])
        #expect(receipts([slip("48151", "2.50"), slip("62342", "3.75")]).map(\.pages) == [[1], [2]])
    }

    @Test("Things without a sum, and a sum without a head, are one receipt")
    func torn() {
        let found = receipts([
            """
                 Corner Grocery
            5 Elm Road, Springfield
            03/22/2025  8:47 PM
            Bread                  2.50
            Milk                   1.25
            """,
            """
            Butter                 3.20
            Eggs                   4.10
            TOTAL                 11.05
            CASH                  12.00
            CHANGE                 0.95
            """,
        ])
        #expect(found.map(\.pages) == [[1, 2]])
        #expect(found.first?.fields.items.count == 4)
        #expect(found.first?.fields.total?.value == Decimal(string: "11.05"))
    }

    @Test(
        "What hands a sum on is no thing bought, in each language",
        arguments: [
            ("Übertrag", "Übertrag von Seite 1"), ("A reporter", "Report"), ("A riportare", "Riporto"),
            ("Suma y sigue", "Suma anterior"), ("Do przeniesienia", "Z przeniesienia"),
            ("Transport", "Transport"), ("Zwischensumme", "Übertrag"),
        ])
    func carried(out: String, into: String) {
        let found = receipts([
            "Papier Müller GmbH\nRechnung Nr. 4711\n" + items(1...8) + "\n\(out)          68.80",
            "Rechnung Nr. 4711\n\(into)          68.80\n" + items(9...10)
                + "\nTotal            93.00",
        ])
        #expect(found.map(\.pages) == [[1, 2]])
        #expect(found.first?.fields.items.count == 10)
        #expect(found.first?.fields.total?.value == 93)
    }

    @Test(
        "A page's number is read beside a word for it and not beside others",
        arguments: [
            ("Page 2 of 3", 2, 3), ("Seite: 2/3", 2, 3), ("Blatt 1 von 12", 1, 12), ("- Page 7 -", 7, 0),
            ("2 / 3 oldal", 2, 3), ("Strana 1 z 2", 1, 2), ("Invoice 17 Page 2 of 4", 2, 4),
            ("Bahnhof Str. 12 8001 Zürich", 0, 0), ("Pagina 9 di 4", 0, 0), ("Table 2 of 3", 0, 0),
        ])
    func number(printed: String, number: Int, count: Int) {
        let found = PageNumbering.number(in: Vocabulary.words(of: printed))
        #expect(found?.number ?? 0 == number)
        #expect(found?.count ?? 0 == count)
    }

    @Test("Pages of other sizes are brought to the first one's, and each box is on its page again")
    func sizes() throws {
        let text = readText(
            "TOTAL                 15.30\nCASH                  20.00\nCHANGE                 4.70")
        let twice = text.scaled(by: 2, to: .init(width: 960, height: 4000))
        let found = PagedReceipt.receipts(
            on: [
                .init(number: 4, text: readText("Corner Grocery\n03/22/2025\n" + items(1...3))),
                .init(number: 6, text: twice),
            ], joining: .all)
        let receipt = try #require(found.first)
        let total = try #require(receipt.fields.total)
        #expect(total.page == 6)
        #expect(abs(total.box.left - 2 * 221) < 1e-9)
        #expect(total.box.top == 0)
    }
}

import Foundation
import Testing
import TextTestSupport

@testable import Documents

/// Totals that only one row, or a sum over several, tells.
@Suite struct ReceiptTotalTests {
    private func total(_ printed: String) -> Decimal? { ReceiptFields(of: readText(printed)).total?.value }

    private func decimal(_ text: String) -> Decimal? {
        Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    @Test("The only value that a page calls a total is it: on card slips, and where the items are not read")
    func onlyValue() {
        let slip = """
            HARBOR TERRACE
            1747 Wynkoop St
            303-446-2337
            SALE
            Card #XXXXXXXXXX125
            Approval: 000257
            Amount: $ 15.12
            + Tip:
            = Total:
            """
        #expect(total(slip) == decimal("15.12"))
        #expect(total("MARKET\nPRIX FIXE\nWT GALA APPLES\nTAX .93 BAL 45.44") == decimal("45.44"))
    }

    @Test("An amount with the mark of a debit is one") func debit() {
        let style = NumberStyle(words: ["$15.60", "$77.90Dr"])
        #expect(PrintedAmount("$77.90Dr", style: style)?.value == decimal("77.9"))
        #expect(PrintedAmount("77Dr", style: style) == nil)
    }

    @Test("A sum behind the numbers of items and pieces is the total where nothing else is")
    func behindCounts() {
        let rows = "071331 L MOONG DAL 1.414 94.50 133.62\n330720 PARK AVENUE 1 187.50 187.50"
        let printed = "CORNER HOUSE\nGSTIN : 27AACCA8432H1ZQ\n1) CGST @ 0.00%, SGST @ 0.00%\n\(rows)"
        #expect(total(printed + "\nItems: 40 Qty: 44 3655.33\nGST Breakup Details") == decimal("3655.33"))
    }

    @Test("A net total is no total where the tax at the rate beside it makes what was paid")
    func netTotal() {
        let head = "HARBOR TERRACE\nJacket 79.99\nNet total 79.99\nGST/HST 13.00 % 10 40\nVisa CAD"
        #expect(total(head + " 90.39") == decimal("90.39"))
        #expect(total(head + " 79.99") == decimal("79.99"))
    }

    @Test("Cash less change is the printed total, rounded to coins, where it is printed nowhere itself")
    func roundedToCoins() {
        let printed = """
            TOMATO 6 PACK     $5.98
            BIO EGGS         $73.54
            46 BAL DUE      $179.52
            ROUNDING         -$0.02
            CASH            $190.00
            CHANGE           $10.50
            """
        #expect(total(printed) == decimal("179.52"))
    }

    @Test("A total far below an item is misread unless a discount or a sum says it")
    func farBelowItem() {
        let rows = "CORNER HOUSE\nThali 1 95.00 95.00\nNaan 1 170.00 170.00\nGRAND TOTAL "
        #expect(total(rows + "33.00") == nil)
        #expect(total(rows + "265.00") == 265)
    }

    @Test("A total a digit away from a subtotal that was paid is misread")
    func digitFromSubtotal() {
        let rows = "PAN 6.500 6.500\nLECHE x 650\nQUESO 4.800"
        #expect(total(rows + "\nSUBTOTAL 11.950\nTOTAL 11.960\nEFECTIVO 11.950") == 11950)
    }

    @Test("Thousands that end in a 1 have no tax class there")
    func thousandsEndingInOne() {
        let rows = "NASI PUTIH @8182 24,541\nAYAM BAKAR 20,001\nBEBEK 158,959"
        #expect(total("AYAM NEGERI\n\(rows)\nTotal 203,501\nTotalnya 203,501") == 203_501)
    }
}

import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import DocumentArchive

@Suite struct LedgerRulesTests {
    private static let rules = """
        # what is bought where
        merchant bäckerei = expenses:food
        item pfand = assets:deposits
        payment cash = assets:cash
        merchant * = expenses:other
        """

    private func archive(_ document: NewDocument) throws -> (ScratchFolder, [ArchivedDocument]) {
        let folder = try ScratchFolder()
        let archive = try DocumentArchive(path: folder.path("papers"))
        try archive.addOne(document)
        return (folder, try archive.documents())
    }

    @Test func transactionsBalanceAndPartTheItems() throws {
        var receipt = TestDocuments.receipt()
        receipt.read["payment"] = .init("cash", confidence: 0.9)
        receipt.report = #"""
            {"fields": {"items": [{"description": "Pfand 0,25", "amount": "0.25"}, {"description": "Brot", "amount": "23.98"}]}}
            """#
        let (folder, documents) = try archive(receipt)
        let journal = try LedgerRules(Self.rules).journal(documents)
        #expect(journal.unmatched.isEmpty)
        #expect(
            journal.text == """
                2026-03-02 Bäckerei Groß GmbH  ; document: \(documents[0].id.uuidString)
                    assets:deposits  0.25 EUR
                    expenses:food  23.98 EUR
                    assets:cash  -24.23 EUR

                """)
        withExtendedLifetime(folder) {}
    }

    @Test func whatIsSoldDecidesWhereTheShopDoesNot() throws {
        var receipt = TestDocuments.receipt()
        receipt.read["category"] = .init("groceries", confidence: 0.9)
        let (folder, documents) = try archive(receipt)
        let rules = try LedgerRules("merchant rewe = expenses:rewe\ncategory groceries = expenses:food")
        #expect(rules.journal(documents).text.contains("expenses:food  24.23 EUR"))
        let (other, without) = try archive(TestDocuments.receipt())
        #expect(try LedgerRules("category * = expenses:food").journal(without).unmatched.count == 1)
        withExtendedLifetime((folder, other)) {}
    }

    @Test func whatNoRuleFitsIsListed() throws {
        let (folder, documents) = try archive(TestDocuments.receipt("Shop; a|b\nc"))
        let journal = try LedgerRules("merchant bakery = expenses:food").journal(documents)
        #expect(journal.unmatched.map(\.document) == [documents[0].id])
        #expect(
            journal.text.contains("expenses:unknown  24.23 EUR") && journal.text.contains(" Shop  a b c  ;"))
        let (other, without) = try archive(TestDocuments.receipt(total: nil))
        #expect(try LedgerRules("").journal(without).text.isEmpty)
        #expect(try LedgerRules("").journal(without).unmatched.count == 1)
        withExtendedLifetime((folder, other)) {}
    }

    @Test(arguments: ["merchant = x", "shop a = b", "merchant a", "merchant a ="])
    func whatIsNoRuleIsRefusedWithItsLine(_ line: String) {
        let error = #expect(throws: FlatteningError.self) { try LedgerRules("# one\n\(line)") }
        #expect(error?.code == .badInput && error?.message.contains("line 2") == true)
    }
}

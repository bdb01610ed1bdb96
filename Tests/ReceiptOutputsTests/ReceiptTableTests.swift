import Captures
import Foundation
import ReceiptFlattening
import ReceiptOutputs
import TestSupport
import TextRecognition
import Testing

/// Rows of `--table` and the report say the same.
@Suite struct ReceiptTableTests {
    /// Read once by tesseract.
    private static let receipt: Result<FlattenedReceipt, any Error> = Result {
        var options = ReceiptFlattener.Options()
        options.language = "eng"
        return try ReceiptFlattener(options: options).flatten(
            Capture(contentsOf: Repository.samples.appending(path: "fold-structured")))
    }

    private func fields() throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: try Self.receipt.get().report.json())
        return try #require((json as? [String: Any])?["fields"] as? [String: Any])
    }

    @Test func everyKeyOfTheReportsFieldsIsAColumn() throws {
        let fields = try fields()
        #expect(
            Set(ReceiptTable.fieldColumns) == Set(fields.keys).subtracting(["items", "ambiguous", "missing"]))
        #expect(Set(ReceiptTable.fieldColumns).count == ReceiptTable.fieldColumns.count)
        let line = try #require((fields["tax_lines"] as? [[String: Any]])?.first)
        #expect(Set(ReceiptTable.taxColumns) == Set(line.keys).subtracting(["polygon"]))
        let item = try #require((fields["items"] as? [[String: Any]])?.first)
        // Where an item stands, and how it is printed, are for programs.
        #expect(Set(ReceiptTable.itemColumns) == Set(item.keys).subtracting(["polygon", "printed"]))
    }

    @Test func cellsHoldTheReportsValues() throws {
        let table = ReceiptTable([try Self.receipt.get()])
        let (row, fields) = (try #require(table.sheets.first), try fields())
        #expect(row.sheet == 1)
        for column in ReceiptTable.fieldColumns
        where !["contradictions", "tax_lines", "payments"].contains(column) {
            #expect(
                row.fields[column] == (fields[column] as? [String: Any])?["value"] as? String, "\(column)")
        }
        #expect(row.fields["total"] != nil, "else nothing was compared")
        let items = try #require(fields["items"] as? [[String: Any]])
        #expect(!items.isEmpty && row.items.count == items.count)
        for (cells, item) in zip(row.items, items) {
            for column in [
                "quantity", "unit", "code", "unit_price", "description", "amount", "kind", "tax_class",
            ] {
                #expect(cells[column] == item[column] as? String, "\(column)")
            }
        }
    }

    @Test func aLineOfTaxIsRateBaseAndAmount() throws {
        let table = ReceiptTable([try Self.receipt.get()])
        let lines = try #require(try fields()["tax_lines"] as? [[String: Any]])
        let wanted = lines.map { line in
            ["rate", "base", "amount"].map { line[$0] as? String ?? "-" }.joined(separator: " ")
        }
        #expect((table.sheets.first?.fields["tax_lines"] ?? "") == wanted.joined(separator: "; "))
    }

    @Test func rowsComeThroughJSON() throws {
        let table = ReceiptTable([try Self.receipt.get()])
        #expect(try JSONDecoder().decode(ReceiptTable.self, from: JSONEncoder().encode(table)) == table)
    }
}

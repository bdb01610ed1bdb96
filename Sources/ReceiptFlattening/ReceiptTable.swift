import Documents
import Platform

/// Receipts as rows of tables: one of what each receipt says, one of the items on all of them.
///
/// A row names its cells by columns; what was not found has none. Columns are named as in the report, whose keys they are.
package struct ReceiptTable: Codable, Equatable, Sendable {
    /// What one sheet says.
    package struct Sheet: Codable, Equatable, Sendable {
        /// Its number in reading order, from 1; nil where no sheet was found in the photograph.
        package var sheet: Int?
        /// The receipt's cells, by ``ReceiptTable/fieldColumns``.
        package var fields: [String: String]
        /// Each item's cells, by ``ReceiptTable/itemColumns``.
        package var items: [[String: String]]
    }

    /// The sheets of one capture.
    package var sheets: [Sheet]

    /// The rows of a capture's receipts.
    package init(_ receipts: [FlattenedReceipt]) {
        sheets = receipts.map { receipt in
            let fields = receipt.fields ?? ReceiptFields()
            return Sheet(
                sheet: receipt.report.sheet?.index, fields: Self.cells(of: fields, Self.fields),
                items: fields.items.map { Self.cells(of: $0, Self.items) })
        }
    }

    /// The columns of what a receipt says, in their order.
    package static var fieldColumns: [String] { fields.map(\.name) }
    /// The columns of an item, in their order.
    package static var itemColumns: [String] { items.map(\.name) }

    /// A column: its name, and what stands in it; nil for nothing.
    private typealias Column<Row> = (name: String, cell: @Sendable (Row) -> String?)

    /// What a receipt says, a column each: the one list of them.
    private static let fields: [Column<ReceiptFields>] = [
        ("merchant", { $0.merchant?.value }),
        ("address", { $0.address?.value }),
        ("phone", { $0.phone?.value }),
        ("email", { $0.email?.value }),
        ("web", { $0.web?.value }),
        ("registration_number", { $0.registrationNumber?.value }),
        ("tax_number", { $0.taxNumber?.value }),
        ("date", { $0.date?.value }),
        ("time", { $0.time?.value }),
        ("currency", { $0.currency?.value }),
        ("country", { $0.country?.value }),
        ("language", { $0.language?.value }),
        ("subtotal", { $0.subtotal?.value.description }),
        ("discount", { $0.discount?.value.description }),
        ("service", { $0.service?.value.description }),
        ("tax", { $0.tax?.value.description }),
        ("tax_lines", { $0.taxLines.map(cell).joined(separator: "; ") }),
        ("tip", { $0.tip?.value.description }),
        ("rounding", { $0.rounding?.value.description }),
        ("total", { $0.total?.value.description }),
        ("cash_given", { $0.cashGiven?.value.description }),
        ("change", { $0.change?.value.description }),
        ("payment", { $0.payment?.value }),
        ("card_kind", { $0.cardKind?.value }),
        ("card_number", { $0.cardNumber?.value }),
        ("receipt_number", { $0.receiptNumber?.value }),
        ("invoice_number", { $0.invoiceNumber?.value }),
        ("contradictions", { $0.contradictions.joined(separator: "; ") }),
    ]

    /// A line of tax: rate, base and amount, "-" for what is not printed.
    private static func cell(_ line: ReceiptFields.TaxLine) -> String {
        [line.rate, line.base, line.amount].map { $0?.description ?? "-" }.joined(separator: " ")
    }

    /// What is known of an item, a column each.
    private static let items: [Column<ReceiptFields.LineItem>] = [
        ("quantity", { $0.quantity?.description }),
        ("unit", { $0.unit }),
        ("code", { $0.code }),
        ("unit_price", { $0.unitPrice?.description }),
        ("description", { $0.description }),
        ("amount", { $0.amount.description }),
        ("confidence", { String(($0.confidence * 1000).rounded() / 1000) }),
    ]

    private static func cells<Row>(of row: Row, _ columns: [Column<Row>]) -> [String: String] {
        var cells: [String: String] = [:]
        for column in columns {
            if let cell = column.cell(row), !cell.isEmpty { cells[column.name] = cell }
        }
        return cells
    }
}

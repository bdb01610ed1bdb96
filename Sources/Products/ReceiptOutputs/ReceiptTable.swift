package import Documents
import Platform
package import ReceiptFlattening

/// Receipts as rows of three tables: the fields of each receipt, the items of all receipts, and their lines of tax.
///
/// A row names its cells by columns; what was not found has no cell. Columns have the names of the report's keys.
package struct ReceiptTable: Codable, Equatable, Sendable {
    /// The values of one sheet.
    package struct Sheet: Codable, Equatable, Sendable {
        /// Its number in reading order, from 1; nil where no sheet was found in the photograph.
        package var sheet: Int?
        /// The number of its page, from 1; nil where it belongs to no document.
        package var page: Int?
        /// The number of its last page; nil where it is on one page only.
        package var lastPage: Int?
        /// The receipt's cells, by ``ReceiptTable/fieldColumns``.
        package var fields: [String: String]
        /// Each item's cells, by ``ReceiptTable/itemColumns``.
        package var items: [[String: String]]
        /// The cells of each line of tax, by ``ReceiptTable/taxColumns``; nil in data stored before there were any.
        package var taxLines: [[String: String]]?
    }

    /// The sheets of one capture.
    package var sheets: [Sheet]

    /// Makes the rows of a capture's receipts.
    package init(_ receipts: [FlattenedReceipt]) { sheets = receipts.map(Sheet.init) }

    /// Takes rows that exist already.
    package init(sheets: [Sheet]) { self.sheets = sheets }

    /// The columns of a receipt's fields, in their order.
    package static var fieldColumns: [String] { fields.map(\.name) }
    /// The columns of an item, in their order.
    package static var itemColumns: [String] { items.map(\.name) }
    /// The columns of a line of tax, in their order.
    package static var taxColumns: [String] { taxes.map(\.name) }

    /// A column: its name, and a function that returns its cell for a row; nil for an empty cell.
    fileprivate typealias Column<Row> = (name: String, cell: @Sendable (Row) -> String?)

    /// The fields of a receipt, a column each; a list stands beside the field that it belongs to.
    fileprivate static let fields: [Column<ReceiptFields>] = ReceiptFieldName.allCases.flatMap { name in
        let column: Column<ReceiptFields> = (name.key, { $0.text(of: name) })
        return switch name {
        case .tax: [column, taxLines]
        case .payment: [column, payments]
        case .invoiceNumber: [column, contradictions]
        default: [column]
        }
    }

    private static let taxLines: Column<ReceiptFields> = (
        "tax_lines", { fields in fields.taxLines.map { cell($0, in: fields) }.joined(separator: "; ") }
    )
    private static let payments: Column<ReceiptFields> = (
        "payments",
        { fields in
            fields.payments.map { $0.kind + " " + fields.text(of: $0.amount) }.joined(separator: "; ")
        }
    )
    private static let contradictions: Column<ReceiptFields> = (
        "contradictions", { $0.contradictions.joined(separator: "; ") }
    )

    /// Returns the cell of a line of tax: rate, base and amount, "-" for what is not printed.
    private static func cell(_ line: ReceiptFields.TaxLine, in fields: ReceiptFields) -> String {
        [line.rate?.description, line.base.map(fields.text), fields.text(of: line.amount)].map { $0 ?? "-" }
            .joined(separator: " ")
    }

    /// An item and the receipt that it belongs to.
    fileprivate typealias Item = (item: ReceiptFields.LineItem, fields: ReceiptFields)

    /// The properties of an item, a column each.
    fileprivate static let items: [Column<Item>] = [
        ("quantity", { $0.item.quantity?.description }),
        ("unit", { $0.item.unit }),
        ("code", { $0.item.code }),
        ("unit_price", { $0.item.unitPrice.map($0.fields.text) }),
        ("description", { $0.item.description }),
        ("amount", { $0.fields.text(of: $0.item.amount) }),
        ("kind", { $0.item.kind.rawValue }),
        ("of_item", { $0.item.ofItem.map { String($0 + 1) } }),
        ("tax_class", { $0.item.taxClass }),
        ("confidence", { rounded($0.item.confidence) }),
    ]

    /// A line of tax and the receipt that it belongs to.
    fileprivate typealias Tax = (line: ReceiptFields.TaxLine, fields: ReceiptFields)

    /// The properties of a line of tax, a column each.
    fileprivate static let taxes: [Column<Tax>] = [
        ("tax_class", { $0.line.taxClass }),
        ("rate", { $0.line.rate?.description }),
        ("base", { $0.line.base.map($0.fields.text) }),
        ("amount", { $0.fields.text(of: $0.line.amount) }),
        ("gross", { $0.line.gross.map($0.fields.text) }),
        ("confidence", { rounded($0.line.confidence) }),
    ]

    private static func rounded(_ confidence: Double) -> String {
        String((confidence * 1000).rounded() / 1000)
    }

    fileprivate static func cells<Row>(of row: Row, _ columns: [Column<Row>]) -> [String: String] {
        var cells: [String: String] = [:]
        for column in columns {
            if let cell = column.cell(row), !cell.isEmpty { cells[column.name] = cell }
        }
        return cells
    }
}

extension ReceiptTable.Sheet {
    /// Makes the row of a receipt.
    package init(_ receipt: FlattenedReceipt) {
        self.init(
            receipt.fields ?? ReceiptFields(), sheet: receipt.report.sheet?.index,
            page: receipt.report.page?.index)
    }

    /// Makes the row of the receipt that begins on a page; nil where the page continues another page's receipt.
    package init?(_ page: FlattenedPage) {
        guard !page.isContinuation else { return nil }
        self.init(
            page.fields ?? ReceiptFields(), sheet: page.report.sheet?.index, page: page.report.page?.index,
            lastPage: page.report.receiptPages?.last)
    }

    /// Makes the row of a receipt's fields.
    package init(_ fields: ReceiptFields, sheet: Int?, page: Int?, lastPage: Int? = nil) {
        self.init(
            sheet: sheet, page: page, lastPage: lastPage,
            fields: ReceiptTable.cells(of: fields, ReceiptTable.fields),
            items: fields.items.map { ReceiptTable.cells(of: ($0, fields), ReceiptTable.items) },
            taxLines: fields.taxLines.map { ReceiptTable.cells(of: ($0, fields), ReceiptTable.taxes) })
    }
}

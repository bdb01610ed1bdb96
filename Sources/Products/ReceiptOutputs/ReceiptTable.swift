package import Documents
import Platform
package import ReceiptFlattening

/// Receipts as rows of tables: one of what each receipt says, one of the items on all of them, one of their lines of tax.
///
/// A row names its cells by columns; what was not found has none. Columns are named as in the report, whose keys they are.
package struct ReceiptTable: Codable, Equatable, Sendable {
    /// What one sheet says.
    package struct Sheet: Codable, Equatable, Sendable {
        /// Its number in reading order, from 1; nil where no sheet was found in the photograph.
        package var sheet: Int?
        /// The number of its page, from 1; nil where it is of no document.
        package var page: Int?
        /// The number of its last page; nil where it has one.
        package var lastPage: Int?
        /// The receipt's cells, by ``ReceiptTable/fieldColumns``.
        package var fields: [String: String]
        /// Each item's cells, by ``ReceiptTable/itemColumns``.
        package var items: [[String: String]]
        /// Each line of tax's cells, by ``ReceiptTable/taxColumns``; nil in what was kept from before there were any.
        package var taxLines: [[String: String]]?
    }

    /// The sheets of one capture.
    package var sheets: [Sheet]

    /// The rows of a capture's receipts.
    package init(_ receipts: [FlattenedReceipt]) { sheets = receipts.map(Sheet.init) }

    /// Rows that are there.
    package init(sheets: [Sheet]) { self.sheets = sheets }

    /// The columns of what a receipt says, in their order.
    package static var fieldColumns: [String] { fields.map(\.name) }
    /// The columns of an item, in their order.
    package static var itemColumns: [String] { items.map(\.name) }
    /// The columns of a line of tax, in their order.
    package static var taxColumns: [String] { taxes.map(\.name) }

    /// A column: its name, and what stands in it; nil for nothing.
    fileprivate typealias Column<Row> = (name: String, cell: @Sendable (Row) -> String?)

    /// What a receipt says, a column each: the one list of them.
    fileprivate static let fields: [Column<ReceiptFields>] =
        columns([
            .merchant, .address, .phone, .email, .web, .registrationNumber, .taxNumber, .date, .time,
            .currency,
            .country, .language, .subtotal, .discount, .service, .tax,
        ]) + [taxLines]
        + columns([
            .tip, .rounding, .total, .cashGiven, .change, .payment,
        ]) + [payments] + columns([.cardKind, .cardNumber, .receiptNumber, .invoiceNumber]) + [contradictions]
        + columns([.brand, .category])

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

    private static func columns(_ names: [ReceiptFieldName]) -> [Column<ReceiptFields>] {
        names.map { name in (name.key, { $0.text(of: name) }) }
    }

    /// A line of tax: rate, base and amount, "-" for what is not printed.
    private static func cell(_ line: ReceiptFields.TaxLine, in fields: ReceiptFields) -> String {
        [line.rate?.description, line.base.map(fields.text), fields.text(of: line.amount)].map { $0 ?? "-" }
            .joined(separator: " ")
    }

    /// An item and the receipt that it is of.
    fileprivate typealias Item = (item: ReceiptFields.LineItem, fields: ReceiptFields)

    /// What is known of an item, a column each.
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

    /// A line of tax and the receipt that it is of.
    fileprivate typealias Tax = (line: ReceiptFields.TaxLine, fields: ReceiptFields)

    /// What is known of a line of tax, a column each.
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
    /// The row of a receipt.
    package init(_ receipt: FlattenedReceipt) {
        self.init(
            receipt.fields ?? ReceiptFields(), sheet: receipt.report.sheet?.index,
            page: receipt.report.page?.index)
    }

    /// The row of the receipt that begins on a page; nil where another page's goes on.
    package init?(_ page: FlattenedPage) {
        guard !page.isContinuation else { return nil }
        self.init(
            page.fields ?? ReceiptFields(), sheet: page.report.sheet?.index, page: page.report.page?.index,
            lastPage: page.report.receiptPages?.last)
    }

    /// The row of what a receipt says.
    package init(_ fields: ReceiptFields, sheet: Int?, page: Int?, lastPage: Int? = nil) {
        self.init(
            sheet: sheet, page: page, lastPage: lastPage,
            fields: ReceiptTable.cells(of: fields, ReceiptTable.fields),
            items: fields.items.map { ReceiptTable.cells(of: ($0, fields), ReceiptTable.items) },
            taxLines: fields.taxLines.map { ReceiptTable.cells(of: ($0, fields), ReceiptTable.taxes) })
    }
}

public import ReceiptFlattening
import TextFormats

/// What receipts say as three tables: a row a receipt, a row an item, a row a line of tax. Columns are named as in the report.
public struct ReceiptTables: Sendable {
    /// Rows under named columns.
    public struct Table: Sendable, Equatable {
        /// The columns' names. The first, "receipt", counts the receipts from 1; in the others the second counts within one.
        public let columns: [String]
        /// A cell for each column, nil for what was not found. Amounts have their currency's digits.
        public let rows: [[String?]]

        /// The table as CSV (RFC 4180) with a row of names.
        /// - Parameter guardsFormulas: whether a cell that a spreadsheet would take for a formula gets an apostrophe before it; without,
        ///   only programs should read the table.
        public func csv(guardsFormulas: Bool = true) -> String {
            ([columns] + rows.map { $0.map { $0 ?? "" } })
                .map { CSVTable.row($0, guardsFormulas: guardsFormulas) }.joined()
        }
    }

    /// A row a receipt.
    public let receipts: Table
    /// A row an item.
    public let items: Table
    /// A row a line of tax.
    public let taxLines: Table

    /// The tables of receipts in their order. O(fields).
    public init(_ receipts: [FlattenedReceipt]) {
        let sheets = ReceiptTable(receipts).sheets
        self.receipts = Table(
            columns: ["receipt"] + ReceiptTable.fieldColumns,
            rows: sheets.enumerated().map { index, sheet in
                ["\(index + 1)"] + ReceiptTable.fieldColumns.map { sheet.fields[$0] }
            })
        func table(_ name: String, _ columns: [String], _ cells: (ReceiptTable.Sheet) -> [[String: String]])
            -> Table
        {
            Table(
                columns: ["receipt", name] + columns,
                rows: sheets.enumerated().flatMap { index, sheet in
                    cells(sheet).enumerated().map { place, row in
                        ["\(index + 1)", "\(place + 1)"] + columns.map { row[$0] }
                    }
                })
        }
        items = table("item", ReceiptTable.itemColumns) { $0.items }
        taxLines = table("line", ReceiptTable.taxColumns) { $0.taxLines ?? [] }
    }
}

public import ReceiptFlattening
import TextFormats

/// The values of receipts as three tables: a row for each receipt, for each item, and for each line of tax. Columns are
/// named as in the report.
public struct ReceiptTables: Sendable {
    /// Rows under named columns.
    public struct Table: Sendable, Equatable {
        /// The columns' names. The first column, "receipt", numbers the receipts from 1; in the tables of items and of
        /// lines of tax, the second column numbers the rows within a receipt.
        public let columns: [String]
        /// A cell for each column, nil for what was not found. Amounts have the number of digits of their currency.
        public let rows: [[String?]]

        /// The table as CSV (RFC 4180) with a row of names.
        /// - Parameter guardsFormulas: whether to put an apostrophe before a cell that a spreadsheet would take for a
        ///   formula; without it, only programs should read the table.
        public func csv(guardsFormulas: Bool = true) -> String {
            ([columns] + rows.map { $0.map { $0 ?? "" } })
                .map { CSVTable.row($0, guardsFormulas: guardsFormulas) }.joined()
        }
    }

    /// A row for each receipt.
    public let receipts: Table
    /// A row for each item.
    public let items: Table
    /// A row for each line of tax.
    public let taxLines: Table

    /// Makes the tables of receipts, in the order given. O(fields).
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

import ArgumentParser
import Diagnostics
import LocalFiles
import Platform
import ReceiptOutputs
import TextFormats

/// The reader that a table is written for.
enum TableReader: String, CaseIterable, Codable, ExpressibleByArgument {
    case spreadsheet, program
}

/// The files of `--table`, written row by row. CSV takes three files: a row for each receipt, each item and each tax line.
/// JSON Lines takes one file: a line for each receipt with its items and tax lines.
///
/// There are three CSV files because there are three kinds of rows. The names of the other two derive from the first, so
/// that none can be omitted or replace another.
struct TableFiles {
    /// The format of a table.
    enum Format {
        case csv(guardsFormulas: Bool)
        case jsonLines

        /// The format for a path's extension.
        init(path: String, for reader: TableReader) {
            self =
                URL.extension(of: path) == "jsonl" ? .jsonLines : .csv(guardsFormulas: reader == .spreadsheet)
        }
    }

    private let format: Format
    private let fields: AtomicFile
    private var items: AtomicFile?
    private var taxes: AtomicFile?

    /// All paths that a table uses, its own first.
    static func paths(of path: String) -> [String] {
        guard URL.extension(of: path) == "csv" else { return [path] }
        return [path, self.path(of: "items", beside: path), self.path(of: "tax", beside: path)]
    }

    private static func path(of part: String, beside path: String) -> String {
        let end = URL(filePath: path).pathExtension.count + 1
        return path.dropLast(end) + "-" + part + path.suffix(end)
    }

    /// Replaces all files by the rows that `body` adds; on any error the old files stay.
    static func replace(
        _ path: String, as format: Format, with body: (TableFiles) throws(FlatteningError) -> Void
    ) throws(FlatteningError) {
        try AtomicFile.replace(path) { (fields) throws(FlatteningError) in
            var tables = TableFiles(format: format, fields: fields)
            guard case .csv = format else { return try body(tables) }
            try AtomicFile.replace(Self.path(of: "items", beside: path)) { (items) throws(FlatteningError) in
                try AtomicFile.replace(Self.path(of: "tax", beside: path)) {
                    (taxes) throws(FlatteningError) in
                    tables.items = items
                    tables.taxes = taxes
                    let (source, sheet) = (["capture", "name"], ["sheet"])
                    // Columns added later come last, so that readers that use column positions find the others in place.
                    try tables.write(
                        source + sheet + ["state", "error"] + ReceiptTable.fieldColumns + [
                            "page", "last_page",
                        ],
                        to: fields)
                    try tables.write(
                        source + sheet + ["item"] + ReceiptTable.itemColumns + ["page"], to: items)
                    try tables.write(
                        source + sheet + ["line"] + ReceiptTable.taxColumns + ["page"], to: taxes)
                    try body(tables)
                }
            }
        }
    }

    /// Adds the receipts of a capture.
    /// - Parameters:
    ///   - capture: its path as it was named.
    ///   - name: the name of its outputs in a batch; "" for a single capture.
    func add(_ table: ReceiptTable, capture: String, name: String) throws(FlatteningError) {
        for row in table.sheets {
            guard case .csv = format else {
                try write(TableLine(capture: capture, name: name, sheet: row))
                continue
            }
            let place = [capture, name, row.sheet.map(String.init) ?? ""]
            let page = [row.page.map(String.init) ?? ""]
            try write(
                place + ["done", ""] + ReceiptTable.fieldColumns.map { row.fields[$0] ?? "" } + page
                    + [row.lastPage.map(String.init) ?? ""],
                to: fields)
            for (index, item) in row.items.enumerated() {
                try write(
                    place + ["\(index + 1)"] + ReceiptTable.itemColumns.map { item[$0] ?? "" } + page,
                    to: items)
            }
            for (index, line) in (row.taxLines ?? []).enumerated() {
                try write(
                    place + ["\(index + 1)"] + ReceiptTable.taxColumns.map { line[$0] ?? "" } + page,
                    to: taxes)
            }
        }
    }

    /// Adds a capture that failed.
    func add(failure: String, capture: String, name: String) throws(FlatteningError) {
        guard case .csv = format else {
            return try write(TableLine(capture: capture, name: name, error: failure))
        }
        try write(
            [capture, name, "", "failed", failure] + ReceiptTable.fieldColumns.map { _ in "" } + ["", ""],
            to: fields)
    }

    private func write(_ cells: [String], to file: AtomicFile?) throws(FlatteningError) {
        guard case .csv(let guardsFormulas) = format else { return }
        try file?.write(Array(CSVTable.row(cells, guardsFormulas: guardsFormulas).utf8))
    }

    private func write(_ line: TableLine) throws(FlatteningError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            try fields.write(Array(try encoder.encode(line)) + [UInt8(ascii: "\n")])
        } catch let error as FlatteningError {
            throw error
        } catch {
            throw FlatteningError(
                .internalInconsistency, "a row cannot be written as JSON", stage: .write, detail: "\(error)")
        }
    }
}

/// A receipt as a line of JSON: the columns of its table (null if not found), its items and its tax lines.
private struct TableLine: Encodable {
    var capture: String
    var name: String
    var sheet: ReceiptTable.Sheet?
    /// Why there is no receipt.
    var error: String?

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// The cells of one row.
    private struct Row: Encodable {
        var columns: [String]
        var cells: [String: String]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for column in columns { try container.encode(cells[column], forKey: Key(column)) }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(capture, forKey: Key("capture"))
        try container.encode(name, forKey: Key("name"))
        try container.encode(sheet?.sheet, forKey: Key("sheet"))
        try container.encode(sheet?.page, forKey: Key("page"))
        try container.encode(sheet?.lastPage, forKey: Key("last_page"))
        try container.encode(error == nil ? "done" : "failed", forKey: Key("state"))
        try container.encode(error, forKey: Key("error"))
        // Columns that combine several values in one cell are written as separate values below.
        for column in ReceiptTable.fieldColumns where column != "tax_lines" {
            try container.encode(sheet?.fields[column], forKey: Key(column))
        }
        try container.encode(
            (sheet?.items ?? []).map { Row(columns: ReceiptTable.itemColumns, cells: $0) },
            forKey: Key("items"))
        try container.encode(
            (sheet?.taxLines ?? []).map { Row(columns: ReceiptTable.taxColumns, cells: $0) },
            forKey: Key("tax_lines"))
    }
}

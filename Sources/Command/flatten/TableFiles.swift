import ArgumentParser
import Diagnostics
import LocalFiles
import Platform
import ReceiptOutputs
import TextFormats

/// Who reads a table.
enum TableReader: String, CaseIterable, Codable, ExpressibleByArgument {
    case spreadsheet, program
}

/// The files of `--table`, written row by row: as CSV three, a row a receipt, a row an item and a row a line of tax; as JSON Lines
/// one, a receipt with its items and taxes each.
///
/// The CSVs are three, as their rows are of three kinds; the others have their names by the first, so that none can be left out or
/// take another's place.
struct TableFiles {
    /// How a table is written.
    enum Format {
        case csv(guardsFormulas: Bool)
        case jsonLines

        /// What a path's extension asks for.
        init(path: String, for reader: TableReader) {
            self =
                URL.extension(of: path) == "jsonl" ? .jsonLines : .csv(guardsFormulas: reader == .spreadsheet)
        }
    }

    private let format: Format
    private let fields: AtomicFile
    private var items: AtomicFile?
    private var taxes: AtomicFile?

    /// All paths that a table takes, its own first.
    static func paths(of path: String) -> [String] {
        guard URL.extension(of: path) == "csv" else { return [path] }
        return [path, self.path(of: "items", beside: path), self.path(of: "tax", beside: path)]
    }

    private static func path(of part: String, beside path: String) -> String {
        let end = URL(filePath: path).pathExtension.count + 1
        return path.dropLast(end) + "-" + part + path.suffix(end)
    }

    /// Replaces all files by the rows that `body` adds; on any error the old ones stay.
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
                    // What came later stands last: who reads by places finds the others where they were.
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
    ///   - name: what a batch calls its outputs; "" for a single capture.
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

/// A receipt as a line of JSON: the columns of its table, null for what was not found, its items and its lines of tax.
private struct TableLine: Encodable {
    var capture: String
    var name: String
    var sheet: ReceiptTable.Sheet?
    /// Why there is none.
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
        // The cells that hold several values in one are given as what they are.
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

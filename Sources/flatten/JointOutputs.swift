import ArgumentParser
import Diagnostics
import Platform
import LocalFiles
import ReceiptFlattening
import TextFormats

/// `--table` and `--merge`: outputs that hold all sheets of a run, of one capture or of a batch.
struct JointOutputArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Fields of the receipts as CSV, a row each, and their items in a second file: for table.csv that is \
            table-items.csv.
            """,
            valueName: "table.csv"),
        completion: .file(extensions: ["csv"]))
    var table: String?

    @Option(
        help: ArgumentHelp(
            "One searchable PDF of all sheets, a page each; \"-\" is standard output.", valueName: "all.pdf"),
        completion: .file(extensions: ["pdf"]))
    var merge: String?

    mutating func validate() throws {
        if let table, Self.fileExtension(table) != "csv" {
            throw ValidationError("--table \(table): tables are files that end in .csv")
        }
        if let merge, merge != "-", Self.fileExtension(merge) != "pdf" {
            throw ValidationError("--merge \(merge): sheets are merged into a file that ends in .pdf")
        }
    }

    private static func fileExtension(_ path: String) -> String {
        URL(filePath: path).pathExtension.lowercased()
    }

    /// Every file that is to be written, with the option that names it.
    var outputs: [OutputPlan.Named] {
        let tables = table.map { [$0, TableFiles.itemsPath(beside: $0)] } ?? []
        return tables.map { .init(option: "--table", path: $0) }
            + (merge.map { [.init(option: "--merge", path: $0)] } ?? [])
    }
}

/// The two files of `--table`, written row by row: a row a receipt, and a row an item.
///
/// They are two, as their rows are of two kinds; the second has its name by the first, so that neither can be left out or
/// take the other's place.
struct TableFiles {
    private let fields: AtomicFile
    private let items: AtomicFile

    /// The path of the items.
    static func itemsPath(beside path: String) -> String {
        let end = URL(filePath: path).pathExtension.count + 1
        return path.dropLast(end) + "-items" + path.suffix(end)
    }

    /// Replaces both files by the rows that `body` adds; on any error the old ones stay.
    static func replace(
        _ path: String, with body: (TableFiles) throws(FlatteningError) -> Void
    ) throws(FlatteningError) {
        try AtomicFile.replace(path) { (fields) throws(FlatteningError) in
            try AtomicFile.replace(itemsPath(beside: path)) { (items) throws(FlatteningError) in
                let tables = TableFiles(fields: fields, items: items)
                let (source, sheet) = (["capture", "name"], ["sheet"])
                try tables.write(source + sheet + ["state", "error"] + ReceiptTable.fieldColumns, to: fields)
                try tables.write(source + sheet + ["item"] + ReceiptTable.itemColumns, to: items)
                try body(tables)
            }
        }
    }

    /// Adds the receipts of a capture.
    /// - Parameters:
    ///   - capture: its path as it was named.
    ///   - name: what a batch calls its outputs; "" for a single capture.
    func add(_ table: ReceiptTable, capture: String, name: String) throws(FlatteningError) {
        for row in table.sheets {
            let place = [capture, name, row.sheet.map(String.init) ?? ""]
            try write(
                place + ["done", ""] + ReceiptTable.fieldColumns.map { row.fields[$0] ?? "" }, to: fields)
            for (index, item) in row.items.enumerated() {
                try write(
                    place + ["\(index + 1)"] + ReceiptTable.itemColumns.map { item[$0] ?? "" }, to: items)
            }
        }
    }

    /// Adds a capture that failed.
    func add(failure: String, capture: String, name: String) throws(FlatteningError) {
        try write(
            [capture, name, "", "failed", failure] + ReceiptTable.fieldColumns.map { _ in "" }, to: fields)
    }

    private func write(_ cells: [String], to file: AtomicFile) throws(FlatteningError) {
        try file.write(Array(CSVTable.row(cells).utf8))
    }
}

/// The file of `--merge`, written page by page.
struct MergedPDF {
    private var pdf: SearchablePDF
    private var count = 0

    /// Replaces a file by the pages that `body` adds; on any error the old one stays, and without a page.
    /// - Returns: whether there was a page.
    static func replace(
        _ path: String, with body: (inout MergedPDF) throws(FlatteningError) -> Void
    ) throws(FlatteningError) -> Bool {
        let file = try AtomicFile(path: path)
        do throws(FlatteningError) {
            let empty = PDFMetadata(title: "", recognizedLanguage: nil, date: SourceDate.current)
            var merged = MergedPDF(
                pdf: try SearchablePDF(empty) { (bytes) throws(FlatteningError) in try file.write(bytes) })
            try body(&merged)
            guard merged.count > 0 else {
                file.discard()
                return false
            }
            try merged.pdf.finish()
            try file.commit()
            return true
        } catch {
            file.discard()
            throw error.naming(file: path)
        }
    }

    /// Adds a page. The first one gives the file its language; its title, too, if it stays the only one.
    mutating func add(_ page: SheetPage) throws(FlatteningError) {
        count += 1
        if count == 1 {
            pdf.metadata = PDFMetadata(
                title: page.title, recognizedLanguage: page.page.text?.language, date: pdf.metadata.date)
        } else {
            pdf.metadata.title = "\(count) receipts"
        }
        try pdf.add(page.page, picture: page.picture)
    }
}

/// The moment that is written into outputs as theirs: what SOURCE_DATE_EPOCH says (seconds since 1970; see
/// reproducible-builds.org), and otherwise none, so that the same input gives the same bytes.
enum SourceDate {
    /// The end of the year 9999.
    private static let latest = 253_402_300_799

    static var current: Date? {
        guard let words = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"], let seconds = Int(words),
            (0...latest).contains(seconds)
        else { return nil }
        return Date(timeIntervalSince1970: Double(seconds))
    }
}

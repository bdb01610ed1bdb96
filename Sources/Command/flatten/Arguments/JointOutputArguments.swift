import ArgumentParser
import Platform
import ReceiptOutputs

/// `--table` and `--merge`: outputs that hold all sheets of a run, of one capture or of a batch.
struct JointOutputArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Fields of the receipts as CSV, a row each, with their items and lines of tax in two more files: for \
            table.csv these are table-items.csv and table-tax.csv. As .jsonl all in one file, a line of JSON each.
            """,
            valueName: "table.csv"),
        completion: .file(extensions: ["csv", "jsonl"]))
    var table: String?

    @Option(
        help:
            "Who opens the CSV: a spreadsheet, for which cells that look like formulas begin with an apostrophe, or a program, for which they do not."
    )
    var tableFor: TableReader = .spreadsheet

    @Option(
        help: ArgumentHelp(
            "One searchable PDF of all sheets, a page each; \"-\" is standard output.", valueName: "all.pdf"),
        completion: .file(extensions: ["pdf"]))
    var merge: String?

    @Option(
        help:
            "Size of the pages of --merge: that of the sheets, or that of the document's pages that they were, with the sheet in the middle."
    )
    var mergeSize: MergedPDF.PageSize = .sheet

    mutating func validate() throws {
        for output in requested { try output.kind.check(output.path) }
        if tableFor != .spreadsheet, table.map(URL.extension(of:)) != "csv" {
            throw ValidationError("--table-for goes with --table and a file that ends in .csv")
        }
        if mergeSize != .sheet, merge == nil {
            throw ValidationError("--merge-size goes with --merge")
        }
    }

    /// The outputs asked for.
    var requested: [RequestedOutput] {
        (table.map { [.init(kind: .table, path: $0)] } ?? [])
            + (merge.map { [.init(kind: .merge, path: $0)] } ?? [])
    }
}

import ArgumentParser
import BatchProcessing
import Diagnostics
import Platform
import LocalFiles
import ReceiptFlattening

/// `flatten batch status FOLDER`: the progress of a batch, in all its shards.
///
/// The parser knows this command as one word, `batch-status`, since `batch` takes inputs of any name. A folder of captures that
/// is called `status` must be written `./status`.
struct BatchStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch-status",
        abstract: "Tell how far a batch is (flatten batch status).",
        usage: "flatten batch status FOLDER [--list CAPTURES] [--json] [--verify]",
        discussion: """
            FOLDER is the output folder of a batch, or of all its shards; they may be running. With --list, what the batch \
            was told, those that have not come to an end are named; else their number is known from the log.

            Exit codes: 0 every capture is flattened; 1 some failed, are missing or, with --verify, do not stand as they \
            were written; else those of flatten.
            """, shouldDisplay: false)

    /// Returns the words, with `batch status` at the start joined to one word.
    static func calling(_ words: [String]) -> [String] {
        words.starts(with: ["batch", "status"]) ? ["batch-status"] + words.dropFirst(2) : words
    }

    @Argument(help: "Output folder of the batch.", completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(
            "A folder, capture or list that the batch was told, or \"-\"; may be given several times.",
            valueName: "captures"),
        completion: .file())
    var list: [String] = []

    @Flag(help: "Also look into sub-folders of --list, as the batch did with --recursive.")
    var recursive = false

    @Flag(help: "A zero byte ends each path of a list, not a line feed.")
    var null = false

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Read every output and compare it with its hash.")
    var verify = false

    @OptionGroup var verbosity: VerbosityArguments

    func run() throws {
        var isComplete = false
        try withExitCodes(verbosity) { _ throws(FlatteningError) in
            let captures: [String]? =
                try list.isEmpty
                ? nil
                : CaptureList.entries(of: list, output: folder, recursive: recursive, zeroEndsPaths: null)
                    .map(\.path)
            let status = try BatchStatus(of: folder, list: captures, verifies: verify)
            isComplete = status.isComplete
            try TextOutput.write(try json ? Self.json(status) : Self.page(status))
        }
        if !isComplete { throw ExitCode(ExitReason.someFailed.rawValue) }
    }

    private static func json(_ status: BatchStatus) throws(FlatteningError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(status) else {
            throw FlatteningError(.internalInconsistency, "the status is no JSON", stage: .batch)
        }
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    /// The most captures that the page names one by one; the JSON names all.
    private static let mostNamed = 10

    /// The status as text and tables. Untrusted names cannot break out of their line and column.
    static func page(_ status: BatchStatus) -> String {
        let all = status.captures.map { " of \($0)" } ?? ""
        let missing = status.missing.map { ", \($0) missing" } ?? "; --list tells which are missing"
        var lines = ["\(status.done)\(all) captures are done, \(status.failed) failed\(missing)"]
        lines += named(status.missingCaptures ?? [], "missing")
        lines += named(status.verification?.gone ?? [], "gone")
        lines += named(status.verification?.changed ?? [], "changed")
        for log in status.logs {
            lines += log.unreadLines.prefix(mostNamed).map { "  no record: \(log.name), line \($0)" }
        }
        for table in [failures(status), logs(status), slowest(status)] where !table.isEmpty {
            lines += [""] + table.lines
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func failures(_ status: BatchStatus) -> TextTable {
        var table = TextTable([
            ("FAILED", .trailing), ("EXIT CODE", .trailing), ("--resume", .leading), ("SUCH AS", .leading),
            ("REASON", .leading),
        ])
        for failure in status.failures {
            table.add([
                "\(failure.count)", "\(failure.exitCode)", failure.isRetried ? "tries again" : "leaves it",
                failure.examples.joined(separator: ", "), failure.reason,
            ])
        }
        return table
    }

    private static func logs(_ status: BatchStatus) -> TextTable {
        var table = TextTable([
            ("LOG", .leading), ("STATE", .leading), ("DONE", .trailing), ("FAILED", .trailing),
            ("LAST LINE", .trailing), ("AN HOUR", .trailing),
        ])
        for log in status.logs {
            table.add([
                log.name, log.isRunning.map { $0 ? "running" : "ended" } ?? "running or ended", "\(log.done)",
                "\(log.failed)", log.age.map { "\($0) s ago" } ?? "", log.perHour.map { "\($0)" } ?? "",
            ])
        }
        return table
    }

    private static func slowest(_ status: BatchStatus) -> TextTable {
        var table = TextTable([("SECONDS", .trailing), ("SLOWEST", .leading)])
        for capture in status.slowest { table.add(["\(capture.seconds)", capture.name]) }
        return table
    }

    private static func named(_ names: [String], _ word: String) -> [String] {
        names.prefix(mostNamed).map { "  \(word): \($0.visible)" }
            + (names.count > mostNamed ? ["  \(word): \(names.count - mostNamed) more"] : [])
    }
}

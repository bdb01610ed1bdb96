import BatchProcessing
import Diagnostics
import Platform
import LocalFiles
import ReceiptFlattening
import ReceiptOutputs
import Synchronization

/// `--table`, `--merge`, the index, and the values of receipts over several pages. They are built at the end of a batch, in the
/// order of its captures, from parts that the workers left. Only one capture at a time, or the texts of one document, is in
/// memory; of the PDF, only the positions of its objects are kept as well.
struct BatchJointOutputs {
    let arguments: JointOutputArguments
    /// Whether `index.html` is written, for `--page`.
    let makesIndex: Bool
    let batch: Batch
    let request: BatchRequest
    /// Why captures failed, by job index.
    let failures = Failures()

    /// Filled while workers run.
    final class Failures: Sendable {
        private let reasons = Mutex<[Int: String]>([:])

        func note(_ event: Batch.Event) {
            guard case .ended(let index, .failed(let reason, _)) = event else { return }
            reasons.withLock { $0[index] = reason }
        }

        subscript(index: Int) -> String? { reasons.withLock { $0[index] } }
    }

    /// Checks before any work that the files can be written, and that the batch does not read or write them otherwise.
    /// - Parameter inputs: the paths that name the captures, and the files that options name.
    func check(inputs: [String]) throws(FlatteningError) {
        let outputs = (arguments.requested.flatMap(\.files) + indexOutputs).filter { $0.path != "-" }
        guard !outputs.isEmpty else { return }
        try checkIndex()
        let read = Set((batch.jobs.map(\.capture.path) + inputs).compactMap { FileIdentity(of: $0) })
        let written = Set(
            batch.jobs.flatMap(\.outputs).map(\.path) + [JobLog.fileName(of: batch.shard), JobLog.fileName])
        let folder = FileIdentity(of: batch.folder)
        for output in outputs {
            let url = URL(filePath: output.path)
            let name = url.lastPathComponent
            let isWritten =
                FileIdentity(of: url.deletingLastPathComponent().path(percentEncoded: false)) == folder
                && (written.contains(name)
                    || NumberedPath.parted(name).map { written.contains($0.path) } ?? false)
            if isWritten || FileIdentity(of: output.path).map(read.contains) ?? false {
                throw FlatteningError(
                    .badInput, "\(output.option) would replace a file that this batch reads or writes",
                    file: output.path, stage: .batch, advice: "Name another file")
            }
            try AtomicFile(path: output.path).discard()
        }
    }

    /// Writes the files.
    /// - Parameter done: the outputs of the captures; those that describe receipts over several pages are rewritten.
    func write(_ done: Batch.DoneOutputs, _ console: Console) throws(FlatteningError) {
        let joined = try joinPages(done, console)
        if let table = arguments.table {
            console.progress("writing \(table)")
            try TableFiles.replace(table, as: .init(path: table, for: arguments.tableFor)) {
                (tables) throws(FlatteningError) in
                for (index, job) in batch.jobs.enumerated() {
                    let (capture, name) = (job.capture.path, job.name)
                    switch outcome(index, .tablePart, SheetParts.table) {
                    case .success(var table):
                        if let row = joined.rows[index] { table.sheets = row.map { [$0] } ?? [] }
                        try tables.add(table, capture: capture, name: name)
                    case .failure(let reason):
                        try tables.add(failure: reason.words, capture: capture, name: name)
                    }
                }
            }
        }
        if let merge = arguments.merge {
            console.progress("writing \(merge)")
            let hasPages = try MergedPDF.replace(merge, pageSize: arguments.mergeSize) {
                (pdf) throws(FlatteningError) in
                for index in batch.jobs.indices {
                    switch outcome(index, .mergePart, SheetParts.pages) {
                    case .success(let pages):
                        for var page in pages {
                            page.isContinuation = joined.isContinuation(index)
                            try pdf.add(page)
                        }
                    case .failure(let reason) where failures[index] == nil:
                        console.warn("\(batch.jobs[index].name) has no page in \(merge): \(reason.words)")
                    case .failure: break
                    }
                }
            }
            if !hasPages { console.warn("\(merge) is not written: every capture failed") }
        }
        if makesIndex { try writeIndex(joined, console) }
        // A batch without parts of its own leaves the parts of others alone.
        guard batch.jobs.contains(where: { $0.outputs.contains(where: \.isKeptByBatch) }) else { return }
        PartsFolder.removeOthers(
            in: batch.folder, than: Set(batch.jobs.flatMap { $0.outputs.filter(\.isKeptByBatch) }.map(\.name))
        )
    }

    /// Prints which command will write the joint files, for a shard that has only left its parts.
    func leave(_ console: Console) {
        var outputs = (arguments.requested.flatMap(\.files) + indexOutputs).map(\.path)
        if batch.jobs.contains(where: {
            $0.outputs.contains { $0.kind == OutputKind.valuesPart.rawValue }
        }) {
            outputs.append("what receipts over several pages say")
        }
        guard !outputs.isEmpty, !console.isQuiet else { return }
        console.say(
            "\(outputs.joined(separator: ", ")): written by the same command with --resume and without --shard, once all shards are done"
        )
    }

    /// The path of a part that a capture's worker leaves.
    func part(_ index: Int, _ kind: OutputKind) -> String {
        batch.folder + "/" + PartsFolder.name + "/" + batch.jobs[index].name + kind.suffix
    }

    /// Why a capture has no usable part.
    struct Failure: Error {
        var words: String
    }

    /// Reads the part that a capture's worker left, or returns why there is none. An unusable part does not affect other
    /// captures.
    func outcome<Part>(
        _ index: Int, _ kind: OutputKind, _ read: (String) throws(FlatteningError) -> Part
    ) -> Result<Part, Failure> {
        if let reason = failures[index] { return .failure(Failure(words: reason)) }
        do throws(FlatteningError) {
            return .success(try read(part(index, kind)))
        } catch {
            return .failure(Failure(words: error.description))
        }
    }
}

import DepthGeometry
import Diagnostics
import LocalFiles
import ReceiptFlattening
import Synchronization

/// One capture of a run, or one page of its document: made flat, and written before the next is read.
struct Round {
    /// One, or those that are stitched.
    let captures: [Capture]
    /// How many pages the run takes of a document; 1 for what is none.
    let pages: Int
    /// How many sheets were written before, whose numbers go on.
    let sheetsBefore: Int
    /// How what concerns one page of several begins.
    let prefix: String
    /// Which of the pages it is, from 1.
    var page = 1

    /// Makes the sheets flat that are asked for and writes every output of each.
    /// - Returns: the sheets that are written, and what they lack of what was asked for.
    func flattenAndWrite(
        _ request: FlatteningRequest, limit: TimeLimit, console: Console, activity: TimeLimit.Activity
    ) throws(FlatteningError) -> (finished: [FinishedSheet], unmet: [String]) {
        var receipts = try limit.spend { _ throws(FlatteningError) in
            try flatten(request, limit: limit, console: console, activity: activity)
        }
        var unmet = receipts.flatMap { receipt in
            request.requirements.unmet(by: receipt.report).map {
                subject(receipt.report.sheet, request) + $0
            }
        }
        guard unmet.isEmpty || request.requirements.keep else { return ([], unmet) }
        if request.isRedacted {
            for index in receipts.indices {
                receipts[index] = try request.redaction.applied(
                    to: receipts[index], subject: subject(receipts[index].report.sheet, request),
                    console: console)
            }
        }
        console.progress(prefix + "writing")
        console.tell(record("write"))
        activity.begin("write")
        var finished: [FinishedSheet] = []
        for (index, receipt) in receipts.enumerated() {
            let own = request.forSheet(sheetsBefore + index + 1, pages: pages)
            var written = receipt
            var paths: [String] = []
            // Values wait for the pages that a receipt may go on over.
            let held = pages > 1 ? own.valueOutputs : []
            let shown = try request.keepingExisting { () throws(FlatteningError) in
                try request.checked([.init(receipt)]) { isVerified throws(FlatteningError) in
                    if !isVerified { written.report.redaction?.verified = false }
                    paths = try own.write(
                        written, of: captures[0], isFirst: sheetsBefore + index == 0, console: console)
                    if pages == 1 { paths += try own.write(FlattenedPage(written), to: own.valueOutputs) }
                }
            }
            unmet += shown
            guard shown.isEmpty || request.requirements.keep else { break }
            finished.append(
                try FinishedSheet(
                    written, outputs: paths, held: held, joinsPictures: request.joinsPictures,
                    paper: captures[0].page?.millimeters))
        }
        return (finished, unmet)
    }

    /// What a program is told of this page.
    private func record(_ stage: String, share: Double? = nil) -> ProgressRecord {
        ProgressRecord(
            stage: stage, share: share, page: pages > 1 ? page : nil, pages: pages > 1 ? pages : nil)
    }

    /// How what concerns one sheet of several begins.
    private func subject(_ sheet: FlatteningReport.SheetNumber?, _ request: FlatteningRequest) -> String {
        guard request.sheets == .all, let sheet, sheet.count > 1 else { return prefix }
        return prefix + "\(sheet): "
    }

    /// The sheets that were asked for; at least one.
    private func flatten(
        _ request: FlatteningRequest, limit: TimeLimit, console: Console, activity: TimeLimit.Activity
    ) throws(FlatteningError) -> [FlattenedReceipt] {
        var options = request.options
        options.timeLimit = limit.remaining
        let flattener = ReceiptFlattener(options: options)
        // What is being done, for the share of the reading, which is told of from other threads.
        let shown = Mutex((words: "", record: record("")))
        func show(_ stage: ReceiptFlattener.Stage, _ subject: String) {
            activity.begin(stage.rawValue)
            let words = subject + stage.activity
            let record = record(stage.rawValue)
            shown.withLock { $0 = (words, record) }
            console.progress(words)
            console.tell(record)
        }
        let tell: @Sendable (Double) -> Void = { share in
            let (words, record, isNews) = shown.withLock { shown in
                let percent = (share * 100).rounded() / 100
                defer { shown.record.share = percent }
                var record = shown.record
                record.share = percent
                return (shown.words, record, shown.record.share != percent)
            }
            console.progress(words, share: share)
            if isNews { console.tell(record) }
        }
        // Being told of it takes a thread, which is nothing to ask for where nobody looks.
        let onReading = console.followsProgress ? tell : nil
        if request.stitch {
            let receipt = try flattener.stitch(
                captures,
                onStage: { stage, number in
                    show(stage, number.map { "picture \($0) of \(captures.count): " } ?? "")
                }, onReading: onReading)
            return [receipt]
        }
        let capture = captures[0]
        return switch request.sheets {
        case .best:
            [
                try flattener.flatten(
                    capture, onStage: { show($0, subject(nil, request)) }, onReading: onReading)
            ]
        case .all:
            try flattener.flattenAll(
                capture, onStage: { show($0, subject($1, request)) }, onReading: onReading)
        }
    }
}

extension ReceiptFlattener.Stage {
    /// What a person reads while the stage runs.
    fileprivate var activity: String {
        switch self {
        case .outline: "finding the sheet"
        case .surface: "fitting its surface"
        case .print: "straightening its printed lines"
        case .upright: "turning it upright"
        case .resampling: "making it flat"
        case .stitching: "joining the pictures"
        case .text: "reading it"
        case .finding: "looking for what stands on it"
        }
    }
}

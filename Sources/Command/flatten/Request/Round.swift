import DepthGeometry
import Diagnostics
import LocalFiles
import ReceiptFlattening
import Synchronization

/// One capture of a run, or one page of its document. It is flattened and written before the next is read.
struct Round {
    /// One capture, or those that are stitched.
    let captures: [Capture]
    /// How many pages the run takes; 1 for a capture that is not a document.
    let pages: Int
    /// How many sheets were written before; the numbers of this round continue from there.
    let sheetsBefore: Int
    /// The beginning of messages about this page; empty for a single page.
    let prefix: String
    /// The number of this page, counted from 1.
    var page = 1

    /// Flattens the sheets asked for and writes the outputs of each.
    /// - Returns: the sheets written, and which requirements are not met.
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
            // Outputs of values wait for the other pages, over which a receipt may continue.
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

    /// The progress of this page, as reported to a program.
    private func record(_ stage: String, share: Double? = nil) -> ProgressRecord {
        ProgressRecord(
            stage: stage, share: share, page: pages > 1 ? page : nil, pages: pages > 1 ? pages : nil)
    }

    /// The beginning of messages about one sheet of several.
    private func subject(_ sheet: FlatteningReport.SheetNumber?, _ request: FlatteningRequest) -> String {
        guard request.sheets == .all, let sheet, sheet.count > 1 else { return prefix }
        return prefix + "\(sheet): "
    }

    /// Flattens the sheets asked for; returns at least one.
    private func flatten(
        _ request: FlatteningRequest, limit: TimeLimit, console: Console, activity: TimeLimit.Activity
    ) throws(FlatteningError) -> [FlattenedReceipt] {
        var options = request.options
        options.timeLimit = limit.remaining
        let flattener = ReceiptFlattener(options: options)
        // The current activity, for the progress of reading, which other threads report.
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
        // Reporting the progress of reading takes a thread, which is not worthwhile if nobody looks.
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

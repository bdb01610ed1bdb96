import DepthGeometry
import ImageFiles
import SheetFlattening
import Diagnostics
import LocalFiles
import TextFormats
import ArgumentParser
import ReceiptFlattening
import Synchronization

/// `flatten CAPTURE -o flat.png`, the main job, whose word `single` may be left out.
struct FlattenCommand: ParsableCommand, PreparedCommand {
    static let configuration = CommandConfiguration(
        commandName: "single",
        abstract: FlattenTool.abstract,
        usage: usage,
        discussion: """
            CAPTURE is a capture folder (capture.json beside its files), a recording's folder or archive, or an image, \
            with --depth and --intrinsics if there are any; "-" is standard input. Without depth the image alone is used. \
            As an output, "-" is standard output.

            Outputs are written whole or not at all. Existing files are replaced, but inputs and files of the capture only \
            with --force. --no-clobber replaces nothing.

            Subcommands, each with a --help of its own:
              inspect  \(InspectCommand.configuration.abstract)
              batch    \(BatchCommand.configuration.abstract)
              cards    \(CardsCommand.configuration.abstract)
              completion  \(CompletionCommand.configuration.abstract)
            A capture with the name of a subcommand is ./inspect, or stands after --. flatten --version --verbose lists \
            the libraries in use.

            Exit codes: \(ExitReason.page).
            """)

    /// How the main job is called.
    static let usage = """
        flatten CAPTURE -o IMAGE [options]
        flatten CAPTURE CAPTURE ... --stitch -o IMAGE [options]
        """

    static let preparation = ArgumentWords.flatten

    @OptionGroup var arguments: FlattenArguments

    @Flag(help: "List the languages that can be read here, and end.")
    var listLanguages = false

    /// What must be right before any work. It is asked for here and not in `validate()`, as words that the parser does not
    /// know are to be told of first.
    private func checkRequest() throws {
        if arguments.stitch {
            try arguments.requireSeveralCaptures()
        } else {
            try arguments.input.requireOneCapture(for: "flatten")
        }
        guard !arguments.outputs.isEmpty else {
            try arguments.input.requireExistence()
            throw FlattenArguments.nothingToDo
        }
        try arguments.requireNumberableOutputs()
        try OutputPlan(
            outputs: arguments.possibleOutputs, inputs: arguments.input.files + arguments.furtherCaptures,
            capture: arguments.input.captures.first ?? ""
        )
        .check(arguments.force ? .forced : arguments.noClobber ? .kept : .replaced)
    }

    func run() throws {
        if listLanguages { return try LanguagePage.show(arguments.verbosity) }
        try run(exitCode: \.exitCode)
    }

    /// Loads what the words take, and says on standard error what it is and by which the bytes of the outputs are decided.
    /// - Parameter mark: how each of these lines begins.
    func tryLibraries(mark: String, exitCode: (FlatteningError.Code) -> Int32) throws {
        try withExitCodes(arguments.verbosity, exitCode: exitCode) { _ throws(FlatteningError) in
            let options = arguments.options
            let fingerprint = try LibraryVersions.fingerprint(
                language: options.language, reader: options.reader, model: options.readerModel)
            for line in fingerprint.split(separator: "\n") {
                Console.write(mark + line + "\n")
            }
        }
    }

    /// - Parameters:
    ///   - isAlone: see `CaptureArguments.read`.
    ///   - exitCode: for each kind of error.
    func run(isAlone: Bool = false, exitCode: (FlatteningError.Code) -> Int32) throws {
        try checkRequest()
        let limit = arguments.time.limit()
        var unmet: [String] = []
        var refusal: (any Error)?
        try withExitCodes(arguments.verbosity, exitCode: exitCode) { console throws(FlatteningError) in
            let activity = try limit.startWatchdog()
            console.progress("reading the capture")
            activity.begin("read")
            let read = try limit.spend { end throws(FlatteningError) in
                arguments.stitch
                    ? try arguments.readToStitch(until: end)
                    : [
                        try arguments.input.read(
                            usesDepth: !arguments.noDepth, isAlone: isAlone, until: end)
                    ]
            }
            refusal = read.compactMap(\.folderAround).compactMap(replacement(ofFilesIn:)).first
            let captures = read.map(\.capture)
            guard refusal == nil else { return }
            try limit.check(before: ReceiptFlattener.Stage.outline.rawValue)
            var receipts = try limit.spend { _ throws(FlatteningError) in
                try flatten(captures, console: console, activity: activity)
            }
            unmet = receipts.flatMap { receipt in
                arguments.requirements.unmet(by: receipt.report).map { subject(receipt.report.sheet) + $0 }
            }
            for reason in unmet { console.fail(reason) }
            guard unmet.isEmpty || arguments.requirements.keep else { return }
            if let kinds = arguments.redactedKinds {
                for index in receipts.indices {
                    receipts[index] = try kinds.applied(
                        to: receipts[index], subject: subject(receipts[index].report.sheet),
                        console: console)
                }
            }
            console.progress("writing")
            activity.begin("write")
            let shown =
                if arguments.noClobber {
                    try AtomicFile.keepingExisting { () throws(FlatteningError) in
                        try write(receipts, of: captures[0], console: console)
                    }
                } else {
                    try write(receipts, of: captures[0], console: console)
                }
            for reason in shown { console.fail(reason) }
            unmet += shown
        }
        if let refusal { throw refusal }
        if !unmet.isEmpty { throw ExitCode(ExitReason.belowDemand.rawValue) }
    }

    /// Why an output may not be written: it is a file of the recording that the file which was named turned out to be a
    /// frame of. Nil if none is.
    private func replacement(ofFilesIn recording: String) -> (any Error)? {
        let plan = OutputPlan(outputs: arguments.possibleOutputs, inputs: [], capture: recording)
        do {
            try plan.check(arguments.force ? .forced : .replaced)
            return nil
        } catch {
            return error
        }
    }

    /// Writes every output of every sheet, sheet by sheet, then those that hold all sheets.
    /// - Returns: why outputs of redacted sheets are not written, or, with `--keep`, should not be passed on.
    private func write(
        _ receipts: [FlattenedReceipt], of capture: Capture, console: Console
    ) throws(FlatteningError) -> [String] {
        var written: [[String]] = []
        var shown: [String] = []
        for (index, receipt) in receipts.enumerated() {
            let own = arguments.forSheet(index + 1)
            var paths: [String] = []
            shown += try checked([receipt]) { (receipts) throws(FlatteningError) in
                for receipt in receipts { paths = try own.write(receipt, of: capture, console: console) }
            }
            written.append(paths)
        }
        guard shown.isEmpty || arguments.requirements.keep else { return shown }
        shown += try checked(receipts) { (receipts) throws(FlatteningError) in
            try arguments.writeJoint(receipts)
        }
        guard shown.isEmpty || arguments.requirements.keep else { return shown }
        for (index, receipt) in receipts.enumerated() {
            let joint = index + 1 == receipts.count ? arguments.jointOutputs.map(\.path) : []
            console.conclude(RunSummary(receipt.report, outputs: written[index] + joint).description)
        }
        let leftovers = arguments.leftovers(after: receipts.count)
        if !leftovers.isEmpty {
            console.warn(
                "not of this run, which wrote \(receipts.count) of each output: "
                    + leftovers.joined(separator: ", "))
        }
        return shown
    }

    /// Has outputs of redacted receipts get their names only once nothing of what is hidden is found in them, or with `--keep`.
    /// - Parameter write: writes outputs of the receipts that it is handed.
    /// - Returns: what is found; empty where nothing is redacted.
    private func checked(
        _ receipts: [FlattenedReceipt], write: ([FlattenedReceipt]) throws(FlatteningError) -> Void
    ) throws(FlatteningError) -> [String] {
        guard arguments.redact != nil else {
            try write(receipts)
            return []
        }
        let held = try AtomicFile.holding { () throws(FlatteningError) in try write(receipts) }
        let found = try RedactionCheck(receipts: receipts).findings(in: held)
        if found.isEmpty {
            try held.commit()
        } else {
            held.discard()
            if arguments.requirements.keep { try write(receipts.map(\.withoutVerification)) }
        }
        return found
    }

    /// How what concerns one sheet of several begins.
    private func subject(_ sheet: FlatteningReport.SheetNumber?) -> String {
        guard arguments.sheets == .all, let sheet, sheet.count > 1 else { return "" }
        return "\(sheet): "
    }

    /// The sheets that were asked for; at least one.
    private func flatten(
        _ captures: [Capture], console: Console, activity: TimeLimit.Activity
    ) throws(FlatteningError) -> [FlattenedReceipt] {
        let flattener = ReceiptFlattener(options: arguments.options)
        // What is being done, for the share of the reading, which is told of from other threads.
        let shown = Mutex("")
        func show(_ stage: ReceiptFlattener.Stage, _ sheet: FlatteningReport.SheetNumber? = nil) {
            activity.begin(stage.rawValue)
            let words = subject(sheet) + stage.activity
            shown.withLock { $0 = words }
            console.progress(words)
        }
        let tell: @Sendable (Double) -> Void = { share in
            console.progress(shown.withLock { $0 }, share: share)
        }
        // Being told of it takes a thread, which is nothing to ask for where nobody looks.
        let onReading = console.showsProgress ? tell : nil
        if arguments.stitch {
            let receipt = try flattener.stitch(
                captures,
                onStage: { stage, number in
                    activity.begin(stage.rawValue)
                    let words =
                        (number.map { "picture \($0) of \(captures.count): " } ?? "") + stage.activity
                    shown.withLock { $0 = words }
                    console.progress(words)
                }, onReading: onReading)
            return [receipt]
        }
        let capture = captures[0]
        return switch arguments.sheets {
        case .best: [try flattener.flatten(capture, onStage: { show($0) }, onReading: onReading)]
        case .all: try flattener.flattenAll(capture, onStage: { show($0, $1) }, onReading: onReading)
        }
    }
}

extension FlattenedReceipt {
    /// The same with a report that says that something hidden was found in an output.
    fileprivate var withoutVerification: FlattenedReceipt {
        var receipt = self
        receipt.report.redaction?.verified = false
        return receipt
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

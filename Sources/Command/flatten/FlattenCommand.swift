import Diagnostics
import LocalFiles
import ArgumentParser
import ReceiptFlattening

/// `flatten CAPTURE -o flat.png`, the main job, whose word `single` may be left out.
struct FlattenCommand: ParsableCommand, PreparedCommand {
    static let configuration = CommandConfiguration(
        commandName: "single",
        abstract: FlattenTool.abstract,
        usage: usage,
        discussion: """
            CAPTURE is a capture folder (capture.json beside its files), a recording's folder or archive, or an image, \
            with --depth and --intrinsics if there are any; "-" is standard input. Without depth the image alone is used. \
            As an output, "-" is standard output. Several captures are the pages of one document, in that order: each has \
            outputs of its own, with its number.

            Outputs are written whole or not at all. Existing files are replaced, but inputs and files of the capture only \
            with --force. --no-clobber replaces nothing.

            A capture with the name of a subcommand is ./inspect, or stands after --. flatten --version --verbose lists \
            the libraries in use.

            Exit codes: \(ExitReason.page).
            """)

    /// How the main job is called.
    static let usage = """
        flatten CAPTURE -o IMAGE [options]
        flatten PAGE PAGE ... -o IMAGE [options]
        flatten PART PART ... --stitch -o IMAGE [options]
        """

    static let preparation = ArgumentWords.flatten

    @OptionGroup var arguments: FlattenArguments

    @Flag(help: "List the languages that can be read here, and end.")
    var listLanguages = false

    @Flag(help: "Show every option and the exit codes, and end.")
    var helpAll = false

    /// What must be right before any work. It is asked for here and not in `validate()`, as words that the parser does not
    /// know are to be told of first.
    private func checkRequest() throws {
        if arguments.stitch {
            try arguments.requireSeveralCaptures()
        } else {
            try arguments.input.requireCaptures()
            try arguments.requirePages()
        }
        // Of several none is made flat where one is not there.
        if arguments.outputs.isEmpty || arguments.input.captures.count > 1 {
            try arguments.input.requireExistence()
        }
        guard !arguments.outputs.isEmpty else { throw FlattenArguments.nothingToDo }
        try arguments.requireNumberableOutputs()
        try OutputPlan(
            outputs: arguments.possibleOutputs(), inputs: arguments.input.files + arguments.furtherCaptures,
            capture: arguments.input.captures.first ?? ""
        )
        .check(existing)
    }

    func run() throws {
        if helpAll { FlattenTool.show(HelpPage.whole) }
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
        var unmet: [String] = []
        var refusal: (any Error)?
        try withExitCodes(
            arguments.verbosity, tellsProgress: arguments.progress, exitCode: exitCode
        ) { console throws(FlatteningError) in
            // How long all pages may take depends on their number.
            let opening = arguments.time.limit(captures: arguments.input.captures.count)
            let pages = try opening.spend { end throws(FlatteningError) in
                arguments.stitch
                    ? [.init(capture: arguments.input.captures[0])] : try arguments.input.allPages(until: end)
            }
            let count = pages.count
            // The pages of a file keep their numbers; those of several are counted.
            let isOneFile = arguments.stitch || arguments.input.captures.count == 1
            refusal = count > 1 ? self.refusal(ofPages: count) : nil
            guard refusal == nil else { return }
            let limit = arguments.time.limit(captures: count)
            let activity = try limit.startWatchdog()
            var finished: [FinishedSheet] = []
            do throws(FlatteningError) {
                for (index, page) in pages.enumerated() {
                    let own = arguments.stitch ? arguments : arguments.naming(page.capture)
                    let place = isOneFile ? page.page ?? 0 : index
                    let prefix = count > 1 ? "page \(place + 1): " : ""
                    console.progress(prefix + "reading the capture")
                    console.tell(
                        .init(
                            stage: "read", page: count > 1 ? index + 1 : nil, pages: count > 1 ? count : nil))
                    activity.begin("read")
                    var read = try limit.spend { end throws(FlatteningError) in
                        own.stitch
                            ? try own.readToStitch(until: end)
                            : [
                                try own.input.read(
                                    usesDepth: !own.noDepth, isAlone: isAlone, page: page.page, until: end)
                            ]
                    }
                    if !isOneFile {
                        let drawn = read[0].capture.page?.drawn
                        read[0].capture.page = .init(number: index + 1, count: count, drawn: drawn)
                    }
                    refusal = read.compactMap(\.folderAround).compactMap(replacement(ofFilesIn:)).first
                    guard refusal == nil else { return }
                    try limit.check(before: ReceiptFlattener.Stage.outline.rawValue)
                    let round = Round(
                        captures: read.map(\.capture), pages: count, sheetsBefore: finished.count,
                        prefix: prefix, page: index + 1)
                    let outcome = try round.flattenAndWrite(
                        own, limit: limit, console: console, activity: activity)
                    finished += outcome.finished
                    for reason in outcome.unmet { console.fail(reason) }
                    unmet += outcome.unmet
                }
            } catch {
                // Pages before one that cannot be read stay, with what they say.
                do throws(FlatteningError) {
                    _ = try writeValues(&finished)
                } catch let other {
                    console.fail("\(other)")
                }
                throw error
            }
            let said = try writeValues(&finished)
            for reason in said { console.fail(reason) }
            unmet += said
            guard unmet.isEmpty || arguments.requirements.keep else { return }
            activity.begin("write")
            let shown = try write(finished, pages: count, console: console)
            for reason in shown { console.fail(reason) }
            unmet += shown
        }
        if let refusal { throw refusal }
        if !unmet.isEmpty { throw ExitCode(ExitReason.belowDemand.rawValue) }
    }

    /// Why outputs with numbers, as several pages have them, may not be written. Nil if they may.
    private func refusal(ofPages count: Int) -> (any Error)? {
        do {
            try arguments.requireOneImage(pages: count)
            try arguments.requireNumberableOutputs(pages: count)
            try OutputPlan(
                outputs: arguments.possibleOutputs(pages: count),
                inputs: arguments.input.files + arguments.furtherCaptures,
                capture: arguments.input.captures[0]
            )
            .check(existing)
            return nil
        } catch {
            return error
        }
    }

    /// What is done about outputs that exist.
    private var existing: OutputPlan.Existing {
        arguments.force ? .forced : arguments.noClobber ? .kept : .replaced
    }

    /// Why an output may not be written: it is a file of the recording that the file which was named turned out to be a
    /// frame of. Nil if none is.
    private func replacement(ofFilesIn recording: String) -> (any Error)? {
        let plan = OutputPlan(outputs: arguments.possibleOutputs(), inputs: [], capture: recording)
        do {
            try plan.check(arguments.force ? .forced : .replaced)
            return nil
        } catch {
            return error
        }
    }

    /// Writes what pages say, now that all are read: a receipt that goes on over several is told of on its first.
    /// - Returns: as `write`.
    private func writeValues(_ sheets: inout [FinishedSheet]) throws(FlatteningError) -> [String] {
        guard sheets.count > 1 || sheets.contains(where: { !$0.held.isEmpty }) else { return [] }
        FinishedSheet.join(&sheets, arguments.joining.joinPages)
        var finished = sheets
        let shown = try arguments.keepingExisting { () throws(FlatteningError) in
            try arguments.checked(sheets.map(\.subject)) { isVerified throws(FlatteningError) in
                for index in finished.indices {
                    if !isVerified { finished[index].flattened.report.redaction?.verified = false }
                    finished[index].outputs =
                        sheets[index].outputs
                        + (try arguments.write(finished[index].flattened, to: finished[index].held))
                }
            }
        }
        sheets = finished
        return shown
    }

    /// Writes the outputs that hold all sheets, and says what was written.
    /// - Returns: why outputs of redacted sheets are not written, or, with `--keep`, should not be passed on.
    private func write(
        _ sheets: [FinishedSheet], pages: Int, console: Console
    ) throws(FlatteningError) -> [String] {
        let shown = try arguments.keepingExisting { () throws(FlatteningError) in
            try arguments.checked(sheets.map(\.subject)) { (_: Bool) throws(FlatteningError) in
                try arguments.writeJoint(sheets)
            }
        }
        guard shown.isEmpty || arguments.requirements.keep else { return shown }
        for (index, sheet) in sheets.enumerated() {
            let joint = index + 1 == sheets.count ? arguments.jointOutputs.map(\.path) : []
            console.conclude(RunSummary(sheet.flattened.report, outputs: sheet.outputs + joint).description)
        }
        let leftovers = arguments.leftovers(after: sheets.count, pages: pages)
        if !leftovers.isEmpty {
            console.warn(
                "not of this run, which wrote \(sheets.count) of each output: "
                    + leftovers.joined(separator: ", "))
        }
        return shown
    }
}

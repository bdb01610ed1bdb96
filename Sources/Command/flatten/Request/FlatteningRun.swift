import ArgumentParser
import Diagnostics
import LocalFiles
import ReceiptFlattening

/// A run of `flatten`: carries out a request, page by page, and reports the result.
struct FlatteningRun {
    let request: FlatteningRequest
    let verbosity: VerbosityArguments
    /// Whether progress is reported to a program.
    var tellsProgress = false

    /// Checks the request before any work. This is done here and not in `validate()`, since words that the parser does not know
    /// must be reported first.
    private func checkRequest() throws {
        if request.stitch {
            try request.requireSeveralCaptures()
        } else {
            try request.input.requireCaptures()
            try request.requirePages()
        }
        // If one of several captures does not exist, none is flattened.
        if request.outputs.isEmpty || request.input.captures.count > 1 {
            try request.input.requireExistence()
        }
        guard !request.outputs.isEmpty else { throw FlatteningRequest.nothingToDo }
        try request.requireNumberableOutputs()
        try OutputPlan(
            outputs: request.possibleOutputs(), inputs: request.input.files + request.furtherCaptures,
            capture: request.input.captures.first ?? ""
        )
        .check(request.existing)
    }

    /// Loads the libraries and language data in use, and prints on standard error the versions that decide the bytes of the
    /// outputs.
    /// - Parameter mark: the beginning of each of these lines.
    func tryLibraries(mark: String, exitCode: (FlatteningError.Code) -> Int32) throws {
        try withExitCodes(verbosity, exitCode: exitCode) { _ throws(FlatteningError) in
            let options = request.options
            let fingerprint = try LibraryVersions.fingerprint(
                language: options.language, reader: options.reader, model: options.readerModel)
            for line in fingerprint.split(separator: "\n") {
                Console.write(mark + line + "\n")
            }
        }
    }

    /// - Parameters:
    ///   - isAlone: see `CaptureRequest.read`.
    ///   - exitCode: returns the exit code for a kind of error.
    func run(isAlone: Bool = false, exitCode: (FlatteningError.Code) -> Int32 = \.exitCode) throws {
        try checkRequest()
        var unmet: [String] = []
        var refusal: (any Error)?
        try withExitCodes(
            verbosity, tellsProgress: tellsProgress, exitCode: exitCode
        ) { console throws(FlatteningError) in
            // The time limit for all pages depends on their number.
            let opening = request.limit(captures: request.input.captures.count)
            let pages = try opening.spend { end throws(FlatteningError) in
                request.stitch
                    ? [.init(capture: request.input.captures[0])] : try request.input.allPages(until: end)
            }
            let count = pages.count
            // The pages of a single file keep their numbers; the pages of several files are counted through.
            let isOneFile = request.stitch || request.input.captures.count == 1
            refusal = count > 1 ? self.refusal(ofPages: count) : nil
            guard refusal == nil else { return }
            let limit = request.limit(captures: count)
            let activity = try limit.startWatchdog()
            var finished: [FinishedSheet] = []
            do throws(FlatteningError) {
                for (index, page) in pages.enumerated() {
                    let own = request.stitch ? request : request.naming(page.capture)
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
                // Pages before one that cannot be read are kept, and their values are written.
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
            guard unmet.isEmpty || request.requirements.keep else { return }
            activity.begin("write")
            let shown = try write(finished, pages: count, console: console)
            for reason in shown { console.fail(reason) }
            unmet += shown
        }
        if let refusal { throw refusal }
        if !unmet.isEmpty { throw ExitCode(ExitReason.belowDemand.rawValue) }
    }

    /// Why the numbered outputs that several pages need may not be written; nil if they may.
    private func refusal(ofPages count: Int) -> (any Error)? {
        do {
            try request.requireOneImage(pages: count)
            try request.requireNumberableOutputs(pages: count)
            try OutputPlan(
                outputs: request.possibleOutputs(pages: count),
                inputs: request.input.files + request.furtherCaptures,
                capture: request.input.captures[0]
            )
            .check(request.existing)
            return nil
        } catch {
            return error
        }
    }

    /// Why an output may not be written: the named file is a frame of a recording, and the output would replace a file of it.
    /// Nil if no output would.
    private func replacement(ofFilesIn recording: String) -> (any Error)? {
        let plan = OutputPlan(outputs: request.possibleOutputs(), inputs: [], capture: recording)
        do {
            try plan.check(request.existing == .forced ? .forced : .replaced)
            return nil
        } catch {
            return error
        }
    }

    /// Writes the values of all pages once all are read: a receipt that continues over several is reported on its first.
    /// - Returns: as `write`.
    private func writeValues(_ sheets: inout [FinishedSheet]) throws(FlatteningError) -> [String] {
        guard sheets.count > 1 || sheets.contains(where: { !$0.held.isEmpty }) else { return [] }
        FinishedSheet.join(&sheets, request.joinPages)
        var finished = sheets
        let shown = try request.keepingExisting { () throws(FlatteningError) in
            try request.checked(sheets.map(\.subject)) { isVerified throws(FlatteningError) in
                for index in finished.indices {
                    if !isVerified { finished[index].flattened.report.redaction?.verified = false }
                    finished[index].outputs =
                        sheets[index].outputs
                        + (try request.write(finished[index].flattened, to: finished[index].held))
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
        let shown = try request.keepingExisting { () throws(FlatteningError) in
            try request.checked(sheets.map(\.subject)) { (_: Bool) throws(FlatteningError) in
                try request.writeJoint(sheets)
            }
        }
        guard shown.isEmpty || request.requirements.keep else { return shown }
        for (index, sheet) in sheets.enumerated() {
            let joint =
                index + 1 == sheets.count
                ? request.outputs.filter(\.kind.isOfRun).flatMap(\.files).map(\.path) : []
            console.conclude(RunSummary(sheet.flattened.report, outputs: sheet.outputs + joint).description)
        }
        let leftovers = request.leftovers(after: sheets.count, pages: pages)
        if !leftovers.isEmpty {
            console.warn(
                "not of this run, which wrote \(sheets.count) of each output: "
                    + leftovers.joined(separator: ", "))
        }
        return shown
    }
}

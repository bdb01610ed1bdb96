import Checksums
import Diagnostics
import ArgumentParser
import BatchProcessing
import Captures
import Documents
import LocalFiles
import Platform
import ReceiptFlattening
import ScalarText

/// What a batch asks of `flatten`: its inputs, and options that hold for every capture.
struct BatchRequest: Sendable {
    /// The folders, captures and lists.
    let inputs: [String]
    /// Files that the options name.
    let sharedFiles: [String]
    /// Whether files that no batch wrote may be replaced.
    let replaces: Bool
    /// The largest file that the options allow, in bytes; 0 where they do not say.
    let largestFile: Int
    /// Whether each sheet of a capture has outputs of its own, with numbers.
    let numbersOutputs: Bool
    /// Which pages of a document are one receipt, and what is known of receipts besides their print.
    let (joinPages, context): (PagedReceipt.Joining, ReceiptContext)
    /// The options that have a batch's own limit of time hold for a capture, and not that of `flatten` alone; none where the
    /// words name a limit.
    let timeArguments: [String]
    /// What the words say of a capture.
    private let input: CaptureArguments
    /// The words but for the inputs, around the place where a capture stands.
    private let before: [String]
    private let after: [String]

    /// - Parameter words: inputs among options of `flatten`, in any order.
    /// - Throws: a usage error if `flatten` would not take them.
    init(_ words: [String], outputs: BatchOutputs) throws {
        let command = try Self.parsed(words, outputs)
        guard !command.outputs.isEmpty else { throw FlattenArguments.nothingToDo }
        inputs = command.input.captures
        input = command.input
        guard !inputs.isEmpty else { throw ValidationError("name a folder, captures or a list") }
        guard !command.noClobber else {
            throw ValidationError(
                "--no-clobber is for single captures: a batch replaces only what a batch wrote, unless --force is given"
            )
        }
        guard !command.stitch else {
            throw ValidationError(
                "--stitch is for single sheets: a batch makes an image of each capture, and does not join them"
            )
        }
        guard command.redactArea.isEmpty else {
            throw ValidationError(
                "--redact-area is of one flat image, and a batch makes one of each capture")
        }
        guard !command.progress else {
            throw ValidationError(
                "--progress is for single captures: a batch tells what it does by --metrics")
        }
        replaces = command.force
        numbersOutputs = command.sheets == .all
        timeArguments = command.time.timeout == nil ? ["--timeout", "0"] : []
        largestFile = max(command.input.maxFileMib ?? 0, command.input.maxTiffMib ?? 0) << 20
        let options = command.options
        (joinPages, context) = (command.joining.joinPages, options.context)
        let reader = try options.language.map {
            try options.reader.files(language: $0, model: options.readerModel)
        }
        sharedFiles =
            [command.input.depth, command.input.confidence, command.input.intrinsics].compactMap(\.self)
            + (reader ?? [])
        // By Characters: whole names are compared.
        guard !sharedFiles.contains("-") else {
            throw ValidationError("a batch reads standard input only as a list of captures")
        }
        (before, after) = try Self.split(words, at: inputs, outputs)
    }

    private static func parsed(_ words: [String], _ outputs: BatchOutputs) throws -> FlattenArguments {
        do {
            return try FlattenArguments.parse(words + outputs.arguments(path: "capture"))
        } catch {
            // The error alone: how flatten by itself is used is beside the point.
            throw ValidationError(FlattenArguments.message(for: error))
        }
    }

    /// Takes the inputs out of the words.
    ///
    /// The same word may also be an option's value: whether the right ones were taken shows when the others are parsed
    /// with another word in their place. Mostly the first guess is right; else they are found one at a time.
    private static func split(
        _ words: [String], at inputs: [String], _ outputs: BatchOutputs
    ) throws -> (before: [String], after: [String]) {
        let marker = "capture"
        func isRight(_ places: [Int]) -> Bool {
            var changed = words
            for place in places { changed[place] = marker }
            return (try? parsed(changed, outputs))?.input.captures == inputs.map { _ in marker }
        }
        var guess: [Int] = []
        for (place, word) in words.enumerated()
        where guess.count < inputs.count && word == inputs[guess.count] {
            guess.append(place)
        }
        if guess.count != inputs.count || !isRight(guess) {
            let names = Set(inputs)
            guess = words.indices.filter { place in
                guard names.contains(words[place]) else { return false }
                var changed = words
                changed[place] = marker
                let captures = (try? parsed(changed, outputs))?.input.captures ?? []
                return captures.count == inputs.count && captures.contains(marker) && captures != inputs
            }
        }
        guard let first = guess.first, isRight(guess) else {
            throw ValidationError("the inputs cannot be told from the options")
        }
        let places = Set(guess)
        return (
            Array(words[..<first]),
            words.indices.filter { $0 > first && !places.contains($0) }.map { words[$0] }
        )
    }

    /// The words with one capture as input.
    func arguments(for capture: CaptureList.Entry) -> [String] {
        let words = before + [capture.path] + after
        guard let page = capture.page else { return words }
        // Which of the pages are wanted was decided when they were listed.
        return Self.withoutPages(words) + ["--pages", "\(page)"]
    }

    private static func withoutPages(_ words: [String]) -> [String] {
        var kept: [String] = []
        var isValue = false
        for word in words {
            defer { isValue = word == "--pages" }
            if !isValue, word != "--pages", !word.hasScalarPrefix("--pages=") { kept.append(word) }
        }
        return kept
    }

    /// An entry, or one for each of its pages if it is a document. One that cannot be opened is refused with the reason.
    func pages(of entry: CaptureList.Entry, within time: Duration) -> [CaptureList.Entry] {
        guard entry.refusal == nil else { return [entry] }
        do throws(FlatteningError) {
            guard let pages = try input.naming(entry.path).chosenPages(until: .now + time) else {
                return [entry]
            }
            return pages.enumerated().map { index, page in
                var own = entry
                own.page = page + 1
                if pages.count > 1 { own.label = PageLabel.label(entry.path, page: index + 1) }
                return own
            }
        } catch {
            var (refused, reason) = (entry, error)
            reason.file = nil
            refused.refusal = reason.description
            return [refused]
        }
    }

    /// Draws the page of a PDF for its worker, which may start no program.
    func draw(
        _ capture: CaptureList.Entry, for folder: String, until deadline: ContinuousClock.Instant,
        unless isCancelled: @escaping @Sendable () -> Bool
    ) throws(FlatteningError) -> [String] {
        guard let page = capture.page, FileStart(path: capture.path)?.format == .pdf else { return [] }
        var limits = input.limits
        limits.deadline = deadline
        let document = try PDFDocument(path: capture.path, limits: limits)
        guard page <= document.pageCount else {
            throw FlatteningError(
                .badInput, "there is no such page any more", file: capture.path, stage: .pdf,
                seen: "page \(page)", allowed: "1 to \(document.pageCount)")
        }
        try document.page(page, unless: isCancelled).write(to: folder)
        return ["--drawn-page", folder]
    }

    /// What every output depends on besides its capture.
    func settings(outputs: BatchOutputs) throws(FlatteningError) -> String {
        var parts =
            [ReceiptFlatteningVersion.current] + Self.deciding(before + after)
            + outputs.arguments(path: "")
            + (SourceDate.current.map { ["made at \($0.timeIntervalSince1970)"] } ?? [])
        for file in sharedFiles { parts.append(try SHA256.digest(ofFile: file)) }
        return parts.joined(separator: "\n")
    }

    /// The words but for those that decide whether something comes out, not what.
    private static func deciding(_ words: [String]) -> [String] {
        var kept: [String] = []
        var isValue = false
        for word in words {
            defer { isValue = word == "--timeout" }
            if isValue || word == "--force" || word == "--timeout" || word.hasScalarPrefix("--timeout=") {
                continue
            }
            kept.append(word)
        }
        return kept
    }
}

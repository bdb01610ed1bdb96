import ArgumentParser
import BatchProcessing
import Foundation
import ReceiptFlattening

/// `flatten batch INPUT ... -o FOLDER`: many captures, each in a worker process.
struct BatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flatten batch",
        abstract: "Flatten many captures, each in a process of its own.",
        usage: "flatten batch FOLDER|CAPTURE|LIST|- ... -o FOLDER [options] [options of flatten]",
        discussion: """
            FOLDER holds captures: each sub-folder, archive and picture is one. LIST is a text file with a path a line, or \
            with a zero byte after each path; "-" reads it from standard input. Several of them, and captures themselves, \
            may be named at once. What comes of the capture NAME lies in the output folder as NAME.png, NAME.json, \
            NAME.txt ... Besides the options below all of flatten's are taken that say how, not where: --dpi, --language, \
            --no-depth ...; --timeout is the time of each.

            Links, pipes and names that are no text are told of and fail; a link that a list names is followed.

            The log jobs.jsonl in the output folder says what became of each capture. A batch that was stopped, however \
            that happened, goes on with --resume. Files in the output folder that no batch wrote are not replaced unless \
            --force is given.

            Exit codes: 0 all captures are flattened; 1 some failed (the log and standard error say which and why); else \
            flatten's own, for what concerns all captures: none of them is held to have failed by it.
            """)

    @Option(name: .shortAndLong, help: "The folder that is written to; made if it is missing.")
    var output: String

    @Option(help: "How many captures are worked on at once (as many as there are processors).")
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Flag(help: "Look into sub-folders that are no captures themselves.")
    var recursive = false

    @Flag(
        help:
            "Pass over what the job log says is done or failed. What failed by no fault of its own is tried again."
    )
    var resume = false

    @Flag(help: "Pass over what is done, and try again what failed.")
    var retryFailed = false

    @OptionGroup(title: "What is written of each capture") var outputs: BatchOutputs

    @Option(help: "The most memory (address space) that one capture may take, in MiB.")
    var memoryMib = 2048

    @Option(
        help: "The most processor time that one capture may take, in seconds; four times that by the clock.")
    var processorSeconds = 300

    @OptionGroup var verbosity: VerbosityArguments

    /// The inputs and the options of `flatten`, whose own parser knows which is which.
    @Argument(parsing: .allUnrecognized, help: "Folders, captures or lists, and options of flatten.")
    var others: [String] = []

    mutating func validate() throws {
        for (name, value, range) in [
            ("--jobs", jobs, 1...256), ("--memory-mib", memoryMib, 256...1_048_576),
            ("--processor-seconds", processorSeconds, 1...86400),
        ] where !range.contains(value) {
            throw ValidationError("\(name) lies between \(range.lowerBound) and \(range.upperBound)")
        }
    }

    func run() throws {
        let request = try BatchRequest(others, outputs: outputs)
        var failed = 0
        try withExitCodes(verbosity) { console throws(FlatteningError) in
            if let warning = WorkerConfinement.warning { console.warn(warning) }
            let batch = try batch(request)
            let progress = BatchProgress(jobs: batch.jobs.map(\.name), console: console)
            let interruption = Interruption {
                batch.stop.raise()
                batch.removeStagingFolders()
                progress.interrupt()
            }
            defer { interruption.end() }
            try batch.run { event in progress.show(event) }
            failed = progress.finish()
        }
        if failed > 0 { throw ExitCode(1) }
    }

    private func batch(_ request: BatchRequest) throws(FlatteningError) -> Batch {
        let captures = try CaptureList.entries(of: request.inputs, output: output, recursive: recursive)
        guard !captures.isEmpty else {
            throw FlatteningError(
                .badInput, "there are no captures", file: request.inputs.joined(separator: ", "),
                stage: "batch",
                advice: recursive ? nil : "Use --recursive if they lie in folders of folders")
        }
        do {
            try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        } catch {
            throw FlatteningError(
                .fileAccess, "the output folder cannot be made", file: output, stage: "batch",
                detail: error.localizedDescription)
        }
        let names = OutputNames.unique(for: captures.map(\.path), suffixes: outputs.suffixes)
        var batch = Batch(
            jobs: zip(captures, names).map { capture, name in
                Batch.Job(
                    capture: capture, name: name, outputs: outputs.files(of: name),
                    arguments: request.arguments(for: capture.path) + outputs.formatArguments
                        + ["--reproducible", "--no-programs"] + (verbosity.verbose ? ["--verbose"] : []))
            },
            folder: output, settings: try request.settings(outputs: outputs),
            sharedFiles: request.sharedFiles, workerCount: jobs, resumes: resume || retryFailed,
            retriesFailed: retryFailed,
            limits: .init(memoryMebibytes: memoryMib, processorSeconds: processorSeconds))
        batch.replacesOthers = request.replaces
        batch.contentLimits.wholeFileBytes = max(
            batch.contentLimits.wholeFileBytes, Int64(request.largestFile))
        return batch
    }
}

/// A last word when somebody ends the batch; then the process ends as it would have.
private struct Interruption {
    private let signals: sigset_t

    /// Made before other threads are: each inherits that it is not the one that signals end.
    init(_ lastWord: @escaping @Sendable () -> Void) {
        var signals = sigset_t()
        sigemptyset(&signals)
        // Who starts a batch with nohup wants it to go on.
        for number in [SIGINT, SIGTERM, SIGHUP] where !Self.isIgnored(number) { sigaddset(&signals, number) }
        self.signals = signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        Thread.detachNewThread { [signals] in
            var (signals, number) = (signals, Int32(0))
            while sigwait(&signals, &number) != 0 {}
            // A standard error that takes nothing must not keep the process alive.
            let hasSpoken = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                lastWord()
                hasSpoken.signal()
            }
            _ = hasSpoken.wait(timeout: .now() + Self.patience)
            signal(number, SIG_DFL)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            kill(getpid(), number)
        }
    }

    /// Seconds that the last word may take.
    private static let patience = 1.0

    /// Lets signals end the process again without a word.
    func end() {
        var signals = signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// What a batch asks of `flatten`: its inputs, and options that hold for every capture.
struct BatchRequest {
    /// The folders, captures and lists.
    let inputs: [String]
    /// Files that the options name.
    let sharedFiles: [String]
    /// Whether files that no batch wrote may be replaced.
    let replaces: Bool
    /// The largest file that the options allow, in bytes; 0 where they do not say.
    let largestFile: Int
    /// The words but for the inputs, around the place where a capture stands.
    private let before: [String]
    private let after: [String]

    /// - Parameter words: inputs among options of `flatten`, in any order.
    /// - Throws: a usage error if `flatten` would not take them.
    init(_ words: [String], outputs: BatchOutputs) throws {
        let command = try Self.parsed(words, outputs)
        inputs = command.input.captures
        guard !inputs.isEmpty else { throw ValidationError("name a folder, captures or a list") }
        guard !command.noClobber else {
            throw ValidationError(
                "--no-clobber is for single runs: a batch replaces only what a batch wrote, unless --force is given"
            )
        }
        replaces = command.force
        largestFile = max(command.input.maxFileMib ?? 0, command.input.maxTiffMib ?? 0) << 20
        sharedFiles = [command.input.depth, command.input.confidence, command.input.intrinsics].compactMap(
            \.self)
        guard !sharedFiles.contains("-") else {
            throw ValidationError("standard input can be a list of captures here, nothing else")
        }
        (before, after) = try Self.split(words, at: inputs, outputs)
    }

    private static func parsed(_ words: [String], _ outputs: BatchOutputs) throws -> FlattenCommand {
        do {
            return try FlattenCommand.parse(words + outputs.arguments(path: "capture"))
        } catch {
            // The error alone: how flatten by itself is used is beside the point.
            throw ValidationError(FlattenCommand.message(for: error))
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
    func arguments(for path: String) -> [String] { before + [path] + after }

    /// What every output depends on besides its capture.
    func settings(outputs: BatchOutputs) throws(FlatteningError) -> String {
        var parts =
            [ReceiptFlatteningVersion.current] + Self.deciding(before + after)
            + outputs.arguments(path: "")
        for file in sharedFiles { parts.append(try SHA256.digest(ofFile: file)) }
        return parts.joined(separator: "\n")
    }

    /// The words but for those that decide whether something comes out, not what.
    private static func deciding(_ words: [String]) -> [String] {
        var kept: [String] = []
        var isValue = false
        for word in words {
            defer { isValue = word == "--timeout" }
            if isValue || word == "--force" || word == "--timeout" || word.hasPrefix("--timeout=") {
                continue
            }
            kept.append(word)
        }
        return kept
    }
}

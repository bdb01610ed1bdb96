import ArgumentParser
import BatchProcessing
import Foundation
import ReceiptFlattening

/// `flatten batch FOLDER -o FOLDER`: many captures, each in a worker process.
struct BatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flatten batch",
        abstract: "Flatten many captures, each in a process of its own.",
        usage: "flatten batch FOLDER|LIST|- -o FOLDER [options] [options of flatten]",
        discussion: """
            FOLDER holds captures: each sub-folder, archive and picture is one. LIST is a text file with a path a line; "-" \
            reads it from standard input. What comes of the capture NAME lies in the output folder as NAME.png, NAME.json, \
            NAME.txt ... Besides the options below all of flatten's are taken that say how, not where: --dpi, --language, \
            --no-depth ...

            The log jobs.jsonl in the output folder says what became of each capture. A batch that was stopped, however \
            that happened, goes on with --resume.

            Exit codes: 0 all captures are flattened; 1 some failed (the log and standard error say which and why); else \
            flatten's own.
            """)

    @Option(name: .shortAndLong, help: "The folder that is written to; made if it is missing.")
    var output: String

    @Option(help: "How many captures are worked on at once (as many as there are processors).")
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Flag(help: "Pass over what the job log says is done or failed.")
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

    /// The input and the options of `flatten`, whose own parser knows which is which.
    @Argument(parsing: .allUnrecognized, help: "A folder or a list of captures, and options of flatten.")
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
            let batch = try batch(request)
            let progress = BatchProgress(jobs: batch.jobs.map(\.name), console: console)
            try batch.run { index, outcome in progress.show(index, outcome) }
            failed = progress.finish()
        }
        if failed > 0 { throw ExitCode(1) }
    }

    private func batch(_ request: BatchRequest) throws(FlatteningError) -> Batch {
        let paths = try CaptureList.paths(of: request.input, output: output)
        guard !paths.isEmpty else {
            throw FlatteningError(.badInput, "there are no captures", file: request.input, stage: "batch")
        }
        do {
            try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        } catch {
            throw FlatteningError(
                .fileAccess, "the output folder cannot be made", file: output, stage: "batch",
                detail: error.localizedDescription)
        }
        let names = OutputNames.unique(for: paths, suffixes: outputs.suffixes)
        return Batch(
            jobs: zip(paths, names).map { path, name in
                Batch.Job(
                    path: path, name: name, outputs: outputs.suffixes.map { name + $0 },
                    arguments: request.arguments(for: path)
                        + outputs.arguments(path: output + "/" + name)
                        + ["--reproducible", "--no-programs"]
                        + (verbosity.verbose ? ["--verbose"] : []))
            },
            folder: output, settings: try request.settings(outputs: outputs),
            sharedFiles: request.sharedFiles,
            workerCount: jobs, resumes: resume || retryFailed, retriesFailed: retryFailed,
            memoryMebibytes: memoryMib, processorSeconds: processorSeconds)
    }
}

/// What a batch asks of `flatten`: its input, and options that hold for every capture.
struct BatchRequest {
    /// The folder or list.
    let input: String
    /// Files that the options name.
    let sharedFiles: [String]
    private let words: [String]
    /// Where among the words the input stands.
    private let position: Int

    /// - Parameter words: an input among options of `flatten`, in any order.
    /// - Throws: a usage error if `flatten` would not take them.
    init(_ words: [String], outputs: BatchOutputs) throws {
        func parsed(_ words: [String]) throws -> FlattenCommand {
            try FlattenCommand.parse(words + outputs.arguments(path: "capture"))
        }
        let command: FlattenCommand
        do {
            command = try parsed(words)
        } catch {
            FlattenCommand.exit(withError: error)
        }
        input = command.input.capture
        sharedFiles = [command.input.depth, command.input.confidence, command.input.intrinsics].compactMap(
            \.self)
        guard !sharedFiles.contains("-") else {
            throw ValidationError("standard input can be a list of captures here, nothing else")
        }
        self.words = words
        // The same word may also be an option's value: the input is the one whose change changes the capture.
        let marker = "capture"
        let place = words.indices.first { index in
            var changed = words
            changed[index] = marker
            return words[index] == command.input.capture
                && (try? parsed(changed))?.input.capture == marker
        }
        guard let place else { throw ValidationError("the input cannot be told from the options") }
        position = place
    }

    /// The words with one capture as input.
    func arguments(for path: String) -> [String] {
        var changed = words
        changed[position] = path
        return changed
    }

    /// What every output depends on besides its capture.
    func settings(outputs: BatchOutputs) throws(FlatteningError) -> String {
        var options = words
        options.remove(at: position)
        var parts = [ReceiptFlatteningVersion.current] + options + outputs.arguments(path: "")
        for file in sharedFiles { parts.append(try SHA256.digest(ofFile: file)) }
        return parts.joined(separator: "\n")
    }
}

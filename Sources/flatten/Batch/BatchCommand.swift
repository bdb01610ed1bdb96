import Diagnostics
import ArgumentParser
import BatchProcessing
import Foundation
import ReceiptFlattening

/// `flatten batch INPUT ... -o FOLDER`: many captures, each in a worker process.
struct BatchCommand: ParsableCommand, PreparedCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Flatten many captures, each in a process of its own.",
        usage: "flatten batch FOLDER|CAPTURE|LIST|- ... -o FOLDER [options] [options of flatten]",
        discussion: """
            FOLDER holds captures: each sub-folder, archive and image is one. LIST is a text file with one path per line, \
            or with a zero byte after each path; "-" reads it from standard input. Several of these, and captures, may be \
            named at once. The capture NAME becomes NAME.png, NAME.json, NAME.txt ... in the output folder. Besides the \
            options below, those of flatten are accepted that say how, not where: --dpi, --language, --no-depth ...; \
            --timeout applies to each capture. With --sheets all its sheets become NAME-1.png, NAME-2.png ...

            Links, pipes and names that are not UTF-8 are reported and fail; a link that a list names is followed.

            The log jobs.jsonl in the output folder records the outcome of each capture. --resume continues a batch that was \
            stopped, for whatever reason. Files in the output folder that no batch wrote are replaced only with --force.

            Exit codes: 0 all captures are flattened; 1 some failed (the log and standard error say which and why); else \
            those of flatten, for what concerns all captures; no capture counts as failed by it.
            """)

    static let preparation = ArgumentWords.batch

    @Option(name: .shortAndLong, help: "Output folder; created if missing.")
    var output: String

    @Option(
        name: .shortAndLong, help: "Captures processed at once; by default as many as there are processors.")
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Flag(help: "Also look into sub-folders that are not captures themselves.")
    var recursive = false

    @Flag(
        help:
            "Skip captures that the job log lists as done or failed; retry those that failed through no fault of their own."
    )
    var resume = false

    @Flag(help: "Skip captures that are done; retry those that failed.")
    var retryFailed = false

    @OptionGroup(title: "What is written of each capture") var outputs: BatchOutputs

    @Option(help: "Memory (address space) allowed for one capture, in MiB.")
    var memoryMib = 2048

    @Option(
        help: "Processor time allowed for one capture, in seconds; four times that by the clock.")
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
            let joint = BatchJointOutputs(arguments: outputs.joint, batch: batch)
            try joint.check(inputs: request.inputs + request.sharedFiles)
            let progress = BatchProgress(jobs: batch.jobs.map(\.name), console: console)
            let interruption = Interruption {
                batch.end(patience: Self.patience)
                progress.interrupt()
            }
            defer { interruption.end() }
            try batch.run(
                onEvent: { event in
                    joint.failures.note(event)
                    progress.show(event)
                }, atEnd: { () throws(FlatteningError) in try joint.write(console) })
            failed = progress.finish()
        }
        if failed > 0 { throw ExitCode(ExitReason.someFailed.rawValue) }
    }

    /// How long an interrupted batch waits for its workers to be gone: they are killed within a tenth of a second.
    private static let patience = Duration.milliseconds(700)

    private func batch(_ request: BatchRequest) throws(FlatteningError) -> Batch {
        let captures = try CaptureList.entries(of: request.inputs, output: output, recursive: recursive)
        guard !captures.isEmpty else {
            throw FlatteningError(
                .badInput, "there are no captures", file: request.inputs.joined(separator: ", "),
                stage: .batch,
                advice: recursive ? nil : "Use --recursive if they lie in folders of folders")
        }
        do {
            try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        } catch {
            throw FlatteningError(
                .fileAccess, "the output folder cannot be made", file: output, stage: .batch,
                detail: error.localizedDescription)
        }
        let names = try OutputNames.unique(for: captures.map(\.path), suffixes: outputs.suffixes)
        var batch = Batch(
            jobs: zip(captures, names).map { capture, name in
                Batch.Job(
                    capture: capture, name: name, outputs: outputs.files(of: name),
                    numbersOutputs: request.numbersOutputs,
                    arguments: request.arguments(for: capture.path) + outputs.formatArguments
                        + ["--reproducible", "--no-programs"] + (verbosity.verbose ? ["--verbose"] : []))
            },
            folder: output, settings: try request.settings(outputs: outputs),
            sharedFiles: request.sharedFiles, workerCount: jobs, resumes: resume || retryFailed,
            retriesFailed: retryFailed,
            limits: .init(memoryMebibytes: memoryMib, processorSeconds: processorSeconds),
            worker: BatchWorkerCommand.worker)
        batch.replacesOthers = request.replaces
        batch.contentLimits.wholeFileBytes = max(
            batch.contentLimits.wholeFileBytes, Int64(request.largestFile))
        return batch
    }
}

import Diagnostics
import ArgumentParser
import BatchProcessing
import Captures
import LocalFiles
import Parallelism
import Platform
import ReceiptFlattening
import ScalarText

/// `flatten batch INPUT ... -o FOLDER`: many captures, each in a worker process.
struct BatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Flatten many captures, each in a process of its own.",
        usage: "flatten batch FOLDER|CAPTURE|LIST|- ... -o FOLDER [options]",
        discussion: """
            FOLDER holds captures: each sub-folder, archive and image is one. LIST is a text file with one path per line, \
            or with a zero byte after each path; "-" reads it from standard input. Several of these, and captures, may be \
            named at once. The capture NAME becomes NAME.png, NAME.json, NAME.txt ... in the output folder. \
            --timeout applies to each capture. With --sheets all its sheets become NAME-1.png, NAME-2.png ... \
            Each page of a PDF, TIFF or HEIC is a capture of its own: of several they become NAME-1.png, NAME-2.png ...

            Links, pipes and names that are not UTF-8 are reported and fail; a link that a list names is followed.

            The log jobs.jsonl in the output folder records the outcome of each capture. --resume continues a batch that was \
            stopped, for whatever reason. Files in the output folder that no batch wrote are replaced only with --force.

            With --shard several processes, on as many machines, share one output folder: each works on its share and keeps \
            its own log. flatten batch status FOLDER tells how far all of them are. --table and --merge are written by the \
            same command without --shard and with --resume, once all shards are done.

            SIGTERM and SIGUSR1 let the captures that are being worked on come to their end (--grace); a second one, and an \
            interrupt, end the batch at once.

            Exit codes: 0 all captures are flattened; 1 some failed (the log and standard error say which and why); 75 it was \
            asked to end, or another process works on this shard: the same command with --resume goes on; else those of \
            flatten, for what concerns all captures; no capture counts as failed by it.
            """)

    @Option(name: .shortAndLong, help: "Output folder; created if missing.")
    var output: String

    @Option(
        name: .shortAndLong, help: "Captures processed at once; by default as many as there are processors.")
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Flag(help: "Also look into sub-folders that are not captures themselves.")
    var recursive = false

    @Flag(help: "A zero byte ends each path of a list, as find -print0 writes it, not a line feed.")
    var null = false

    @Option(
        help: ArgumentHelp(
            """
            Work on one share of the captures: I/N, with I from 1 to N; "auto" for what Slurm, Kubernetes or AWS Batch tell \
            the processes of an array; "auto/N" where they do not tell how many there are (Kubernetes).
            """, valueName: "I/N|auto"))
    var shard: String?

    @Flag(
        help:
            "Skip captures that the job log lists as done or failed; retry those that failed through no fault of their own."
    )
    var resume = false

    @Flag(help: "Skip captures that are done; retry those that failed.")
    var retryFailed = false

    @Flag(
        help: """
            Work on captures of the same content once; the others get the same files under their own names, unless these \
            name the capture, as pages and hOCR do. Holds within a shard.
            """)
    var once = false

    @Flag(help: "End with 0 also where some captures failed, for engines that would start all of them again.")
    var exitZeroOnFailedCaptures = false

    @Option(
        help: ArgumentHelp(
            "How long captures may take to their end after SIGTERM or SIGUSR1; 0 ends them at once.",
            valueName: "time"))
    var grace = TimeSpan(seconds: 20)

    @Option(
        help: ArgumentHelp(
            "Write the record of each capture that has come to its end, as in the log, to standard output (\"-\").",
            valueName: "-"))
    var records: String?

    @Option(
        help: ArgumentHelp(
            "Write counts for Prometheus' textfile collector, every ten seconds and at the end.",
            valueName: "file.prom"),
        completion: .file(extensions: ["prom"]))
    var metrics: String?

    @OptionGroup(title: "What is written of each capture") var outputs: BatchOutputs

    @Option(help: "Memory (address space) allowed for one capture, in MiB.")
    var memoryMib = 2048

    @Option(
        help: "Processor time allowed for one capture, in seconds; four times that by the clock.")
    var processorSeconds = 300

    @OptionGroup var verbosity: VerbosityArguments

    @Argument(help: "Folders, captures or lists.", completion: .file())
    var inputs: [String] = []

    @OptionGroup(title: "How captures are read") var reading: CaptureOptions

    @OptionGroup(title: "How each is made flat") var how: HowArguments

    mutating func validate() throws {
        guard !output.isEmpty else { throw ValidationError("--output names no folder") }
        for (name, value, range) in [
            ("--jobs", jobs, 1...256), ("--memory-mib", memoryMib, 256...1_048_576),
            ("--processor-seconds", processorSeconds, 1...86400),
        ] where !range.contains(value) {
            throw ValidationError("\(name) lies between \(range.lowerBound) and \(range.upperBound)")
        }
        do throws(FlatteningError) {
            _ = try ownShard
        } catch {
            throw ValidationError(error.description)
        }
        if let records, records != "-" {
            throw ValidationError(
                "--records takes \"-\", which is standard output: the log has them in a file")
        }
        if records != nil, outputs.joint.merge == "-" {
            throw ValidationError("--records and --merge cannot both be written to standard output")
        }
        if let metrics, !metrics.hasScalarSuffix(".prom") {
            throw ValidationError(
                "--metrics takes a file that ends in .prom, which is replaced time and again")
        }
    }

    private var ownShard: Shard? {
        get throws(FlatteningError) {
            guard let shard else { return nil }
            return try Shard(shard, environment: ProcessInfo.processInfo.environment)
        }
    }

    func run() throws {
        let request = try BatchRequest(inputs: inputs, reading: reading, how: how, outputs: outputs)
        // While the captures are being listed, no work is in progress that a signal should let finish.
        for number in [SIGTERM, SIGUSR1] { signal(number) { _ in _exit(ExitReason.timeout.rawValue) } }
        var ending = Ending.whole(failed: 0)
        try withExitCodes(verbosity) { console throws(FlatteningError) in
            if let warning = WorkerConfinement.warning { console.warn(warning) }
            let (captures, passedOver) = try captures(request, console)
            var batch = try batch(of: captures, request)
            let stream = records.map { [batch] _ in RecordStream(onFailure: { batch.windDown() }) }
            if let stream { batch.onRecord = stream.write }
            let joint = BatchJointOutputs(
                arguments: outputs.joint, makesIndex: outputs.makesIndex, batch: batch, request: request)
            try joint.check(inputs: request.inputs + request.sharedFiles)
            ending = try run(batch, joint, console)
            try stream?.check()
            if let words = passedOver.description, case .whole = ending, !console.isQuiet {
                console.say(words)
            }
        }
        switch ending {
        case .stopped: throw ExitCode(ExitReason.timeout.rawValue)
        case .whole(let failed) where failed > 0 && !exitZeroOnFailedCaptures:
            throw ExitCode(ExitReason.someFailed.rawValue)
        case .whole: break
        }
    }

    /// How a batch ended.
    private enum Ending {
        /// Every capture was processed.
        case whole(failed: Int)
        /// The batch was asked to end and to leave the other captures to a later run.
        case stopped
    }

    private func run(
        _ batch: Batch, _ joint: BatchJointOutputs, _ console: Console
    ) throws(FlatteningError) -> Ending {
        let progress = BatchProgress(jobs: batch.jobs.map(\.name), console: console)
        let metrics = metrics.map { BatchMetrics(path: $0, shard: batch.shard, jobs: batch.jobs.count) }
        try metrics?.check()
        let interruption = try Interruption(
            grace: grace.seconds,
            windDown: {
                batch.windDown()
                progress.windDown()
            },
            lastWord: {
                batch.end(patience: Self.patience)
                try? metrics?.end(isWhole: false)
                progress.interrupt()
            })
        defer { interruption.end() }
        do throws(FlatteningError) {
            try batch.run(
                onEvent: { event in
                    joint.failures.note(event)
                    metrics?.note(event)
                    progress.show(event)
                },
                atEnd: { (done) throws(FlatteningError) in
                    if batch.shard == nil { try joint.write(done, console) } else { joint.leave(console) }
                })
        } catch  where error.code == .cancelled && batch.windsDown.isRaised && !batch.stop.isRaised {
            progress.interrupt()
            try metrics?.end(isWhole: false)
            return .stopped
        } catch {
            // Report the error that ended the batch, not that the counts could not be written either.
            try? metrics?.end(isWhole: false)
            throw error
        }
        try metrics?.end(isWhole: true)
        return .whole(failed: progress.finish())
    }

    /// How long an interrupted batch waits for its workers to end; they are killed within a tenth of a second.
    private static let patience = Duration.milliseconds(700)

    /// Lists the captures, and the files passed over among them. Prints a message if captures were named twice.
    private func captures(
        _ request: BatchRequest, _ console: Console
    ) throws(FlatteningError) -> (captures: [CaptureList.Entry], passedOver: PassedOverFiles) {
        var repeats: [(path: String, first: String)] = []
        var passedOver = PassedOverFiles()
        let captures = try CaptureList.entries(
            of: request.inputs, output: output, recursive: recursive, zeroEndsPaths: null,
            onRepeat: { repeats.append(($0, $1)) }, onPassedOver: { passedOver.add($0) })
        guard !captures.isEmpty else {
            throw FlatteningError(
                .badInput, "there are no captures", file: request.inputs.joined(separator: ", "),
                stage: .batch, seen: passedOver.description)
        }
        if let one = repeats.first, !console.isQuiet {
            console.say(
                "named twice, by other paths or by links, and worked on once: \(repeats.count), such as \(one.path), which is \(one.first)"
            )
        }
        let time = Duration.seconds(processorSeconds * 4)
        let pages = concurrentMap(captures) { entry in request.pages(of: entry, within: time) }
        return (pages.flatMap(\.self), passedOver)
    }

    private func batch(
        of captures: [CaptureList.Entry], _ request: BatchRequest
    ) throws(FlatteningError) -> Batch {
        let shard = try ownShard
        try NewFolder.make(output, stage: .batch)
        let resumes = resume || retryFailed
        // Choose names over the captures of all shards, so that no two shards write the same file.
        let names = try OutputNames.unique(
            for: captures.map(\.label), suffixes: outputs.suffixes, taken: outputs.sharedNames,
            earlier: resumes ? EarlierNames(in: output) : EarlierNames())
        let places = shard?.places(in: captures.map(\.label)) ?? Array(captures.indices)
        let files = outputs.files
        var batch = Batch(
            jobs: try places.map { place throws(FlatteningError) in
                let (capture, name) = (captures[place], names[place])
                return Batch.Job(
                    capture: capture, name: name, outputs: files(name, capture),
                    numbersOutputs: request.each.sheets == .all,
                    request: try request.request(for: capture).json())
            },
            folder: output, settings: try request.settings(),
            sharedFiles: request.sharedFiles, workerCount: jobs, resumes: resumes,
            retriesFailed: retryFailed,
            limits: .init(memoryMebibytes: memoryMib, processorSeconds: processorSeconds),
            worker: BatchWorkerCommand.worker(isVerbose: verbosity.verbose))
        batch.replacesOthers = request.each.existing == .forced
        batch.prepare = { capture, folder, deadline, isCancelled throws(FlatteningError) in
            try request.draw(capture, for: folder, until: deadline, unless: isCancelled)
        }
        (batch.shard, batch.captureCount, batch.worksOnce) = (shard, captures.count, once)
        batch.contentLimits.wholeFileBytes = max(
            batch.contentLimits.wholeFileBytes, Int64(request.largestFile))
        return batch
    }
}

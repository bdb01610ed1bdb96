import Diagnostics
import ArgumentParser
import BatchProcessing
import Platform
import ReceiptFlattening
import ScalarText

/// `flatten batch-worker ... --request JSON`: `flatten` under limits and in confinement. Only a batch starts it; a server starts
/// it with the words of `flatten` behind "--".
struct BatchWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch-worker", abstract: "Flatten one capture of a batch.", shouldDisplay: false
    )

    @Option var parent: Int32
    @Option var memoryMib: UInt64
    @Option var processorSeconds: UInt64
    @Option var processes: UInt64?
    @Option(parsing: .unconditionalSingleValue) var read: [String] = []
    @Option(parsing: .unconditional) var write: String
    @Flag var libraries = false
    /// What is asked for, as `FlatteningRequest.json` gives it, but for the outputs.
    @Option(parsing: .unconditional) var request: String?
    /// The kind of each output, and its name in the folder that is written to.
    @Option(parsing: .unconditionalSingleValue) var output: [String] = []
    @Option(parsing: .unconditional) var drawnPage: String?
    @Flag var verbose = false
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

    func run() throws {
        ProgramEnd.setCodeOfLibraries(Self.shortage)
        let confinement = WorkerConfinement(
            parent: parent, addressSpace: memoryMib << 20, processorSeconds: processorSeconds,
            processes: processes, readable: read, writable: write)
        do {
            try confinement.apply()
        } catch {
            Console().fail(error)
            throw ExitCode(Self.exitCode(error.code))
        }
        let run = try asked
        if libraries {
            try run.tryLibraries(mark: WorkerCommand.libraryMark, exitCode: Self.exitCode)
        } else {
            // A job is told by its capture's content, to which nothing beside an image belongs.
            try run.run(isAlone: true, exitCode: Self.exitCode)
        }
    }

    /// What is asked for: the words of `flatten`, or a request with what this worker was told besides.
    private var asked: FlatteningRun {
        get throws {
            guard let request else {
                let words = arguments.first == "--" ? Array(arguments.dropFirst()) : arguments
                let asked = try FlattenCommand.parse(words).arguments
                return FlatteningRun(
                    request: asked.request, verbosity: asked.verbosity, tellsProgress: asked.progress)
            }
            var asked = try FlatteningRequest(json: request)
            asked.input.drawnPage = drawnPage
            asked.outputs = try output.map { word in
                guard let mark = word.firstIndex(ofScalar: "="),
                    let kind = OutputKind(rawValue: String(word[..<mark]))
                else { throw ValidationError("this is no output of a batch: \(word)") }
                return RequestedOutput(kind: kind, path: write + "/" + word[word.index(afterScalar: mark)...])
            }
            return FlatteningRun(request: asked, verbosity: try .parse(verbose ? ["--verbose"] : []))
        }
    }

    /// The exit code by which a worker says `.storageFull`; `flatten` by itself says 74 (sysexits' EX_CANTCREAT).
    private static let storageFull: Int32 = 73
    /// The exit code by which a worker says `.shortage`; `flatten` by itself says 71. `flatten` uses it for nothing else.
    private static let shortage: Int32 = 72

    /// This command as a batch calls it, and what its exit codes mean.
    static func worker(isVerbose: Bool) -> WorkerCommand {
        WorkerCommand(
            statuses: .init(
                belowDemand: ExitReason.belowDemand.rawValue,
                missingDependency: FlatteningError.Code.missingDependency.exitCode,
                fileAccess: FlatteningError.Code.fileAccess.exitCode, storageFull: storageFull,
                shortage: shortage,
                // Usage, bad input, a defect of this program, a limit that is the capture's own.
                verdicts: [
                    ExitReason.usage.rawValue, FlatteningError.Code.badInput.exitCode,
                    FlatteningError.Code.internalInconsistency.exitCode,
                    FlatteningError.Code.limitExceeded.exitCode,
                ], logged: \.exitCode)
        ) { assignment in
            let bounds =
                ["--memory-mib", "\(assignment.limits.memoryMebibytes)"]
                + ["--processor-seconds", "\(assignment.limits.processorSeconds)"]
                + (assignment.threadLimit.map { ["--processes", "\($0)"] } ?? [])
            let files =
                ["--write", assignment.staging] + assignment.readable.flatMap { ["--read", $0] }
            let job = assignment.job
            var words = isVerbose ? ["--verbose"] : []
            if case .libraries = assignment.task { words.append("--libraries") }
            if let page = job.drawnPage { words += ["--drawn-page", page] }
            return ["batch-worker", "--parent", "\(getpid())"] + bounds + files + words
                + job.outputs.flatMap { ["--output", $0.kind + "=" + $0.name] } + ["--request", job.request]
        }
    }

    /// What the batch has to tell apart has codes of its own here.
    private static func exitCode(_ code: FlatteningError.Code) -> Int32 {
        switch code {
        case .storageFull: storageFull
        case .shortage: shortage
        default: code.exitCode
        }
    }
}

import Diagnostics
import ArgumentParser
import BatchProcessing
import Platform
import ReceiptFlattening
import ScalarText

/// `flatten batch-worker ... --request JSON`: `flatten` under limits and in confinement. A batch starts it with a request; a
/// server starts it with the words of `flatten` after "--".
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
    /// The request as `FlatteningRequest.json` encodes it, without its outputs.
    @Option(parsing: .unconditional) var request: String?
    /// The outputs, each as `kind=name`: its kind, and its name in the folder of `--write`.
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
            // A job is identified by the content of its capture, which does not include files beside an image.
            try run.run(isAlone: true, exitCode: Self.exitCode)
        }
    }

    /// The run asked for: from the words of `flatten`, or from a request and the other options of this worker.
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

    /// The exit code with which a worker reports `.storageFull` (sysexits' EX_CANTCREAT); `flatten` itself exits with 74.
    private static let storageFull: Int32 = 73
    /// The exit code with which a worker reports `.shortage`; `flatten` itself exits with 71, and never uses this code.
    private static let shortage: Int32 = 72

    /// This command as a batch calls it, and what its exit codes mean.
    static func worker(isVerbose: Bool) -> WorkerCommand {
        WorkerCommand(
            statuses: .init(
                belowDemand: ExitReason.belowDemand.rawValue,
                missingDependency: FlatteningError.Code.missingDependency.exitCode,
                fileAccess: FlatteningError.Code.fileAccess.exitCode, storageFull: storageFull,
                shortage: shortage,
                // Wrong usage, bad input, a defect of this program, a limit that the capture itself exceeds.
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

    /// Returns the exit code for a kind of error. Kinds that the batch must tell apart have their own codes here.
    private static func exitCode(_ code: FlatteningError.Code) -> Int32 {
        switch code {
        case .storageFull: storageFull
        case .shortage: shortage
        default: code.exitCode
        }
    }
}

import ArgumentParser
import BatchProcessing
import ReceiptFlattening

/// `flatten batch-worker ... -- CAPTURE ...`: `flatten` under limits and in confinement. Only a batch starts it.
struct BatchWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flatten batch-worker", abstract: "Flatten one capture of a batch.", shouldDisplay: false
    )

    @Option var parent: Int32
    @Option var memoryMib: UInt64
    @Option var processorSeconds: UInt64
    @Option var processes: UInt64?
    @Option(parsing: .unconditionalSingleValue) var read: [String] = []
    @Option(parsing: .unconditional) var write: String
    @Flag var libraries = false
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

    func run() throws {
        ProgramEnd.setCodeOfLibraries(Batch.shortage)
        let confinement = WorkerConfinement(
            parent: parent, addressSpace: memoryMib << 20, processorSeconds: processorSeconds,
            processes: processes, readable: read, writable: write)
        do {
            try confinement.apply()
        } catch {
            Console().fail(error)
            throw ExitCode(Self.exitCode(error.code))
        }
        let words = arguments.first == "--" ? Array(arguments.dropFirst()) : arguments
        let command = try FlattenCommand.parse(words)
        if libraries {
            try command.tryLibraries(mark: Batch.libraryMark, exitCode: Self.exitCode)
        } else {
            try command.run(exitCode: Self.exitCode)
        }
    }

    /// What the batch has to tell apart has codes of its own here.
    private static func exitCode(_ code: FlatteningError.Code) -> Int32 {
        switch code {
        case .storageFull: Batch.storageFull
        case .shortage: Batch.shortage
        default: code.exitCode
        }
    }
}

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
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

    func run() throws {
        let confinement = WorkerConfinement(
            parent: parent, addressSpace: memoryMib << 20, processorSeconds: processorSeconds,
            processes: processes, readable: read, writable: write)
        do {
            try confinement.apply()
        } catch {
            Console(VerbosityArguments()).fail(error)
            throw ExitCode(error.code.exitCode)
        }
        FlattenCommand.main(arguments.first == "--" ? Array(arguments.dropFirst()) : arguments)
    }
}

import ArgumentParser
import Foundation

/// `flatten CAPTURE`, `flatten inspect CAPTURE` and `flatten batch FOLDER`.
///
/// The main job has no word of its own, and `flatten --help` shows its options, which a default subcommand would hide.
@main
enum FlattenTool {
    static func main() {
        // OpenBLAS starts a thread for each further core when it is loaded, which spins for work that never comes. Set
        // before there is a second thread; who has set it otherwise is left in charge.
        setenv("OPENBLAS_NUM_THREADS", "1", 0)
        let arguments = Array(CommandLine.arguments.dropFirst())
        let others = Array(arguments.dropFirst())
        switch arguments.first {
        case "inspect": InspectCommand.main(others)
        case "batch": BatchCommand.main(others)
        case "batch-worker": BatchWorkerCommand.main(others)
        default: FlattenCommand.main(arguments)
        }
    }
}

import ArgumentParser

/// `flatten CAPTURE`, `flatten inspect CAPTURE` and `flatten batch FOLDER`.
///
/// The main job has no word of its own, and `flatten --help` shows its options, which a default subcommand would hide.
@main
enum FlattenTool {
    static func main() {
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

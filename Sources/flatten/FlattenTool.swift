import ArgumentParser

/// `flatten CAPTURE` and `flatten inspect CAPTURE`.
///
/// The main job has no word of its own, and `flatten --help` shows its options, which a default subcommand would hide.
@main
enum FlattenTool {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "inspect" {
            InspectCommand.main(Array(arguments.dropFirst()))
        } else {
            FlattenCommand.main(arguments)
        }
    }
}

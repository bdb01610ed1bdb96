import ArgumentParser
import Foundation
import ReceiptFlattening

/// `flatten CAPTURE`, `flatten inspect CAPTURE` and `flatten batch FOLDER`.
///
/// The main job has no word of its own, and `flatten --help` shows its options, which a default subcommand would hide.
@main
enum FlattenTool {
    static func main() {
        ProgramStart.begin()
        let words: [String]
        do throws(ProgramStart.ArgumentError) {
            words = try ProgramStart.words()
        } catch {
            Console().fail(error.message)
            ProgramEnd.exit(error.exitCode)
        }
        let others = Array(words.dropFirst())
        switch words.first {
        case "inspect": InspectCommand.runToEnd(others, preparedAs: .inspect)
        case "batch": BatchCommand.runToEnd(others, preparedAs: .batch)
        case "batch-worker": BatchWorkerCommand.runToEnd(others)
        default: FlattenCommand.main(words)
        }
    }
}

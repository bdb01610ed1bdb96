import ArgumentParser
import Platform
import ReceiptFlattening

/// The program: its subcommands, and how it starts and ends. Without a subcommand it flattens one capture.
@main
struct FlattenTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flatten",
        abstract: abstract,
        usage: usage,
        discussion: """
            Without a subcommand it flattens one capture: flatten CAPTURE is short for flatten single CAPTURE. \
            flatten --help lists the usual options of that, and flatten --help-all all.
            """,
        version: ReceiptFlatteningVersion.current,
        subcommands: [
            FlattenCommand.self, InspectCommand.self, BatchCommand.self, ArchiveCommand.self,
            CardsCommand.self,
            DoctorCommand.self, CompletionCommand.self, BatchStatusCommand.self, BatchWorkerCommand.self,
        ],
        defaultSubcommand: FlattenCommand.self)

    /// The abstract, also used on the main job's page.
    static let abstract =
        "Turn a photograph of a curled, folded or tilted receipt into a flat image of true size, and into text."
    /// The usual calls.
    static let usage =
        FlattenCommand.usage + """

            flatten inspect CAPTURE [options]
            flatten batch FOLDER|LIST|- -o FOLDER [options]
            flatten batch status FOLDER [options]
            flatten archive add|watch|list|show|set|merge|export ... --archive FOLDER [options]
            flatten cards add|list|search|duplicates|merge|export|remove --store FILE [options]
            flatten doctor
            flatten completion bash|zsh|fish
            """

    static func main() {
        ProgramStart.begin()
        do throws(ProgramStart.ArgumentError) {
            runToEnd(try ProgramStart.words())
        } catch {
            Console().fail(error.message)
            ProgramEnd.exit(error.exitCode)
        }
    }

    /// Runs the command that the words select, and ends this process.
    private static func runToEnd(_ words: [String]) -> Never {
        if VersionPage.isAsked(by: words) {
            end(with: CleanExit.message(VersionPage.lines.joined(separator: "\n")))
        }
        let words = BatchStatusCommand.calling(words)
        let command = command(for: words)
        // The main job's help does not need the parser, whose setup takes most of the program's start.
        if command == FlattenCommand.self, HelpPage.isAsked(by: words) { show(HelpPage.everyday) }
        do {
            // A worker's words are ours; without the tree of subcommands they are parsed in less than half the time.
            if command == BatchWorkerCommand.self {
                try BatchWorkerCommand.parse(Array(words.dropFirst())).run()
            } else {
                var parsed = try parseAsRoot(ArgumentWords(command: command).prepared(asking(words)))
                try parsed.run()
            }
        } catch let error as ValidationError {
            end(with: error, of: command)
        } catch {
            end(with: error, asked: command)
        }
        ProgramEnd.exit(0)
    }

    /// `-V` alone means `--version`; the parser knows no short form of it.
    private static func asking(_ words: [String]) -> [String] { words == ["-V"] ? ["--version"] : words }

    /// The subcommand that the parser selects for the words.
    private static func command(for words: [String]) -> any ParsableCommand.Type {
        configuration.subcommands.first { $0.configuration.commandName == words.first } ?? FlattenCommand.self
    }
}

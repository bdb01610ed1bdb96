import Diagnostics
import LocalFiles
import ArgumentParser
import Platform
import ReceiptFlattening
import ScalarText

extension FlattenTool {
    /// Ends this process with an error's message and exit code; help and version are not errors and go to standard output.
    /// - Parameters:
    ///   - command: the command that threw the error while it ran; the parser's errors know theirs.
    ///   - asked: the command that the arguments select.
    static func end(
        with error: any Error, of command: any ParsableCommand.Type = FlattenTool.self,
        asked: any ParsableCommand.Type = FlattenTool.self
    ) -> Never {
        if let error = error as? FlatteningError {
            Console().fail(error)
            ProgramEnd.exit(error.code.exitCode)
        }
        let code = exitCode(for: error).rawValue
        let text = command.fullMessage(for: error)
        if text.isEmpty { ProgramEnd.exit(code) }
        guard code == 0 else {
            let explained = explaining(completing(text, of: command), of: asked)
            let words = naming(command, in: escapingWords(in: explained)).visibleLines
            // The parser begins with a capital letter, unlike all other messages.
            Console.write((words.hasPrefix("Error: ") ? "e" + words.dropFirst() : words) + "\n")
            ProgramEnd.exit(code)
        }
        show(text)
    }

    /// Writes help, or other text that is not an error, to standard output, and ends this process.
    static func show(_ text: String) -> Never {
        // A reader that closes the pipe has seen enough of the help.
        signal(SIGPIPE, SIG_DFL)
        do throws(FlatteningError) {
            try AtomicFile.replace("-", with: Array((text + "\n").utf8))
        } catch {
            end(with: error)
        }
        ProgramEnd.exit(0)
    }

    /// Improves the parser's message for an unknown option: suggests the options that begin with it, instead of the one
    /// that it resembles most. For "--lang" the parser would suggest "--map".
    static func completing(_ text: String, of command: any ParsableCommand.Type) -> String {
        guard
            let unknown = text.firstMatch(
                of: /Unknown option '(--[a-z\-]+)[^']*'\.?( Did you mean '[^']*'\?)?/)?.output
        else { return text }
        let known = [command, FlattenCommand.self].map { $0.helpMessage() }.joined()
        let meant = Set(known.matches(of: /--[a-z\-]+/).map { String($0.output) })
            .filter { $0.hasPrefix(unknown.1) && $0 != unknown.1 }.sorted()
        guard (1...mostSuggestions).contains(meant.count) else { return text }
        let suggestion = meant.map { "'\($0)'" }.joined(separator: " or ")
        return text.replacing(unknown.0, with: "Unknown option '\(unknown.1)'. Did you mean \(suggestion)?")
    }

    /// Improves the parser's message for an option of single captures: says why a batch does not have it.
    static func explaining(_ text: String, of command: any ParsableCommand.Type) -> String {
        guard command == BatchCommand.self,
            let unknown = text.firstMatch(
                of: /Unknown option '(--?[a-z\-]+)'\.?( Did you mean '[^']*'\?)?/)?.output,
            let reason = ofSingleCaptures[String(unknown.1)]
        else { return text }
        return text.replacing(
            unknown.0, with: "Unknown option '\(unknown.1)': it is for single captures. \(reason)")
    }

    /// The options that a batch does not have, with what it does instead.
    private static let ofSingleCaptures = [
        "--stitch": "A batch makes an image of each capture, and does not join them",
        "--redact-area": "It is of one flat image, and a batch makes one of each capture",
        "--no-clobber": replacesOwn, "-n": replacesOwn,
        "--progress": "A batch tells what it does by --metrics",
    ]
    private static let replacesOwn = "A batch replaces only what a batch wrote, unless --force is given"

    /// Most suggestions: if more options match, the unknown word is too short to help.
    private static let mostSuggestions = 4

    /// The parser's message with the command named as people call it. The parser names a running subcommand by its last
    /// word, and the main job by a word that may be omitted.
    private static func naming(_ command: any ParsableCommand.Type, in text: String) -> String {
        let hint = "\n  See '"
        return (command == FlattenTool.self ? text : text.replacing(hint, with: hint + "flatten "))
            .replacing(hint + "flatten single ", with: hint + "flatten ")
            .replacing("flatten batch-status", with: "flatten batch status")
    }

    /// The parser's message with each of the user's words, which may be file names, kept on one line.
    private static func escapingWords(in text: String) -> String {
        text.keepingOnOneLine(
            CommandLine.arguments.flatMap { word in
                [word] + (word.firstIndex(of: "=").map { [String(word[word.index(after: $0)...])] } ?? [])
            })
    }
}

extension String {
    /// Makes line feeds in the given words visible, so that all other line breaks are the text's own.
    func keepingOnOneLine(_ words: [String]) -> String {
        words.filter { $0.unicodeScalars.contains("\n") }.sorted { $0.count > $1.count }
            .reduce(self) { $0.replacingScalars($1, with: $1.visible) }
    }
}

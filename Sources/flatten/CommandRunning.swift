import ArgumentParser
import Foundation
import ReceiptFlattening

extension ParsableCommand {
    /// Parses and runs the command, and ends this process. What the parser says goes the way of all messages.
    static func runToEnd(
        _ words: [String], preparedAs preparation: ArgumentWords? = nil,
        parsedBy parse: ([String]) throws -> Self = { try parse($0) }
    ) -> Never {
        do {
            let fileExists = { (path: String) in
                var status = stat()
                return lstat(path, &status) == 0
            }
            var command = try parse(try preparation?.prepared(words, fileExists: fileExists) ?? words)
            try command.run()
        } catch {
            end(with: error)
        }
        ProgramEnd.exit(0)
    }

    /// Ends this process with an error's message and exit code; help and version are none and go to standard output.
    static func end(with error: any Error) -> Never {
        if let error = error as? FlatteningError {
            Console().fail(error)
            ProgramEnd.exit(error.code.exitCode)
        }
        let code = exitCode(for: error).rawValue
        let text = fullMessage(for: error)
        if text.isEmpty { ProgramEnd.exit(code) }
        guard code == 0 else {
            Console.write(escapingWords(in: text).visibleLines + "\n")
            ProgramEnd.exit(code)
        }
        // Who closes a pipe has seen enough of the help.
        signal(SIGPIPE, SIG_DFL)
        do throws(FlatteningError) {
            try AtomicFile.replace("-", with: Array((text + "\n").utf8))
        } catch {
            end(with: error)
        }
        ProgramEnd.exit(code)
    }

    /// The parser's message with the user's words, which may be names of files, on one line each.
    private static func escapingWords(in text: String) -> String {
        text.keepingOnOneLine(
            CommandLine.arguments.flatMap { word in
                [word] + (word.firstIndex(of: "=").map { [String(word[word.index(after: $0)...])] } ?? [])
            })
    }
}

extension String {
    /// The text with those of the words that hold line feeds made visible, so that the rest of its lines are its own.
    func keepingOnOneLine(_ words: [String]) -> String {
        words.filter { $0.unicodeScalars.contains("\n") }.sorted { $0.count > $1.count }
            .reduce(self) { $0.replacingOccurrences(of: $1, with: $1.visible, options: .literal) }
    }
}

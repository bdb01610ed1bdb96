import Diagnostics
import LocalFiles
import Platform

/// Results in text, which hold what was printed and named by strangers.
///
/// A file and a pipe get them as they are. A terminal gets what would steer it made visible, as in messages: an escape
/// sequence on a receipt is nobody's command.
enum TextOutput {
    /// Writes a whole text.
    /// - Parameter path: "-" for standard output.
    static func write(_ text: String, to path: String = "-") throws(FlatteningError) {
        try AtomicFile.replace(path, with: Array(shown(text, to: path, isTerminal: isTerminal).utf8))
    }

    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// What of a text is written.
    static func shown(_ text: String, to path: String, isTerminal: Bool) -> String {
        path == "-" && isTerminal ? text.visibleColumns : text
    }
}

import Diagnostics
import LocalFiles
import Platform

/// Writes results as text, which contain untrusted words and names.
///
/// A file and a pipe get them unchanged. On a terminal, control characters are made visible, as in messages: an escape
/// sequence on a receipt must not command the terminal.
enum TextOutput {
    /// Writes a whole text.
    /// - Parameter path: "-" for standard output.
    static func write(_ text: String, to path: String = "-") throws(FlatteningError) {
        try AtomicFile.replace(path, with: Array(shown(text, to: path, isTerminal: isTerminal).utf8))
    }

    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The text in the form in which it is written.
    static func shown(_ text: String, to path: String, isTerminal: Bool) -> String {
        path == "-" && isTerminal ? text.visibleColumns : text
    }
}

import ArgumentParser
import Foundation
import Logging
import ReceiptFlattening

/// How much is said on standard error.
struct VerbosityArguments: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say what is decided and why.")
    var verbose = false

    mutating func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose contradict each other") }
    }
}

/// Messages for people: standard error only, so that results on standard output stay clean.
///
/// Progress is a single line that is drawn over, on a terminal only; colour is left out if NO_COLOR is set.
struct Console {
    let isQuiet: Bool
    let isVerbose: Bool
    let isTerminal = isatty(STDERR_FILENO) == 1
    private let hasColor: Bool

    init(_ arguments: VerbosityArguments) {
        isQuiet = arguments.quiet
        isVerbose = arguments.verbose
        hasColor = isTerminal && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    }

    /// Shows what is being done now, and how much of it is done where that is known (0 to 1).
    func progress(_ activity: String, share: Double? = nil) {
        guard isTerminal, !isQuiet else { return }
        let percent = share.map { " \(Int($0 * 100)) %" } ?? ""
        write("\r\u{1B}[K\(activity) ...\(percent)", terminator: "")
    }

    /// Says something that a person should know though the work goes on.
    func warn(_ message: String) {
        guard !isQuiet else { return }
        clearProgress()
        write(styled("warning: ", "33") + message)
    }

    /// Says why nothing came of it.
    func fail(_ error: FlatteningError) { fail(error.description) }

    /// Says why nothing came of it.
    func fail(_ reason: String) {
        clearProgress()
        write(styled("error: ", "31") + reason)
    }

    /// Says something that is neither wrong nor optional.
    func say(_ message: String) {
        clearProgress()
        write(message)
    }

    /// Says something that only the curious want to know.
    func note(_ message: String) {
        guard isVerbose else { return }
        say(message)
    }

    /// Removes the progress line.
    func clearProgress() {
        guard isTerminal, !isQuiet else { return }
        write("\r\u{1B}[K", terminator: "")
    }

    private func styled(_ text: String, _ code: String) -> String {
        hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    private func write(_ text: String, terminator: String = "\n") {
        FileHandle.standardError.write(Data((text + terminator).utf8))
    }
}

/// Runs a command's work, the one job of this process, and turns its error into a message and the documented exit code.
func withExitCodes(
    _ verbosity: VerbosityArguments, _ work: (Console) throws(FlatteningError) -> Void
) throws {
    let console = Console(verbosity)
    // A reader that goes away is a failed write with a message and an exit code, not the end of this process.
    signal(SIGPIPE, SIG_IGN)
    LoggingSystem.bootstrap { _ in ConsoleLogHandler(console: console) }
    do {
        try work(console)
        console.clearProgress()
    } catch {
        console.fail(error)
        throw ExitCode(error.code.exitCode)
    }
}

extension FlatteningError.Code {
    /// The documented exit code (the names of sysexits.h where one fits).
    var exitCode: Int32 {
        switch self {
        case .badInput, .unsupported: 65
        case .missingDependency, .missingLanguageData: 69
        case .limitExceeded: 71
        case .fileAccess: 74
        case .timeout: 75
        default: 70
        }
    }
}

import Diagnostics
import ArgumentParser
import Platform
import Logging
import ReceiptFlattening

/// How much is printed on standard error.
struct VerbosityArguments: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print errors only.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print what is decided and why.")
    var verbose = false

    mutating func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose exclude each other") }
    }
}

/// Prints messages for people, to standard error only, so that results on standard output stay clean.
///
/// Messages may contain untrusted names and words. Each message is one line, with control characters made visible
/// (`StringProtocol.visible`); only this type itself writes raw ones. A failure to print is no reason to end: a standard error
/// that is full, closed or broken is ignored.
///
/// Progress is a single line that is overwritten, on a terminal only; there is no colour if NO_COLOR is set.
struct Console {
    let isQuiet: Bool
    let isVerbose: Bool
    /// Whether progress is reported to a program, in lines of JSON.
    let tellsProgress: Bool
    let isTerminal = isatty(STDERR_FILENO) == 1
    private let hasColor: Bool

    init(_ arguments: VerbosityArguments, tellsProgress: Bool = false) {
        self.init(isQuiet: arguments.quiet, isVerbose: arguments.verbose, tellsProgress: tellsProgress)
    }

    /// Creates a console before, or without, parsed arguments.
    init(isQuiet: Bool = false, isVerbose: Bool = false, tellsProgress: Bool = false) {
        self.isQuiet = isQuiet
        self.isVerbose = isVerbose
        self.tellsProgress = tellsProgress
        hasColor = isTerminal && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    }

    /// Whether progress is shown to a person.
    var showsProgress: Bool { isTerminal && !isQuiet && !tellsProgress }
    /// Whether progress is reported to anybody.
    var followsProgress: Bool { showsProgress || tellsProgress }

    /// Shows the current activity, and the share that is done if known (0 to 1).
    func progress(_ activity: String, share: Double? = nil) {
        guard showsProgress else { return }
        let percent = share.map { " \(Int($0 * 100)) %" } ?? ""
        // A line that will be overwritten must not wrap.
        Self.write("\r\u{1B}[K" + "\(activity.visible) ...\(percent)".prefix(Self.columns - 1))
    }

    /// Reports the current activity to a program.
    func tell(_ progress: ProgressRecord) {
        guard tellsProgress else { return }
        Self.write(progress.line)
    }

    /// Prints a warning: something that a person should know although the work goes on.
    func warn(_ message: String) {
        guard !isQuiet else { return }
        clearProgress()
        Self.write(styled("warning: ", "33") + message.visible + "\n")
    }

    /// Prints why the work failed.
    func fail(_ error: FlatteningError) { fail(error.namingOptions.description) }

    /// Prints why the work failed.
    func fail(_ reason: String) {
        clearProgress()
        Self.write(styled("error: ", "31") + reason.visible + "\n")
    }

    /// Prints a message that is neither an error nor optional.
    func say(_ message: String) {
        clearProgress()
        Self.write(message.visible + "\n")
    }

    /// Prints the result of the work for a person who waits for it: on a terminal only.
    func conclude(_ message: String) {
        guard showsProgress else { return }
        say(message)
    }

    /// Prints details, with --verbose only.
    func note(_ message: String) {
        guard isVerbose else { return }
        say(message)
    }

    /// Removes the progress line.
    func clearProgress() {
        guard showsProgress else { return }
        Self.write("\r\u{1B}[K")
    }

    private func styled(_ text: String, _ code: String) -> String {
        hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    /// Writes raw bytes to standard error, or gives up.
    static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let base = rest.baseAddress, unsafe !rest.isEmpty {
                let count = unsafe systemWrite(STDERR_FILENO, base, rest.count)
                if count > 0 {
                    unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                } else if count == 0 || !(errno == EINTR || errno == EAGAIN && canWriteSoon) {
                    return
                }
            }
        }
    }

    /// The width of the terminal in columns.
    private static var columns: Int {
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 80 }
        return Int(size.ws_col)
    }

    /// Prints why this process is about to end, unless that would block.
    static func giveLastWord(_ error: FlatteningError) {
        var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&descriptor, 1, 0) > 0 else { return }
        Console().fail(error)
    }

    /// Whether standard error, if another program made it non-blocking, accepts bytes within a second.
    private static var canWriteSoon: Bool {
        var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&descriptor, 1, 1000) > 0
    }
}

/// write(2) by a name that `Console.write` does not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}

/// Runs a command's work, the single job of this process, and turns its error into a message and the documented exit code.
/// - Parameter exitCode: returns the exit code for a kind of error, if not the usual one.
func withExitCodes(
    _ verbosity: VerbosityArguments, tellsProgress: Bool = false,
    exitCode: (FlatteningError.Code) -> Int32 = \.exitCode,
    _ work: (Console) throws(FlatteningError) -> Void
) throws {
    let console = Console(verbosity, tellsProgress: tellsProgress)
    LoggingSystem.bootstrap { _ in ConsoleLogHandler(console: console) }
    do {
        try work(console)
        console.clearProgress()
    } catch {
        console.fail(error)
        throw ExitCode(exitCode(error.code))
    }
}

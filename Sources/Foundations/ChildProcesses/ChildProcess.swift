package import Diagnostics
import LocalFiles
internal import CProcessLimits
internal import Platform

/// A program that is run to its end, within limits and confinement, in a process group of its own.
///
/// It dies with the thread that runs it, and whatever it has started dies with it.
package struct ChildProcess: Sendable {
    /// How a process ended.
    package enum Ending: Equatable, Sendable {
        /// By itself, with an exit code.
        case exited(Int32)
        /// By a signal: a limit of the kernel's, or a crash.
        case signalled(Int32)
        /// By us, because it was still there when its time was over.
        case overdue
        /// By us, because the caller gave up.
        case cancelled
        /// Nobody knows: this process has the kernel forget how its children end (SIGCHLD ignored).
        case unknown
    }

    /// What becomes of its standard output.
    package enum Output: Equatable, Sendable {
        /// It leads nowhere.
        case discarded
        /// It is kept, if it is at most so many bytes.
        case collected(limit: Int)
    }

    /// What a process left behind.
    package struct Outcome: Equatable, Sendable {
        package var ending: Ending
        /// Its standard output, if it was collected.
        package var output: [UInt8]
        /// What it said on standard error, at most the last `maximumMessageBytes`.
        package var messages: String
    }

    /// Most bytes of standard error that are kept: a report of ours is one line, a crash's some hundred.
    package static let maximumMessageBytes = 16 << 10

    /// The program's path; no search path is looked at.
    package var program: String
    /// The name that it sees itself by, `program` if nil.
    package var name: String?
    package var arguments: [String]
    /// Its whole environment.
    package var environment: [String: String]
    package var limits = ProcessLimits()
    /// The files that it reaches; nil for all.
    package var files: FileAccess?
    /// Whether it may neither open sockets nor start processes nor change permissions (where the kernel filters system
    /// calls); it may execute other programs in its place.
    package var isConfined = false
    package var output = Output.discarded
    /// The step that its errors name.
    package var stage: FlatteningError.Stage

    package init(
        program: String, arguments: [String], environment: [String: String], stage: FlatteningError.Stage
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.stage = stage
    }

    /// Has the kernel keep how the children of this process end, if who started it had it forget that (SIGCHLD ignored).
    /// It is the whole process's setting, so a library leaves it alone.
    package static func keepEndings() { process_keep_endings() }

    /// Starts the program and waits for its end; its standard input is empty.
    /// - Parameters:
    ///   - deadline: when it is killed, nil for never. Time in which this process was itself stopped is added.
    ///   - isCancelled: asked ten times a second and more; once true the program is killed.
    /// - Throws: `.fileAccess` if it cannot be started, `.shortage` without memory for that, `.limitExceeded` if it writes more than is collected.
    package func run(
        until deadline: ContinuousClock.Instant?, isCancelled: () -> Bool = { Task.isCancelled }
    ) throws(FlatteningError) -> Outcome {
        let errors = try Pipe(stage: stage, program: program)
        let collected: Pipe? =
            if case .collected = output { try Pipe(stage: stage, program: program) } else { nil }
        let process = try start(output: collected?.writer ?? -1, errors: errors.writer)
        // Only so can their ends be seen.
        errors.closeWriter()
        collected?.closeWriter()
        var watch = ProcessWatch(process: process, errors: errors, output: collected, deadline: deadline)
        if case .collected(let limit) = output { watch.outputLimit = limit }
        let ending = watch.wait(isCancelled: isCancelled)
        guard !watch.isOutputTooLong else {
            throw FlatteningError(
                .limitExceeded, "the program writes too much", file: program, stage: stage,
                seen: "more than \(watch.outputLimit) bytes", allowed: "\(watch.outputLimit) bytes")
        }
        return Outcome(
            ending: ending, output: watch.outputBytes,
            messages: String(decoding: watch.messages, as: UTF8.self))
    }

    /// Starts the program with these ends of pipes, -1 for none.
    func start(output: Int32, errors: Int32) throws(FlatteningError) -> pid_t {
        var step = PROCESS_STEP_FORK
        var failure: Int32 = 0
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let process = try unsafe withCStrings([program, name ?? program] + arguments) {
            words throws(FlatteningError) in
            try unsafe withCStrings(variables) { variables throws(FlatteningError) in
                // Both lists end with NULL in C.
                var words =
                    unsafe words.dropFirst().map { unsafe UnsafeMutablePointer(mutating: $0) } + [nil]
                var variables =
                    unsafe variables.map { unsafe UnsafeMutablePointer(mutating: $0) } + [nil]
                return try unsafe spawn(
                    &words, &variables, output: output, errors: errors, step: &step, failure: &failure)
            }
        }
        guard process > 0 else {
            throw FileSystemError.make(failure, Self.words(for: step), file: program, stage: stage)
        }
        return process
    }

    private func spawn(
        _ words: UnsafePointer<UnsafeMutablePointer<CChar>?>,
        _ variables: UnsafePointer<UnsafeMutablePointer<CChar>?>, output: Int32, errors: Int32,
        step: inout process_step, failure: inout Int32
    ) throws(FlatteningError) -> pid_t {
        func spawn(_ files: UnsafePointer<process_files>?) -> pid_t {
            unsafe program.withCString { program in
                var start = unsafe process_start(
                    program: program, arguments: words, environment: variables, input: -1, output: output,
                    errors: errors, limits: limits.forC, files: files,
                    calls: isConfined ? PROCESS_CALLS_OF_PROGRAM : PROCESS_CALLS_ALL)
                let process = unsafe process_spawn(&start, &step)
                failure = errno
                return process
            }
        }
        guard let files else { return spawn(nil) }
        return try unsafe files.withCFiles(spawn)
    }

    private static func words(for step: process_step) -> String {
        switch step {
        case PROCESS_STEP_LIMITS: "the program's limits cannot be set"
        case PROCESS_STEP_CONFINEMENT: "the program cannot be confined"
        default: "the program cannot be started"
        }
    }
}

/// A pipe whose ends are closed with it.
final class Pipe {
    private(set) var reader: Int32 = -1
    private(set) var writer: Int32 = -1

    init(stage: FlatteningError.Stage, program: String) throws(FlatteningError) {
        guard unsafe process_pipe(&reader, &writer) == 0 else {
            throw FileSystemError.last("no pipe can be made for the program", file: program, stage: stage)
        }
    }

    deinit {
        closeWriter()
        closeReader()
    }

    func closeWriter() {
        if writer >= 0 { close(writer) }
        writer = -1
    }

    func closeReader() {
        if reader >= 0 { close(reader) }
        reader = -1
    }
}

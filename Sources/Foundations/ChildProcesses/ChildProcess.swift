package import Diagnostics
import LocalFiles
internal import CProcessLimits
internal import Platform

/// A program that runs to its end, within limits and confinement, in its own process group.
///
/// It is killed when the thread that runs it ends, and so is everything it has started.
package struct ChildProcess: Sendable {
    /// How a process ended.
    package enum Ending: Equatable, Sendable {
        /// By itself, with an exit code.
        case exited(Int32)
        /// By a signal: a kernel limit, or a crash.
        case signalled(Int32)
        /// Killed by us, because it was still running when its time was up.
        case overdue
        /// Killed by us, because the caller cancelled.
        case cancelled
        /// Unknown: this process has the kernel discard how its children end (SIGCHLD ignored).
        case unknown
    }

    /// The handling of its standard output.
    package enum Output: Equatable, Sendable {
        /// It is discarded.
        case discarded
        /// It is collected, up to this many bytes.
        case collected(limit: Int)
    }

    /// The result of a process.
    package struct Outcome: Equatable, Sendable {
        package var ending: Ending
        /// Its standard output, if it was collected.
        package var output: [UInt8]
        /// Its standard error, at most the last `maximumMessageBytes`.
        package var messages: String
    }

    /// Largest number of bytes of standard error that are kept: one of our reports is one line, a crash's about a hundred.
    package static let maximumMessageBytes = 16 << 10

    /// The program's path; no search path is used.
    package var program: String
    /// The name passed to it as its own; `program` if nil.
    package var name: String?
    package var arguments: [String]
    /// Its whole environment.
    package var environment: [String: String]
    package var limits = ProcessLimits()
    /// The files that it can access; nil for all.
    package var files: FileAccess?
    /// Whether it is forbidden to open sockets, start processes or change permissions (where the kernel filters system calls);
    /// it may still execute other programs in its place.
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

    /// Makes the kernel keep how the children of this process end, in case the parent process had set SIGCHLD to ignored. The
    /// setting applies to the whole process, so a library must not change it.
    package static func keepEndings() { process_keep_endings() }

    /// Starts the program and waits for its end; its standard input is empty.
    /// - Parameters:
    ///   - deadline: when it is killed; nil for never. Time during which this process itself was stopped is added.
    ///   - isCancelled: called at least ten times a second; once it returns true, the program is killed.
    /// - Throws: `.fileAccess` if it cannot be started, `.shortage` if memory runs out for that, `.limitExceeded` if it writes
    ///   more than is collected.
    package func run(
        until deadline: ContinuousClock.Instant?, isCancelled: () -> Bool = { Task.isCancelled }
    ) throws(FlatteningError) -> Outcome {
        let errors = try Pipe(stage: stage, program: program)
        let collected: Pipe? =
            if case .collected = output { try Pipe(stage: stage, program: program) } else { nil }
        let process = try start(output: collected?.writer ?? -1, errors: errors.writer)
        // Otherwise the end of the pipes would never be seen.
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

/// A pipe that closes its ends when it is released.
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

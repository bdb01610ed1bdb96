internal import Foundation
internal import ImageFiles
package import Imaging

/// A child process that works on one capture.
package enum WorkerProcess {
    /// How a worker ended.
    package enum Ending: Equatable, Sendable {
        /// By itself, with an exit code.
        case exited(Int32)
        /// By a signal: a limit of the kernel's, or a crash.
        case signalled(Int32)
        /// By us, because it was still there when its time was over.
        case overdue
    }

    /// Starts a program (this one again, unless another is named) and waits for its end.
    /// - Parameters:
    ///   - program: the program that is started.
    ///   - environment: what is added to this process's environment.
    ///   - time: after which the worker is killed.
    /// - Returns: how it ended, and what it said on standard error, at most its last 16 KiB. Its standard output leads
    ///   nowhere.
    /// - Throws: `.fileAccess` if no process can be started.
    package static func run(
        program: String = thisProgram, arguments: [String], environment: [String: String], time: Duration
    ) throws(FlatteningError) -> (ending: Ending, messages: String) {
        let deadline = ContinuousClock.now + time
        let (process, reader) = try start(program, arguments: arguments, environment: environment)
        let messages = read(reader, until: deadline)
        close(reader)
        return (wait(for: process, until: deadline), messages)
    }

    private static let maximumMessageBytes = 16 << 10

    private static func start(
        _ program: String, arguments: [String], environment: [String: String]
    ) throws(FlatteningError) -> (process: pid_t, reader: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw FileSystemError.last("no pipe can be made for a worker", file: program, stage: "batch")
        }
        defer { close(ends[1]) }
        // Other workers must not hold this pipe open. One that starts between the two calls ends by itself all the same.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)

        // A worker must not inherit what the thread that starts it has blocked: some of its limits are signals.
        #if canImport(Darwin)
            var attributes: posix_spawnattr_t?
        #else
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let settings = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var words = (["flatten"] + arguments).map { strdup($0) } + [nil]
        var variables = settings.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, program, &actions, &attributes, &words, &variables)
        guard failure == 0 else {
            close(ends[0])
            throw FileSystemError.make(failure, "no worker can be started", file: program, stage: "batch")
        }
        return (process, ends[0])
    }

    /// This program: on Linux itself, even if another file has taken its name meanwhile.
    package static var thisProgram: String {
        #if os(Linux)
            "/proc/self/exe"
        #else
            Bundle.main.executablePath ?? CommandLine.arguments[0]
        #endif
    }

    /// What comes through a pipe until it is closed at the other end or the time is over.
    private static func read(_ descriptor: Int32, until deadline: ContinuousClock.Instant) -> String {
        var kept: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let left = deadline - ContinuousClock.now
            guard left > .zero else { break }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds = min(left.components.seconds, 3600) * 1000 + 1
            let ready = poll(&waiting, 1, Int32(milliseconds))
            if ready < 0, errno != EINTR { break }
            guard ready > 0 else { continue }
            let count = systemRead(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            kept.append(contentsOf: buffer[..<count])
            kept.removeFirst(max(kept.count - maximumMessageBytes, 0))
        }
        return String(decoding: kept, as: UTF8.self)
    }

    private static func wait(for process: pid_t, until deadline: ContinuousClock.Instant) -> Ending {
        var status: Int32 = 0
        // A worker that closed its standard error has normally ended; one that has not is waited for.
        while ContinuousClock.now < deadline {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return ending(status) }
            if ended < 0, errno != EINTR { return .overdue }
            usleep(2000)
        }
        kill(process, SIGKILL)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return .overdue
    }

    /// What wait(2) packs into a number.
    private static func ending(_ status: Int32) -> Ending {
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
    }
}

/// read(2) by a name that `WorkerProcess.read` does not hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

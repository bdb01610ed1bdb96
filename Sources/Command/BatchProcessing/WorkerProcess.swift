package import ChildProcesses
package import Diagnostics
internal import Platform
internal import LocalFiles

/// A child process that works on one capture.
package enum WorkerProcess {
    /// Starts a program (this one again, unless another is named) and waits for its end.
    /// - Parameters:
    ///   - program: the program that is started.
    ///   - environment: the worker's whole environment.
    ///   - time: after which the worker is killed; time in which this process was itself stopped does not count.
    ///   - isCancelled: asked ten times a second; once true the worker is killed.
    /// - Returns: how it ended, and what it said on standard error, at most its last 16 KiB. Its standard output leads
    ///   nowhere.
    /// - Throws: `.fileAccess` if no process can be started.
    package static func run(
        program: String = thisProgram, arguments: [String],
        environment: [String: String] = scrubbedEnvironment, time: Duration,
        isCancelled: () -> Bool = { false }
    ) throws(FlatteningError) -> (ending: ChildProcess.Ending, messages: String) {
        // Who starts a batch may have had the system forget how children end; then each would seem to be lost.
        ChildProcess.keepEndings()
        var child = ChildProcess(
            program: program, arguments: arguments, environment: environment, stage: .batch)
        child.name = "flatten"
        let outcome = try child.run(until: .now + time, isCancelled: isCancelled)
        guard outcome.ending != .unknown else {
            throw FlatteningError(
                .fileAccess, "it cannot be told how a worker ended", file: program, stage: .batch,
                advice: "Something in this process waits for workers that are not its own")
        }
        return (outcome.ending, outcome.messages)
    }

    /// This program: on Linux itself, even if another file has taken its name meanwhile.
    package static var thisProgram: String {
        #if os(Linux)
            "/proc/self/exe"
        #else
            Bundle.main.executablePath ?? CommandLine.arguments[0]
        #endif
    }

    /// What a worker needs of our environment, and nothing else of it: languages, libraries, the learned reader's folder,
    /// measuring tools.
    ///
    /// Several workers share the processors: each takes one for its linear algebra. OpenMP's own threads would only wait
    /// for each other. glibc reserves address space for each thread's own heap, 64 MiB at a time and as it happens to need
    /// them, so that the same capture would pass and fail within the same limit: with one heap a small capture with text
    /// takes 381 MiB each time instead of 506 to 570, and no longer. A crash is told of by its signal; nothing is to be
    /// started to explain it.
    package static var scrubbedEnvironment: [String: String] {
        ["MALLOC_ARENA_MAX": "1"]
            .merging(UserFolders.data.map { [UserFolders.dataVariable: $0] } ?? [:]) { $1 }
            .merging(ProcessEnvironment.scrubbed(ProcessInfo.processInfo.environment)) { $1 }
            .merging([
                "OPENBLAS_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1", "SWIFT_BACKTRACE": "enable=no",
            ]) { $1 }
    }

    /// How many threads a user may start beyond those that run when a worker is started. The kernel counts those of all
    /// the user's processes, so that a tight limit would fail a worker for what its user does elsewhere; a worker itself
    /// has 4 to 20, and its address space ends at some hundred.
    private static let spareThreads: UInt64 = 4096

    /// `--processes` of a worker that is started now: the threads of this user, and `spareThreads`. It ends a worker that
    /// starts threads without end where the filter of system calls is missing; nil where threads cannot be counted (no
    /// /proc). The kernel does not hold root to it.
    package static var threadLimit: UInt64? {
        let user = getuid()
        guard let entries = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else { return nil }
        var count: UInt64 = 0
        for entry in entries where entry.utf8.first.map({ (0x31...0x39).contains($0) }) == true {
            var status = stat()
            // A folder has a link to itself, its name, and one from each folder within: a thread.
            guard unsafe stat("/proc/\(entry)/task", &status) == 0, status.st_uid == user else { continue }
            count += UInt64(max(status.st_nlink, 2) - 2)
        }
        return count == 0 ? nil : count + spareThreads
    }
}

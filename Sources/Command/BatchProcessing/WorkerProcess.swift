package import ChildProcesses
package import Diagnostics
internal import Platform
internal import LocalFiles

/// A child process that works on one capture.
package enum WorkerProcess {
    /// Starts a program (by default this program again) and waits for it to end.
    /// - Parameters:
    ///   - program: the program to start.
    ///   - environment: the worker's whole environment.
    ///   - time: the time after which the worker is killed; time in which this process was itself stopped does not count.
    ///   - isCancelled: called ten times a second; once it returns true the worker is killed.
    /// - Returns: how it ended, and its messages on standard error, at most the last 16 KiB. Its standard output is
    ///   discarded.
    /// - Throws: `.fileAccess` if no process can be started.
    package static func run(
        program: String = thisProgram, arguments: [String],
        environment: [String: String] = scrubbedEnvironment, time: Duration,
        isCancelled: () -> Bool = { false }
    ) throws(FlatteningError) -> (ending: ChildProcess.Ending, messages: String) {
        // The parent of a batch may have made the system forget how children end; then every child would seem to be lost.
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

    /// The path of this program: on Linux the running file itself, even if another file has taken its name meanwhile.
    package static var thisProgram: String {
        #if os(Linux)
            "/proc/self/exe"
        #else
            Bundle.main.executablePath ?? CommandLine.arguments[0]
        #endif
    }

    /// The parts of our environment that a worker needs, and nothing else: languages, libraries, the learned reader's
    /// folder, measuring tools.
    ///
    /// Several workers share the processors, so each uses one for its linear algebra; OpenMP's threads would only wait for
    /// each other. glibc reserves address space for each thread's heap, 64 MiB at a time and depending on timing, so that
    /// the same capture might pass or fail within the same limit. With one heap a small capture with text takes 381 MiB
    /// each time instead of 506 to 570, and no more time. A crash is reported by its signal; no program must be started to
    /// explain it.
    package static var scrubbedEnvironment: [String: String] {
        ["MALLOC_ARENA_MAX": "1"]
            .merging(UserFolders.data.map { [UserFolders.dataVariable: $0] } ?? [:]) { $1 }
            .merging(ProcessEnvironment.scrubbed(ProcessInfo.processInfo.environment)) { $1 }
            .merging([
                "OPENBLAS_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1", "SWIFT_BACKTRACE": "enable=no",
            ]) { $1 }
    }

    /// Number of threads a user may start beyond those that run when a worker is started. The kernel counts the threads of
    /// all the user's processes, so a tight limit would fail a worker for what its user does elsewhere. A worker itself has
    /// 4 to 20, and its address space allows only some hundred.
    private static let spareThreads: UInt64 = 4096

    /// `--processes` for a worker started now: the number of this user's threads plus `spareThreads`. It ends a worker that
    /// starts threads endlessly if the filter of system calls is missing; nil if threads cannot be counted (no /proc). The
    /// kernel does not apply it to root.
    package static var threadLimit: UInt64? {
        let user = getuid()
        guard let entries = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else { return nil }
        var count: UInt64 = 0
        for entry in entries where entry.utf8.first.map({ (0x31...0x39).contains($0) }) == true {
            var status = stat()
            // A folder's links are its name, its link to itself, and one from each sub-folder; here each sub-folder is a
            // thread.
            guard unsafe stat("/proc/\(entry)/task", &status) == 0, status.st_uid == user else { continue }
            count += UInt64(max(status.st_nlink, 2) - 2)
        }
        return count == 0 ? nil : count + spareThreads
    }
}

import BatchProcessing
import ChildProcesses
import Diagnostics
import Foundation
import Testing

/// How a worker ends, seen on shells that end so.
@Suite struct WorkerProcessTests {
    private func run(
        _ script: String, _ arguments: [String] = [], environment: [String: String] = [:],
        time: Duration = .seconds(60)
    ) throws -> (ending: ChildProcess.Ending, messages: String) {
        try WorkerProcess.run(
            program: "/bin/sh", arguments: ["-c", script] + arguments, environment: environment, time: time)
    }

    @Test func anExitCodeAndWhatWasSaidComeBack() throws {
        let (ending, messages) = try run("echo lost; echo seen >&2; exit 7")
        #expect(ending == .exited(7) && messages == "seen\n")
        #expect(try run("exit 0").ending == .exited(0))
    }

    @Test(arguments: [SIGKILL, SIGTERM, SIGABRT])
    func aSignalIsToldFromAnExit(signal: Int32) throws {
        #expect(try run("ulimit -c 0; kill -\(signal) $$").ending == .signalled(signal))
    }

    @Test func whoIsOverdueIsEnded() throws {
        // Both one that goes on saying something and one that closes its standard error.
        for script in ["while :; do echo x >&2; sleep 0.01; done", "exec 2>&-; while :; do sleep 0.01; done"]
        {
            #expect(try run(script, time: .milliseconds(300)).ending == .overdue)
        }
    }

    @Test func onlyTheEndOfMuchIsKept() throws {
        let (ending, messages) = try run(
            "i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i + 1)); done")
        #expect(ending == .exited(0))
        #expect(messages.utf8.count == 16 << 10 && messages.hasSuffix("line 2999\n"))
    }

    @Test func standardInputAndOutputLeadNowhere() throws {
        let (ending, messages) = try run("cat >&2; [ ! -t 1 ] && echo 1 > /dev/stdout; exit 3")
        #expect(ending == .exited(3) && messages.isEmpty)
    }

    @Test func argumentsAndEnvironmentArriveAsTheyAre() throws {
        let odd = "a b'\"\n$HOME ü"
        let (_, messages) = try run(
            "printf '%s|%s' \"$0\" \"$WORKER_TEST\" >&2", [odd], environment: ["WORKER_TEST": odd])
        #expect(messages == "\(odd)|\(odd)")
    }

    @Test func theEnvironmentIsWhatIsGivenAndNoMore() throws {
        setenv("WORKER_TEST_SECRET", "s3cret", 1)
        defer { unsetenv("WORKER_TEST_SECRET") }
        let (_, messages) = try run("export -p >&2", environment: ["WORKER_TEST": "seen"])
        #expect(messages.contains("seen") && !messages.contains("s3cret"))
    }

    @Test func ofOurEnvironmentAWorkerGetsWhatItNeeds() {
        setenv("WORKER_TEST_SECRET", "s3cret", 1)
        setenv("LIBHEIF_WORKER_TEST", "kept", 1)
        defer {
            unsetenv("WORKER_TEST_SECRET")
            unsetenv("LIBHEIF_WORKER_TEST")
        }
        let kept = WorkerProcess.scrubbedEnvironment
        #expect(kept["WORKER_TEST_SECRET"] == nil && kept["HOME"] == nil)
        #expect(kept["LIBHEIF_WORKER_TEST"] == "kept" && kept["OPENBLAS_NUM_THREADS"] == "1")
        #expect(kept["MALLOC_ARENA_MAX"] == ProcessInfo.processInfo.environment["MALLOC_ARENA_MAX"] ?? "1")
        #expect(kept["OMP_THREAD_LIMIT"] == "1" && kept["SWIFT_BACKTRACE"] == "enable=no")
    }

    @Test func whoHadTheSystemForgetEndingsStillLearnsThem() throws {
        signal(SIGCHLD, SIG_IGN)
        #expect(try run("exit 3").ending == .exited(3))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/task")))
    func theThreadsOfThisUserAreCounted() throws {
        let limit = try #require(WorkerProcess.threadLimit)
        #expect((4097..<4_000_000).contains(limit))
    }

    @Test func aProgramThatIsNotThereIsNamed() throws {
        let error = try #require(throws: FlatteningError.self) {
            try WorkerProcess.run(
                program: "/no/such/program", arguments: [], environment: [:], time: .seconds(1))
        }
        #expect(error.code == .fileAccess && error.file == "/no/such/program" && error.detail != nil)
    }
}

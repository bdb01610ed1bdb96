import CProcessLimits
import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import ChildProcesses

/// How programs end, and what they get, seen on shells.
@Suite struct ChildProcessTests {
    private func child(_ script: String, _ change: (inout ChildProcess) -> Void = { _ in }) -> ChildProcess {
        var child = ChildProcess(
            program: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"],
            stage: .init(rawValue: "test"))
        change(&child)
        return child
    }

    private func run(_ script: String, _ change: (inout ChildProcess) -> Void = { _ in }) throws
        -> ChildProcess.Outcome
    {
        try child(script, change).run(until: .now + .seconds(60))
    }

    @Test func outputIsCollectedUpToItsLimit() throws {
        let script = "printf '%01000d' 7"
        let outcome = try run(script) { $0.output = .collected(limit: 1000) }
        #expect(outcome.ending == .exited(0) && outcome.output.count == 1000)
        let error = try #require(throws: FlatteningError.self) {
            try run(script) { $0.output = .collected(limit: 999) }
        }
        #expect(error.code == .limitExceeded && error.allowed == "999 bytes")
        #expect(try run(script).output.isEmpty)
    }

    @Test func aProgramThatNeverStopsWritingIsEnded() throws {
        let script = "while :; do echo yes; done"
        #expect(throws: FlatteningError.self) { try run(script) { $0.output = .collected(limit: 1 << 20) } }
        let outcome = try child(script).run(until: .now + .milliseconds(200))
        #expect(outcome.ending == .overdue)
    }

    @Test func whatAProgramHasStartedEndsWithIt() throws {
        // Both by itself and by us; who is left holds the pipe open, which must not be waited for.
        // However busy the machine is.
        for (script, time, ending) in [
            ("sleep 1000 & echo $! >&2; exit 3", 300, ChildProcess.Ending.exited(3)),
            ("sleep 1000 & echo $! >&2; wait", 5, .overdue),
        ] {
            let start = ContinuousClock.now
            let outcome = try child(script).run(until: .now + .seconds(time))
            #expect(outcome.ending == ending)
            #expect(ContinuousClock.now - start < .seconds(200))
            let left = try #require(pid_t(outcome.messages.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(isGone(left))
        }
    }

    /// Killed ones stay until their parent, or whoever has taken its place, has asked for them.
    private func isGone(_ process: pid_t) -> Bool {
        for _ in 0..<100 {
            guard kill(process, 0) == 0 else { return true }
            let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            if status.contains(") Z ") { return true }
            usleep(20_000)
        }
        return false
    }

    @Test func whoGivesUpEndsIt() throws {
        let start = ContinuousClock.now
        let outcome = try child("exec sleep 1000").run(until: nil) {
            ContinuousClock.now - start > .milliseconds(100)
        }
        #expect(outcome.ending == .cancelled)
    }

    @Test func itsEnvironmentIsWhatItIsGiven() throws {
        let outcome = try run("export -p") { $0.output = .collected(limit: 1 << 16) }
        let names = String(decoding: outcome.output, as: UTF8.self)
        #expect(names.contains("PATH=") && !names.contains("HOME="))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func itGetsThreeDescriptorsAndLeavesNone() throws {
        // One that is not closed on exec, as other libraries leave them.
        let stray = dup(1)
        defer { close(stray) }
        let before = Self.pipeEnds
        for _ in 0..<100 {
            let outcome = try run("ls /proc/self/fd") { $0.output = .collected(limit: 1000) }
            // The fourth is the folder that ls lists.
            #expect(String(decoding: outcome.output, as: UTF8.self) == "0\n1\n2\n3\n")
            #expect(throws: FlatteningError.self) {
                try ChildProcess(
                    program: "/no/such/program", arguments: [], environment: [:],
                    stage: .init(rawValue: "test")
                )
                .run(until: nil)
            }
        }
        // Other tests open and close some meanwhile; one that is left by each run, or each failure, would be 100.
        #expect(Self.pipeEnds < before + 50)
    }

    /// How many ends of pipes this process has open.
    private static var pipeEnds: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.count {
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            return target?.hasPrefix("pipe:") == true
        }
    }

    @Test func itsSignalsAreThoseOfANewProgram() throws {
        // With SIGPIPE ignored, as this process may have it, the writer would go on and say so. It stays ignored: other tests
        // run meanwhile.
        signal(SIGPIPE, SIG_IGN)
        let outcome = try run("kill -PIPE $$; echo survived >&2")
        #expect(outcome.ending == .signalled(SIGPIPE) && outcome.messages.isEmpty)
    }

    @Test func itsLimitsHold() throws {
        let outcome = try run("ulimit -v; ulimit -t; ulimit -f; ulimit -n; ulimit -c") {
            $0.output = .collected(limit: 1000)
            $0.limits = ProcessLimits(
                addressSpace: 1 << 30, processorSeconds: 7, fileBytes: 1 << 20, openFiles: 64)
        }
        #expect(String(decoding: outcome.output, as: UTF8.self).hasSuffix("7\n2048\n64\n0\n"))
        #if os(Linux)
            #expect(String(decoding: outcome.output, as: UTF8.self).hasPrefix("1048576\n"))
        #endif
    }

    @Test func processorTimeThatIsUsedUpIsASignal() throws {
        let outcome = try run("while :; do :; done") { $0.limits.processorSeconds = 1 }
        #expect(outcome.ending == .signalled(SIGXCPU))
    }

    @Test func aProgramThatCannotBeStartedIsNamedWithWhy() throws {
        let error = try #require(throws: FlatteningError.self) {
            try ChildProcess(
                program: "/etc/passwd", arguments: [], environment: [:], stage: .init(rawValue: "test")
            ).run(
                until: nil)
        }
        #expect(
            error.code == .fileAccess && error.file == "/etc/passwd" && error.detail == "Permission denied")
    }

    @Test func whoEndedWhileWeWereStoppedIsNotOverdue() throws {
        // When we look again its time is long over.
        let child = child("echo said >&2; exit 5")
        let errors = try Pipe(stage: .init(rawValue: "test"), program: child.program)
        let process = try child.start(output: -1, errors: errors.writer)
        errors.closeWriter()
        while process_has_ended(process) == 0 { usleep(1000) }
        var watch = ProcessWatch(
            process: process, errors: errors, output: nil, deadline: .now - .seconds(3600))
        #expect(watch.wait(isCancelled: { false }) == .exited(5))
        #expect(watch.messages == Array("said\n".utf8))
        // Somebody has asked for its end already: it is not known any more, which is not the same as late.
        var again = ProcessWatch(process: process, errors: errors, output: nil, deadline: nil)
        #expect(again.wait(isCancelled: { false }) == .unknown)
    }

    /// C would take the first word without memory for the end of the list: options, and with them limits, would be lost.
    @Test func wordsWithoutMemoryAreNoShorterList() throws {
        var copies = 0
        let error = #expect(throws: FlatteningError.self) {
            try withCStrings(["--read", "a", "--quiet"]) { word in
                copies += 1
                return copies == 2 ? nil : strdup(word)
            } _: { _ in
                Issue.record("a list that lacks a word is used")
            }
        }
        #expect(error?.code == .shortage)
        #expect(try withCStrings(["a", "b"]) { words in words.allSatisfy { $0 != nil } })
    }

    @Test(.enabled(if: ConfinementSupport.current.filtersSystemCalls))
    func aConfinedProgramExecutesButStartsNothing() throws {
        let outcome = try run("exec echo seen") {
            $0.isConfined = true
            $0.output = .collected(limit: 100)
        }
        #expect(outcome.ending == .exited(0) && outcome.output == Array("seen\n".utf8))
        let refused = try run("sleep 1 & echo started >&2") { $0.isConfined = true }
        #expect(refused.ending != .exited(0) && !refused.messages.contains("started"))
        #expect(try run("chmod 700 /tmp/no-such-file") { $0.isConfined = true }.ending != .exited(0))
    }

    @Test(.enabled(if: ConfinementSupport.current.landlockVersion > 0))
    func aLinkAmongReadableFilesIsNoRule() throws {
        let folder = try ScratchFolder()
        let secret = try folder.write("42\n", as: "secret/file")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: "secret")
        for (path, code) in [("/secret", 0), ("/secret/", 0), ("/link", 2), ("/link/", 2)]
            as [(String, Int32)]
        {
            let outcome = try run("read -r line < \(secret) || exit 2") {
                $0.files = FileAccess(
                    system: ["/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache"],
                    readable: [folder.path + path],
                    executes: true)
            }
            #expect(outcome.ending == .exited(code), "\(path) \(outcome.messages)")
        }
    }
}

@Suite struct ProcessEnvironmentTests {
    @Test func secretsStayHere() {
        let kept = ProcessEnvironment.scrubbed([
            "LANG": "de", "LC_ALL": "C", "OMP_NUM_THREADS": "2", "AWS_SECRET_ACCESS_KEY": "x",
            "HOME": "/root",
            "TESSDATA_PREFIX": "/data", "LDX": "x", "SSH_AUTH_SOCK": "/x",
        ])
        #expect(
            kept == ["LANG": "de", "LC_ALL": "C", "OMP_NUM_THREADS": "2", "TESSDATA_PREFIX": "/data"])
    }

    @Test func aRelativeFolderIsNoneOfASearchPath() {
        #expect(ProcessEnvironment.absoluteFolders(":/a:.:b/c:/d e:") == ["/a", "/d e"])
        #expect(ProcessEnvironment.absoluteFolders(nil).isEmpty)
    }
}

@Suite struct ConfinementSupportTests {
    @Test(arguments: [(0, false), (0, true), (1, false)])
    func whatIsMissingIsSaid(landlock: Int, filters: Bool) throws {
        let support = ConfinementSupport(landlockVersion: landlock, filtersSystemCalls: filters)
        #expect(support.warning != nil)
        #expect(ConfinementSupport(landlockVersion: 1, filtersSystemCalls: true).warning == nil)
    }
}

import ChildProcesses
import Foundation
import TestSupport
import Testing

@testable import BatchProcessing

/// What a worker that is taken over could still do: `try-escapes` confines itself as one and tries.
@Suite struct WorkerConfinementTests {
    /// What became of each attempt: "done" or an errno value.
    private static func attempts() throws -> [String: String] {
        let folder = try ScratchFolder()
        for name in ["own/file", "writable/file", "other/file"] { try folder.write("text", as: name) }
        let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        var child = ChildProcess(
            program: products.appending(path: "try-escapes").path(percentEncoded: false),
            arguments: ["own/file", "writable", "other/file"].map(folder.path),
            environment: WorkerProcess.scrubbedEnvironment, stage: .init(rawValue: "test"))
        child.output = .collected(limit: 1 << 16)
        let outcome = try child.run(until: .now + .seconds(60))
        try #require(outcome.ending == .exited(0), "\(outcome.messages)")
        let lines = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
        #expect(try String(contentsOfFile: folder.path("other/file"), encoding: .utf8) == "text")
        return Dictionary(
            lines.map { line in
                let words = line.split(separator: " ").map(String.init)
                return (words[0], words[1])
            }, uniquingKeysWith: { first, _ in first })
    }

    private static let honest = [
        "read-own", "write-own", "rename-own", "remove-own", "thread", "getrlimit",
    ]

    @Test(.enabled(if: ConfinementSupport.current.filtersSystemCalls))
    func whatAWorkerHasNoUseForIsRefused() throws {
        let attempts = try Self.attempts()
        for name in [
            "chmod", "chown", "times", "truncate", "cut", "mkdir", "symlink", "mkfifo", "udp", "tcp", "unix",
            "pair",
            "kill", "fork", "spawn", "exec", "limit", "priority", "session",
        ] { #expect(attempts[name] == "\(EPERM)", "\(name)") }
        for name in Self.honest { #expect(attempts[name] == "done", "\(name)") }
    }

    @Test(.enabled(if: ConfinementSupport.current.landlockVersion > 0))
    func filesOfOthersAreOutOfReach() throws {
        let attempts = try Self.attempts()
        for name in ["read", "write", "make", "remove"] { #expect(attempts[name] == "\(EACCES)", "\(name)") }
        for name in Self.honest { #expect(attempts[name] == "done", "\(name)") }
    }

    @Test func onlyLibrariesAreReadableByTheirNames() {
        let maps = """
            7f0-7f1 r-xp 00000000 fe:00 1 /opt/swift/usr/lib/libswiftCore.so
            7f1-7f2 r--p 00000000 fe:00 1 /opt/swift/usr/lib/libswiftCore.so
            7f2-7f3 r--p 00000000 fe:00 2 /home/me/my.software/receipts/private.db
            7f3-7f4 r--p 00000000 fe:00 3 /opt/blank in name/libz.so.1.2.13
            7f4-7f5 r--p 00000000 fe:00 4 /home/me/notes.so.txt
            7f5-7f6 r--p 00000000 fe:00 4 /home/me/libold.so (deleted)
            7f6-7f7 rw-p 00000000 00:00 0
            7f7-7f8 rw-p 00000000 00:00 0 [heap]
            """
        #expect(
            WorkerConfinement.loadedLibraries(in: maps)
                == ["/opt/blank in name/libz.so.1.2.13", "/opt/swift/usr/lib/libswiftCore.so"])
    }
}

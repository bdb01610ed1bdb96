import Foundation
import Testing

/// A worker as a batch starts it: what it still does in its confinement. What it does not is in `WorkerConfinementTests`.
@Suite struct ConfinedWorkerTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()

    private func worker(
        _ input: URL, _ options: [String], readable: [URL] = [], output: TemporaryFolder
    ) throws -> FlattenProcess.Outcome {
        try FlattenProcess.run(
            [
                "batch-worker", "--parent", "\(ProcessInfo.processInfo.processIdentifier)", "--memory-mib",
                "2048",
                "--processor-seconds", "60", "--write", output.url.path(),
            ] + ([input] + readable).flatMap { ["--read", $0.path()] } + ["--", input.path()] + options)
    }

    @Test func textIsReadInConfinement() throws {
        let output = try TemporaryFolder()
        let outcome = try worker(
            FlattenProcess.samples.appending(path: "fold-structured"),
            ["-o", output.path("a.png"), "--text", output.path("a.txt")], output: output)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let text = try String(contentsOfFile: output.path("a.txt"), encoding: .utf8)
        #expect(text.contains("TOTAL") || text.count > 100, "\(text)")
        // Nobody else's to read from the first moment on.
        for name in ["a.png", "a.txt"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: output.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    /// Each is loaded only when such a file is read, long after the worker has confined itself.
    @Test(arguments: [
        ("ImageFilesTests/Fixtures/apple-disparity.heic", "libheif"),
        ("CapturesTests/Fixtures/record3d.r3d", "libzip"),
    ])
    func librariesAreStillFoundInConfinement(fixture: String, library: String) throws {
        let output = try TemporaryFolder()
        let outcome = try worker(
            Self.fixtures.appending(path: fixture), ["-o", output.path("a.png")], output: output)
        // Where the library is not installed at all, that is what is said.
        let isMissing = outcome.exitCode == 69 && outcome.errors.contains(library)
        #expect(outcome.exitCode == 0 || isMissing, "\(outcome.errors)")
    }

    @Test func anEXRDepthMapIsReadInConfinement() throws {
        let output = try TemporaryFolder()
        let depth = Self.fixtures.appending(path: "CapturesTests/Fixtures/depth-half.exr")
        let outcome = try worker(
            Self.fixtures.appending(path: "CapturesTests/Fixtures/picture.png"),
            ["--depth", depth.path(), "-o", output.path("a.png")], readable: [depth], output: output)
        let isMissing = outcome.exitCode == 69 && outcome.errors.contains("OpenEXR")
        #expect(outcome.exitCode == 0 || isMissing, "\(outcome.errors)")
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/task/\(getpid())/children")))
    func aWorkerGetsNoSecrets() throws {
        let input = try TemporaryFolder()
        let output = try TemporaryFolder()
        try FileManager.default.copyItem(
            at: FlattenProcess.samples.appending(path: "fold-structured/image.jpg"),
            to: input.url.appending(path: "a.jpg"))
        let process = Process()
        process.executableURL = FlattenProcess.binary
        process.arguments = ["batch", input.url.path(), "-o", output.url.path(), "--jobs", "1"]
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["AWS_SECRET_ACCESS_KEY": "s3cret", "LANGUAGE": "de"]) { $1 }
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { process.waitUntilExit() }
        var seen: [String] = []
        while process.isRunning, seen.isEmpty {
            seen = environments(ofChildrenOf: process.processIdentifier)
            usleep(1000)
        }
        for environment in seen {
            #expect(!environment.contains("s3cret") && environment.contains("OPENBLAS_NUM_THREADS=1"))
        }
    }

    /// The environments of a process's children that have become the worker.
    private func environments(ofChildrenOf parent: pid_t) -> [String] {
        let path = "/proc/\(parent)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return threads.flatMap { thread -> [String] in
            let children = FileManager.default.contents(atPath: "\(path)/\(thread)/children") ?? Data()
            return String(decoding: children, as: UTF8.self).split(separator: " ").compactMap { child in
                let line = FileManager.default.contents(atPath: "/proc/\(child)/cmdline") ?? Data()
                guard String(decoding: line, as: UTF8.self).contains("batch-worker") else { return nil }
                let environment = FileManager.default.contents(atPath: "/proc/\(child)/environ")
                return environment.map { String(decoding: $0, as: UTF8.self) }
            }
        }.filter { !$0.isEmpty && $0.contains("OPENBLAS_NUM_THREADS") }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/task/\(getpid())/children")))
    func aBatchThatWasStoppedDoesNotCallItsWorkersLate() throws {
        let input = try TemporaryFolder()
        let output = try TemporaryFolder()
        try FileManager.default.copyItem(
            at: FlattenProcess.samples.appending(path: "fold-structured/image.jpg"),
            to: input.url.appending(path: "a.jpg"))
        let process = Process()
        process.executableURL = FlattenProcess.binary
        // A worker has four seconds by the clock.
        process.arguments = [
            "batch", input.url.path(), "-o", output.url.path(), "--dpi", "100", "--processor-seconds", "1",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        while process.isRunning, !isWorking(process.processIdentifier) { usleep(1000) }
        kill(process.processIdentifier, SIGSTOP)
        sleep(6)
        kill(process.processIdentifier, SIGCONT)
        process.waitUntilExit()
        let log = try String(contentsOfFile: output.path("jobs.jsonl"), encoding: .utf8)
        #expect(!log.contains("not done after"), "\(log)")
    }

    private func isWorking(_ parent: pid_t) -> Bool {
        let path = "/proc/\(parent)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return threads.contains {
            FileManager.default.contents(atPath: "\(path)/\($0)/children")?.isEmpty == false
        }
    }
}

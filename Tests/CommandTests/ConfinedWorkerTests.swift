import Diagnostics
import Foundation
import ReceiptFlattening
import TestSupport
import Testing

@testable import BatchProcessing
@testable import flatten

/// A worker as a batch starts it: what it still does in its confinement. What it does not is in `WorkerConfinementTests`.
@Suite struct ConfinedWorkerTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()

    private func worker(
        _ input: URL, depth: URL? = nil, outputs: [String], in output: ScratchFolder
    ) throws -> FlattenProcess.Outcome {
        var request = FlatteningRequest(input: .init(captures: [input.path()]))
        request.input.depth = depth?.path()
        return try FlattenProcess.runWorker(
            request, readable: [input, depth].compactMap(\.self), writable: output, outputs: outputs)
    }

    @Test("A server's worker takes the words of a command line, and tells what it does")
    func words() throws {
        let output = try ScratchFolder()
        let input = FlattenProcess.samples.appending(path: "fold-structured")
        let outcome = try FlattenProcess.run([
            "batch-worker", "--parent", "\(ProcessInfo.processInfo.processIdentifier)", "--memory-mib",
            "2048",
            "--processor-seconds", "60", "--write", output.url.path(), "--read", input.path(), "--",
            input.path(), "--quiet", "--progress", "--dpi", "100", "-o", output.path("a.png"),
        ])
        #expect(outcome.exitCode == 0 && outcome.errors.contains("progress: {"), "\(outcome.errors)")
        #expect(try output.contents == ["a.png"])
    }

    @Test func textIsReadInConfinement() throws {
        let output = try ScratchFolder()
        let outcome = try worker(
            FlattenProcess.samples.appending(path: "fold-structured"),
            outputs: ["image=a.png", "text=a.txt"], in: output)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let text = try String(contentsOfFile: output.path("a.txt"), encoding: .utf8)
        #expect(text.contains("TOTAL") || text.count > 100, "\(text)")
        // Nobody else's to read from the first moment on.
        for name in ["a.png", "a.txt"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: output.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func aWideFolderOfTheEnvironmentIsNotOpenedToAWorker() throws {
        let folder = try ScratchFolder()
        for name in ["out/staging", "data"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(name), withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("root"), withDestinationPath: "/")
        let writable = folder.path("out/staging")
        for wide in [
            "/", "/usr", "/usr/..", "/usr/lib/..", "//", "root", "", "out", "out/staging", "missing",
        ] {
            let path = wide.hasPrefix("/") ? wide : folder.path(wide)
            #expect(!WorkerConfinement.isNarrow(path, writable: writable), "\(path)")
        }
        for narrow in [folder.path("data"), "/usr/lib"] {
            #expect(WorkerConfinement.isNarrow(narrow, writable: writable), "\(narrow)")
        }
    }

    /// Landlock would leave the other threads as they are.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/task")))
    func aProcessWithThreadsIsNotConfined() async throws {
        // With such a parent nothing would be confined in any case.
        let confinement = WorkerConfinement(
            parent: -1, addressSpace: .max, processorSeconds: .max, readable: [], writable: "/")
        let error = await withCheckedContinuation { continuation in
            // The main thread is there too.
            Thread.detachNewThread {
                do throws(FlatteningError) {
                    try confinement.apply()
                    continuation.resume(returning: Optional<FlatteningError>.none)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
        #expect(error?.code == .internalInconsistency && error?.stage == .worker)
    }

    /// Each is loaded only when such a file is read, long after the worker has confined itself. Where it is not installed
    /// nobody reads the file.
    @Test(
        arguments: [
            ("ImageFilesTests/Fixtures/apple-disparity.heic", nil),
            ("CapturesTests/Fixtures/record3d.r3d", nil),
            ("CapturesTests/Fixtures/picture.png", "CapturesTests/Fixtures/depth-half.exr"),
        ] as [(String, String?)])
    func librariesAreStillFoundInConfinement(fixture: String, depth: String?) throws {
        let output = try ScratchFolder()
        let input = Self.fixtures.appending(path: fixture)
        let depth = depth.map { Self.fixtures.appending(path: $0) }
        let options = depth.map { ["--depth", $0.path()] } ?? []
        let plain = try FlattenProcess.run([input.path(), "-o", output.path("a.png")] + options)
        #expect(plain.exitCode == 0 || plain.exitCode == 69, "\(plain.errors)")
        let confined = try worker(input, depth: depth, outputs: ["image=b.png"], in: output)
        #expect(confined.exitCode == plain.exitCode, "\(confined.errors)")
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/task/\(getpid())/children")))
    func aWorkerGetsNoSecrets() throws {
        let batch = try RunningBatch(
            options: ["--jobs", "1"], environment: ["AWS_SECRET_ACCESS_KEY": "s3cret", "LANGUAGE": "de"])
        defer { batch.process.waitUntilExit() }
        let worker = try #require(batch.waitForWorker { $0.contains("OPENBLAS_NUM_THREADS") })
        #expect(!worker.environment.contains("s3cret"))
        #expect(worker.environment.contains("OPENBLAS_NUM_THREADS=1"))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/task/\(getpid())/children")))
    func aBatchThatWasStoppedDoesNotCallItsWorkersLate() throws {
        // A worker has eight seconds by the clock.
        let batch = try RunningBatch(options: ["--dpi", "100", "--processor-seconds", "2"])
        let worker = batch.waitForWorker()
        kill(batch.process.processIdentifier, SIGSTOP)
        sleep(10)
        kill(batch.process.processIdentifier, SIGCONT)
        batch.process.waitUntilExit()
        try #require(worker != nil)
        let log = try String(contentsOfFile: batch.output.path("jobs.jsonl"), encoding: .utf8)
        // An unoptimised worker takes more than its processor time, which ends it in time, too.
        #expect(log.contains(#""name":"a""#) && !log.contains("not done after"), "\(log)")
    }
}

/// A batch of one picture while it runs.
private struct RunningBatch {
    let input: ScratchFolder
    let output: ScratchFolder
    let process = Process()

    init(options: [String], environment: [String: String] = [:]) throws {
        input = try ScratchFolder()
        output = try ScratchFolder()
        try FileManager.default.copyItem(
            at: FlattenProcess.samples.appending(path: "fold-structured/image.jpg"),
            to: input.url.appending(path: "a.jpg"))
        process.executableURL = FlattenProcess.binary
        process.arguments = ["batch", input.url.path(), "-o", output.url.path()] + options
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// A process that works on a capture.
    struct Worker {
        /// Its words and its environment, each ended by a zero.
        var words, environment: String
    }

    /// Waits until a worker is at a capture; nil if the batch ends without one.
    /// - Parameter isReady: what its environment must be like: right after its start it is that of the batch.
    func waitForWorker(isReady: (String) -> Bool = { _ in true }) -> Worker? {
        while process.isRunning {
            if let worker = workers.first(where: { isReady($0.environment) }) { return worker }
            usleep(1000)
        }
        return nil
    }

    /// The children that have become workers; not the first, which only tries the libraries.
    private var workers: [Worker] {
        let path = "/proc/\(process.processIdentifier)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let children = threads.flatMap {
            text("\(path)/\($0)/children").split(separator: " ")
        }
        return children.map {
            Worker(words: text("/proc/\($0)/cmdline"), environment: text("/proc/\($0)/environ"))
        }.filter { $0.words.contains("\0batch-worker\0") && !$0.words.contains("\0--libraries\0") }
    }

    private func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}

extension FlattenProcess {
    /// Runs a worker as a batch starts it.
    /// - Parameter outputs: each a kind of output, "=" and its name in `writable`.
    static func runWorker(
        _ request: FlatteningRequest, readable: [URL], writable: ScratchFolder, outputs: [String]
    ) throws -> Outcome {
        var words = ["batch-worker", "--parent", "\(ProcessInfo.processInfo.processIdentifier)"]
        words += ["--memory-mib", "2048", "--processor-seconds", "60", "--write", writable.url.path()]
        for file in readable { words += ["--read", file.path()] }
        for output in outputs { words += ["--output", output] }
        return try run(words + ["--request", try request.json()])
    }
}

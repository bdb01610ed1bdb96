import Foundation
import Imaging
import Synchronization
import Testing

@testable import BatchProcessing

/// What a batch makes of how its workers end. The workers are shells that do what their last argument says; what real ones
/// do is tested on the command.
@Suite struct BatchTests {
    private final class Scene {
        let folder: ScratchFolder
        /// Of the scripts that ran, how many there were.
        let started: String

        init() throws {
            folder = try ScratchFolder()
            started = folder.path("started")
            try folder.write("", to: "out/.keep")
            try folder.write(
                """
                #!/bin/sh
                while [ "$1" != -- ]; do shift; done
                echo x >> '\(started)'
                cd '\(folder.path("out"))' && eval "$2"

                """, to: "worker")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: folder.path("worker"))
        }

        var startCount: Int {
            (try? String(contentsOfFile: started, encoding: .utf8).split(separator: "\n").count) ?? 0
        }

        /// Runs a batch of scripts, one a capture, and gives the outcomes in the order of the captures.
        func run(
            _ scripts: [String], resumes: Bool = false, retriesFailed: Bool = false, settings: String = "s",
            processorSeconds: Int = 60
        ) throws -> [Batch.Outcome] {
            let jobs = try scripts.enumerated().map { index, script in
                try folder.write("picture \(index)", to: "in/\(index).png")
                return Batch.Job(
                    path: folder.path("in/\(index).png"), name: "\(index)",
                    outputs: ["\(index).png", "\(index).txt"], arguments: [script])
            }
            return try run(
                jobs, resumes: resumes, retriesFailed: retriesFailed, settings: settings,
                processorSeconds: processorSeconds)
        }

        func run(
            _ jobs: [Batch.Job], resumes: Bool = false, retriesFailed: Bool = false, settings: String = "s",
            processorSeconds: Int = 60
        ) throws -> [Batch.Outcome] {
            var batch = Batch(
                jobs: jobs, folder: folder.path("out"), settings: settings, sharedFiles: ["/shared"],
                workerCount: 2, resumes: resumes, retriesFailed: retriesFailed, memoryMebibytes: 64,
                processorSeconds: processorSeconds)
            batch.program = folder.path("worker")
            let outcomes = Mutex<[Int: Batch.Outcome]>([:])
            try batch.run { index, outcome in outcomes.withLock { $0[index] = outcome } }
            return try (0..<jobs.count).map { index in
                try #require(outcomes.withLock { $0[index] })
            }
        }

        func records() throws -> [String: JobRecord] {
            let text = try String(contentsOfFile: folder.path("out/" + JobLog.fileName), encoding: .utf8)
            let all = try text.split(separator: "\n").map {
                try JSONDecoder().decode(JobRecord.self, from: Data($0.utf8))
            }
            return Dictionary(all.map { ($0.name, $0) }) { $1 }
        }
    }

    private func reason(_ outcome: Batch.Outcome) -> String? {
        if case .failed(let reason, _) = outcome { return reason }
        return nil
    }

    @Test func eachEndingIsWhatTheLogSays() throws {
        let scene = try Scene()
        let outcomes = try scene.run([
            "echo done > 0.png", "echo 'flatten: error: too dark' >&2; exit 65", "exit 3",
            "ulimit -c 0; kill -XCPU $$", "kill -KILL $$", "echo 'only words' >&2; exit 71",
        ])
        guard case .done(_, let messages) = outcomes[0] else {
            Issue.record("\(outcomes[0])")
            return
        }
        #expect(messages.isEmpty)
        #expect(
            outcomes.dropFirst().map(reason) == [
                "too dark", "exit code 3", "it used up its 60 s of processor time",
                "its worker was ended by signal 9, as by asking for more than 64 MiB", "only words",
            ])
        let records = try scene.records()
        #expect(records.mapValues(\.exitCode) == ["0": 0, "1": 65, "2": 3, "3": -SIGXCPU, "4": -9, "5": 71])
        // FIPS 180-4's hash of "done\n", by another program.
        #expect(
            records["0"]?.outputs.map { "\($0.name) \($0.sha256)" } == [
                "0.png d117fa006ba9208500b2930ce69cbde436c647afa917cb7396a9bc9111a46dd2"
            ])
        #expect(records["1"]?.outputs.isEmpty == true && records["1"]?.error == "too dark")
    }

    @Test func whoTakesTooLongByTheClockIsEnded() throws {
        let scene = try Scene()
        // No processor time is allowed, so that the clock allows none either.
        let outcomes = try scene.run(["while :; do sleep 0.05; done"], processorSeconds: 0)
        #expect(reason(outcomes[0]) == "it was not done after 0 s")
        #expect(try scene.records()["0"]?.exitCode == -SIGKILL)
    }

    @Test func whatIsDoneStaysDoneAndWhatFailedStaysFailedUntilItIsAskedFor() throws {
        let scene = try Scene()
        let scripts = ["echo a > 0.png", "exit 5"]
        _ = try scene.run(scripts)
        #expect(scene.startCount == 2)
        let again = try scene.run(scripts, resumes: true)
        guard case .alreadyDone = again[0], case .failed("exit code 5", earlier: true) = again[1] else {
            Issue.record("\(again)")
            return
        }
        #expect(scene.startCount == 2)
        _ = try scene.run(scripts, resumes: true, retriesFailed: true)
        #expect(scene.startCount == 3)
        // Other settings, a changed or a lost output: made again. Without resuming everything is.
        _ = try scene.run(scripts, resumes: true, settings: "other")
        #expect(scene.startCount == 5)
        try scene.folder.write("changed", to: "out/0.png")
        _ = try scene.run(scripts, resumes: true)
        #expect(scene.startCount == 6)
        _ = try scene.run(scripts)
        #expect(scene.startCount == 8)
    }

    @Test func aCaptureThatCannotBeReadIsItsOwnFailureOnly() throws {
        let scene = try Scene()
        try scene.folder.write("there", to: "in/there.png")
        let outcomes = try scene.run(
            ["there", "missing"].map { name in
                Batch.Job(
                    path: scene.folder.path("in/\(name).png"), name: name, outputs: [], arguments: ["exit 0"])
            })
        guard case .done = outcomes[0] else {
            Issue.record("\(outcomes[0])")
            return
        }
        #expect(reason(outcomes[1])?.contains("missing.png") == true)
        #expect(try scene.records()["missing"]?.exitCode == 74)
    }

    /// 69 is a missing library, 64 wrong usage: whatever the capture, all others would fail alike.
    @Test(arguments: [69, 64])
    func whatConcernsAllEndsTheBatchAndLeavesTheRestUntried(code: Int) throws {
        let scene = try Scene()
        let scripts = Array(
            repeating: "echo 'flatten: error: no eng.traineddata' >&2; exit \(code)", count: 20)
        let error = try #require(throws: FlatteningError.self) { try scene.run(scripts) }
        #expect(error.code == .missingDependency && error.message == "no eng.traineddata")
        #expect(scene.startCount <= 2, "one for each worker at most")
        #expect(try scene.records().isEmpty)
    }

    @Test func aWorkerIsToldItsLimitsAndPlaces() throws {
        let scene = try Scene()
        // The worker's own arguments, before the ones that the capture brings.
        try scene.folder.write("#!/bin/sh\necho \"$@\" >&2\nexit 9\n", to: "worker")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: scene.folder.path("worker"))
        try scene.folder.write("{}", to: "in/a/capture.json")
        let outcomes = try scene.run([
            Batch.Job(
                path: scene.folder.path("in/a/capture.json"), name: "a", outputs: [],
                arguments: ["--dpi", "9"])
        ])
        let path = scene.folder.path
        #expect(
            reason(outcomes[0])
                == "batch-worker --parent \(getpid()) --memory-mib 64 --processor-seconds 60 --write \(path)/out "
                + "--read \(path)/in/a --read /shared -- --dpi 9")
    }

    @Test func aKilledBatchsTemporaryFilesAreRemovedAndNobodyElses() throws {
        let scene = try Scene()
        for name in [".0.png.abc.tmp", ".other.png.abc.tmp", "0.png.tmp", ".0.png.abc"] {
            try scene.folder.write("x", to: "out/" + name)
        }
        _ = try scene.run(["exit 1"])
        let left = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path("out")).sorted()
        #expect(left == [".0.png.abc", ".keep", ".other.png.abc.tmp", "0.png.tmp", JobLog.fileName].sorted())
    }

    @Test func aFolderThatIsNotThereIsNamed() throws {
        let scene = try Scene()
        try FileManager.default.removeItem(atPath: scene.folder.path("out"))
        let error = try #require(throws: FlatteningError.self) { try scene.run(["exit 0"]) }
        #expect(error.code == .fileAccess && error.file?.hasSuffix("out/" + JobLog.fileName) == true)
    }
}

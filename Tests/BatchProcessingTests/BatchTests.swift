import BatchProcessing
import Diagnostics
import Foundation
import Synchronization
import TestSupport
import Testing

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
            try folder.write("", as: "out/.keep")
            try folder.writeProgram(
                """
                #!/bin/sh
                while [ "$1" != -- ]; do
                    case $1 in
                    --write) staging=$2 ;;
                    --libraries) [ ! -e '\(folder.path("libraries"))' ] || . '\(folder.path("libraries"))'; exit 0 ;;
                    esac
                    shift
                done
                echo x >> '\(started)'
                cd "$staging" && eval "$2"

                """, as: "worker")
        }

        /// A worker as `flatten` has it, of this program.
        static func worker(_ program: String) -> WorkerCommand {
            var worker = WorkerCommand(
                statuses: .init(
                    belowDemand: 3, missingDependency: 69, fileAccess: 74, storageFull: 73, shortage: 72,
                    verdicts: [64, 65, 70, 71],
                    logged: { code in
                        switch code {
                        case .badInput: 65
                        case .limitExceeded, .shortage: 71
                        case .timeout: 75
                        default: 74
                        }
                    })
            ) { assignment in
                let options = if case .libraries = assignment.task { ["--libraries"] } else { [] as [String] }
                return ["--memory", "\(assignment.limits.memoryMebibytes)"]
                    + ["--seconds", "\(assignment.limits.processorSeconds)", "--write", assignment.staging]
                    + assignment.readable.flatMap { ["--read", $0] } + options
                    + ["--", assignment.job.request]
                    + assignment.job.outputs.flatMap { ["--" + $0.kind, assignment.staging + "/" + $0.name] }
            }
            worker.program = program
            return worker
        }

        var startCount: Int {
            (try? String(contentsOfFile: started, encoding: .utf8).split(separator: "\n").count) ?? 0
        }

        /// Runs a batch of scripts, one a capture, and gives the outcomes in the order of the captures.
        func run(
            _ scripts: [String], resumes: Bool = false, retriesFailed: Bool = false, settings: String = "s",
            processorSeconds: Int = 60, memory: Int = 64, replaces: Bool = false
        ) throws -> [Batch.Outcome] {
            let jobs = try scripts.enumerated().map { index, script in
                try folder.write("picture \(index)", as: "in/\(index).png")
                return job("\(index)", script)
            }
            return try run(
                jobs, resumes: resumes, retriesFailed: retriesFailed, settings: settings,
                processorSeconds: processorSeconds, memory: memory, replaces: replaces)
        }

        func job(_ name: String, _ script: String, numbersOutputs: Bool = false) -> Batch.Job {
            Batch.Job(
                capture: .init(path: folder.path("in/\(name).png"), isNamed: false), name: name,
                outputs: [
                    .init(kind: "output", name: name + ".png"),
                    .init(kind: "cloud", name: name + ".txt", mayBeMissing: true),
                ], numbersOutputs: numbersOutputs, request: script)
        }

        /// The names in the output folder but for the log.
        var written: [String] {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
                    .filter { ![".keep", JobLog.fileName].contains($0) }.sorted()
            }
        }

        /// Runs a batch of one capture whose sheets have outputs of their own.
        func runNumbered(
            _ script: String, resumes: Bool = false, settings: String = "s"
        ) throws -> Batch.Outcome {
            try folder.write("picture", as: "in/0.png")
            return try run(
                [job("0", script, numbersOutputs: true)], resumes: resumes, settings: settings)[0]
        }

        func run(
            _ jobs: [Batch.Job], resumes: Bool = false, retriesFailed: Bool = false, settings: String = "s",
            processorSeconds: Int = 60, memory: Int = 64, time: Duration? = nil, replaces: Bool = false
        ) throws -> [Batch.Outcome] {
            var batch = Batch(
                jobs: jobs, folder: folder.path("out"), settings: settings, sharedFiles: ["/shared"],
                workerCount: 2, resumes: resumes, retriesFailed: retriesFailed,
                limits: .init(memoryMebibytes: memory, processorSeconds: processorSeconds),
                worker: Scene.worker(folder.path("worker")))
            batch.time = time ?? batch.time
            batch.replacesOthers = replaces
            let outcomes = Mutex<[Int: Batch.Outcome]>([:])
            try batch.run { event in
                if case .ended(let index, let outcome) = event { outcomes.withLock { $0[index] = outcome } }
            }
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
            "ulimit -c 0; kill -XCPU $$", "ulimit -c 0; kill -SEGV $$", "echo 'only words' >&2; exit 71",
        ])
        guard case .done(_, let messages) = outcomes[0] else {
            Issue.record("\(outcomes[0])")
            return
        }
        #expect(messages.isEmpty)
        #expect(
            outcomes.dropFirst().map(reason) == [
                "too dark", "below what was asked for", "it used up its 60 s of processor time",
                "its worker was ended by signal 11, as by asking for more than 64 MiB", "only words",
            ])
        let records = try scene.records()
        #expect(records.mapValues(\.exitCode) == ["0": 0, "1": 65, "2": 3, "3": -SIGXCPU, "4": -11, "5": 71])
        // FIPS 180-4's hash of "done\n", by another program.
        #expect(
            records["0"]?.outputs.map { "\($0.name) \($0.sha256)" } == [
                "0.png d117fa006ba9208500b2930ce69cbde436c647afa917cb7396a9bc9111a46dd2"
            ])
        #expect(records["1"]?.outputs.isEmpty == true && records["1"]?.error == "too dark")
    }

    @Test func whoTakesTooLongByTheClockIsEnded() throws {
        let scene = try Scene()
        try scene.folder.write("picture", as: "in/0.png")
        let outcomes = try scene.run(
            [scene.job("0", "while :; do sleep 0.05; done")], time: .seconds(2))
        #expect(reason(outcomes[0]) == "it was not done after 2 s")
        #expect(try scene.records()["0"]?.exitCode == -SIGKILL)
    }

    @Test func whatIsDoneStaysDoneAndWhatFailedStaysFailedUntilItIsAskedFor() throws {
        let scene = try Scene()
        let scripts = ["echo a > 0.png", "exit 65"]
        _ = try scene.run(scripts)
        #expect(scene.startCount == 2)
        let again = try scene.run(scripts, resumes: true)
        guard case .alreadyDone = again[0], case .failed("exit code 65", earlier: true) = again[1] else {
            Issue.record("\(again)")
            return
        }
        #expect(scene.startCount == 2)
        _ = try scene.run(scripts, resumes: true, retriesFailed: true)
        #expect(scene.startCount == 3)
        // Other settings, a changed or a lost output: made again. Without resuming everything is.
        _ = try scene.run(scripts, resumes: true, settings: "other")
        #expect(scene.startCount == 5)
        try scene.folder.write("changed", as: "out/0.png")
        _ = try scene.run(scripts, resumes: true)
        #expect(scene.startCount == 6)
        _ = try scene.run(scripts)
        #expect(scene.startCount == 8)
    }

    @Test func aCaptureThatCannotBeReadIsItsOwnFailureOnly() throws {
        let scene = try Scene()
        try scene.folder.write("there", as: "in/there.png")
        let outcomes = try scene.run([
            scene.job("there", "echo a > there.png"), scene.job("missing", "exit 0"),
        ])
        guard case .done = outcomes[0] else {
            Issue.record("\(outcomes[0])")
            return
        }
        #expect(reason(outcomes[1])?.contains("missing.png") == true)
        #expect(try scene.records()["missing"]?.exitCode == 74)
    }

    /// 69 is a missing library: the one that only this capture needs (HEIC, archives), as others are asked for first.
    @Test(arguments: [69, 64])
    func whatOneWorkerLacksCostsItsCaptureOnly(code: Int) throws {
        let scene = try Scene()
        let script = "echo 'flatten: error: no libheif' >&2; exit \(code)"
        let outcomes = try scene.run([script, "echo done > 1.png"])
        #expect(reason(outcomes[0]) == "no libheif")
        guard case .done = outcomes[1] else {
            Issue.record("\(outcomes[1])")
            return
        }
        // It may be installed by the next time.
        #expect(try scene.records()["0"]?.retry == (code == 69 ? true : nil))
        let started = scene.startCount
        _ = try scene.run([script, "echo done > 1.png"], resumes: true)
        #expect(scene.startCount == started + (code == 69 ? 1 : 0))
    }

    @Test(arguments: [
        ("echo 'flatten: error: no eng.traineddata' >&2; exit 69", FlatteningError.Code.missingDependency),
        ("echo 'flatten: error: short of memory' >&2; exit 72", .limitExceeded),
        ("ulimit -c 0; kill -ABRT $$", .limitExceeded), ("exit 64", .internalInconsistency),
    ])
    func whatEveryWorkerLacksEndsTheBatchBeforeTheFirst(script: String, code: FlatteningError.Code) throws {
        let scene = try Scene()
        try scene.folder.write(script, as: "libraries")
        let error = try #require(throws: FlatteningError.self) { try scene.run(["exit 0", "exit 0"]) }
        #expect(error.code == code, "\(error)")
        #expect(scene.startCount == 0)
        #expect(try scene.records().isEmpty)
    }

    @Test func otherLibrariesAreOtherSettings() throws {
        let scene = try Scene()
        let scripts = ["echo a > 0.png"]
        try scene.folder.write("echo noise; echo library: tesseract 5.3.0 >&2; echo $$ >&2", as: "libraries")
        _ = try scene.run(scripts)
        _ = try scene.run(scripts, resumes: true)
        #expect(scene.startCount == 1)
        try scene.folder.write("echo library: tesseract 5.5.0 >&2", as: "libraries")
        _ = try scene.run(scripts, resumes: true)
        #expect(scene.startCount == 2)
    }

    @Test func aWorkerEndedFromOutsideIsAskedOnceMoreAndThenByTheNextBatch() throws {
        let scene = try Scene()
        let once = "if [ -e ../once ]; then echo a > 0.png; else : > ../once; kill -KILL $$; fi"
        guard case .done = try scene.run([once])[0] else {
            Issue.record("not asked again")
            return
        }
        #expect(scene.startCount == 2)
        let outcomes = try scene.run(["kill -TERM $$"])
        #expect(reason(outcomes[0]) == "its worker was ended from outside by signal 15")
        #expect(try scene.records()["0"]?.retry == true)
        #expect(scene.startCount == 4)
        _ = try scene.run(["kill -TERM $$"], resumes: true)
        #expect(scene.startCount == 6)
    }

    @Test func whatWasTooMuchIsTriedAgainOnceMoreIsAllowed() throws {
        let scene = try Scene()
        let scripts = ["ulimit -c 0; kill -ABRT $$"]
        _ = try scene.run(scripts, memory: 64)
        _ = try scene.run(scripts, resumes: true, memory: 64)
        #expect(scene.startCount == 1)
        _ = try scene.run(scripts, resumes: true, memory: 128)
        #expect(scene.startCount == 2)
    }

    @Test func whatAWorkerLeavesBesidesPlainFilesIsNoOutput() throws {
        let scene = try Scene()
        try scene.folder.write("secret", as: "secret")
        let outcomes = try scene.run([
            "ln -s '\(scene.folder.path("secret"))' 0.png", "mkfifo 1.png",
            "ln '\(scene.folder.path("secret"))' 2.png",
            "mkdir 3.png", "echo more > other.png",
        ])
        for outcome in outcomes.prefix(4) {
            #expect(reason(outcome) != nil, "\(outcome)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path("out")).sorted()
        #expect(left == [".keep", JobLog.fileName])
    }

    @Test func aCaptureThatChangesMeanwhileIsNotDone() throws {
        let scene = try Scene()
        let path = scene.folder.path("in/0.png")
        let outcomes = try scene.run(["echo a > 0.png; echo more >> '\(path)'"])
        #expect(reason(outcomes[0]) == "the capture was changed while it was worked on")
        #expect(try scene.records()["0"]?.retry == true)
        #expect(!FileManager.default.fileExists(atPath: scene.folder.path("out/0.png")))
    }

    @Test func whatSomebodyElseWroteIsNotReplaced() throws {
        let scene = try Scene()
        try scene.folder.write("mine", as: "out/0.png")
        let error = try #require(throws: FlatteningError.self) { try scene.run(["echo a > 0.png"]) }
        #expect(error.code == .badInput && error.file?.hasSuffix("0.png") == true)
        #expect(try String(contentsOfFile: scene.folder.path("out/0.png"), encoding: .utf8) == "mine")
        #expect(scene.startCount == 0)
        // Again, and not only the first time.
        #expect(throws: FlatteningError.self) { try scene.run(["echo a > 0.png"]) }
        _ = try scene.run(["echo a > 0.png"], replaces: true)
        // From now on it is the batch's own.
        _ = try scene.run(["echo b > 0.png"])
        #expect(try String(contentsOfFile: scene.folder.path("out/0.png"), encoding: .utf8) == "b\n")
    }

    /// As one that was killed between its first output and its first line.
    @Test func aBatchWithoutALineOwnsItsFolder() throws {
        let scene = try Scene()
        try scene.folder.write("", as: "out/" + JobLog.fileName)
        try scene.folder.write("half of it", as: "out/0.png")
        guard case .done = try scene.run(["echo a > 0.png"], resumes: true)[0] else {
            Issue.record("not done")
            return
        }
    }

    @Test func aWorkerThatEndsWellAndWroteNothingIsNotDone() throws {
        let scene = try Scene()
        let outcomes = try scene.run(["exit 0", "echo a > 1.png"])
        #expect(reason(outcomes[0])?.contains("0.png") == true)
        #expect(try scene.records()["0"]?.retry == true)
        guard case .done = outcomes[1] else {
            Issue.record("\(outcomes[1])")
            return
        }
    }

    @Test func nothingIsLoggedOnceTheBatchIsStopped() throws {
        let scene = try Scene()
        let batch = Batch(
            jobs: [scene.job("0", "echo a > 0.png")], folder: scene.folder.path("out"), settings: "s",
            sharedFiles: [], workerCount: 1, resumes: false, retriesFailed: false,
            limits: .init(memoryMebibytes: 64, processorSeconds: 60),
            worker: Scene.worker(scene.folder.path("worker")))
        try scene.folder.write("picture", as: "in/0.png")
        let stop = batch.stop
        let error = try #require(throws: FlatteningError.self) {
            try batch.run { event in if case .began = event { stop.raise() } }
        }
        #expect(error.code == .cancelled)
        #expect(try scene.records().isEmpty)
    }

    @Test func anEndedBatchLeavesNeitherWorkersNorTheirFolders() throws {
        let scene = try Scene()
        let out = scene.folder.path("out")
        let batch = Batch(
            jobs: [scene.job("0", "echo a > 0.png; sleep 600"), scene.job("1", "echo a > 1.png")],
            folder: out,
            settings: "s", sharedFiles: [], workerCount: 1, resumes: false, retriesFailed: false,
            limits: .init(memoryMebibytes: 64, processorSeconds: 60),
            worker: Scene.worker(scene.folder.path("worker")))
        for name in ["0", "1"] { try scene.folder.write("picture", as: "in/\(name).png") }
        let left = Mutex<[String]?>(nil)
        let hasEnded = DispatchSemaphore(value: 0)
        // A thread of its own: tasks wait for each other while other tests take their threads.
        Thread.detachNewThread {
            // Once the worker has written into its folder.
            while FileManager.default.subpaths(atPath: out)?.contains(where: { $0.hasSuffix("/0.png") })
                != true
            {
                Thread.sleep(forTimeInterval: 0.005)
            }
            batch.end(patience: .seconds(30))
            left.withLock { $0 = try? FileManager.default.contentsOfDirectory(atPath: out) }
            hasEnded.signal()
        }
        let error = try #require(throws: FlatteningError.self) { try batch.run { _ in } }
        #expect(error.code == .cancelled)
        hasEnded.wait()
        #expect(left.withLock { $0?.sorted() } == [".keep", "jobs.jsonl"])
        #expect(try scene.records().isEmpty)
    }

    @Test func aReplacedFileKeepsItsPermissions() throws {
        let scene = try Scene()
        _ = try scene.run(["echo a > 0.png"])
        let path = scene.folder.path("out/0.png")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        _ = try scene.run(["echo b > 0.png"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    @Test func whatTheOptionsNameIsNotReplaced() throws {
        let scene = try Scene()
        _ = try scene.run(["echo a > 0.png"])
        let batch = Batch(
            jobs: [scene.job("0", "echo b > 0.png")], folder: scene.folder.path("out"), settings: "s",
            sharedFiles: [scene.folder.path("out/0.png")], workerCount: 1, resumes: false,
            retriesFailed: false,
            limits: .init(memoryMebibytes: 64, processorSeconds: 60),
            worker: Scene.worker(scene.folder.path("worker")))
        let error = try #require(throws: FlatteningError.self) { try batch.run { _ in } }
        #expect(error.code == .badInput && error.file?.hasSuffix("0.png") == true)
    }

    @Test func eachSheetOfACaptureHasOutputsOfItsOwn() throws {
        let scene = try Scene()
        let script = "echo a > 0-1.png; echo b > 0-2.png; echo c > 0-2.txt; echo d > 0.png; echo e > 0-x.png"
        guard case .done = try scene.runNumbered(script) else {
            Issue.record("not done")
            return
        }
        #expect(try scene.written == ["0-1.png", "0-2.png", "0-2.txt"])
        #expect(try scene.records()["0"]?.outputs.map(\.name) == ["0-1.png", "0-2.png", "0-2.txt"])
        guard case .alreadyDone = try scene.runNumbered(script, resumes: true) else {
            Issue.record("not known to be done")
            return
        }
        // Each of them counts.
        try FileManager.default.removeItem(atPath: scene.folder.path("out/0-2.png"))
        _ = try scene.runNumbered(script, resumes: true)
        #expect(scene.startCount == 2)
        #expect(try scene.written == ["0-1.png", "0-2.png", "0-2.txt"])
    }

    private func jobWithPart(_ scene: Scene, _ script: String, numbersOutputs: Bool = false) throws
        -> Batch.Job
    {
        try scene.folder.write("picture", as: "in/0.png")
        var job = scene.job("0", script, numbersOutputs: numbersOutputs)
        job.outputs.append(.init(kind: "part", name: "0.part", isKeptByBatch: true))
        return job
    }

    /// The names in the folder of parts.
    private func parts(_ scene: Scene) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scene.folder.path("out/" + PartsFolder.name))
            .sorted()
    }

    @Test(arguments: [false, true])
    func partsLieInAFolderOfTheirOwnAndCountAsOutputs(numbersOutputs: Bool) throws {
        let scene = try Scene()
        let script =
            numbersOutputs
            ? "echo a > 0-1.png; echo b > 0-2.png; echo p > 0.part" : "echo a > 0.png; echo p > 0.part"
        let job = try jobWithPart(scene, script, numbersOutputs: numbersOutputs)
        _ = try scene.run([job])
        #expect(try parts(scene) == ["0.part"])
        #expect(
            try scene.written == [PartsFolder.name] + (numbersOutputs ? ["0-1.png", "0-2.png"] : ["0.png"]))
        #expect(try scene.records()["0"]?.outputs.last?.name == PartsFolder.name + "/0.part")
        guard case .alreadyDone = try scene.run([job], resumes: true)[0] else {
            Issue.record("not known to be done")
            return
        }
        try FileManager.default.removeItem(atPath: scene.folder.path("out/" + PartsFolder.name))
        _ = try scene.run([job], resumes: true)
        #expect(scene.startCount == 2)
        #expect(try parts(scene) == ["0.part"])
    }

    @Test func aPartThatIsMissingFailsItsCapture() throws {
        let scene = try Scene()
        #expect(reason(try scene.run([jobWithPart(scene, "echo a > 0.png")])[0]) != nil)
        #expect(try parts(scene).isEmpty)
    }

    @Test func partsAreNotWrittenThroughALink() throws {
        let scene = try Scene()
        let job = try jobWithPart(scene, "echo a > 0.png; echo p > 0.part")
        try scene.folder.write("", as: "elsewhere/.keep")
        try FileManager.default.createSymbolicLink(
            atPath: scene.folder.path("out/" + PartsFolder.name),
            withDestinationPath: scene.folder.path("elsewhere"))
        let error = try #require(throws: FlatteningError.self) { try scene.run([job]) }
        #expect(error.code == .fileAccess)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scene.folder.path("elsewhere")) == [".keep"])
    }

    @Test func partsOfOtherCapturesAreRemoved() throws {
        let scene = try Scene()
        _ = try scene.run([try jobWithPart(scene, "echo a > 0.png; echo p > 0.part")])
        try scene.folder.write("", as: "out/\(PartsFolder.name)/old.part")
        PartsFolder.removeOthers(in: scene.folder.path("out"), than: ["0.part"])
        #expect(try parts(scene) == ["0.part"])
    }

    @Test func theEndComesAfterAllJobsAndNotToABatchThatWasStopped() throws {
        let scene = try Scene()
        try scene.folder.write("picture", as: "in/0.png")
        for isStopped in [false, true] {
            let batch = Batch(
                jobs: [scene.job("0", "exit 65")], folder: scene.folder.path("out"), settings: "s",
                sharedFiles: [], workerCount: 1, resumes: false, retriesFailed: false,
                limits: .init(memoryMebibytes: 64, processorSeconds: 60),
                worker: Scene.worker(scene.folder.path("worker")))
            if isStopped { batch.stop.raise() }
            var ends = 0
            try? batch.run(onEvent: { _ in }, atEnd: { _ in ends += 1 })
            #expect(ends == (isStopped ? 0 : 1))
        }
    }

    @Test(arguments: ["echo b > 0-2.png", "echo a > 0.png", "echo a > 0-1.png; echo c > 0-3.png", "exit 0"])
    func aSheetThatIsMissingAmongOthersFailsTheCapture(script: String) throws {
        let scene = try Scene()
        #expect(reason(try scene.runNumbered(script)) != nil)
        #expect(try scene.written == [])
    }

    @Test func whatAnEarlierBatchWroteOfMoreSheetsIsRemovedUnlessItWasChanged() throws {
        let scene = try Scene()
        _ = try scene.runNumbered("for n in 1 2 3 4; do echo $n > 0-$n.png; done; echo c > 0-1.txt")
        try scene.folder.write("mine", as: "out/0-3.png")
        try scene.folder.write("mine", as: "out/0-9.png")
        _ = try scene.runNumbered("echo new > 0-1.png; echo new > 0-2.png", settings: "other")
        #expect(try scene.written == ["0-1.png", "0-2.png", "0-3.png", "0-9.png"])
        // A try that fails takes nothing away.
        _ = try scene.runNumbered("exit 65", settings: "third")
        #expect(try scene.written == ["0-1.png", "0-2.png", "0-3.png", "0-9.png"])
    }

    @Test func ofNumberedOutputsTooNothingOfSomebodyElseIsReplaced() throws {
        let scene = try Scene()
        try scene.folder.write("mine", as: "out/0-7.png")
        let error = try #require(throws: FlatteningError.self) { try scene.runNumbered("echo a > 0-1.png") }
        #expect(error.code == .badInput && error.file?.hasSuffix("0-7.png") == true)
        #expect(scene.startCount == 0)
    }

    @Test func anOutputThatIsACaptureIsNotReplaced() throws {
        let scene = try Scene()
        try scene.folder.write("picture", as: "out/0.png")
        try scene.folder.write("picture", as: "out/inner/a.png")
        let jobs = ["0", "1"].enumerated().map { index, name in
            Batch.Job(
                capture: .init(
                    path: index == 0 ? scene.folder.path("out/0.png") : scene.folder.path, isNamed: true),
                name: name, outputs: [.init(kind: "output", name: name + ".png")],
                request: "echo a > \(name).png")
        }
        let outcomes = try scene.run(jobs, replaces: true)
        #expect(reason(outcomes[0])?.contains("would replace this capture") == true)
        #expect(reason(outcomes[1])?.contains("lies within this capture") == true)
        #expect(try String(contentsOfFile: scene.folder.path("out/0.png"), encoding: .utf8) == "picture")
        #expect(scene.startCount == 0)
    }

    @Test func aWorkerThatSaysTheDiskIsFullIsNotBelievedWhereThereIsRoom() throws {
        let scene = try Scene()
        let outcomes = try scene.run(["echo 'flatten: error: full' >&2; exit 73", "echo a > 1.png"])
        #expect(reason(outcomes[0]) == "full")
        #expect(try scene.records()["0"]?.retry == true)
        guard case .done = outcomes[1] else {
            Issue.record("\(outcomes[1])")
            return
        }
    }

    @Test func aWorkerIsToldItsLimitsAndPlaces() throws {
        let scene = try Scene()
        // The worker's own arguments, before the ones that the capture brings.
        try scene.folder.write(
            "#!/bin/sh\ncase \"$*\" in *--libraries*) exit 0 ;; esac\necho \"$@\" >&2\nexit 9\n", as: "worker"
        )
        try scene.folder.write("{}", as: "in/a/capture.json")
        let outcomes = try scene.run([
            Batch.Job(
                capture: .init(path: scene.folder.path("in/a/capture.json"), isNamed: false), name: "a",
                outputs: [.init(kind: "output", name: "a.png")], request: "dpi 9")
        ])
        let path = scene.folder.path
        let said = try #require(reason(outcomes[0]))
        #expect(said.contains("--memory 64 --seconds 60"))
        #expect(said.contains("--write \(path)/out/.flatten-batch-"))
        // Outputs are called by the names that they will have.
        #expect(said.hasSuffix("--read \(path)/in/a --read /shared -- dpi 9 --output a.png"), "\(said)")
    }

    @Test func aKilledBatchsStagingFoldersAreRemovedAndNothingElse() throws {
        let scene = try Scene()
        try scene.folder.write("", as: "out/" + JobLog.fileName)
        let ours = ".flatten-batch-a1B2c3"
        let others = [
            ".flatten-batch-backup", ".flatten-batch-a1B2c", ".flatten-backup", ".flatten-batch-a.B2c3",
        ]
        for name in [ours] + others { try scene.folder.write("x", as: "out/" + name + "/0.png") }
        // Of the right name, but open to others, as none of ours is.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: scene.folder.path("out/.flatten-batch-backup"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: scene.folder.path("out/" + ours))
        _ = try scene.run(["exit 1"])
        let left = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path("out")).sorted()
        #expect(left == (others + [".keep", JobLog.fileName]).sorted())
    }

    @Test func aFolderThatIsNotThereIsNamed() throws {
        let scene = try Scene()
        try FileManager.default.removeItem(atPath: scene.folder.path("out"))
        let error = try #require(throws: FlatteningError.self) { try scene.run(["exit 0"]) }
        #expect(error.code == .fileAccess && error.file?.hasSuffix("/out") == true)
    }
}

import Diagnostics
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BatchProcessing

/// Several processes' batches in one output folder, with shells as workers.
@Suite(.timeLimit(.minutes(1))) struct ShardedBatchTests {
    /// Its folder never changes.
    private final class Scene: @unchecked Sendable {
        let folder: ScratchFolder
        let names: [String]

        init(_ count: Int) throws {
            folder = try ScratchFolder()
            names = (0..<count).map { "c\($0)" }
            try folder.write("", as: "out/.keep")
            for name in names { try folder.write("picture \(name)", as: "in/\(name).png") }
            try folder.writeProgram(
                """
                #!/bin/sh
                while [ "$1" != -- ]; do
                    case $1 in
                    --write) staging=$2 ;;
                    --libraries) exit 0 ;;
                    esac
                    shift
                done
                echo x >> '\(folder.path("started"))'
                cd "$staging" && eval "$2"

                """, as: "worker")
        }

        var out: String { folder.path("out") }

        func path(_ name: String) -> String { folder.path("in/\(name).png") }

        /// How often a worker ran.
        var startCount: Int {
            (try? String(contentsOfFile: folder.path("started"), encoding: .utf8).count / 2) ?? 0
        }

        /// - Parameter script: what the worker of each capture does, by its name.
        func batch(
            _ shard: Shard?, script: (String) -> String = { "echo \($0) > \($0).png" }
        ) -> Batch {
            let places = shard?.places(in: names.map(path)) ?? Array(names.indices)
            var worker = WorkerCommand(
                statuses: .init(
                    belowDemand: 3, missingDependency: 69, fileAccess: 74, storageFull: 73, shortage: 72,
                    verdicts: [64, 65, 70, 71], logged: { _ in 74 })
            ) { assignment in
                let options = if case .libraries = assignment.task { ["--libraries"] } else { [] as [String] }
                return ["--write", assignment.staging] + options + ["--", assignment.job.request]
            }
            worker.program = folder.path("worker")
            var batch = Batch(
                jobs: places.map { place in
                    Batch.Job(
                        capture: .init(path: path(names[place]), isNamed: false), name: names[place],
                        outputs: [.init(kind: "output", name: names[place] + ".png")],
                        request: script(names[place]))
                }, folder: out, settings: "s", sharedFiles: [], workerCount: 2, resumes: true,
                retriesFailed: false, limits: .init(memoryMebibytes: 64, processorSeconds: 60), worker: worker
            )
            batch.shard = shard
            batch.captureCount = names.count
            return batch
        }

        func status(verifies: Bool = false) throws -> BatchStatus {
            try BatchStatus(of: out, list: names.map(path), verifies: verifies)
        }

        /// The outputs and what is in them; logs are none.
        var outputs: [String: String] {
            get throws {
                var all: [String: String] = [:]
                for name in try FileManager.default.contentsOfDirectory(atPath: out)
                where name != ".keep" && !name.hasSuffix(".jsonl") {
                    all[name] = try String(contentsOfFile: out + "/" + name, encoding: .utf8)
                }
                return all
            }
        }

        var expected: [String: String] {
            Dictionary(uniqueKeysWithValues: names.map { ($0 + ".png", $0 + "\n") })
        }
    }

    private func shard(_ number: Int, _ count: Int) throws -> Shard {
        try #require(Shard(number: number, count: count))
    }

    @Test func anyNumberOfShardsGoesOnWhereAnotherStoppedAndWorksOnceOnEach() throws {
        let scene = try Scene(11)
        try scene.batch(shard(2, 3)).run { _ in }
        #expect(scene.startCount == 4)
        for number in 1...4 { try scene.batch(shard(number, 4)).run { _ in } }
        #expect(scene.startCount == 11)
        #expect(try scene.outputs == scene.expected)
        // Without shards too.
        try scene.batch(nil).run { _ in }
        #expect(scene.startCount == 11)
        #expect(try scene.status(verifies: true).isComplete)
    }

    @Test func shardsRunAtOnceAndTouchNothingOfEachOther() throws {
        let scene = try Scene(24)
        let failures = Mutex<[any Error]>([])
        DispatchQueue.concurrentPerform(iterations: 3) { index in
            do {
                try scene.batch(shard(index + 1, 3)) { "sleep 0.05; echo \($0) > \($0).png" }.run { _ in }
            } catch {
                failures.withLock { $0.append(error) }
            }
        }
        #expect(failures.withLock { $0.isEmpty }, "\(failures.withLock { $0.map { "\($0)" } })")
        #expect(scene.startCount == 24)
        #expect(try scene.outputs == scene.expected)
    }

    @Test func oneShardIsOneProcessAndAWholeBatchIsAlone() throws {
        let scene = try Scene(2)
        let first = try JobLog(folder: scene.out, shard: shard(1, 2))
        let same = try #require(throws: FlatteningError.self) { try scene.batch(shard(1, 2)).run { _ in } }
        #expect(same.code == .timeout)
        let whole = try #require(throws: FlatteningError.self) { try scene.batch(nil).run { _ in } }
        #expect(whole.code == .fileAccess)
        try scene.batch(shard(2, 2)).run { _ in }
        first.unlock()
        try scene.batch(nil).run { _ in }
        #expect(scene.startCount == 2)
        withExtendedLifetime(first) {}
    }

    @Test func leftoversAreRemovedOnceNobodyWorksOnTheirShard() throws {
        let scene = try Scene(2)
        func leftover(_ label: String) throws -> String {
            let path = scene.out + "/.flatten-batch-" + label + "abcXYZ"
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            return path
        }
        // Two shards were killed, the third is at work.
        for number in 1...3 { try scene.batch(shard(number, 3)).run { _ in } }
        let busy = try JobLog(folder: scene.out, shard: shard(3, 3))
        let paths = try ["", "1-of-3-", "2-of-3-", "3-of-3-"].map(leftover)
        try scene.batch(shard(1, 2)).run { _ in }
        #expect(paths.map(FileManager.default.fileExists) == [false, false, false, true])
        withExtendedLifetime(busy) {}
    }

    @Test func theStatusTellsTheTruthAtEachMoment() throws {
        let scene = try Scene(6)
        let none = try #require(throws: FlatteningError.self) { try scene.status() }
        #expect(none.code == .fileAccess)
        let script: (String) -> String = {
            $0 == "c0" ? "echo 'error: too dark' >&2; exit 65" : "echo \($0) > \($0).png"
        }
        let seen = Mutex<[String]>([])
        let first = try scene.batch(shard(1, 2), script: script)
        try first.run { event in
            guard case .ended = event, let status = try? scene.status() else { return }
            // A record stands before its end is told.
            seen.withLock {
                $0.append(
                    "\(status.done + status.failed + (status.missing ?? -100)) \(status.logs[0].isRunning ?? false)"
                )
            }
        }
        #expect(seen.withLock(\.self) == ["6 true", "6 true", "6 true"])
        var status = try scene.status()
        #expect((status.done, status.failed, status.missing) == (2, 1, 3) && !status.isComplete)
        #expect(status.missingCaptures == ["c1", "c3", "c5"].map(scene.path))
        #expect(status.failures.map(\.reason) == ["too dark"] && status.failures[0].exitCode == 65)
        #expect(status.logs.map(\.name) == ["jobs.1-of-2.jsonl"] && status.logs[0].isRunning == false)
        // Without a list the log knows how many there are.
        #expect(try BatchStatus(of: scene.out, list: nil, verifies: false).missing == 3)
        try scene.batch(shard(2, 2)).run { _ in }
        var last = scene.batch(nil)
        last.retriesFailed = true
        try last.run { _ in }
        status = try scene.status(verifies: true)
        #expect((status.done, status.failed, status.missing) == (6, 0, 0) && status.isComplete)
        try Data("other".utf8).write(to: URL(filePath: scene.out + "/c1.png"))
        try FileManager.default.removeItem(atPath: scene.out + "/c2.png")
        status = try scene.status(verifies: true)
        #expect(status.verification?.changed == ["c1.png"] && status.verification?.gone == ["c2.png"])
        #expect(!status.isComplete)
    }

    /// A machine without a battery, or whose clock was set wrong, dates its lines years ahead.
    @Test func workThatIsDoneBeatsAFailureOfAClockThatWasAhead() throws {
        let scene = try Scene(3)
        try scene.batch(nil).run { _ in }
        let log = try String(contentsOfFile: scene.out + "/jobs.jsonl", encoding: .utf8)
        let ahead = try log.split(separator: "\n").map { line in
            var record = try JSONDecoder().decode(JobRecord.self, from: Data(line.utf8))
            (record.state, record.outputs, record.exitCode) = (.failed, [], -9)
            (record.error, record.retry, record.ended) = ("killed", true, "2031-01-01T00:00:00Z")
            return String(decoding: try #require(record.line), as: UTF8.self)
        }
        for name in ["/jobs.1-of-2.jsonl", "/jobs.2-of-2.jsonl"] {
            try Data(ahead.joined().utf8).write(to: URL(filePath: scene.out + name))
        }
        #expect(try (scene.status().done, scene.status().failed) == (3, 0))
        #expect(try BatchStatus(of: scene.out, list: nil, verifies: true).isComplete)
        try scene.batch(nil).run { _ in }
        #expect(scene.startCount == 3, "nothing is done again")
        // Without its file it is done no longer.
        try FileManager.default.removeItem(atPath: scene.out + "/c1.png")
        #expect(try (scene.status().done, scene.status().failed) == (2, 1))
        try scene.batch(nil).run { _ in }
        #expect(scene.startCount == 4)
        #expect(try (scene.status().done, scene.status().failed) == (3, 0))
    }

    @Test func ofTwoTriesUnderOtherOptionsTheLaterCounts() throws {
        let scene = try Scene(1)
        var done = JobRecord(
            key: "k", name: "c0", input: scene.path("c0"), state: .done,
            outputs: [.init(name: "c0.png", sha256: "00")], exitCode: 0, error: nil, seconds: 1)
        done.ended = "2020-01-01T00:00:00Z"
        try scene.folder.write("picture", as: "out/c0.png")
        var failed = done
        (failed.key, failed.state, failed.outputs, failed.error) = ("other", .failed, [], "too dark")
        for (ended, isDone) in [("2031-01-01T00:00:00Z", false), ("2001-01-01T00:00:00Z", true)] {
            failed.ended = ended
            for (record, name) in [(done, "jobs.1-of-2.jsonl"), (failed, "jobs.2-of-2.jsonl")] {
                try scene.folder.write(
                    String(decoding: try #require(record.line), as: UTF8.self), as: "out/" + name)
            }
            let status = try scene.status()
            #expect((status.done, status.failed) == (isDone ? 1 : 0, isDone ? 0 : 1))
        }
    }

    @Test func theStatusCountsACaptureOnceWhateverItsPath() throws {
        let scene = try Scene(2)
        try scene.batch(nil).run { _ in }
        var again = scene.batch(nil)
        again.jobs = again.jobs.map { job in
            var job = job
            job.capture.path = job.capture.path.replacing("/in/", with: "/./in/")
            return job
        }
        try again.run { _ in }
        let status = try BatchStatus(of: scene.out, list: nil, verifies: false)
        #expect((status.done, status.captures, status.missing) == (2, 2, 0) && status.isComplete)
    }

    @Test func afterBatchesOverDifferentCapturesTheStatusDoesNotGuessWhatIsMissing() throws {
        let scene = try Scene(3)
        var first = scene.batch(nil)
        (first.jobs, first.captureCount) = (Array(first.jobs.prefix(1)), 1)
        try first.run { _ in }
        try scene.batch(shard(2, 3)).run { _ in }
        let status = try BatchStatus(of: scene.out, list: nil, verifies: false)
        #expect(status.missing == nil && !status.isComplete)
        #expect(try scene.status().missing == 1)
    }

    @Test func aBatchThatIsToEndFinishesWhatItHasBegunAndNoMore() throws {
        let scene = try Scene(9)
        let batch = scene.batch(nil) { "sleep 0.2; echo \($0) > \($0).png" }
        let error = try #require(throws: FlatteningError.self) {
            try batch.run { event in if case .began = event { batch.windDown() } }
        }
        #expect(error.code == .cancelled)
        // Two workers had begun at most, and one at least.
        #expect((1...2).contains(try scene.outputs.count))
        #expect(try scene.status().done == scene.outputs.count)
        try scene.batch(nil).run { _ in }
        #expect(scene.startCount == 9)
        // One that has begun everything is whole.
        let again = scene.batch(nil)
        #expect(throws: Never.self) {
            try again.run { event in if case .ended(8, _) = event { again.windDown() } }
        }
    }

    @Test func theRecordOfEachCaptureIsHandedOutNowAndWhenItWasDoneEarlier() throws {
        let scene = try Scene(3)
        for _ in 1...2 {
            let records = Mutex<[JobRecord]>([])
            var batch = scene.batch(nil) { $0 == "c1" ? "exit 65" : "echo \($0) > \($0).png" }
            batch.onRecord = { record in records.withLock { $0.append(record) } }
            try batch.run { _ in }
            #expect(
                records.withLock { $0.sorted { $0.name < $1.name }.map { "\($0.name) \($0.state)" } }
                    == ["c0 done", "c1 failed", "c2 done"])
        }
    }

    @Test func equalContentsAreWorkedOnOnce() throws {
        let scene = try Scene(6)
        for name in ["c1", "c3", "c4"] { try scene.folder.write("the same", as: "in/\(name).png") }
        var batch = scene.batch(nil) { "echo same > \($0).png" }
        batch.worksOnce = true
        let records = Mutex<[String: String?]>([:])
        batch.onRecord = { record in records.withLock { $0[record.name] = record.sameAs } }
        try batch.run { _ in }
        #expect(scene.startCount == 4)
        #expect(try scene.outputs.count == 6)
        #expect(records.withLock { $0.values.compactMap(\.self).count } == 2)
        #expect(try scene.status(verifies: true).isComplete)
    }

    /// What names its capture would name another one.
    @Test(arguments: [Batch.Job.Output.Naming.never, .sometimes, .always], [true, false])
    func filesThatNameTheirCaptureAreNobodyElses(naming: Batch.Job.Output.Naming, saysPath: Bool) throws {
        let scene = try Scene(3)
        for name in ["c0", "c1", "c2"] { try scene.folder.write("the same", as: "in/\(name).png") }
        let words = saysPath ? scene.folder.path("in/") : "nothing "
        var batch = scene.batch(nil) { "echo '\(words)\($0).png' > \($0).png" }
        for place in batch.jobs.indices { batch.jobs[place].outputs[0].naming = naming }
        batch.worksOnce = true
        try batch.run { _ in }
        let isShared = naming == .never || naming == .sometimes && !saysPath
        #expect(scene.startCount == (isShared ? 1 : 3))
    }

    @Test func equalContentsOfAnEarlierBatchAreTakenOverOnlyWhenResuming() throws {
        let scene = try Scene(3)
        for place in 0..<3 { try scene.folder.write("the same", as: "in/c\(place).png") }
        func batch(_ place: Int, resumes: Bool) -> Batch {
            var batch = scene.batch(nil) { "echo same > \($0).png" }
            (batch.jobs, batch.worksOnce, batch.resumes) = ([batch.jobs[place]], true, resumes)
            return batch
        }
        try batch(0, resumes: false).run { _ in }
        try batch(1, resumes: false).run { _ in }
        #expect(scene.startCount == 2)
        try batch(2, resumes: true).run { _ in }
        #expect(scene.startCount == 2, "the files of those that are not of this list stand")
    }

    /// The quick reader of lines and Foundation's agree, whatever stands in them.
    @Test(arguments: ["plain", "quo\"te", "back\\slash", "line\nfeed", "é😀", "", "a,b:{}[]"])
    func aLineIsReadAsItWasWritten(words: String) throws {
        var record = JobRecord(
            key: "k", name: words, input: "in/" + words, state: .failed,
            outputs: [.init(name: words, sha256: "00"), .init(name: "b", sha256: "11")], exitCode: -9,
            error: words, seconds: 1.25, retry: true, limits: .init(memoryMebibytes: 64, processorSeconds: 3),
            ended: JobRecord.now, captures: 7, sameAs: words)
        for _ in 1...2 {
            let line = try #require(record.line).dropLast()
            #expect(line.withUnsafeBufferPointer(JobRecordReader().record) == record)
            #expect(try JSONDecoder().decode(JobRecord.self, from: Data(line)) == record)
            let capture = line.withUnsafeBufferPointer { JobRecordReader().capture($0) }
            #expect(
                capture.map { [$0.input, $0.name, $0.ended] } == ["in/" + words, words, record.ended ?? ""])
            for length in 0..<line.count {
                #expect(line.prefix(length).withUnsafeBufferPointer(JobRecordReader().record) == nil)
                #expect(line.prefix(length).withUnsafeBufferPointer { JobRecordReader().capture($0) } == nil)
            }
            (record.outputs, record.error, record.retry, record.limits) = ([], nil, nil, nil)
            (record.ended, record.captures, record.sameAs) = (nil, nil, nil)
        }
    }

    /// Swift reads these numbers, and Foundation's decoder of JSON does not.
    @Test(arguments: [
        "nan", "inf", "-inf", "0x1p3", "01", "1.", ".5", "+1", "1e", "1e999", "-", "1_0", "Infinity",
    ])
    func aNumberThatIsNoneInJSONIsNoRecord(number: String) throws {
        let line = #"{"key":"k","name":"a","input":"i","state":"done","outputs":[],"exit_code":0,"seconds":"#
        let whole = Array((line + number + "}").utf8)
        #expect(whole.withUnsafeBufferPointer(JobRecordReader().record) == nil)
        let folder = try ScratchFolder()
        try folder.write(line + "1.5e0}\n\n" + line + number + "}\nnonsense\n", as: JobLog.fileName)
        let status = try BatchStatus(of: folder.path, list: nil, verifies: false)
        #expect(status.done == 1 && status.logs.map(\.unreadLines) == [[3, 4]])
        #expect(throws: Never.self) { try JSONEncoder().encode(status) }
    }

    @Test func aMomentIsSecondsSince1970() {
        #expect(JobRecord.seconds(of: "1970-01-02T00:00:01Z") == 86_401)
        // By GNU date.
        #expect(JobRecord.seconds(of: "2026-11-23T03:13:39Z") == 1_795_403_619)
        #expect(JobRecord.seconds(of: "yesterday") == nil)
    }
}

internal import Foundation
internal import ImageFiles
package import Imaging
internal import Synchronization

/// Many captures, each flattened by a worker process of its own, several at a time.
///
/// One capture that is bad, slow or greedy costs only itself. What became of each is in the job log, and a batch that was
/// killed goes on from there: a capture is done once its files stand under their names and the log says so, in this order.
/// A worker killed in between is simply asked again, and since the same capture gives the same bytes nothing differs.
package struct Batch: Sendable {
    /// A capture and what shall come of it.
    package struct Job: Sendable {
        /// Where it is read from.
        package var path: String
        /// What its outputs are called.
        package var name: String
        /// The files that may come of it, by their names in the output folder.
        package var outputs: [String]
        /// What flattens it: arguments of `flatten`.
        package var arguments: [String]

        package init(path: String, name: String, outputs: [String], arguments: [String]) {
            self.path = path
            self.name = name
            self.outputs = outputs
            self.arguments = arguments
        }
    }

    /// What happened to a capture.
    package enum Outcome: Sendable {
        /// Flattened now.
        case done(seconds: Double, messages: String)
        /// Flattened earlier; its files still stand.
        case alreadyDone
        /// Not flattened, now or earlier, because of this.
        case failed(String, earlier: Bool)
    }

    /// The jobs, in order.
    package var jobs: [Job]
    /// The folder that is written to; it exists.
    package var folder: String
    /// What the outputs depend on besides the captures: options, the content of files they name, version.
    package var settings: String
    /// Files that the options name, for the workers to read.
    package var sharedFiles: [String]
    /// How many workers run at once.
    package var workerCount: Int
    /// Whether what the log says is done, or failed, is not tried again.
    package var resumes: Bool
    /// Whether what failed is tried again.
    package var retriesFailed: Bool
    /// Most address space of a worker, in MiB.
    package var memoryMebibytes: Int
    /// Most processor time of a worker, in seconds. By the clock it has four times as long, since workers share the
    /// processors.
    package var processorSeconds: Int
    /// The program that works on a capture.
    package var program = WorkerProcess.thisProgram

    package init(
        jobs: [Job], folder: String, settings: String, sharedFiles: [String], workerCount: Int, resumes: Bool,
        retriesFailed: Bool, memoryMebibytes: Int, processorSeconds: Int
    ) {
        self.jobs = jobs
        self.folder = folder
        self.settings = settings
        self.sharedFiles = sharedFiles
        self.workerCount = workerCount
        self.resumes = resumes
        self.retriesFailed = retriesFailed
        self.memoryMebibytes = memoryMebibytes
        self.processorSeconds = processorSeconds
    }

    /// Works through the jobs.
    /// - Parameter onOutcome: called as each job ends, from several threads at once.
    /// - Throws: what concerns all jobs: `.fileAccess` if the log cannot be written or no worker started,
    ///   `.missingDependency` if a worker found a library or language data missing.
    package func run(onOutcome: @escaping @Sendable (Int, Outcome) -> Void) throws(FlatteningError) {
        let log = try JobLog(folder: folder)
        defer { log.unlock() }
        removeLeftovers()
        let progress = Progress()
        let threads = DispatchGroup()
        for _ in 0..<min(workerCount, jobs.count) {
            threads.enter()
            // A thread of its own, which lasts as long as its worker: the kernel ends a worker with the thread that started
            // it.
            let thread = Thread {
                while let index = progress.takeJob(of: jobs.count) {
                    do throws(FlatteningError) {
                        let outcome = try work(on: jobs[index], log: log)
                        onOutcome(index, outcome)
                    } catch {
                        progress.fail(error)
                    }
                }
                threads.leave()
            }
            thread.start()
        }
        threads.wait()
        if let failure = progress.failure { throw failure }
    }

    /// What the threads share.
    private final class Progress: Sendable {
        private let state = Mutex<(next: Int, failure: FlatteningError?)>((0, nil))

        /// The next of `count` jobs, nil once there is none or the batch has failed.
        func takeJob(of count: Int) -> Int? {
            state.withLock { state in
                guard state.failure == nil, state.next < count else { return nil }
                defer { state.next += 1 }
                return state.next
            }
        }

        /// Ends the batch; the first reason is kept.
        func fail(_ error: FlatteningError) { state.withLock { $0.failure = $0.failure ?? error } }

        var failure: FlatteningError? { state.withLock { $0.failure } }
    }

    // MARK: - One job

    private func work(on job: Job, log: JobLog) throws(FlatteningError) -> Outcome {
        let start = ContinuousClock.now
        let key: String
        do throws(FlatteningError) {
            key = try self.key(of: job)
        } catch {
            // A capture that cannot even be read has no key of its content; what it is called has to do.
            var hash = SHA256()
            hash.update(settings)
            hash.update(job.path)
            return try fail(
                job, key: hash.digest(), log: log, start: start, exitCode: 74, reason: error.description)
        }
        if resumes, let record = log.record(key: key, name: job.name) {
            switch record.state {
            case .done where stand(record.outputs): return .alreadyDone
            case .failed where !retriesFailed:
                return .failed(record.error ?? "exit code \(record.exitCode)", earlier: true)
            default: break
            }
        }
        let (ending, messages) = try WorkerProcess.run(
            program: program, arguments: arguments(for: job), time: .seconds(processorSeconds * 4))
        switch ending {
        case .exited(0):
            let seconds = Self.seconds(since: start)
            try log.append(
                JobRecord(
                    key: key, name: job.name, input: job.path, state: .done, outputs: try written(by: job),
                    exitCode: 0, error: nil, seconds: seconds))
            return .done(seconds: seconds, messages: messages)
        case .exited(let code) where code == 69 || code == 64:
            // Not this capture's fault: all others would fail alike.
            throw FlatteningError(
                .missingDependency, Self.reason(in: messages) ?? "a worker cannot work here", file: job.path,
                stage: "batch")
        case .exited(let code):
            return try fail(
                job, key: key, log: log, start: start, exitCode: code,
                reason: Self.reason(in: messages) ?? "exit code \(code)")
        case .signalled(SIGXCPU):
            return try fail(
                job, key: key, log: log, start: start, exitCode: -SIGXCPU,
                reason: "it used up its \(processorSeconds) s of processor time")
        case .signalled(let signal):
            return try fail(
                job, key: key, log: log, start: start, exitCode: -signal,
                reason:
                    "its worker was ended by signal \(signal), as by asking for more than \(memoryMebibytes) MiB"
            )
        case .overdue:
            return try fail(
                job, key: key, log: log, start: start, exitCode: -SIGKILL,
                reason: "it was not done after \(processorSeconds * 4) s")
        }
    }

    private func fail(
        _ job: Job, key: String, log: JobLog, start: ContinuousClock.Instant, exitCode: Int32, reason: String
    ) throws(FlatteningError) -> Outcome {
        try log.append(
            JobRecord(
                key: key, name: job.name, input: job.path, state: .failed, outputs: [], exitCode: exitCode,
                error: reason, seconds: Self.seconds(since: start)))
        return .failed(reason, earlier: false)
    }

    private func key(of job: Job) throws(FlatteningError) -> String {
        var hash = SHA256()
        hash.update(settings)
        hash.update(try SHA256.digest(ofCapture: job.path))
        return hash.digest()
    }

    private func arguments(for job: Job) -> [String] {
        let readable = [job.path.hasSuffix("/capture.json") ? String(job.path.dropLast(13)) : job.path]
        return ["batch-worker", "--parent", "\(getpid())", "--memory-mib", "\(memoryMebibytes)"]
            + ["--processor-seconds", "\(processorSeconds)", "--write", folder]
            + (readable + sharedFiles).flatMap { ["--read", $0] } + ["--"] + job.arguments
    }

    /// The error in what a worker said.
    private static func reason(in messages: String) -> String? {
        let lines = messages.split(separator: "\n").filter { !$0.isEmpty }
        let line = lines.last { $0.contains("error: ") } ?? lines.last
        return line.map { line in
            line.firstRange(of: "error: ").map { String(line[$0.upperBound...]) } ?? String(line)
        }
    }

    private static func seconds(since start: ContinuousClock.Instant) -> Double {
        ((ContinuousClock.now - start) / .milliseconds(1)).rounded() / 1000
    }

    // MARK: - The output folder

    private func written(by job: Job) throws(FlatteningError) -> [JobRecord.Output] {
        var outputs: [JobRecord.Output] = []
        for name in job.outputs where FileManager.default.fileExists(atPath: folder + "/" + name) {
            outputs.append(.init(name: name, sha256: try SHA256.digest(ofFile: folder + "/" + name)))
        }
        return outputs
    }

    /// Whether files that were written are still there and unchanged.
    private func stand(_ outputs: [JobRecord.Output]) -> Bool {
        outputs.allSatisfy { (try? SHA256.digest(ofFile: folder + "/" + $0.name)) == $0.sha256 }
    }

    /// Removes temporary files of a batch that was killed just as one of them had its name. The log's lock says that no
    /// other batch is at work.
    private func removeLeftovers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let temporary = names.filter { $0.hasPrefix(".") && $0.hasSuffix(".tmp") }
        guard !temporary.isEmpty else { return }
        let starts = jobs.flatMap(\.outputs).map(AtomicFile.temporaryPrefix)
        for name in temporary where starts.contains(where: name.hasPrefix) { unlink(folder + "/" + name) }
    }
}

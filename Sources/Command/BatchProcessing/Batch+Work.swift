import Checksums
import ChildProcesses
import Diagnostics
import LocalFiles
import ScalarText
internal import Platform

/// Work on one job.
extension Batch {
    /// Works on a job, unless it must not be tried or need not be.
    func work(on job: Job, _ context: Context) throws(FlatteningError) -> Outcome {
        let attempt = Attempt(
            job: job, log: context.log, stop: stop, start: .now, captureCount: captureCount ?? jobs.count,
            onRecord: onRecord)
        let logged = worker.statuses.logged
        if let refusal = refusal(of: job, context) {
            return try attempt.fail(
                key: try key(ofPath: job), exitCode: logged(.badInput), reason: refusal, resumes: resumes)
        }
        let deadline = ContinuousClock.now + time
        let content: CaptureContent
        do throws(FlatteningError) {
            content = try CaptureContent(
                of: job.capture.path, follows: job.capture.isNamed, limits: contentLimits, until: deadline)
        } catch {
            let isOwn = error.code == .limitExceeded || error.code == .timeout
            return try attempt.fail(
                key: try key(ofPath: job), exitCode: logged(isOwn ? error.code : .fileAccess),
                reason: error.description, retry: error.code != .limitExceeded)
        }
        let page = job.capture.page.map { ["page \($0)"] } ?? []
        let key = try Self.key(of: [context.settings, content.hash] + page)
        if let outcome = earlierOutcome(of: job, key: key, context.log) { return outcome }
        guard let twins = context.twins else {
            return try flatten(job, attempt, key: key, content, context)
        }
        // Captures with the same content wait for the first one, and then get its files.
        twins.begin(key)
        defer { twins.end(key) }
        if let outcome = try outcomeOfTwin(of: job, attempt, key: key, context) { return outcome }
        return try flatten(job, attempt, key: key, content, context)
    }

    private func flatten(
        _ job: Job, _ attempt: Attempt, key: String, _ content: CaptureContent, _ context: Context
    ) throws(FlatteningError) -> Outcome {
        let staging = try StagingFolder(in: folder, shard: shard)
        defer { staging.remove() }
        var job = job
        do throws(FlatteningError) {
            job.drawnPage = try prepare(job.capture, staging.path, .now + time, { stop.isRaised })
        } catch {
            guard !stop.isRaised else { throw Self.stopped }
            if error.code == .storageFull, let failure = storageFailure() { throw failure }
            let isOwn = [.badInput, .unsupported, .limitExceeded].contains(error.code)
            return try attempt.fail(
                key: key, exitCode: worker.statuses.logged(error.code), reason: error.description,
                retry: !isOwn && error.code != .timeout, limits: error.code == .timeout ? limits : nil)
        }
        let (ending, messages) = try run(job, staging: staging)
        let ended = EndedJob(
            batch: self, job: job, attempt: attempt, key: key, content: content, staging: staging,
            permissions: context.permissions, words: WorkerMessages.named(messages, staging: staging))
        return try ended.outcome(of: ending)
    }

    /// The log's outcome of a job that need not be tried again; nil for one to be tried.
    private func earlierOutcome(of job: Job, key: String, _ log: JobLog) -> Outcome? {
        guard resumes, let record = log.record(key: key, name: job.name) else { return nil }
        switch record.state {
        case .done where stand(record.outputs):
            onRecord(record)
            return .alreadyDone
        case .failed where !retriesFailed && !record.deservesRetry(within: limits):
            onRecord(record)
            return .failed(record.error ?? "exit code \(record.exitCode)", earlier: true)
        default: return nil
        }
    }

    /// Whether the files written earlier are still there, unchanged.
    func stand(_ outputs: [JobRecord.Output]) -> Bool {
        outputs.allSatisfy { (try? SHA256.digest(ofFile: folder + "/" + $0.name)) == $0.sha256 }
    }

    /// Returns why a job is not tried; nil if it is.
    private func refusal(of job: Job, _ context: Context) -> String? {
        if let refusal = job.capture.refusal { return "\(job.capture.path): \(refusal)" }
        if let identity = FileIdentity(of: job.capture.path), context.outputs.contains(identity) {
            return
                "\(job.capture.path): an output of this batch would replace this capture. Name another output folder"
        }
        let path = CaptureContent.folder(ofDescription: job.capture.path) ?? job.capture.path
        if let resolved = CaptureList.resolved(path),
            (context.folder + "/").hasScalarPrefix(resolved == "/" ? "/" : resolved + "/")
        {
            return
                "\(job.capture.path): the output folder lies within this capture. Name another output folder"
        }
        return nil
    }

    /// A key for a capture that cannot be read: with no content to hash, its label is used.
    private func key(ofPath job: Job) throws(FlatteningError) -> String {
        try Self.key(of: [settings, job.capture.label])
    }

    private static func key(of parts: [String]) throws(FlatteningError) -> String {
        var hash = try SHA256()
        for part in parts { hash.update(part) }
        return hash.digest()
    }

    // MARK: - Workers

    private func run(
        _ job: Job, staging: StagingFolder
    ) throws(FlatteningError) -> (ending: ChildProcess.Ending, messages: String) {
        let named = job.capture.path
        let path = CaptureContent.folder(ofDescription: named) ?? named
        // A worker follows no link, so links are resolved here.
        let readable = job.capture.isNamed ? CaptureList.resolved(path) ?? path : path
        return try runWorker(assignment(.flatten(job), staging: staging, readable: [readable]))
    }

    /// The assignment for one worker; it may also read the files that the options name.
    func assignment(
        _ task: WorkerCommand.Assignment.Task, staging: StagingFolder, readable: [String]
    ) -> WorkerCommand.Assignment {
        WorkerCommand.Assignment(
            task: task, limits: limits, threadLimit: WorkerProcess.threadLimit, staging: staging.path,
            readable: readable + sharedFiles.map { CaptureList.resolved($0) ?? $0 })
    }

    /// Runs a worker, and once more if it was ended from outside.
    func runWorker(
        _ assignment: WorkerCommand.Assignment
    ) throws(FlatteningError) -> (ending: ChildProcess.Ending, messages: String) {
        func run() throws(FlatteningError) -> (ending: ChildProcess.Ending, messages: String) {
            let outcome = try WorkerProcess.run(
                program: worker.program, arguments: worker.arguments(assignment), time: time,
                isCancelled: { stop.isRaised })
            guard !stop.isRaised else { throw Self.stopped }
            return outcome
        }
        let first = try run()
        guard case .signalled(let signal) = first.ending, Self.signalsFromOutside.contains(signal) else {
            return first
        }
        // Whoever asks the batch to end may have ended its workers too; their jobs are left for the next batch.
        guard !windsDown.isRaised else { throw Self.stopped }
        return try run()
    }

    /// Signals sent by a person, or by the kernel for lack of memory; they are no verdict on a capture.
    static let signalsFromOutside: Set<Int32> = [SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT]
}

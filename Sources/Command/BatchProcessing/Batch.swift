import Checksums
import Dispatch
package import Diagnostics
import LocalFiles
package import Parallelism
internal import Platform
internal import Synchronization

/// Many captures, each flattened by a worker process of its own, several at a time.
///
/// A capture that is bad, slow or greedy harms only itself. The job log records what became of each capture, and a batch
/// that was killed resumes from it. A capture is done once its files stand under their names and the log says so, in this
/// order. If a worker is killed in between, the capture is simply worked on again; the same capture gives the same bytes,
/// so nothing differs.
///
/// Problems that concern all captures end the batch and are not recorded against any of them: a library or language data
/// that every worker lacks, too little memory for any worker, a full disk, a log that cannot be written.
package struct Batch: Sendable {
    /// The jobs, in order.
    package var jobs: [Job]
    /// The output folder; it exists.
    package var folder: String
    /// Everything that the outputs depend on besides the captures: options, content of the files they name, version.
    package var settings: String
    /// Files named by the options, for the workers to read.
    package var sharedFiles: [String]
    /// How many workers run at once.
    package var workerCount: Int
    /// Whether captures that the log lists as done or failed are not tried again.
    package var resumes: Bool
    /// Whether failed captures are tried again.
    package var retriesFailed: Bool
    /// Which share of a larger batch this is; nil if this is the whole batch.
    package var shard: Shard?
    /// Number of captures in all shards; by default that of `jobs`.
    package var captureCount: Int?
    /// Whether captures of the same content are worked on only once; see ``JobRecord/sameAs``. Files of earlier batches are
    /// given to other captures only if `resumes` is set.
    package var worksOnce = false
    /// Called with the record of each capture that has ended, now or earlier; from several threads at once.
    package var onRecord: @Sendable (JobRecord) -> Void = { _ in }
    /// Whether files that no batch wrote may be replaced.
    package var replacesOthers = false
    /// The resources that a worker may use.
    package var limits: JobRecord.Limits
    /// Most wall-clock time for a worker, and for examining its capture before: four times its processor time, since
    /// workers share the processors.
    package var time: Duration
    /// Limits on how much of a capture is read to recognise it.
    package var contentLimits = CaptureContent.Limits()
    /// Prepares a capture before its worker starts; must start no program. Receives the capture, the worker's folder, the
    /// deadline, and a function that tells whether to give up. Returns the folder that the capture's page was drawn into,
    /// if any.
    package var prepare:
        @Sendable (CaptureList.Entry, String, ContinuousClock.Instant, @escaping @Sendable () -> Bool)
            throws(FlatteningError) -> String? = { _, _, _, _ in nil }
    /// Whether a worker without a capture is first asked if it can work here at all, and with which libraries.
    package var asksFirst = true
    /// Raised by `end`: from then on workers' results are dropped, and nothing is logged.
    package let stop = CancellationFlag()
    /// Raised by `windDown`: from then on no job is begun.
    package let windsDown = CancellationFlag()
    /// Makes `end` wait until `run` has returned.
    private let running = DispatchGroup()
    /// The program that works on a capture.
    package var worker: WorkerCommand

    package init(
        jobs: [Job], folder: String, settings: String, sharedFiles: [String], workerCount: Int, resumes: Bool,
        retriesFailed: Bool, limits: JobRecord.Limits, worker: WorkerCommand
    ) {
        self.worker = worker
        self.jobs = jobs
        self.folder = folder
        self.settings = settings
        self.sharedFiles = sharedFiles
        self.workerCount = workerCount
        self.resumes = resumes
        self.retriesFailed = retriesFailed
        self.limits = limits
        time = .seconds(limits.processorSeconds * 4)
    }

    /// Works through the jobs.
    /// - Parameters:
    ///   - onEvent: called from several threads at once.
    ///   - atEnd: called when every job has ended, before another batch may use the folder; receives the outputs of pages
    ///     among several, which may be written anew.
    /// - Throws: problems that concern all jobs: `.fileAccess` if the log cannot be written or no worker started,
    ///   `.storageFull`, `.missingDependency` if every worker finds a library or language data missing, `.limitExceeded`
    ///   if `limits` suffice for no worker, `.badInput` for files in the output folder that no batch wrote.
    package func run(
        onEvent: @escaping @Sendable (Event) -> Void,
        atEnd: (DoneOutputs) throws(FlatteningError) -> Void = { (_: DoneOutputs) throws(FlatteningError) in }
    ) throws(FlatteningError) {
        running.enter()
        defer { running.leave() }
        // Check this only after `enter`, when `end` would wait for us: an `end` called earlier did not wait.
        guard !stop.isRaised else { throw Self.stopped }
        // Without SHA-256, captures cannot be told apart.
        _ = try SHA256()
        // Check before the log is opened: a batch killed before its first line has left an empty log.
        if !replacesOthers, try JobLog.isFirst(in: folder, shard: shard) { try refuseToReplaceOthers(jobs) }
        // If earlier work counts, so does that of other captures with the same content.
        let log = try JobLog(
            folder: folder, shard: shard, names: worksOnce && resumes ? nil : Set(jobs.map(\.name)))
        defer { log.unlock() }
        if !log.isLocked {
            onEvent(
                .warned(
                    "the file system of \(folder) has no locks: see to it that no two processes work on the same there"
                ))
        }
        // A resuming batch may find files that it wrote before it was killed, without a line in the log.
        if !replacesOthers, !resumes {
            let known = log.names
            try refuseToReplaceOthers(jobs.filter { !known.contains($0.name) })
        }
        removeLeftovers(log)
        try refuseToReplaceShared()
        if jobs.contains(where: { $0.outputs.contains(where: \.isKeptByBatch) }) {
            try PartsFolder.make(in: folder)
        }
        let context = Context(
            log: log, settings: settings + "\n" + (try libraries()), permissions: try usualPermissions(),
            outputs: try existingOutputs(),
            folder: CaptureList.resolved(folder) ?? folder, twins: worksOnce ? Twins() : nil)
        let progress = Progress(order: order(log))
        let keeper = RecordKeeper(names: Set(jobs.filter(\.capture.isPageAmongOthers).map(\.name)))
        let observed = observed(by: keeper)
        let threads = DispatchGroup()
        for _ in 0..<min(workerCount, jobs.count) {
            threads.enter()
            // Each worker gets a separate thread that lasts as long as the worker, because the kernel ends a worker with
            // the thread that started it. If fewer threads can be started than requested, those do all the work.
            let hasStarted = startThread {
                while !windsDown.isRaised, let index = progress.takeJob() {
                    do throws(FlatteningError) {
                        onEvent(.began(index))
                        let outcome = try observed.work(on: jobs[index], context)
                        onEvent(.ended(index, outcome))
                    } catch {
                        progress.fail(error)
                    }
                }
                threads.leave()
            }
            if !hasStarted { threads.leave() }
        }
        threads.wait()
        if let failure = progress.failure { throw failure }
        if progress.left > 0, windsDown.isRaised { throw Self.stopped }
        if progress.left > 0 {
            throw .shortageOfThreads(stage: .batch)
        }
        try atEnd(DoneOutputs(of: self, log: log, records: keeper.records))
    }

    /// Makes `run` give up: its workers are killed, and their folders are gone when it returns.
    /// - Parameter patience: how long to wait for `run`. A hanging file system must not keep the process alive.
    package func end(patience: Duration) {
        stop.raise()
        let parts = patience.components
        _ = running.wait(timeout: .now() + Double(parts.seconds) + Double(parts.attoseconds) * 1e-18)
    }

    /// Makes `run` start no further job, finish those already started, and throw `.cancelled` unless all jobs were started.
    package func windDown() { windsDown.raise() }

    /// The same batch, with its records also kept by `keeper`.
    private func observed(by keeper: RecordKeeper) -> Batch {
        var batch = self
        batch.onRecord = { [onRecord] record in
            keeper.note(record)
            onRecord(record)
        }
        return batch
    }

    /// The order in which jobs start. When resuming, jobs that the log does not know come first, because checking the files
    /// of the others takes time.
    private func order(_ log: JobLog) -> [Int] {
        guard resumes else { return Array(jobs.indices) }
        let known = log.names
        guard !known.isEmpty else { return Array(jobs.indices) }
        return jobs.indices.filter { !known.contains(jobs[$0].name) }
            + jobs.indices.filter { known.contains(jobs[$0].name) }
    }

    /// Removes private worker folders left behind by a killed batch: its own, and those of shards whose log nobody holds.
    private func removeLeftovers(_ log: JobLog) {
        guard log.isLocked else { return }
        StagingFolder.removeAll(in: folder) { owner, remove in
            if owner == shard || owner == nil || shard == nil {
                remove()
            } else {
                JobLog.whileFree(of: owner, in: folder, remove)
            }
        }
    }

    /// The error of a batch that was stopped.
    static let stopped = FlatteningError(.cancelled, "the batch was stopped", stage: .batch)

    /// The data that all threads use.
    struct Context: Sendable {
        let log: JobLog
        /// `Batch.settings` and the libraries that the workers use.
        let settings: String
        /// The permissions of a new file here.
        let permissions: mode_t
        /// The files that stand in the places of outputs.
        let outputs: Set<FileIdentity>
        /// The output folder's resolved path.
        let folder: String
        /// Coordinates work on equal contents; nil if equal contents get no special treatment.
        let twins: Twins?
    }

    /// The state that the threads share.
    private final class Progress: Sendable {
        private let state = Mutex<(next: Int, failure: FlatteningError?)>((0, nil))
        private let order: [Int]

        init(order: [Int]) { self.order = order }

        /// The next job; nil if there is none left or the batch has failed.
        func takeJob() -> Int? {
            state.withLock { state in
                guard state.failure == nil, state.next < order.count else { return nil }
                defer { state.next += 1 }
                return order[state.next]
            }
        }

        /// Ends the batch; the first reason is kept.
        func fail(_ error: FlatteningError) { state.withLock { $0.failure = $0.failure ?? error } }

        var failure: FlatteningError? { state.withLock { $0.failure } }

        /// Number of jobs that were never taken.
        var left: Int { state.withLock { order.count - $0.next } }
    }
}

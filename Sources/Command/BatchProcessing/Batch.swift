import Checksums
import Dispatch
package import Diagnostics
import LocalFiles
package import Parallelism
internal import Platform
internal import Synchronization

/// Many captures, each flattened by a worker process of its own, several at a time.
///
/// One capture that is bad, slow or greedy costs only itself. What became of each is in the job log, and a batch that was
/// killed goes on from there: a capture is done once its files stand under their names and the log says so, in this order.
/// A worker killed in between is simply asked again, and since the same capture gives the same bytes nothing differs.
///
/// What concerns all captures ends the batch and is held against none of them: a library or language data that every worker
/// lacks, memory that suffices for none, a full disk, a log that cannot be written.
package struct Batch: Sendable {
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
    /// Which share of a larger batch this is; nil for a batch of its own.
    package var shard: Shard?
    /// The captures of all shards; by default those of `jobs`.
    package var captureCount: Int?
    /// Whether captures of the same content are worked on once; see ``JobRecord/sameAs``. Files of earlier batches are given
    /// to others only where `resumes` is set.
    package var worksOnce = false
    /// Called with the record of each capture that has come to its end, now or earlier; from several threads at once.
    package var onRecord: @Sendable (JobRecord) -> Void = { _ in }
    /// Whether files may be replaced that no batch wrote.
    package var replacesOthers = false
    /// What a worker may take.
    package var limits: JobRecord.Limits
    /// How long a worker may take by the clock, and the look at its capture before: four times its processor time, since
    /// workers share the processors.
    package var time: Duration
    /// What of a capture is looked at to recognise it.
    package var contentLimits = CaptureContent.Limits()
    /// What is done for a capture before its worker starts, which may start no program: what it is handed is the capture, the
    /// worker's folder, when to give up, and whether to. Returns the folder to which the capture's page was drawn, if any was.
    package var prepare:
        @Sendable (CaptureList.Entry, String, ContinuousClock.Instant, @escaping @Sendable () -> Bool)
            throws(FlatteningError) -> String? = { _, _, _, _ in nil }
    /// Whether a worker without a capture is asked first if it can work here at all, and with which libraries.
    package var asksFirst = true
    /// Raised by `end`: from then on nothing becomes of a worker any more, and nothing is logged.
    package let stop = CancellationFlag()
    /// Raised by `windDown`: from then on no job is begun.
    package let windsDown = CancellationFlag()
    /// Holds `end` until `run` has come back.
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
    ///   - atEnd: called when every job has come to its end, before another batch may have the folder; with the outputs of pages
    ///     among several, which may be written anew.
    /// - Throws: what concerns all jobs: `.fileAccess` if the log cannot be written or no worker started, `.storageFull`,
    ///   `.missingDependency` if every worker finds a library or language data missing, `.limitExceeded` if `limits` suffice
    ///   for none, `.badInput` for files in the output folder that no batch wrote.
    package func run(
        onEvent: @escaping @Sendable (Event) -> Void,
        atEnd: (DoneOutputs) throws(FlatteningError) -> Void = { (_: DoneOutputs) throws(FlatteningError) in }
    ) throws(FlatteningError) {
        running.enter()
        defer { running.leave() }
        // Asked once `end` would wait for us: whoever raised it before has gone on.
        guard !stop.isRaised else { throw Self.stopped }
        // Nothing is told apart without it.
        _ = try SHA256()
        // Before there is a log: a batch that was killed before its first line has left one.
        if !replacesOthers, try JobLog.isFirst(in: folder, shard: shard) { try refuseToReplaceOthers(jobs) }
        // Where earlier work counts, that of other captures of the same content does too.
        let log = try JobLog(
            folder: folder, shard: shard, names: worksOnce && resumes ? nil : Set(jobs.map(\.name)))
        defer { log.unlock() }
        if !log.isLocked {
            onEvent(
                .warned(
                    "the file system of \(folder) has no locks: see to it that no two processes work on the same there"
                ))
        }
        // One that goes on may find what it wrote before it was killed, of which there is no line.
        if !replacesOthers, !resumes {
            let known = log.names
            try refuseToReplaceOthers(jobs.filter { !known.contains($0.name) })
        }
        removeLeftovers(log)
        try refuseToReplaceShared()
        if jobs.contains(where: { $0.outputs.contains(where: \.isPart) }) { try PartsFolder.make(in: folder) }
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
            // A thread of its own, which lasts as long as its worker: the kernel ends a worker with the thread that started
            // it. Where fewer can be started than were asked for, those do the work.
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

    /// Has `run` give up what it is at: its workers are killed, their folders are gone when it returns.
    /// - Parameter patience: how long `run` is waited for. A file system that hangs must not keep the process alive.
    package func end(patience: Duration) {
        stop.raise()
        let parts = patience.components
        _ = running.wait(timeout: .now() + Double(parts.seconds) + Double(parts.attoseconds) * 1e-18)
    }

    /// Has `run` begin no further job, let those that are begun come to their end, and throw `.cancelled` unless all were.
    package func windDown() { windsDown.raise() }

    /// The same with its records kept too.
    private func observed(by keeper: RecordKeeper) -> Batch {
        var batch = self
        batch.onRecord = { [onRecord] record in
            keeper.note(record)
            onRecord(record)
        }
        return batch
    }

    /// The jobs in the order in which they are begun: on resuming, those that nothing is known of come first. That the files
    /// of others still stand takes a look at each.
    private func order(_ log: JobLog) -> [Int] {
        guard resumes else { return Array(jobs.indices) }
        let known = log.names
        guard !known.isEmpty else { return Array(jobs.indices) }
        return jobs.indices.filter { !known.contains(jobs[$0].name) }
            + jobs.indices.filter { known.contains(jobs[$0].name) }
    }

    /// Removes the private folders of workers that a batch which was killed has left behind: its own, and those of shards
    /// whose log nobody holds.
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

    /// What comes of a batch that somebody ended.
    static let stopped = FlatteningError(.cancelled, "the batch was stopped", stage: .batch)

    /// What all threads go by.
    struct Context: Sendable {
        let log: JobLog
        /// `Batch.settings` and the libraries that the workers use.
        let settings: String
        /// Of a new file here.
        let permissions: mode_t
        /// Which files stand where outputs shall stand.
        let outputs: Set<FileIdentity>
        /// The output folder's one path.
        let folder: String
        /// Who works on which content; nil where equal contents are nothing special.
        let twins: Twins?
    }

    /// What the threads share.
    private final class Progress: Sendable {
        private let state = Mutex<(next: Int, failure: FlatteningError?)>((0, nil))
        private let order: [Int]

        init(order: [Int]) { self.order = order }

        /// The next job, nil once there is none or the batch has failed.
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

        /// How many jobs were never taken.
        var left: Int { state.withLock { order.count - $0.next } }
    }
}

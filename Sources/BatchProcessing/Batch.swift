internal import Foundation
internal import ImageFiles
package import Imaging
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
    /// Whether files may be replaced that no batch wrote.
    package var replacesOthers = false
    /// What a worker may take.
    package var limits: JobRecord.Limits
    /// How long a worker may take by the clock, and the look at its capture before: four times its processor time, since
    /// workers share the processors.
    package var time: Duration
    /// What of a capture is looked at to recognise it.
    package var contentLimits = CaptureContent.Limits()
    /// Whether a worker without a capture is asked first if it can work here at all, and with which libraries.
    package var asksFirst = true
    /// Raised before this process ends: from then on nothing becomes of a worker any more, and nothing is logged.
    package let stop = CancellationFlag()
    /// The program that works on a capture.
    package var program = WorkerProcess.thisProgram

    package init(
        jobs: [Job], folder: String, settings: String, sharedFiles: [String], workerCount: Int, resumes: Bool,
        retriesFailed: Bool, limits: JobRecord.Limits
    ) {
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
    /// - Parameter onEvent: called from several threads at once.
    /// - Throws: what concerns all jobs: `.fileAccess` if the log cannot be written or no worker started, `.storageFull`,
    ///   `.missingDependency` if every worker finds a library or language data missing, `.limitExceeded` if `limits` suffice
    ///   for none, `.badInput` for files in the output folder that no batch wrote.
    package func run(onEvent: @escaping @Sendable (Event) -> Void) throws(FlatteningError) {
        // Before there is a log: a batch that was killed before its first line has left one.
        let isFirst = !JobLog.exists(in: folder)
        if isFirst, !replacesOthers { try refuseToReplaceOthers() }
        let log = try JobLog(folder: folder)
        defer { log.unlock() }
        if !isFirst { removeStagingFolders() }
        try refuseToReplaceShared()
        let context = Context(
            log: log, settings: settings + "\n" + (try libraries()), permissions: try usualPermissions(),
            outputs: existingOutputs(),
            folder: CaptureList.resolved(folder) ?? folder)
        let progress = Progress()
        let threads = DispatchGroup()
        for _ in 0..<min(workerCount, jobs.count) {
            threads.enter()
            // A thread of its own, which lasts as long as its worker: the kernel ends a worker with the thread that started
            // it. Where fewer can be started than were asked for, those do the work.
            let hasStarted = startThread {
                while let index = progress.takeJob(of: jobs.count) {
                    do throws(FlatteningError) {
                        onEvent(.began(index))
                        let outcome = try work(on: jobs[index], context)
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
        if progress.isUntouched, !jobs.isEmpty {
            throw FlatteningError(
                .shortage, "no thread can be started", stage: "batch", advice: "Run fewer programs at once")
        }
    }

    /// Removes the private folders of workers: what a batch that was killed left behind or, after `stop`, our own.
    package func removeStagingFolders() { StagingFolder.removeAll(in: folder) }

    /// What all threads go by.
    private struct Context: Sendable {
        let log: JobLog
        /// `Batch.settings` and the libraries that the workers use.
        let settings: String
        /// Of a new file here.
        let permissions: mode_t
        /// Which files stand where outputs shall stand.
        let outputs: Set<FileIdentity>
        /// The output folder's one path.
        let folder: String
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

        /// Whether no job was ever taken.
        var isUntouched: Bool { state.withLock { $0.next == 0 } }
    }

    // MARK: - Before the first job

    /// What a worker says of the libraries that it finds, by which the bytes of its outputs are decided.
    /// - Throws: what every worker would fail by.
    private func libraries() throws(FlatteningError) -> String {
        guard asksFirst, let job = jobs.first(where: { $0.capture.refusal == nil }) else { return "" }
        let staging = try StagingFolder(in: folder)
        defer { staging.remove() }
        let (ending, messages) = try runWorker(
            workerArguments(for: job, staging: staging, readable: [], options: ["--libraries"]))
        let reason = Self.reason(in: messages)
        switch ending {
        case .exited(0):
            // Whatever else a library says, such as warnings, decides nothing.
            return messages.split(separator: "\n").filter { $0.hasPrefix(Self.libraryMark) }.joined(
                separator: "\n")
        case .exited(69):
            throw FlatteningError(.missingDependency, reason ?? "a library is missing", stage: "batch")
        case .exited(74):
            throw FlatteningError(.fileAccess, reason ?? "a worker cannot open what it needs", stage: "batch")
        case .exited(let code) where code != Self.shortage:
            throw FlatteningError(
                .internalInconsistency, reason ?? "no worker can work here", stage: "batch",
                seen: "exit code \(code)")
        case .signalled(let signal) where Self.signalsFromOutside.contains(signal):
            throw FlatteningError(
                .cancelled, "a worker was ended from outside by signal \(signal)", stage: "batch",
                advice: "Start the batch again; --resume goes on")
        default:
            throw FlatteningError(
                .limitExceeded, "no worker can work within its limits", stage: "batch",
                seen: reason ?? "\(ending)",
                allowed: "\(limits.memoryMebibytes) MiB, \(limits.processorSeconds) s",
                advice: "Raise --memory-mib")
        }
    }

    /// How each line begins by which a worker tells of a library.
    package static let libraryMark = "library: "

    private func usualPermissions() throws(FlatteningError) -> mode_t {
        let staging = try StagingFolder(in: folder)
        defer { staging.remove() }
        return try staging.usualPermissions()
    }

    /// A folder that no batch has written to yet may hold somebody's files under the names of the outputs.
    private func refuseToReplaceOthers() throws(FlatteningError) {
        for output in jobs.lazy.flatMap(\.outputs) {
            let path = folder + "/" + output.name
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            throw FlatteningError(
                .badInput, "the output folder holds a file that no batch wrote and this one would replace",
                file: path, stage: "batch",
                advice: "Name another folder, or replace it and all like it with --force")
        }
    }

    /// What the options name is read for every capture.
    private func refuseToReplaceShared() throws(FlatteningError) {
        let outputs = existingOutputs()
        for file in sharedFiles {
            guard let identity = FileIdentity(of: file), outputs.contains(identity) else { continue }
            throw FlatteningError(
                .badInput, "an output of this batch would replace a file that its options name", file: file,
                stage: "batch", advice: "Name another output folder")
        }
    }

    private func existingOutputs() -> Set<FileIdentity> {
        Set(jobs.lazy.flatMap(\.outputs).compactMap { FileIdentity(of: folder + "/" + $0.name) })
    }

    // MARK: - One job

    private func work(on job: Job, _ context: Context) throws(FlatteningError) -> Outcome {
        let attempt = Attempt(job: job, log: context.log, stop: stop, start: .now)
        if let refusal = refusal(of: job, context) {
            return try attempt.fail(key: key(ofPath: job), exitCode: 65, reason: refusal, resumes: resumes)
        }
        let deadline = ContinuousClock.now + time
        let content: CaptureContent
        do throws(FlatteningError) {
            content = try CaptureContent(
                of: job.capture.path, follows: job.capture.isNamed, limits: contentLimits, until: deadline)
        } catch {
            let isLimit = error.code == .limitExceeded
            return try attempt.fail(
                key: key(ofPath: job), exitCode: isLimit ? 71 : error.code == .timeout ? 75 : 74,
                reason: error.description, retry: !isLimit)
        }
        var hash = SHA256()
        hash.update(context.settings)
        hash.update(content.hash)
        let key = hash.digest()
        if resumes, let record = context.log.record(key: key, name: job.name) {
            switch record.state {
            case .done where stand(record.outputs): return .alreadyDone
            case .failed where !retriesFailed && !record.deservesRetry(within: limits):
                return .failed(record.error ?? "exit code \(record.exitCode)", earlier: true)
            default: break
            }
        }

        let staging = try StagingFolder(in: folder)
        defer { staging.remove() }
        let (ending, messages) = try run(job, staging: staging)
        let words = Self.named(messages, staging: staging)
        func fail(_ code: Int32, _ reason: String, retry: Bool = false, limited: Bool = false)
            throws(FlatteningError) -> Outcome
        {
            try attempt.fail(
                key: key, exitCode: code, reason: reason + (job.capture.hint.map { ". " + $0 } ?? ""),
                retry: retry,
                limits: limited ? limits : nil)
        }
        switch ending {
        case .exited(0), .exited(Self.belowDemand):
            let outputs: [JobRecord.Output]
            do throws(FlatteningError) {
                outputs = try staging.collect(
                    job.outputs, allMayBeMissing: ending == .exited(Self.belowDemand),
                    permissions: context.permissions)
            } catch {
                if error.code == .storageFull { throw error }
                let isWorkers = error.code == .badInput
                return try fail(isWorkers ? 65 : 74, error.description, retry: !isWorkers)
            }
            guard
                let stamp = try? CaptureContent.stamp(
                    of: job.capture.path, follows: job.capture.isNamed, limits: contentLimits,
                    until: .now + time),
                stamp == content.stamp
            else {
                return try fail(74, "the capture was changed while it was worked on", retry: true)
            }
            do throws(FlatteningError) {
                try staging.publish(outputs)
            } catch  where error.code != .storageFull {
                return try fail(74, error.description, retry: true)
            }
            if ending == .exited(Self.belowDemand) {
                return try attempt.fail(
                    key: key, exitCode: Self.belowDemand,
                    reason: Self.reason(in: words) ?? "below what was asked for",
                    outputs: outputs)
            }
            return try attempt.succeed(key: key, outputs: outputs, messages: words)
        case .exited(Self.storageFull):
            // Whoever says so is not trusted with ending the batch.
            let reason = Self.reason(in: words) ?? "the output folder is full"
            if let error = storageFailure() { throw error }
            return try fail(74, reason, retry: true)
        case .exited(Self.shortage):
            return try fail(71, Self.reason(in: words) ?? "memory is short", retry: true)
        case .exited(let code):
            // A code that `flatten` does not know is some library's way out, mostly for want of memory.
            return try fail(
                code, Self.reason(in: words) ?? "exit code \(code)",
                retry: code == 69 || code == 74 || !Self.verdicts.contains(code))
        case .signalled(SIGSYS):
            return try fail(-SIGSYS, "its worker tried what a worker may not, and was ended")
        case .signalled(SIGXCPU):
            return try fail(
                -SIGXCPU, "it used up its \(limits.processorSeconds) s of processor time", limited: true)
        case .signalled(let signal) where Self.signalsFromOutside.contains(signal):
            return try fail(-signal, "its worker was ended from outside by signal \(signal)", retry: true)
        case .signalled(let signal):
            return try fail(
                -signal,
                "its worker was ended by signal \(signal), as by asking for more than \(limits.memoryMebibytes) MiB",
                limited: true)
        case .overdue:
            return try fail(
                -SIGKILL, "it was not done after \(time.components.seconds) s", limited: true)
        }
    }

    /// The exit code of a capture that is below what `--require` or `--min-confidence` asks for.
    private static let belowDemand: Int32 = 3
    /// The exit code by which a worker says `.storageFull`; `flatten` by itself says 74 (sysexits' EX_CANTCREAT).
    package static let storageFull: Int32 = 73
    /// The exit code by which a worker says `.shortage`; `flatten` by itself says 71. `flatten` uses it for nothing else.
    package static let shortage: Int32 = 72
    /// The exit codes of `flatten` that say something of the capture, whenever it is tried.
    private static let verdicts: Set<Int32> = [64, 65, 70, 71]
    /// What ends a process by somebody's will, or the kernel's for want of memory: no verdict on a capture.
    private static let signalsFromOutside: Set<Int32> = [SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT]

    private func run(
        _ job: Job, staging: StagingFolder
    ) throws(FlatteningError) -> (ending: WorkerProcess.Ending, messages: String) {
        let named = job.capture.path
        let path = CaptureContent.folder(ofDescription: named) ?? named
        // A worker follows no link.
        let readable = job.capture.isNamed ? CaptureList.resolved(path) ?? path : path
        let arguments = workerArguments(for: job, staging: staging, readable: [readable])
        return try runWorker(arguments)
    }

    /// Runs a worker, and once more if somebody ended it.
    private func runWorker(
        _ arguments: [String]
    ) throws(FlatteningError) -> (ending: WorkerProcess.Ending, messages: String) {
        let first = try WorkerProcess.run(program: program, arguments: arguments, time: time)
        guard case .signalled(let signal) = first.ending, Self.signalsFromOutside.contains(signal) else {
            return first
        }
        return try WorkerProcess.run(program: program, arguments: arguments, time: time)
    }

    private func workerArguments(
        for job: Job, staging: StagingFolder, readable: [String], options: [String] = []
    ) -> [String] {
        ["batch-worker", "--parent", "\(getpid())", "--memory-mib", "\(limits.memoryMebibytes)"]
            + ["--processor-seconds", "\(limits.processorSeconds)", "--write", staging.path]
            + (WorkerProcess.threadLimit.map { ["--processes", "\($0)"] } ?? [])
            + (readable + sharedFiles.map { CaptureList.resolved($0) ?? $0 }).flatMap { ["--read", $0] }
            + options + ["--"] + job.arguments
            + job.outputs.flatMap { [$0.option, staging.path + "/" + $0.name] }
    }

    /// Why a job is not tried.
    private func refusal(of job: Job, _ context: Context) -> String? {
        if let refusal = job.capture.refusal { return "\(job.capture.path): \(refusal)" }
        if let identity = FileIdentity(of: job.capture.path), context.outputs.contains(identity) {
            return
                "\(job.capture.path): an output of this batch would replace this capture. Name another output folder"
        }
        let path = CaptureContent.folder(ofDescription: job.capture.path) ?? job.capture.path
        if let resolved = CaptureList.resolved(path),
            (context.folder + "/").hasPrefix(resolved == "/" ? "/" : resolved + "/")
        {
            return
                "\(job.capture.path): the output folder lies within this capture. Name another output folder"
        }
        return nil
    }

    /// A key for what cannot be read: it has no content, so what it is called has to do.
    private func key(ofPath job: Job) -> String {
        var hash = SHA256()
        hash.update(settings)
        hash.update(job.capture.path)
        return hash.digest()
    }

    /// How one job's end gets into the log.
    private struct Attempt {
        let job: Job
        let log: JobLog
        let stop: CancellationFlag
        let start: ContinuousClock.Instant

        private var seconds: Double {
            ((ContinuousClock.now - start) / .milliseconds(1)).rounded() / 1000
        }

        func succeed(
            key: String, outputs: [JobRecord.Output], messages: String
        ) throws(FlatteningError) -> Outcome {
            try check()
            let seconds = seconds
            try log.append(
                JobRecord(
                    key: key, name: job.name, input: job.capture.path, state: .done, outputs: outputs,
                    exitCode: 0, error: nil, seconds: seconds))
            return .done(seconds: seconds, messages: messages)
        }

        /// What a worker left once its folder may be gone says nothing of its capture.
        private func check() throws(FlatteningError) {
            guard !stop.isRaised else {
                throw FlatteningError(.cancelled, "the batch was stopped", stage: "batch")
            }
        }

        /// - Parameter resumes: whether a line that says the same already need not be repeated.
        func fail(
            key: String, exitCode: Int32, reason: String, outputs: [JobRecord.Output] = [],
            retry: Bool = false,
            limits: JobRecord.Limits? = nil, resumes: Bool = false
        ) throws(FlatteningError) -> Outcome {
            try check()
            if resumes, let record = log.record(key: key, name: job.name), record.error == reason {
                return .failed(reason, earlier: true)
            }
            try log.append(
                JobRecord(
                    key: key, name: job.name, input: job.capture.path, state: .failed, outputs: outputs,
                    exitCode: exitCode, error: reason, seconds: seconds, retry: retry ? true : nil,
                    limits: limits))
            return .failed(reason, earlier: false)
        }
    }

    /// The error in what a worker said.
    private static func reason(in messages: String) -> String? {
        let lines = messages.split(separator: "\n").filter { !$0.isEmpty }
        let line = lines.last { $0.contains("error: ") } ?? lines.last
        return line.map { line in
            line.firstRange(of: "error: ").map { String(line[$0.upperBound...]) } ?? String(line)
        }
    }

    /// A worker's words, with its outputs called by the names that they will have.
    private static func named(_ messages: String, staging: StagingFolder) -> String {
        messages.replacing(staging.path + "/", with: "")
    }

    // MARK: - The output folder

    /// Whether files that were written are still there and unchanged.
    private func stand(_ outputs: [JobRecord.Output]) -> Bool {
        outputs.allSatisfy { (try? SHA256.digest(ofFile: folder + "/" + $0.name)) == $0.sha256 }
    }

    /// What must fit for a batch to go on where a worker says that nothing does.
    private static let leastRoom = 16 << 20

    /// The error that ends the batch if the output folder is full or may not be written to.
    private func storageFailure() -> FlatteningError? {
        do throws(FlatteningError) {
            let staging = try StagingFolder(in: folder)
            defer { staging.remove() }
            let file = try AtomicFile(path: staging.path + "/room")
            defer { file.discard() }
            let piece = [UInt8](repeating: 1, count: 1 << 20)
            for _ in 0..<(Self.leastRoom / piece.count) { try file.write(piece) }
            return nil
        } catch {
            return error.code == .storageFull
                ? FlatteningError(
                    .storageFull, "the output folder cannot take more", file: folder, stage: "batch",
                    detail: error.detail, advice: "Make room, then go on with --resume")
                : error
        }
    }
}

import Checksums
import ChildProcesses
import Diagnostics
import LocalFiles
internal import Platform

extension Batch {
    /// A job whose worker has ended, and what happens next.
    struct EndedJob {
        let batch: Batch
        let job: Job
        let attempt: Attempt
        /// The job's key in the log.
        let key: String
        /// The capture's content before the worker started.
        let content: CaptureContent
        /// The folder that the worker wrote to.
        let staging: StagingFolder
        /// The permissions of a new file.
        let permissions: mode_t
        /// The worker's messages on standard error.
        let words: String

        private var statuses: WorkerCommand.Statuses { batch.worker.statuses }
        private var limits: JobRecord.Limits { batch.limits }

        /// Takes over what the worker wrote, or logs why there is nothing.
        /// - Throws: errors that end the batch.
        func outcome(of ending: ChildProcess.Ending) throws(FlatteningError) -> Outcome {
            let reason = WorkerMessages.reason(in: words)
            switch ending {
            case .exited(0): return try takeOver(isBelowDemand: false)
            case .exited(statuses.belowDemand): return try takeOver(isBelowDemand: true)
            case .exited(statuses.storageFull):
                // A worker is not trusted to end the batch, so check the folder here.
                if let error = batch.storageFailure() { throw error }
                return try fail(
                    statuses.logged(.fileAccess), reason ?? "the output folder is full", retry: true)
            case .exited(statuses.shortage):
                return try fail(statuses.logged(.shortage), reason ?? "memory is short", retry: true)
            case .exited(let code):
                // A code that is no verdict comes from the machine or from a library that exits by itself, mostly for lack
                // of memory.
                return try fail(
                    code, reason ?? "exit code \(code)", retry: !statuses.verdicts.contains(code))
            case .signalled(SIGSYS):
                return try fail(-SIGSYS, "its worker tried what a worker may not, and was ended")
            case .signalled(SIGXCPU):
                return try fail(
                    -SIGXCPU, "it used up its \(limits.processorSeconds) s of processor time", limited: true)
            case .signalled(let signal) where Batch.signalsFromOutside.contains(signal):
                return try fail(
                    -signal, "its worker was ended from outside by signal \(signal)", retry: true)
            case .signalled(let signal):
                return try fail(
                    -signal,
                    "its worker was ended by signal \(signal), as by asking for more than \(limits.memoryMebibytes) MiB",
                    limited: true)
            case .overdue, .cancelled, .unknown:
                return try fail(
                    -SIGKILL, "it was not done after \(batch.time.components.seconds) s", limited: true)
            }
        }

        /// Hashes the worker's files and moves them into place, unless the capture was changed meanwhile.
        private func takeOver(isBelowDemand: Bool) throws(FlatteningError) -> Outcome {
            let outputs: [JobRecord.Output]
            do throws(FlatteningError) {
                outputs = try staging.collect(
                    try outputsOfSheets(), allMayBeMissing: isBelowDemand, permissions: permissions)
            } catch {
                if error.code == .storageFull { throw error }
                let isWorkers = error.code == .badInput
                return try fail(
                    statuses.logged(isWorkers ? .badInput : .fileAccess), error.description, retry: !isWorkers
                )
            }
            guard
                let stamp = try? CaptureContent.stamp(
                    of: job.capture.path, follows: job.capture.isNamed, limits: batch.contentLimits,
                    until: .now + batch.time),
                stamp == content.stamp
            else {
                return try fail(
                    statuses.logged(.fileAccess), "the capture was changed while it was worked on",
                    retry: true)
            }
            do throws(FlatteningError) {
                try staging.publish(outputs)
            } catch  where error.code != .storageFull {
                return try fail(statuses.logged(.fileAccess), error.description, retry: true)
            }
            if job.numbersOutputs, !outputs.isEmpty { removeLeftovers(besides: outputs) }
            guard isBelowDemand else {
                return try attempt.succeed(key: key, outputs: outputs, messages: words)
            }
            return try attempt.fail(
                key: key, exitCode: statuses.belowDemand,
                reason: WorkerMessages.reason(in: words) ?? "below what was asked for", outputs: outputs)
        }

        /// The outputs that the worker was asked for. If each sheet has its own outputs, those of all sheets up to the last
        /// one that the worker wrote anything for, at least one.
        private func outputsOfSheets() throws(FlatteningError) -> [Batch.Job.Output] {
            guard job.numbersOutputs else { return job.outputs }
            let numbered = job.outputs.filter { !$0.isKeptByBatch }
            let asked = Set(numbered.map(\.name))
            let numbers = try staging.names().compactMap { name in
                NumberedPath.parted(name).flatMap { asked.contains($0.path) ? $0.number : nil }
            }
            return (1...max(numbers.max() ?? 1, 1)).flatMap { number in
                numbered.map { output in
                    var output = output
                    output.name = NumberedPath.numbered(output.name, number)
                    return output
                }
            } + job.outputs.filter(\.isKeptByBatch)
        }

        /// Removes an earlier batch's files for sheets that this capture does not have (any more): by their names they
        /// would pass for its sheets. Files changed since then belong to somebody and stay.
        private func removeLeftovers(besides outputs: [JobRecord.Output]) {
            let (asked, kept) = (Set(job.outputs.map(\.name)), Set(outputs.map(\.name)))
            for file in attempt.log.numberedFiles(of: job.name) where !kept.contains(file.name) {
                let path = batch.folder + "/" + file.name
                guard let bare = NumberedPath.parted(file.name)?.path, asked.contains(bare),
                    (try? SHA256.digest(ofFile: path)) == file.sha256
                else { continue }
                unsafe unlink(path)
            }
        }

        /// - Parameter limited: whether more time or memory might help.
        private func fail(
            _ code: Int32, _ reason: String, retry: Bool = false, limited: Bool = false
        ) throws(FlatteningError) -> Outcome {
            try attempt.fail(
                key: key, exitCode: code, reason: reason + (job.capture.hint.map { ". " + $0 } ?? ""),
                retry: retry, limits: limited ? limits : nil)
        }
    }

    /// Bytes that must fit in the output folder for the batch to go on after a worker reports a full disk.
    private static let leastRoom = 16 << 20

    /// Returns the error that ends the batch, if the output folder is full or not writable.
    func storageFailure() -> FlatteningError? {
        do throws(FlatteningError) {
            let staging = try StagingFolder(in: folder, shard: shard)
            defer { staging.remove() }
            let file = try AtomicFile(path: staging.path + "/room")
            defer { file.discard() }
            let piece = [UInt8](repeating: 1, count: 1 << 20)
            for _ in 0..<(Self.leastRoom / piece.count) { try file.write(piece) }
            return nil
        } catch {
            return error.code == .storageFull
                ? FlatteningError(
                    .storageFull, "the output folder cannot take more", file: folder, stage: .batch,
                    detail: error.detail, advice: "Make room, then go on with --resume")
                : error
        }
    }
}

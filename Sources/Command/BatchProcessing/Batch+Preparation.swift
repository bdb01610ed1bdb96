import Diagnostics
import LocalFiles
import ScalarText
internal import Platform

/// Checks made before the first job.
extension Batch {
    /// Asks a worker which libraries it finds; they determine the bytes of its outputs.
    /// - Throws: the error that every worker would fail with.
    func libraries() throws(FlatteningError) -> String {
        guard asksFirst, let job = jobs.first(where: { $0.capture.refusal == nil }) else { return "" }
        let staging = try StagingFolder(in: folder, shard: shard)
        defer { staging.remove() }
        let (ending, messages) = try runWorker(
            assignment(.libraries(job), staging: staging, readable: []))
        let reason = WorkerMessages.reason(in: messages)
        switch ending {
        case .exited(0):
            // Other messages of libraries, such as warnings, are ignored.
            return messages.split(atScalar: "\n").filter { $0.hasScalarPrefix(WorkerCommand.libraryMark) }
                .joined(separator: "\n")
        case .exited(worker.statuses.missingDependency):
            throw FlatteningError(.missingDependency, reason ?? "a library is missing", stage: .batch)
        case .exited(worker.statuses.fileAccess):
            throw FlatteningError(.fileAccess, reason ?? "a worker cannot open what it needs", stage: .batch)
        case .exited(let code) where code != worker.statuses.shortage:
            throw FlatteningError(
                .internalInconsistency, reason ?? "no worker can work here", stage: .batch,
                seen: "exit code \(code)")
        case .signalled(let signal) where Self.signalsFromOutside.contains(signal):
            throw FlatteningError(
                .cancelled, "a worker was ended from outside by signal \(signal)", stage: .batch,
                advice: "Start the batch again; --resume goes on")
        default:
            throw FlatteningError(
                .limitExceeded, "no worker can work within its limits", stage: .batch,
                seen: reason ?? "\(ending)",
                allowed: "\(limits.memoryMebibytes) MiB, \(limits.processorSeconds) s",
                advice: "Raise --memory-mib")
        }
    }

    func usualPermissions() throws(FlatteningError) -> mode_t {
        let staging = try StagingFolder(in: folder, shard: shard)
        defer { staging.remove() }
        return try staging.usualPermissions()
    }

    /// If no batch has written outputs of these captures yet, files with their names may belong to somebody.
    func refuseToReplaceOthers(_ jobs: [Job]) throws(FlatteningError) {
        for name in try outputNames(of: jobs) {
            let path = folder + "/" + name
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { continue }
            throw FlatteningError(
                .badInput, "the output folder holds a file that no batch wrote and this one would replace",
                file: path, stage: .batch,
                advice: "Name another folder, or replace it and all like it with --force")
        }
    }

    /// Refuses to replace a file that the options name, because it is read for every capture.
    func refuseToReplaceShared() throws(FlatteningError) {
        guard !sharedFiles.isEmpty else { return }
        let outputs = try existingOutputs()
        for file in sharedFiles {
            guard let identity = FileIdentity(of: file), outputs.contains(identity) else { continue }
            throw FlatteningError(
                .badInput, "an output of this batch would replace a file that its options name", file: file,
                stage: .batch, advice: "Name another output folder")
        }
    }

    func existingOutputs() throws(FlatteningError) -> Set<FileIdentity> {
        Set(try outputNames(of: jobs).compactMap { FileIdentity(of: folder + "/" + $0) })
    }

    /// The names that the outputs may have; for numbered outputs, those names that exist.
    private func outputNames(of jobs: [Job]) throws(FlatteningError) -> [String] {
        let unnumbered = jobs.flatMap { job in
            job.outputs.filter { !job.numbersOutputs || $0.isKeptByBatch }
        }
        let plain = unnumbered.map(\.path)
        let numbered = Set(
            jobs.lazy.filter(\.numbersOutputs).flatMap(\.outputs).filter { !$0.isKeptByBatch }.map(\.name))
        guard !numbered.isEmpty else { return plain }
        let entries = try OpenFolder(path: folder, follows: true, stage: .batch).entries(most: .max)
        return plain
            + entries.compactMap(\.name).filter { name in
                NumberedPath.parted(name).map { numbered.contains($0.path) } ?? false
            }
    }
}

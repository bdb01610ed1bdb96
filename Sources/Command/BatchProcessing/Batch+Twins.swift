import Parallelism
import Diagnostics
import LocalFiles
import ScalarText
internal import Platform
internal import Synchronization

extension Batch {
    /// Ensures that captures of equal content are worked on one at a time.
    final class Twins: Sendable {
        private let keys = Mutex<Set<String>>([])
        private let change = LockedCondition()

        /// Waits until nobody works on this key.
        func begin(_ key: String) {
            change.lock()
            defer { change.unlock() }
            while !keys.withLock({ $0.insert(key).inserted }) { change.wait() }
        }

        func end(_ key: String) {
            change.lock()
            defer { change.unlock() }
            keys.withLock { _ = $0.remove(key) }
            change.broadcast()
        }
    }

    /// Gives a capture the files of a finished capture with the same content, under its own name: as hard links, or as
    /// copies if the file system has no hard links.
    /// - Returns: nil if there is no such capture, if its files no longer stand, or if one of them names it. The files are
    ///   then made anew, so that the bytes do not depend on which of the two came first.
    func outcomeOfTwin(
        of job: Job, _ attempt: Attempt, key: String, _ context: Context
    ) throws(FlatteningError) -> Outcome? {
        guard !job.outputs.contains(where: { $0.naming == .always }),
            let twin = context.log.done(key: key), twin.name != job.name, stand(twin.outputs),
            !isNamed(twin, inOutputsAs: job)
        else { return nil }
        let staging = try StagingFolder(in: folder, shard: shard)
        defer { staging.remove() }
        var outputs: [JobRecord.Output] = []
        for output in twin.outputs {
            let part = output.name.dropping(scalarPrefix: PartsFolder.name + "/")
            guard let end = (part ?? output.name[...]).dropping(scalarPrefix: twin.name) else { return nil }
            let name = job.name + end
            let (source, own) = (folder + "/" + output.name, staging.path + "/" + name)
            if unsafe link(source, own) != 0 {
                do {
                    try FileManager.default.copyItem(atPath: source, toPath: own)
                } catch {
                    return nil
                }
            }
            outputs.append(
                .init(name: part == nil ? name : PartsFolder.name + "/" + name, sha256: output.sha256))
        }
        try staging.publish(outputs)
        return try attempt.succeed(key: key, outputs: outputs, messages: "", sameAs: twin.name)
    }

    /// Whether any of a capture's files that may contain its path does.
    private func isNamed(_ twin: JobRecord, inOutputsAs job: Job) -> Bool {
        let ends = job.outputs.filter { $0.naming == .sometimes }.compactMap {
            $0.name.dropping(scalarPrefix: job.name)
        }
        return twin.outputs.contains { output in
            guard ends.contains(where: output.name.hasScalarSuffix) else { return false }
            let path = PageLabel.path(of: twin.input).utf8
            let isEscaped = path.contains {
                $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
            }
            guard !isEscaped, let bytes = FileManager.default.contents(atPath: folder + "/" + output.name)
            else { return true }
            return bytes.firstRange(of: path) != nil
        }
    }
}

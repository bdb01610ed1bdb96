import Parallelism
import Diagnostics
import LocalFiles
internal import Platform
internal import Synchronization

extension Batch {
    /// Who works on which content: of equal ones one at a time.
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

    /// Gives a capture the files of one that is done and has the same content, under its own name: as second names of the
    /// same files, or as copies where the file system has no such thing.
    /// - Returns: nil if there is no such capture, or its files do not stand any more.
    func outcomeOfTwin(
        of job: Job, _ attempt: Attempt, key: String, _ context: Context
    ) throws(FlatteningError) -> Outcome? {
        guard let twin = context.log.done(key: key), twin.name != job.name, stand(twin.outputs) else {
            return nil
        }
        let staging = try StagingFolder(in: folder, shard: shard)
        defer { staging.remove() }
        var outputs: [JobRecord.Output] = []
        for output in twin.outputs {
            let isPart = output.name.hasPrefix(PartsFolder.name + "/")
            let file = isPart ? output.name.dropFirst(PartsFolder.name.count + 1) : output.name[...]
            guard file.hasPrefix(twin.name) else { return nil }
            let name = job.name + file.dropFirst(twin.name.count)
            let (source, own) = (folder + "/" + output.name, staging.path + "/" + name)
            if link(source, own) != 0 {
                do {
                    try FileManager.default.copyItem(atPath: source, toPath: own)
                } catch {
                    return nil
                }
            }
            outputs.append(.init(name: isPart ? PartsFolder.name + "/" + name : name, sha256: output.sha256))
        }
        try staging.publish(outputs)
        return try attempt.succeed(key: key, outputs: outputs, messages: "", sameAs: twin.name)
    }
}

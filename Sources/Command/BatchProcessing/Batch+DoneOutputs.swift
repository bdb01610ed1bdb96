import Checksums
package import Diagnostics
import LocalFiles
internal import Synchronization

extension Batch {
    /// The files of captures that are done, where they depend on other captures too: once all have come to their end they are
    /// written anew, and the log gets a line that holds instead of the earlier one.
    ///
    /// A batch that is killed between a file and its line does the capture anew when it is resumed, as its file is not that of
    /// the log.
    package struct DoneOutputs: Sendable {
        private let folder: String
        private let log: JobLog
        private let onRecord: @Sendable (JobRecord) -> Void
        private let records: [String: JobRecord]

        init(of batch: Batch, log: JobLog, records: [String: JobRecord]) {
            (folder, self.log, onRecord) = (batch.folder, log, batch.onRecord)
            self.records = records
        }

        /// Replaces those of a job's files that have other content; what it did not write stays unwritten.
        /// - Parameters:
        ///   - contents: by the files' names.
        ///   - name: what the job's outputs are called.
        package func replace(_ contents: [String: [UInt8]], of name: String) throws(FlatteningError) {
            guard var record = records[name], record.state == .done else { return }
            let before = record.outputs
            for (place, output) in before.enumerated() {
                guard let bytes = contents[output.name] else { continue }
                var hash = try SHA256()
                hash.update(bytes)
                record.outputs[place].sha256 = hash.digest()
                guard record.outputs[place] != output else { continue }
                try AtomicFile.replace(folder + "/" + output.name, with: bytes)
            }
            guard record.outputs != before else { return }
            record.ended = JobRecord.now
            try log.append(record)
            onRecord(record)
        }
    }

    /// Keeps the last record of each of some jobs while a batch runs.
    final class RecordKeeper: Sendable {
        private let names: Set<String>
        private let kept = Mutex<[String: JobRecord]>([:])

        init(names: Set<String>) { self.names = names }

        func note(_ record: JobRecord) {
            guard names.contains(record.name) else { return }
            kept.withLock { $0[record.name] = record }
        }

        var records: [String: JobRecord] { kept.withLock { $0 } }
    }
}

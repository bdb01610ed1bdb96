import Checksums
package import Diagnostics
import LocalFiles
internal import Synchronization

extension Batch {
    /// Outputs of finished captures that also depend on other captures. Once all captures have ended, these files are
    /// written anew, and the log gets a line that replaces the earlier one.
    ///
    /// If a batch is killed between writing such a file and its line, a resumed batch works on the capture again, as its
    /// file differs from the one in the log.
    package struct DoneOutputs: Sendable {
        private let folder: String
        private let log: JobLog
        private let onRecord: @Sendable (JobRecord) -> Void
        private let records: [String: JobRecord]

        init(of batch: Batch, log: JobLog, records: [String: JobRecord]) {
            (folder, self.log, onRecord) = (batch.folder, log, batch.onRecord)
            self.records = records
        }

        /// Replaces those of a job's files whose content differs; files that the job did not write stay unwritten.
        /// - Parameters:
        ///   - contents: by the files' names.
        ///   - name: the name of the job's outputs.
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

    /// Keeps the last record of each of the given jobs while a batch runs.
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

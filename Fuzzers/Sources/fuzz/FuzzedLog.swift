@testable import BatchProcessing
import Foundation

/// A batch's log that libFuzzer makes of the seeds.
enum FuzzedLog {
    private static let folder = NSTemporaryDirectory() + "fuzz-\(UUID().uuidString)"

    static func read(_ bytes: [UInt8]) {
        // The same lines by two machines: which of two records holds is asked too.
        FuzzedFolder.write(bytes, to: folder + "/jobs.1-of-2.jsonl")
        FuzzedFolder.write(
            bytes.split(separator: 0x0A).reversed().flatMap { $0 + [0x0A] }, to: folder + "/jobs.2-of-2.jsonl"
        )
        _ = try? EarlierNames(in: folder)
        if let status = try? BatchStatus(of: folder, list: nil, verifies: true) {
            precondition((try? JSONEncoder().encode(status)) != nil, "a status is no JSON")
        }
        // What the quick reader takes, Foundation's takes too, for the same.
        for line in bytes.split(separator: 0x0A) {
            let line = Array(line)
            guard let record = line.withUnsafeBufferPointer(JobRecordReader().record) else { continue }
            let decoded = try? JSONDecoder().decode(JobRecord.self, from: Data(line))
            precondition(decoded == record && record.line != nil, "two readers disagree")
        }
        _ = try? JobLog(folder: folder, shard: Shard(number: 1, count: 2))
    }
}

/// The last record of each capture in the logs of several shards.
///
/// Within one log the later line counts; between two logs the record that has the last word, see `JobRecord.isLastWord`.
struct LatestRecords<Key: Hashable> {
    /// The last record under each key, and the number of the log that it is in.
    private(set) var byKey: [Key: (record: JobRecord, log: Int)] = [:]
    /// The folder of the outputs.
    private let folder: String
    /// When the logs were read.
    private let present: String

    init(in folder: String, readAt present: String = JobRecord.now) {
        (self.folder, self.present) = (folder, present)
    }

    /// Adds a record, in the order of the logs.
    /// - Returns: whether it is the last one under its key now.
    @discardableResult mutating func add(_ record: JobRecord, under key: Key, log: Int) -> Bool {
        if let earlier = byKey[key], earlier.log != log,
            earlier.record.isLastWord(over: record, in: folder, present: present)
        {
            return false
        }
        byKey[key] = (record, log)
        return true
    }
}

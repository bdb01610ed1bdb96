import Checksums
package import Diagnostics
import LocalFiles
internal import Platform
import ScalarText

/// The progress of a batch, from the logs in its output folder: of all shards, whatever their number was, even while they
/// run.
package struct BatchStatus: Encodable, Sendable {
    /// Captures that failed for the same reason.
    package struct Failure: Encodable, Sendable {
        /// The reason, without the capture's own path.
        package var reason: String
        package var exitCode: Int32
        package var count: Int
        /// Whether the next batch tries them again without being asked.
        package var isRetried: Bool
        /// The first captures, by name.
        package var examples: [String]

        private enum CodingKeys: String, CodingKey {
            case reason, count, examples
            case exitCode = "exit_code"
            case isRetried = "retry"
        }
    }

    /// The content of one log.
    package struct Log: Encodable, Sendable {
        package var name: String
        /// Whether a process is working on it now; nil if the file system cannot tell.
        package var isRunning: Bool?
        /// Captures whose latest record is in this log.
        package var done = 0
        package var failed = 0
        /// Seconds since its last line; nil if lines have no time.
        package var age: Int?
        /// Captures per hour, from the first line to the last; nil for fewer than two lines, or no time between them.
        package var perHour: Double?
        /// The numbers, from 1, of the first lines that are no valid records; such lines are ignored.
        package var unreadLines: [Int] = []

        private enum CodingKeys: String, CodingKey {
            case name = "log"
            case isRunning = "running"
            case done, failed
            case age = "age_seconds"
            case perHour = "per_hour"
            case unreadLines = "unread_lines"
        }
    }

    /// A capture and how long it took.
    package struct Slow: Encodable, Sendable {
        package var name: String
        package var seconds: Double
    }

    /// Outputs of finished captures that are no longer as they were written.
    package struct Verification: Encodable, Sendable {
        package var changed: [String] = []
        package var gone: [String] = []
    }

    /// The version of this format.
    package let schema = 1
    /// Number of captures: that of the list, or else the number that the last batch stated; nil if neither is known.
    package var captures: Int?
    package var done = 0
    package var failed = 0
    /// Number of captures that have not ended; nil if unknown, as after batches over different captures.
    package var missing: Int?
    /// The captures that have not ended, if a list was given.
    package var missingCaptures: [String]?
    /// Failures by reason, most frequent first.
    package var failures: [Failure] = []
    package var logs: [Log] = []
    /// The slowest captures, slowest first.
    package var slowest: [Slow] = []
    package var verification: Verification?

    /// Whether every capture is flattened and, if verified, its files are unchanged.
    package var isComplete: Bool {
        failed == 0 && missing == 0 && verification.map { $0.changed.isEmpty && $0.gone.isEmpty } ?? true
    }

    private enum CodingKeys: String, CodingKey {
        case schema, captures, done, failed, missing, failures, logs, slowest, verification
        case isComplete = "complete"
        case missingCaptures = "missing_captures"
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(schema, forKey: .schema)
        try container.encode(isComplete, forKey: .isComplete)
        try container.encode(captures, forKey: .captures)
        try container.encode(done, forKey: .done)
        try container.encode(failed, forKey: .failed)
        try container.encode(missing, forKey: .missing)
        try container.encode(missingCaptures, forKey: .missingCaptures)
        try container.encode(failures, forKey: .failures)
        try container.encode(logs, forKey: .logs)
        try container.encode(slowest, forKey: .slowest)
        try container.encode(verification, forKey: .verification)
    }

    private static let (mostExamples, mostSlow) = (3, 5)

    /// Reads the logs of a folder; writes nothing.
    /// - Parameters:
    ///   - list: the paths of all captures, as given to the batch; nil if unknown. Other captures are left out.
    ///   - verifies: whether to read each output and compare it with its hash.
    /// - Throws: `.fileAccess` for a folder without a log, or one that cannot be read.
    package init(of folder: String, list: [String]?, verifies: Bool) throws(FlatteningError) {
        // With a hundred thousand captures, values not needed for the report are dropped: the key, and the outputs unless
        // verified.
        struct Last {
            var record: JobRecord
            var log: Int
        }
        let files = try JobLog.all(in: folder)
        guard !files.isEmpty else { throw JobLog.noLog(in: folder) }
        let wanted = list.map(Set.init)
        // Indexed by the capture's name: even under another key (other options) or another path, its outputs are the same
        // files.
        var last: [String: Last] = [:]
        var seen: Set<String> = []
        var newest: (ended: String, captures: Int)?
        var sizes: Set<Int> = []
        let (present, moment) = (Int(time(nil)), JobRecord.now)
        // Captures that are done in one log and failed in another; their files are checked after all logs are read.
        var disputed: Set<String> = []
        for (index, file) in files.enumerated() {
            let path = folder + "/" + file.name
            var log = Log(name: file.name, isRunning: JobLog.isHeld(path))
            var (lines, first, end): (Int, String?, String?) = (0, nil, nil)
            let descriptor = try JobLog.openedToRead(path)
            defer { close(descriptor) }
            log.unreadLines = try JobLog.read(descriptor, path: path) { record in
                lines += 1
                first = first ?? record.ended
                end = record.ended ?? end
                if let captures = record.captures { sizes.insert(captures) }
                let ended = record.moment(moment)
                if let captures = record.captures, ended >= newest?.ended ?? "" { newest = (ended, captures) }
                if let wanted {
                    let path = PageLabel.path(of: record.input)
                    guard wanted.contains(path) else { return }
                    seen.insert(path)
                }
                let earlier = last[record.name]
                if let earlier, earlier.log != index, earlier.record.state != record.state {
                    disputed.insert(record.name)
                }
                if let earlier, earlier.log != index, earlier.record.moment(moment) > ended { return }
                last[record.name] = Last(record: record.kept(withOutputs: verifies), log: index)
            }.unread
            let seconds = (first.flatMap(JobRecord.seconds), end.flatMap(JobRecord.seconds))
            if let end = seconds.1 {
                log.age = max(present - end, 0)
                if let first = seconds.0, end > first, lines > 1 {
                    log.perHour = (Double(lines - 1) * 36_000 / Double(end - first)).rounded() / 10
                }
            }
            // The empty log of a batch that ran only in shards tells nothing.
            if lines > 0 || !log.unreadLines.isEmpty || file.shard != nil || files.count == 1 {
                logs.append(log)
            }
        }
        if !disputed.isEmpty {
            var latest = LatestRecords<String>(in: folder, readAt: moment)
            for (index, file) in files.enumerated() {
                let path = folder + "/" + file.name
                let descriptor = try JobLog.openedToRead(path)
                defer { close(descriptor) }
                _ = try JobLog.read(descriptor, path: path, names: disputed) { record in
                    guard wanted?.contains(PageLabel.path(of: record.input)) ?? true else { return }
                    latest.add(record, under: record.name, log: index)
                }
            }
            for (name, entry) in latest.byKey { last[name] = Last(record: entry.record, log: entry.log) }
        }
        let places = Dictionary(logs.enumerated().map { ($1.name, $0) }) { $1 }
        var reasons: [String: Failure] = [:]
        for entry in last.values where entry.record.state == .done {
            done += 1
            if let place = places[files[entry.log].name] { logs[place].done += 1 }
        }
        let failedOnes = last.values.filter { $0.record.state == .failed }
        for entry in failedOnes.sorted(by: { $0.record.name < $1.record.name }) {
            let (record, place) = (entry.record, places[files[entry.log].name])
            failed += 1
            if let place { logs[place].failed += 1 }
            let reason = (record.error ?? "exit code \(record.exitCode)").replacingScalars(
                record.input, with: "CAPTURE")
            reasons[
                reason,
                default: Failure(
                    reason: reason, exitCode: record.exitCode, count: 0, isRetried: record.retry == true,
                    examples: [])
            ].add(record.name, most: Self.mostExamples)
        }
        failures = reasons.values.sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
        slowest = last.values.map { Slow(name: $0.record.name, seconds: $0.record.seconds) }
            .sorted { ($1.seconds, $0.name) < ($0.seconds, $1.name) }.prefix(Self.mostSlow).map(\.self)
        if let list {
            let unseen = list.filter { !seen.contains($0) }
            (captures, missing, missingCaptures) = (list.count, unseen.count, unseen)
        } else {
            captures = newest?.captures
            // After batches over different captures, the logs do not tell which captures belong to which batch.
            missing = sizes.count > 1 ? nil : captures.flatMap { $0 < last.count ? nil : $0 - last.count }
        }
        if verifies {
            verification = Verification(of: last.values.lazy.map(\.record), in: folder)
        }
    }
}

extension JobRecord {
    /// Returns the record without the values that a status does not need.
    fileprivate func kept(withOutputs: Bool) -> JobRecord {
        var kept = self
        kept.key = ""
        if state == .done { kept.input = "" }
        if !withOutputs { kept.outputs = [] }
        return kept
    }
}

extension BatchStatus.Failure {
    fileprivate mutating func add(_ name: String, most: Int) {
        count += 1
        if examples.count < most { examples.append(name) }
    }
}

extension BatchStatus.Verification {
    fileprivate init(of records: some Sequence<JobRecord>, in folder: String) {
        for output in records.filter({ $0.state == .done }).flatMap(\.outputs) {
            let path = folder + "/" + output.name
            var status = stat()
            if unsafe lstat(path, &status) != 0 {
                gone.append(output.name)
            } else if (try? SHA256.digest(ofFile: path)) != output.sha256 {
                changed.append(output.name)
            }
        }
        changed.sort()
        gone.sort()
    }
}

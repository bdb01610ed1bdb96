internal import Platform

/// The result of one capture of a batch.
package struct JobRecord: Codable, Equatable, Sendable {
    /// How it ended.
    package enum State: String, Codable, Sendable {
        /// All its files stand under their names.
        case done
        /// `error` says why; files with its name that `outputs` does not list come from an earlier try.
        case failed
    }

    /// The resources that a worker may use.
    package struct Limits: Codable, Equatable, Sendable {
        /// Most address space, in MiB.
        package var memoryMebibytes: Int
        /// Most processor time, in seconds.
        package var processorSeconds: Int

        package init(memoryMebibytes: Int, processorSeconds: Int) {
            self.memoryMebibytes = memoryMebibytes
            self.processorSeconds = processorSeconds
        }

        /// Whether any of these limits is higher than that of `other`.
        func exceeds(_ other: Limits) -> Bool {
            memoryMebibytes > other.memoryMebibytes || processorSeconds > other.processorSeconds
        }

        private enum CodingKeys: String, CodingKey {
            case memoryMebibytes = "memory_mib"
            case processorSeconds = "processor_seconds"
        }
    }

    /// A file that was written.
    package struct Output: Codable, Equatable, Sendable {
        /// Its name in the output folder.
        package var name: String
        /// The hash of its content.
        package var sha256: String
    }

    /// Hash of the capture's content, the options and the versions of program, libraries and language data; for a capture
    /// that cannot be read, the hash of its path.
    package var key: String
    /// The name of its outputs.
    package var name: String
    /// The path that it was read from.
    package var input: String
    /// How it ended.
    package var state: State
    /// The files written.
    package var outputs: [Output]
    /// The exit code or, negative, the signal that ended the worker; 0 if it is done.
    package var exitCode: Int32
    /// Why it failed.
    package var error: String?
    /// How long it took.
    package var seconds: Double
    /// True if it failed through no fault of its own (a worker killed from outside, a missing library, a file that could
    /// not be opened): the next batch tries it again. Otherwise absent.
    package var retry: Bool?
    /// The worker's limits, if they were too low; a batch that allows more tries it again. Otherwise absent.
    package var limits: Limits?
    /// When it ended: UTC in ISO 8601, to the second. Absent in logs of older versions.
    package var ended: String?
    /// Number of captures in the whole batch, all shards together. Absent in logs of older versions.
    package var captures: Int?
    /// The name of the capture with the same content whose outputs it shares. Otherwise absent.
    package var sameAs: String?

    /// Whether a batch that allows `limits` has reason to try a failed capture again.
    func deservesRetry(within limits: Limits) -> Bool {
        retry == true || self.limits.map(limits.exceeds) ?? false
    }

    /// Whether this record is valid and not the `other` one, for two records of one capture in different logs. With the
    /// same key, the done record is valid as long as its files exist; otherwise the later one, and within the same second
    /// the failed one. With different keys in the same second, the done record is valid.
    ///
    /// The existence of files is checked because machines' clocks differ; a clock that is ahead by years would otherwise
    /// hide all later work.
    /// - Parameters:
    ///   - folder: the folder of the outputs.
    ///   - present: the value of `now`; later times count as this time.
    func isLastWord(over other: JobRecord, in folder: String, present: String) -> Bool {
        let (own, others) = (moment(present), other.moment(present))
        if key == other.key, state != other.state {
            let areFilesThere = (state == .done ? self : other).hasFiles(in: folder)
            if areFilesThere || own == others { return (state == .done) == areFilesThere }
        }
        return own == others ? state == .done : own > others
    }

    /// The time it ended: "" if unknown, and at most the present. Times in this format sort alphabetically.
    func moment(_ present: String) -> String { min(ended ?? "", present) }

    /// Whether a file exists for each output, whatever its content.
    private func hasFiles(in folder: String) -> Bool {
        outputs.allSatisfy { output in
            var status = stat()
            return unsafe lstat(folder + "/" + output.name, &status) == 0
        }
    }

    private enum CodingKeys: String, CodingKey {
        case key, name, input, state, outputs
        case exitCode = "exit_code"
        case error, seconds, retry, limits, ended, captures
        case sameAs = "same_as"
    }

    /// The record as a line of the log, with its line feed.
    package var line: [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { Array($0) + [UInt8(ascii: "\n")] }
    }

    /// The present time, in the format of `ended`.
    static var now: String {
        var (seconds, parts) = unsafe (time(nil), tm())
        unsafe gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        unsafe strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Converts such a time to seconds since 1970; nil for other text.
    static func seconds(of moment: String) -> Int? {
        guard let found = moment.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z/)?.output,
            let year = Int32(found.1), let month = Int32(found.2), let day = Int32(found.3),
            let hour = Int32(found.4), let minute = Int32(found.5),
            let second = Int32(found.6)
        else { return nil }
        var parts = unsafe tm()
        unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
        unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
        return unsafe timegm(&parts)
    }
}

internal import Platform

/// What became of one capture of a batch.
package struct JobRecord: Codable, Equatable, Sendable {
    /// How it ended.
    package enum State: String, Codable, Sendable {
        /// All its files stand under their names.
        case done
        /// `error` says why; files of its name that `outputs` does not list are of an earlier try.
        case failed
    }

    /// What a worker may take.
    package struct Limits: Codable, Equatable, Sendable {
        /// Most address space, in MiB.
        package var memoryMebibytes: Int
        /// Most processor time, in seconds.
        package var processorSeconds: Int

        package init(memoryMebibytes: Int, processorSeconds: Int) {
            self.memoryMebibytes = memoryMebibytes
            self.processorSeconds = processorSeconds
        }

        /// Whether this is more of something than `other`.
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

    /// The hash of the capture's content, the options and the versions of program, libraries and language data; of what
    /// cannot be read, that of its path.
    package var key: String
    /// What its outputs are called.
    package var name: String
    /// Where it was read from.
    package var input: String
    /// How it ended.
    package var state: State
    /// What was written.
    package var outputs: [Output]
    /// The exit code or, negative, the signal that ended the worker; 0 if it is done.
    package var exitCode: Int32
    /// Why it failed.
    package var error: String?
    /// How long it took.
    package var seconds: Double
    /// True if it failed by no fault of its own (a worker killed from outside, a library missing, a file that could not be
    /// opened): the next batch tries it again. Missing otherwise.
    package var retry: Bool?
    /// What the worker was allowed when that was too little; a batch that allows more tries it again. Missing otherwise.
    package var limits: Limits?
    /// When it ended: UTC by ISO 8601, to the second. Missing in logs of older versions.
    package var ended: String?
    /// How many captures the whole batch has, of all shards together. Missing in logs of older versions.
    package var captures: Int?
    /// The name of the capture with the same content whose outputs this one's are. Missing otherwise.
    package var sameAs: String?

    /// Whether a batch that allows `limits` has reason to try a failed capture again.
    func deservesRetry(within limits: Limits) -> Bool {
        retry == true || self.limits.map(limits.exceeds) ?? false
    }

    /// Whether of two records of one capture in different logs this one holds: of one key the one that is done, as long as
    /// its files are there; else the later one, and of two of the same second what failed. Of two keys in the same second what
    /// is done.
    ///
    /// Machines' clocks differ, and one that is ahead by years would otherwise hide all later work.
    /// - Parameters:
    ///   - folder: where the outputs lie.
    ///   - present: as `now` has it; what is later counts as now.
    func isLastWord(over other: JobRecord, in folder: String, present: String) -> Bool {
        let (own, others) = (moment(present), other.moment(present))
        if key == other.key, state != other.state {
            let areFilesThere = (state == .done ? self : other).hasFiles(in: folder)
            if areFilesThere || own == others { return (state == .done) == areFilesThere }
        }
        return own == others ? state == .done : own > others
    }

    /// When it ended, "" if that is not said, and the present for a moment to come. Moments of this form stand in the order of
    /// their letters.
    func moment(_ present: String) -> String { min(ended ?? "", present) }

    /// Whether there is a file, of whatever content, for each output.
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

    /// The record as the log has it: one line, with its line feed.
    package var line: [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { Array($0) + [UInt8(ascii: "\n")] }
    }

    /// The present moment, as `ended` has it.
    static var now: String {
        var (seconds, parts) = unsafe (time(nil), tm())
        unsafe gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        unsafe strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The seconds since 1970 of such a moment; nil for other words.
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

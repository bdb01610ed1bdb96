package import Diagnostics
import LocalFiles
internal import Foundation
internal import Synchronization

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

    /// Whether a batch that allows `limits` has reason to try a failed capture again.
    func deservesRetry(within limits: Limits) -> Bool {
        retry == true || self.limits.map(limits.exceeds) ?? false
    }

    private enum CodingKeys: String, CodingKey {
        case key, name, input, state, outputs
        case exitCode = "exit_code"
        case error, seconds, retry, limits
    }
}

/// The log of a batch: a JSON object a line, only ever added to, one line for each capture that came to an end.
///
/// A line is written by one call and brought to the disk before the capture counts as ended. A process that is killed
/// between the two leaves a torn last line, which the next one removes; other lines that cannot be read are passed over.
/// The file is locked while a batch runs, so that two of them never write into one folder.
package final class JobLog: Sendable {
    /// The log's name in the output folder.
    package static let fileName = "jobs.jsonl"

    private let path: String
    private let descriptor: Int32
    private let latest: Mutex<Records>

    /// What the lines say.
    private struct Records {
        /// The last line of each capture under each key.
        private(set) var byIdentity: [String: JobRecord] = [:]
        /// Of each capture's name the files with a number that were ever written, each with its last hash.
        private(set) var numberedFiles: [String: [String: String]] = [:]

        mutating func add(_ record: JobRecord) {
            byIdentity[JobLog.identity(record)] = record
            for output in record.outputs where NumberedPath.parted(output.name) != nil {
                numberedFiles[record.name, default: [:]][output.name] = output.sha256
            }
        }
    }

    /// Whether a batch has written, or begun to write, to a folder.
    static func exists(in folder: String) -> Bool {
        var status = stat()
        return lstat(folder + "/" + fileName, &status) == 0
    }

    /// Opens the log of a folder, makes it if there is none, and mends it.
    /// - Throws: `.fileAccess` if it cannot be read and written or another batch holds it.
    package init(folder: String) throws(FlatteningError) {
        path = folder + "/" + Self.fileName
        // Not waiting for a pipe of that name; a link could lead out of the folder.
        let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else {
            throw FileSystemError.last("the job log cannot be opened", file: path, stage: .batch)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FlatteningError(
                .fileAccess, "the job log is no regular file", file: path, stage: .batch,
                advice: "Move it away, or write to another folder")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw FlatteningError(
                .fileAccess, "another batch is writing into this folder", file: path, stage: .batch)
        }
        var records = Records()
        do throws(FlatteningError) {
            try Self.mend(descriptor, path: path) { record in records.add(record) }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        latest = Mutex(records)
    }

    deinit {
        // Closing alone would leave the lock with a child that has just been forked and still has the descriptor.
        unlock()
        close(descriptor)
    }

    /// Lets another batch have the folder; nothing may be added afterwards. Said aloud, since the last reference may outlive
    /// the batch in a thread that is just ending, and the descriptor in a worker that is just starting.
    package func unlock() { flock(descriptor, LOCK_UN) }

    /// What became of a capture when it was last tried.
    package func record(key: String, name: String) -> JobRecord? {
        latest.withLock { $0.byIdentity[key + name] }
    }

    /// The files with a number that were ever written of a capture, with their hashes then.
    func numberedFiles(of name: String) -> [JobRecord.Output] {
        latest.withLock { $0.numberedFiles[name] ?? [:] }.map { .init(name: $0.key, sha256: $0.value) }
    }

    /// Adds a line and brings it to the disk.
    package func append(_ record: JobRecord) throws(FlatteningError) {
        let failure: Int32? = latest.withLock { records in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let line = try? encoder.encode(record) else { return EINVAL }
            let bytes = Array(line) + [UInt8(ascii: "\n")]
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return errno }
            var written = 0
            while written < bytes.count {
                let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    // Half a line would take the next one with it.
                    let reason = count < 0 ? errno : ENOSPC
                    ftruncate(descriptor, status.st_size)
                    return reason
                }
                written += count
            }
            guard fsync(descriptor) == 0 else { return errno }
            records.add(record)
            return nil
        }
        if let failure {
            throw FileSystemError.make(failure, "the job log cannot be written", file: path, stage: .batch)
        }
    }

    private static func identity(_ record: JobRecord) -> String { record.key + record.name }

    /// A longer line is none of ours: names, paths and reasons take a few kilobytes.
    private static let maximumLineBytes = 1 << 20

    /// Hands out the whole lines, one at a time, and cuts off what follows the last of them.
    private static func mend(
        _ descriptor: Int32, path: String, _ body: (JobRecord) -> Void
    ) throws(FlatteningError) {
        let decoder = JSONDecoder()
        var line: [UInt8] = []
        var isTooLong = false
        var (position, whole) = (0, 0)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = pread(descriptor, &buffer, buffer.count, off_t(position))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw FileSystemError.last("the job log cannot be read", file: path, stage: .batch)
            }
            if count == 0 { break }
            for (index, byte) in buffer[..<count].enumerated() {
                if byte == UInt8(ascii: "\n") {
                    if !isTooLong, let record = try? decoder.decode(JobRecord.self, from: Data(line)) {
                        body(record)
                    }
                    line.removeAll(keepingCapacity: true)
                    isTooLong = false
                    whole = position + index + 1
                } else if line.count < maximumLineBytes {
                    line.append(byte)
                } else {
                    isTooLong = true
                }
            }
            position += count
        }
        if whole < position, ftruncate(descriptor, off_t(whole)) != 0 {
            throw FileSystemError.last("the job log cannot be mended", file: path, stage: .batch)
        }
    }
}

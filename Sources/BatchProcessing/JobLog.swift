internal import Foundation
internal import ImageFiles
package import Imaging
internal import Synchronization

/// What became of one capture of a batch.
package struct JobRecord: Codable, Equatable, Sendable {
    /// How it ended.
    package enum State: String, Codable, Sendable {
        /// All its files stand under their names.
        case done
        /// `error` says why; files of its name, if there are any, are of an earlier try.
        case failed
    }

    /// A file that was written.
    package struct Output: Codable, Equatable, Sendable {
        /// Its name in the output folder.
        package var name: String
        /// The hash of its content.
        package var sha256: String
    }

    /// The hash of the capture's content, the options and the version of the program.
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

    private enum CodingKeys: String, CodingKey {
        case key, name, input, state, outputs
        case exitCode = "exit_code"
        case error, seconds
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
    private let latest: Mutex<[String: JobRecord]>

    /// Opens the log of a folder, makes it if there is none, and mends it.
    /// - Throws: `.fileAccess` if it cannot be read and written or another batch holds it.
    package init(folder: String) throws(FlatteningError) {
        path = folder + "/" + Self.fileName
        let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else {
            throw FileSystemError.last("the job log cannot be opened", file: path, stage: "batch")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw FlatteningError(
                .fileAccess, "another batch is writing into this folder", file: path, stage: "batch")
        }
        var records: [String: JobRecord] = [:]
        do throws(FlatteningError) {
            try Self.mend(descriptor, path: path) { record in records[Self.identity(record)] = record }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        latest = Mutex(records)
    }

    deinit { close(descriptor) }

    /// Lets another batch have the folder; nothing may be added afterwards. Said aloud, since the last reference may outlive
    /// the batch in a thread that is just ending, and the descriptor in a worker that is just starting.
    package func unlock() { flock(descriptor, LOCK_UN) }

    /// What became of a capture when it was last tried.
    package func record(key: String, name: String) -> JobRecord? {
        latest.withLock { $0[key + name] }
    }

    /// Adds a line and brings it to the disk.
    package func append(_ record: JobRecord) throws(FlatteningError) {
        let failure: Int32? = latest.withLock { records in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let line = try? encoder.encode(record) else { return EINVAL }
            let bytes = Array(line) + [UInt8(ascii: "\n")]
            let written = write(descriptor, bytes, bytes.count)
            // A write that stops halfway says no more than that there is no room.
            guard written == bytes.count else { return written < 0 ? errno : ENOSPC }
            guard fsync(descriptor) == 0 else { return errno }
            records[Self.identity(record)] = record
            return nil
        }
        if let failure {
            throw FileSystemError.make(failure, "the job log cannot be written", file: path, stage: "batch")
        }
    }

    private static func identity(_ record: JobRecord) -> String { record.key + record.name }

    /// Hands out the whole lines and cuts off what follows the last of them.
    private static func mend(
        _ descriptor: Int32, path: String, _ body: (JobRecord) -> Void
    ) throws(FlatteningError) {
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        let content: Data
        do {
            content = try handle.readToEnd() ?? Data()
        } catch {
            throw FlatteningError(
                .fileAccess, "the job log cannot be read", file: path, stage: "batch",
                detail: error.localizedDescription)
        }
        let decoder = JSONDecoder()
        let whole = content.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        for line in content[..<whole].split(separator: UInt8(ascii: "\n")) {
            if let record = try? decoder.decode(JobRecord.self, from: Data(line)) { body(record) }
        }
        if whole < content.count, ftruncate(descriptor, off_t(whole)) != 0 {
            throw FileSystemError.last("the job log cannot be mended", file: path, stage: "batch")
        }
    }
}

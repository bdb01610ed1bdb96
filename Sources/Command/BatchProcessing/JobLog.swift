package import Diagnostics
import LocalFiles
internal import Platform
internal import Synchronization
import ScalarText

/// The log of a batch: one JSON object a line, append-only, with one line for each capture that ended, and another for a
/// page whose files were written anew.
///
/// A line is written by one call and synced to the disk before the capture counts as ended. A process killed in between
/// leaves a torn last line, which the next process removes. Other unreadable lines are skipped, and `BatchStatus` names
/// them.
///
/// A batch has one log, `jobs.jsonl`. Shards have one log each (`jobs.2-of-8.jsonl`) and read the logs of all others, so
/// that a batch may resume with another number of shards. Each log is locked while its batch runs, so that two processes
/// never write one log. In addition, shards share the lock of `jobs.jsonl`, which a batch without shards holds exclusively.
package final class JobLog: Sendable {
    /// The log's name in the output folder.
    package static let fileName = "jobs.jsonl"

    /// The name of a shard's log.
    package static func fileName(of shard: Shard?) -> String {
        shard.map { "jobs.\($0.label).jsonl" } ?? fileName
    }

    private let path: String
    private let descriptor: Int32
    /// The descriptor of `jobs.jsonl`, whose lock all shards share; -1 for a batch without shards.
    private let sharedDescriptor: Int32
    private let latest: Mutex<Records>
    /// Whether the file system has locks; without them nothing keeps a second process from writing this log.
    package let isLocked: Bool

    /// A capture under one key.
    private struct Identity: Hashable {
        var key: String
        var name: String

        /// The name alone distinguishes nearly all captures, and is a quarter as long.
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// The content of the lines.
    private struct Records {
        /// The latest record of each capture under each key.
        private(set) var byCapture: LatestRecords<Identity>
        /// The identity of a finished capture, by its key alone.
        private(set) var doneByKey: [String: Identity] = [:]
        /// For each capture's name, all numbered files ever written, each with its last hash.
        private(set) var numberedFiles: [String: [String: String]] = [:]

        /// - Parameter folder: the folder of the outputs.
        init(folder: String) { byCapture = LatestRecords(in: folder) }

        /// - Parameter isFoundByKey: whether other captures with the same content may get its files.
        mutating func add(_ record: JobRecord, log: Int, isFoundByKey: Bool) {
            let identity = Identity(key: record.key, name: record.name)
            guard byCapture.add(record, under: identity, log: log) else { return }
            if isFoundByKey, record.state == .done { doneByKey[record.key] = identity }
            for output in record.outputs where NumberedPath.parted(output.name) != nil {
                numberedFiles[record.name, default: [:]][output.name] = output.sha256
            }
        }
    }

    /// The logs of a folder, sorted by the bytes of their names, each with its shard.
    static func all(in folder: String) throws(FlatteningError) -> [(name: String, shard: Shard?)] {
        let entries = try OpenFolder(path: folder, follows: true, stage: .batch).entries(most: .max)
        return entries.compactMap { entry in
            guard entry.kind == .file, let name = entry.name else { return nil }
            if name == fileName { return (name, nil) }
            guard name.hasScalarPrefix("jobs."), name.hasScalarSuffix(".jsonl"),
                let shard = Shard(label: name.dropFirst(5).dropLast(6)), name == fileName(of: shard)
            else { return nil }
            return (name, shard)
        }
    }

    /// Whether no batch has written to a folder or begun to, except other shards of the same run.
    static func isFirst(in folder: String, shard: Shard?) throws(FlatteningError) -> Bool {
        try !all(in: folder).contains { other in
            if other.shard == shard { return true }
            return other.shard.map { $0.count != shard?.count } ?? holdsLines(folder + "/" + other.name)
        }
    }

    /// Opens the log of a folder, creates it if there is none, and repairs it.
    /// - Parameters:
    ///   - names: the captures that will be looked up; nil for all, which can then also be found by their key alone.
    /// - Throws: `.fileAccess` if it cannot be read and written or another batch holds it; `.timeout` if another process
    ///   works on the same shard.
    package init(
        folder: String, shard: Shard? = nil, names: Set<String>? = nil
    ) throws(FlatteningError) {
        path = folder + "/" + Self.fileName(of: shard)
        let others = try Self.all(in: folder)
        var shared: Int32 = -1
        if shard != nil {
            shared = try Self.opened(folder + "/" + Self.fileName)
            if FileLock.take(shared, LOCK_SH) == .held {
                close(shared)
                throw Self.busy(folder + "/" + Self.fileName)
            }
        }
        let descriptor: Int32
        do throws(FlatteningError) {
            descriptor = try Self.opened(path)
        } catch {
            if shared >= 0 { close(shared) }
            throw error
        }
        let lock = FileLock.take(descriptor, LOCK_EX)
        var records = Records(folder: folder)
        do throws(FlatteningError) {
            if lock == .held {
                throw shard == nil
                    ? Self.busy(path)
                    : FlatteningError(
                        .timeout, "another process works on this shard", file: path, stage: .batch,
                        advice: "Try again later; --resume goes on where it stopped")
            }
            let whole = try Self.read(descriptor, path: path, names: names) {
                records.add($0, log: 0, isFoundByKey: names == nil)
            }
            try Self.mend(descriptor, path: path, whole: whole.end, size: whole.size)
            for (index, other) in others.enumerated() where other.shard != shard {
                let path = folder + "/" + other.name
                let opened = try Self.openedToRead(path)
                defer { close(opened) }
                _ = try Self.read(opened, path: path, names: names) {
                    records.add($0, log: index + 1, isFoundByKey: names == nil)
                }
            }
        } catch {
            close(descriptor)
            if shared >= 0 { close(shared) }
            throw error
        }
        isLocked = lock == .taken
        self.descriptor = descriptor
        sharedDescriptor = shared
        latest = Mutex(records)
    }

    deinit {
        // Closing alone would leave the lock with a child that was just forked and still has the descriptor.
        unlock()
        close(descriptor)
        if sharedDescriptor >= 0 { close(sharedDescriptor) }
    }

    /// Releases the folder to other batches; nothing may be added afterwards. This is explicit, because the last reference
    /// may outlive the batch in a thread that is just ending, and the descriptor in a worker that is just starting.
    package func unlock() {
        flock(descriptor, LOCK_UN)
        if sharedDescriptor >= 0 { flock(sharedDescriptor, LOCK_UN) }
    }

    /// Runs `body` unless a shard is being worked on, and prevents a start of that shard meanwhile.
    static func whileFree(of shard: Shard?, in folder: String, _ body: () -> Void) {
        let descriptor = unsafe open(
            folder + "/" + fileName(of: shard), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard FileLock.takeNow(descriptor, LOCK_EX) == .taken else { return }
        defer { flock(descriptor, LOCK_UN) }
        body()
    }

    /// Whether a batch or shard is being worked on now; nil if there are no locks to tell. For `jobs.jsonl`: whether a
    /// batch without shards is.
    static func isHeld(_ path: String) -> Bool? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        switch FileLock.takeNow(descriptor, LOCK_SH) {
        case .held: return true
        case .unsupported: return nil
        case .taken:
            flock(descriptor, LOCK_UN)
            return false
        }
    }

    /// The record of a capture's last attempt.
    package func record(key: String, name: String) -> JobRecord? {
        latest.withLock { $0.byCapture.byKey[Identity(key: key, name: name)]?.record }
    }

    /// Any finished capture with this key, whatever its name. Earlier runs count only if the log was opened for all names.
    func done(key: String) -> JobRecord? {
        latest.withLock { records in records.doneByKey[key].flatMap { records.byCapture.byKey[$0]?.record } }
    }

    /// The names of all captures that have ended, under any key.
    var names: Set<String> { latest.withLock { Set($0.byCapture.byKey.keys.lazy.map(\.name)) } }

    /// The numbered files ever written for a capture, with their hashes at that time.
    func numberedFiles(of name: String) -> [JobRecord.Output] {
        latest.withLock { $0.numberedFiles[name] ?? [:] }.map { .init(name: $0.key, sha256: $0.value) }
    }

    /// Appends a line and syncs it to the disk.
    package func append(_ record: JobRecord) throws(FlatteningError) {
        let failure: Int32? = latest.withLock { records in
            guard let bytes = record.line else { return EINVAL }
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else { return errno }
            var written = 0
            while written < bytes.count {
                let count = unsafe bytes[written...].withUnsafeBytes {
                    unsafe write(descriptor, $0.baseAddress, $0.count)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    // Half a line would make the next one unreadable.
                    let reason = count < 0 ? errno : ENOSPC
                    ftruncate(descriptor, status.st_size)
                    return reason
                }
                written += count
            }
            guard fsync(descriptor) == 0 else { return errno }
            records.add(record, log: 0, isFoundByKey: true)
            return nil
        }
        if let failure {
            throw FileSystemError.make(failure, "the job log cannot be written", file: path, stage: .batch)
        }
    }

    // MARK: - Files

    private static func busy(_ path: String) -> FlatteningError {
        FlatteningError(
            .fileAccess, "another batch is writing into this folder", file: path, stage: .batch)
    }

    private static func holdsLines(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_size > 0
    }

    /// Opens a log, creating it if there is none.
    private static func opened(_ path: String) throws(FlatteningError) -> Int32 {
        // Does not wait if the name is a pipe, and follows no link, which could lead out of the folder.
        let descriptor = unsafe open(
            path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else {
            throw FileSystemError.last("the job log cannot be opened", file: path, stage: .batch)
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FlatteningError(
                .fileAccess, "the job log is no regular file", file: path, stage: .batch,
                advice: "Move it away, or write to another folder")
        }
        return descriptor
    }

    /// Longest line in bytes; a longer one is not ours: names, paths and reasons take a few kilobytes.
    private static let maximumLineBytes = 1 << 20
    private static let pieceBytes = 1 << 20

    /// Opens an existing log.
    static func openedToRead(_ path: String) throws(FlatteningError) -> Int32 {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw FileSystemError.last("a job log cannot be opened", file: path, stage: .batch)
        }
        return descriptor
    }

    /// Calls `body` with the records of the whole lines, one at a time.
    /// - Returns: where the last line ends, the log's length, and the numbers, from 1, of the first lines that are no
    ///   records, not counting empty ones.
    static func read(
        _ descriptor: Int32, path: String, names: Set<String>? = nil, _ body: (JobRecord) -> Void
    ) throws(FlatteningError) -> (end: Int, size: Int, unread: [Int]) {
        let reader = JobRecordReader()
        var (number, unread): (Int, [Int]) = (0, [])
        let read = try unsafe lines(descriptor, path: path) { line in
            number += 1
            guard let record = unsafe line.flatMap(reader.record) else {
                if unsafe line?.isEmpty != true, unread.count < mostUnread { unread.append(number) }
                return
            }
            if names?.contains(record.name) ?? true { body(record) }
        }
        return (read.end, read.size, unread)
    }

    /// Most numbers of lines without a record that are kept: a reader begins with the first ones.
    private static let mostUnread = 100

    /// Calls `body` with the whole lines, one at a time, without their line feeds; nil for lines that are too long.
    /// - Returns: where the last line ends, and the log's length.
    static func lines(
        _ descriptor: Int32, path: String, _ body: (UnsafeBufferPointer<UInt8>?) -> Void
    ) throws(FlatteningError) -> (end: Int, size: Int) {
        // The beginning of a line that has not ended yet, and the buffer for the next piece.
        var held: [UInt8] = []
        var isTooLong = false
        var (position, whole) = (0, 0)
        let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: pieceBytes)
        defer { unsafe piece.deallocate() }
        func take(_ line: UnsafeBufferPointer<UInt8>) {
            unsafe body(line.count <= maximumLineBytes ? line : nil)
        }
        while true {
            let count = unsafe pread(descriptor, piece.baseAddress, piece.count, off_t(position))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw FileSystemError.last("the job log cannot be read", file: path, stage: .batch)
            }
            if count == 0 { break }
            var rest = unsafe UnsafeBufferPointer(rebasing: piece[..<count])
            while let start = rest.baseAddress,
                let feed = unsafe memchr(start, Int32(UInt8(ascii: "\n")), rest.count)
            {
                let end = unsafe UnsafeRawPointer(feed) - UnsafeRawPointer(start)
                let line = unsafe UnsafeBufferPointer(rebasing: rest[..<end])
                if isTooLong {
                    isTooLong = false
                    body(nil)
                } else if held.isEmpty {
                    unsafe take(line)
                } else {
                    unsafe held.append(contentsOf: line)
                    unsafe held.withUnsafeBufferPointer(take)
                }
                held.removeAll(keepingCapacity: true)
                unsafe rest = unsafe UnsafeBufferPointer(rebasing: rest[(end + 1)...])
                whole = position + count - rest.count
            }
            if held.count + rest.count > maximumLineBytes {
                isTooLong = true
                held.removeAll(keepingCapacity: true)
            }
            if !isTooLong { unsafe held.append(contentsOf: rest) }
            position += count
        }
        return (whole, position)
    }

    /// Cuts off what follows the last whole line.
    private static func mend(
        _ descriptor: Int32, path: String, whole: Int, size: Int
    ) throws(FlatteningError) {
        if whole < size, ftruncate(descriptor, off_t(whole)) != 0 {
            throw FileSystemError.last("the job log cannot be mended", file: path, stage: .batch)
        }
    }
}

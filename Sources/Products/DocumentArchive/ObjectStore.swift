import Checksums
import LocalFiles
import Platform

/// The files of an archive, each under the hash of its content: equal files are stored once, and files never change.
protocol ObjectStore: Sendable {
    /// Writes a file to the disk; one that already exists stays.
    func write(_ content: Data, hash: String) throws(FlatteningError)
    /// Returns the content stored under a hash, without checking it.
    /// - Throws: `.badInput` if there is nothing; other errors if it cannot be read now.
    func contents(of hash: String) throws(FlatteningError) -> [UInt8]
    /// Removes a file; a missing file is not an error.
    func remove(_ hash: String) throws(FlatteningError)
    /// Removes unfinished files of programs that were ended, and the remains of removed files.
    /// - Returns: false if another program still reads the remains.
    func removeRests() throws(FlatteningError) -> Bool
    /// Returns the hashes of all files.
    func hashes() throws(FlatteningError) -> Set<String>
    /// Returns everything that is wrong with the store as a whole, one sentence each.
    func problems() throws(FlatteningError) -> [String]
    /// The archive's folder.
    var folder: String { get }
}

extension ObjectStore {
    func problems() throws(FlatteningError) -> [String] { [] }

    /// Returns the content of a file, if it is unchanged since it was written.
    /// - Throws: `.badInput` for a file that is missing or was changed.
    func read(_ hash: String, name: String) throws(FlatteningError) -> Data {
        let content: [UInt8]
        do throws(FlatteningError) {
            content = try contents(of: hash)
        } catch {
            guard error.code == .badInput else { throw error }
            throw FlatteningError(
                .badInput, "the archive has lost the file \(name)", file: folder, stage: .documents,
                detail: error.detail ?? error.message, advice: "Restore it from a backup")
        }
        guard try ObjectHash.of(content) == hash else {
            throw FlatteningError(
                .badInput, "the archive's file \(name) was changed", file: folder, stage: .documents,
                advice: "Restore it from a backup")
        }
        return Data(content)
    }
}

/// The hash that identifies a file.
enum ObjectHash {
    /// Returns the SHA-256 as 64 hexadecimal digits.
    static func of(_ content: some Sequence<UInt8>) throws(FlatteningError) -> String {
        var hash = try SHA256()
        hash.update(content)
        return hash.digest()
    }
}

/// The files of a plain archive, as files on disk.
struct ObjectFolder: ObjectStore {
    let folder: String

    private var objects: String { FilePath.join(folder, "objects") }
    /// The folder in which files are written before they get their names.
    private var incoming: String { FilePath.join(folder, "incoming") }

    /// Creates the folders, for the owner only.
    init(folder: String) throws(FlatteningError) {
        self.folder = folder
        for path in [objects, incoming] where unsafe mkdir(path, 0o700) != 0 && errno != EEXIST {
            throw FileSystemError.last("the folder cannot be made", file: path, stage: .documents)
        }
    }

    func path(of hash: String) -> String {
        FilePath.join(FilePath.join(objects, String(hash.prefix(2))), String(hash.dropFirst(2)))
    }

    func write(_ content: Data, hash: String) throws(FlatteningError) {
        let path = path(of: hash)
        var status = stat()
        if unsafe stat(path, &status) == 0, Int(status.st_size) == content.count { return }
        let shelf = FilePath.join(objects, String(hash.prefix(2)))
        if unsafe mkdir(shelf, 0o700) == 0 {
            try Self.synchronize(objects)
        } else if errno != EEXIST {
            throw FileSystemError.last("the folder cannot be made", file: shelf, stage: .documents)
        }
        let temporary = FilePath.join(incoming, UUID().uuidString)
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw FileSystemError.last("the file cannot be made", file: temporary, stage: .documents)
        }
        do throws(FlatteningError) {
            defer { close(descriptor) }
            try Self.write(content, to: descriptor, path: temporary)
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        guard unsafe rename(temporary, path) == 0 else {
            let error = FileSystemError.last("the file cannot be kept", file: path, stage: .documents)
            unsafe unlink(temporary)
            throw error
        }
        try Self.synchronize(shelf)
    }

    private static func write(_ content: Data, to descriptor: Int32, path: String) throws(FlatteningError) {
        var failure: Int32 = 0
        unsafe content.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count, failure == 0 {
                let count = unsafe systemWrite(
                    descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
                if count >= 0 { done += count } else if errno != EINTR { failure = errno }
            }
        }
        if failure == 0, fsync(descriptor) != 0 { failure = errno }
        guard failure == 0 else {
            throw FileSystemError.make(failure, "the file cannot be written", file: path, stage: .documents)
        }
    }

    /// Writes a folder's names to the disk.
    static func synchronize(_ folder: String) throws(FlatteningError) {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw FileSystemError.last("the folder cannot be opened", file: folder, stage: .documents)
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw FileSystemError.last("the folder cannot be written", file: folder, stage: .documents)
        }
    }

    func contents(of hash: String) throws(FlatteningError) -> [UInt8] {
        var status = stat()
        guard unsafe lstat(path(of: hash), &status) == 0 || errno != ENOENT else {
            throw FlatteningError(.badInput, "there is no such file", file: folder, stage: .documents)
        }
        return try InputFile.read(path: path(of: hash), limits: .wide, kind: .sequence).bytes
    }

    func remove(_ hash: String) throws(FlatteningError) {
        guard unsafe unlink(path(of: hash)) == 0 || errno == ENOENT else {
            throw FileSystemError.last("the file cannot be removed", file: path(of: hash), stage: .documents)
        }
    }

    func removeRests() throws(FlatteningError) -> Bool {
        for name in try Self.names(in: incoming) { unsafe unlink(FilePath.join(incoming, name)) }
        return true
    }

    func hashes() throws(FlatteningError) -> Set<String> {
        var found: Set<String> = []
        for shelf in try Self.names(in: objects) {
            for name in try Self.names(in: FilePath.join(objects, shelf)) { found.insert(shelf + name) }
        }
        return found
    }

    private static func names(in folder: String) throws(FlatteningError) -> [String] {
        try OpenFolder(path: folder, follows: false, stage: .documents).entries(most: .max)
            .map { String(decoding: $0.bytes, as: UTF8.self) }
    }
}

/// write(2) under a name that `ObjectFolder` does not hide.
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, buffer, count)
}

extension FlatteningLimits {
    /// Limits for files already in the archive: they were within the limits when they were added.
    static let wide: FlatteningLimits = {
        var limits = FlatteningLimits()
        limits.maximumFileBytes = .max - 1
        // A document with all its former states.
        limits.maximumJSONBytes = .max - 1
        return limits
    }()
}

import Diagnostics
import Platform
import LocalFiles
import SQLiteDatabase

extension ContactBook {
    /// The signature at the start of SQLite's header, and the place of the application's number in it, in bytes.
    private static let signature = Array("SQLite format 3\0".utf8)
    private static let applicationIDPlace = 68..<72

    /// Refuses a file that is no store before SQLite touches it, and creates a missing one if requested.
    static func prepareFile(_ path: String, _ access: Access) throws(FlatteningError) {
        guard !path.isEmpty, path != "-", !path.utf8.contains(0) else {
            throw FlatteningError(.fileAccess, "a store is a file with a name", file: path, stage: .contacts)
        }
        var status = stat()
        if unsafe stat(path, &status) != 0 {
            guard errno == ENOENT, access == .creating else {
                throw FileSystemError.last("the store cannot be opened", file: path, stage: .contacts)
            }
            // Created here because SQLite would let others read it; SQLite's further files get the same permissions.
            let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw FileSystemError.last("the store cannot be made", file: path, stage: .contacts)
            }
            close(descriptor)
            return try mark(path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FlatteningError(.fileAccess, "this is no regular file", file: path, stage: .contacts)
        }
        let start = try start(of: path)
        // An empty file has just been created.
        if start.isEmpty, access == .creating { return try mark(path) }
        guard start.starts(with: signature), start.count >= applicationIDPlace.upperBound,
            start[applicationIDPlace].reduce(UInt32(0), { $0 << 8 | UInt32($1) }) == Schema.applicationID
        else {
            throw FlatteningError(.badInput, "this is no store of contacts", file: path, stage: .contacts)
        }
    }

    /// Marks the file as a store. This happens before the log of changes is in use; otherwise the mark would be written to the
    /// log.
    private static func mark(_ path: String) throws(FlatteningError) {
        try translatingErrors(path) {
            try Database(path: path, patience: patience)
                .execute("PRAGMA application_id = \(Schema.applicationID)")
        }
    }

    private static func start(of path: String) throws(FlatteningError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw FileSystemError.last("the store cannot be opened", file: path, stage: .contacts)
        }
        defer { close(descriptor) }
        var start = [UInt8](repeating: 0, count: 100)
        let count = unsafe read(descriptor, &start, start.count)
        guard count >= 0 else {
            throw FileSystemError.last("the store cannot be read", file: path, stage: .contacts)
        }
        return Array(start.prefix(count))
    }

    /// Runs work on a store; converts its errors to this package's errors.
    static func translatingErrors<Value>(
        _ path: String, _ work: () throws -> Value
    ) throws(FlatteningError) -> Value {
        try Database.translatingErrors("store", path, stage: .contacts, work)
    }
}

import LocalFiles
import Platform
import SQLiteDatabase

extension DocumentArchive {
    /// Refuses a passphrase that protects nothing or that cannot be passed to SQLCipher completely.
    static func checkPassphrase(_ passphrase: String) throws(FlatteningError) {
        guard !passphrase.isEmpty, !passphrase.unicodeScalars.contains("\0") else {
            throw FlatteningError(
                .badInput, passphrase.isEmpty ? "the passphrase is empty" : "the passphrase has a zero byte",
                stage: .documents, allowed: "a line of text")
        }
    }

    /// Reads a passphrase from a file: its first line, without the line end.
    /// - Throws: `.fileAccess`; `.badInput` for a file whose first line is empty or not UTF-8.
    public static func passphrase(inFile path: String) throws(FlatteningError) -> String {
        let bytes = try InputFile.read(path: path, kind: .metadata).bytes
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard let passphrase = String(validating: line, as: UTF8.self), !passphrase.isEmpty else {
            throw FlatteningError(
                .badInput, "the file has no passphrase", file: path, stage: .documents,
                allowed: "a first line of text (UTF-8)")
        }
        return passphrase
    }

    /// Checks whether the archive is plain or encrypted before a passphrase is tried.
    static func checkEncryption(of path: String, _ passphrase: String?) throws(FlatteningError) {
        var status = stat()
        let hasContent = unsafe stat(databasePath(path), &status) == 0 && status.st_size > 0
        guard hasContent, try isPlain(path) != (passphrase == nil) else { return }
        throw passphrase == nil
            ? FlatteningError(
                .badInput, "the archive is encrypted, or its database is damaged", file: path,
                stage: .documents, advice: "Give its passphrase: --passphrase-file FILE")
            : FlatteningError(
                .badInput, "the archive is not encrypted", file: path, stage: .documents,
                advice:
                    "Leave out the passphrase; to encrypt the archive, make another of it: flatten archive restore \(path) --archive NEW --passphrase-file FILE"
            )
    }

    /// Locks an encrypted archive whose files are still to be created: otherwise each program would create them with its own
    /// key.
    /// - Returns: nil for an archive whose files exist, and for a plain archive.
    static func lockForMaking(_ path: String, _ passphrase: String?) throws(FlatteningError) -> ArchiveLock? {
        func isMade(_ file: String) -> Bool {
            var status = stat()
            return unsafe stat(file, &status) == 0 && status.st_size > 0
        }
        let files = [databasePath(path), ObjectDatabase.path(in: path)]
        guard passphrase != nil, !files.allSatisfy(isMade) else { return nil }
        guard let lock = try ArchiveLock(.removing, folder: path, patience: patience) else {
            throw busy(path)
        }
        return lock
    }

    /// Whether an archive's database begins like a plain one; a missing one counts as plain.
    package static func isPlain(_ path: String) throws(FlatteningError) -> Bool {
        let file = databasePath(path)
        let descriptor = unsafe Platform.open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return true }
            throw FileSystemError.last("the archive cannot be read", file: path, stage: .documents)
        }
        defer { close(descriptor) }
        let mark = Array("SQLite format 3\0".utf8)
        var head = [UInt8](repeating: 0, count: mark.count)
        return unsafe Platform.read(descriptor, &head, head.count) == head.count && head == mark
    }
}

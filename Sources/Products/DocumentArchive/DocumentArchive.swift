public import Platform
import LocalFiles
import SQLiteDatabase
import Synchronization

/// Receipts, cards and other documents with their images, stored safely in one folder and searchable.
///
/// ```swift
/// let archive = try DocumentArchive(path: "papers")
/// try archive.add([NewDocument(receipt, name: "IMG_4711")], originals: [photograph])
/// for found in try archive.list(ArchiveQuery(words: "coffee 2026")) { print(found.day ?? "", found.merchant ?? "") }
/// ```
///
/// The folder holds an SQLite database and all files, each under the hash of its content: the original photographs, flat
/// images, PDFs, texts, thumbnails. Only its owner may read it. With a passphrase, database and files are encrypted, so that
/// nobody else can. Once `add` or a change returns, its result is on the disk: a program or machine that ends at any moment
/// leaves the archive as before or after a change, never between. Several programs may use it at once; a program that waits
/// longer than `patience` for another gets an error.
public final class DocumentArchive: Sendable {
    /// What may be done with a folder.
    public enum Access: Sendable {
        /// Reading and changing; the archive is created if it does not exist.
        case creating
        /// Reading and changing an archive that exists.
        case existing
    }

    /// The folder, as the caller gave it.
    public let path: String
    /// The passphrase of an encrypted archive; nil for a plain one.
    let passphrase: String?
    let database: Mutex<Database>
    let objects: any ObjectStore

    /// The longest wait for another program, in seconds: longer than any change takes, except changes to thousands of
    /// documents.
    static let patience = 10.0

    /// Opens an archive, and updates one of an earlier version.
    /// - Parameters:
    ///   - path: the folder.
    ///   - access: whether the archive may be created.
    ///   - passphrase: the passphrase of an encrypted archive, or for creating one (AES-256 by SQLCipher); nil for a plain
    ///     archive.
    /// - Throws: `.fileAccess` for a folder that does not exist or cannot be used; `.badInput` for a folder that is not an
    ///   archive or is damaged, for a wrong passphrase, and for a missing or needless one; `.unsupported` for an archive of a
    ///   later version; `.missingDependency` without SQLite, or without SQLCipher for a passphrase.
    public init(
        path: String, access: Access = .creating, passphrase: String? = nil
    ) throws(FlatteningError) {
        self.path = path
        self.passphrase = passphrase
        if let passphrase { try Self.checkPassphrase(passphrase) }
        let isNew = try Self.prepareFolder(path, access)
        let making = try Self.lockForMaking(path, passphrase)
        defer { withExtendedLifetime(making) {} }
        database = Mutex(try Self.open(path, isNew: isNew, passphrase))
        objects = try Self.store(in: path, passphrase)
        if making != nil { _ = try objects.hashes() }
        try removeLeftovers(patience: 0)
    }

    /// Whether the archive is encrypted.
    public var isEncrypted: Bool { passphrase != nil }

    /// The kind of search.
    var search: ArchiveSearch { isEncrypted ? .fts4 : .fts5 }

    /// Returns the store for the files of an archive in a folder.
    static func store(in folder: String, _ passphrase: String?) throws(FlatteningError) -> any ObjectStore {
        guard let passphrase else { return try ObjectFolder(folder: folder) }
        return ObjectDatabase(folder: folder, passphrase: passphrase)
    }

    static func databasePath(_ path: String) -> String { FilePath.join(path, "archive.sqlite") }

    /// Refuses a folder that is not an archive before anything is written there, and creates the folder of a new archive.
    /// - Returns: whether the archive is to be created.
    private static func prepareFolder(_ path: String, _ access: Access) throws(FlatteningError) -> Bool {
        guard !path.isEmpty, path != "-", !path.utf8.contains(0) else {
            throw FlatteningError(
                .fileAccess, "an archive is a folder with a name", file: path, stage: .documents)
        }
        var status = stat()
        if unsafe stat(databasePath(path), &status) == 0 { return false }
        guard access == .creating else {
            throw FlatteningError(
                .fileAccess, "there is no archive", file: path, stage: .documents,
                advice: "Make one: flatten archive add CAPTURE --archive \(path)")
        }
        if unsafe stat(path, &status) != 0 {
            guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw FileSystemError.last("the archive cannot be made", file: path, stage: .documents)
            }
            return true
        }
        // A folder with other files gets no database among them; a folder in which creating an archive was begun has only
        // these names.
        let names = try OpenFolder(path: path, follows: true, stage: .documents).entries(most: 100_000)
            .map(\.shownName)
        guard Set(names).isSubset(of: ["lock", "objects", "incoming"]) else {
            throw FlatteningError(
                .badInput, "the folder is no archive and not empty", file: path, stage: .documents,
                advice: "Name another folder; it is made")
        }
        return true
    }

    private static func open(
        _ path: String, isNew: Bool, _ passphrase: String?
    ) throws(FlatteningError) -> Database {
        try translatingErrors(path) {
            let file = databasePath(path)
            if isNew { try makeFile(file, of: path) }
            try checkEncryption(of: path, passphrase)
            let database: Database
            do {
                database = try Database(path: file, patience: patience, passphrase: passphrase)
            } catch let error as DatabaseError where passphrase != nil && error.isNoDatabase {
                throw FlatteningError(
                    .badInput, "the passphrase is wrong, or the archive is damaged", file: path,
                    stage: .documents)
            }
            let mark = try database.rows("PRAGMA application_id").first?.integer(0) ?? 0
            let isEmpty = try database.rows("SELECT 1 FROM sqlite_master LIMIT 1").isEmpty
            if mark == 0, isEmpty {
                // The database was just created, here or by a program that ended before it wrote more.
                try database.execute("PRAGMA application_id = \(ArchiveSchema.applicationID)")
            } else if mark != ArchiveSchema.applicationID {
                throw FlatteningError(
                    .badInput, "this is no archive of documents", file: path, stage: .documents)
            }
            try database.guardContent(survivesPowerLoss: true)
            guard try !ArchiveSchema.isLater(database) else {
                throw FlatteningError(
                    .unsupported, "a later version of the program made this archive", file: path,
                    stage: .documents,
                    advice: "Use that version; this one would lose what it does not know")
            }
            try ArchiveSchema.migrate(database)
            guard try !database.hasForeignPrograms() else {
                throw FlatteningError(
                    .badInput, "the archive has triggers or views, which no archive of this program has",
                    file: path, stage: .documents, advice: "Use an archive that flatten made")
            }
            return database
        }
    }

    /// Creates an empty file for the owner only: SQLite would let others read it. SQLite gives its further files the same
    /// permissions.
    static func makeFile(_ file: String, of path: String) throws(FlatteningError) {
        let descriptor = unsafe Platform.open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw FileSystemError.last("the archive cannot be made", file: path, stage: .documents)
        }
        close(descriptor)
    }

    // MARK: Reading

    /// Returns a document; nil if there is none with that identifier.
    public func document(_ id: UUID) throws(FlatteningError) -> ArchivedDocument? {
        try reading { try ArchivedDocument.fetch(id, from: $0) }
    }

    /// Returns documents by the beginnings of their identifiers, as people write them, in that order.
    /// - Throws: `.badInput` if no document or several match a beginning.
    package func documents(beginning starts: [String]) throws(FlatteningError) -> [ArchivedDocument] {
        try starts.map { start throws(FlatteningError) in try document(beginning: start) }
    }

    /// Returns a document by the beginning of its identifier.
    /// - Throws: as `documents(beginning:)`.
    package func document(beginning start: String) throws(FlatteningError) -> ArchivedDocument {
        let found = try reading { database in
            try database.rows(
                "SELECT uuid FROM document WHERE uuid BETWEEN ? AND ? LIMIT 2",
                [.text(start.uppercased()), .text(start.uppercased() + "~")]
            ).map { try $0.text(0) }
        }
        guard let first = found.first, found.count == 1, start.utf8.count >= 4 || found == [start] else {
            throw FlatteningError(
                .badInput,
                found.isEmpty ? "there is no such document" : "this may be several documents", file: path,
                stage: .documents, seen: start,
                allowed: "an identifier, or its first four signs or more where no other begins so")
        }
        guard let id = UUID(uuidString: first), let document = try document(id) else {
            throw Self.damaged(path)
        }
        return document
    }

    /// Returns the content of a document's file, unchanged since it was added.
    /// - Throws: `.badInput` if the file is missing or was changed on the disk.
    public func contents(of file: ArchivedDocument.File) throws(FlatteningError) -> Data {
        try objects.read(file.hash, name: file.name)
    }

    /// Returns the documents that have a file with this content.
    /// - Parameters:
    ///   - content: the file's content.
    ///   - role: the file's role in the documents.
    public func documents(
        with content: Data, as role: ArchivedDocument.File.Role = .original
    ) throws(FlatteningError) -> [UUID] {
        let hash = try ObjectHash.of(content)
        return try reading { try Self.holders(of: hash, as: role, in: $0) }
    }

    static func holders(
        of hash: String, as role: ArchivedDocument.File.Role, in database: Database
    ) throws -> [UUID] {
        try database.rows(
            """
            SELECT uuid FROM document JOIN file ON file.document = document.id
            WHERE hash = ? AND role = ? ORDER BY document.id
            """, [.text(hash), .text(role.rawValue)]
        ).compactMap { UUID(uuidString: try $0.text(0)) }
    }

    // MARK: Adding

    /// Adds the documents found on one capture: all of them or, on any error, none.
    /// - Parameters:
    ///   - documents: one for each sheet.
    ///   - originals: the files from which they were read, the photograph first.
    ///   - date: the time of adding.
    /// - Returns: the documents as archived; nil, and nothing is added, if the first original is already in the archive, or,
    ///   without originals, the flat image.
    /// - Throws: `.badInput` without a document, for originals of a redacted document, because they still show what was
    ///   blacked out, and for an entered value that its field cannot have; `.storageFull`, `.fileAccess`.
    @discardableResult
    public func add(
        _ documents: [NewDocument], originals: [NewDocument.File], date: Date = Date()
    ) throws(FlatteningError) -> [ArchivedDocument]? {
        guard !documents.isEmpty else {
            throw FlatteningError(.badInput, "there is no document to add", file: path, stage: .documents)
        }
        guard originals.isEmpty || !documents.contains(where: \.isRedacted) else {
            throw FlatteningError(
                .badInput, "of a document on which something was blacked out no original is archived",
                file: path, stage: .documents)
        }
        for (name, value) in documents.flatMap(\.entered) { try Self.checkEntered(name, value) }
        let kept = try documents.map { document throws(FlatteningError) in
            (document, try (originals + document.files).map(StoredFile.init))
        }
        return try bringing(kept.flatMap(\.1)) { [path] database in
            // A document without its photograph is recognised by its flat image.
            let files = kept[0].1.map(\.file)
            if let first = files.first(where: { $0.role == .original })
                ?? files.first(where: { $0.role == .flat }),
                try !Self.holders(of: first.hash, as: first.role, in: database).isEmpty
            {
                return nil
            }
            return try kept.map { document, files in
                try Self.insert(
                    document, files: files.map(\.file), id: UUID(), added: date, changed: date,
                    into: database, path: path)
            }
        }
    }

    /// A file to be stored in the archive.
    struct StoredFile {
        let file: ArchivedDocument.File
        let content: Data

        init(file: ArchivedDocument.File, content: Data) {
            self.file = file
            self.content = content
        }

        init(_ new: NewDocument.File) throws(FlatteningError) {
            content = new.content
            file = ArchivedDocument.File(
                role: new.role, name: new.name, hash: try ObjectHash.of(new.content),
                byteCount: new.content.count)
        }
    }

    /// Writes files to the disk, and then records which documents they belong to. Files left behind by a program that ends in
    /// between are recorded as leftovers.
    func bringing<Value: Sendable>(
        _ files: [StoredFile], _ note: (Database) throws -> Value
    ) throws(FlatteningError) -> Value {
        guard let lock = try ArchiveLock(.keeping, folder: path, patience: Self.patience) else {
            throw Self.busy(path)
        }
        defer { withExtendedLifetime(lock) {} }
        try writing { database in
            for file in files {
                try database.execute(
                    "INSERT OR IGNORE INTO leftover (hash) VALUES (?)", [.text(file.file.hash)])
            }
        }
        for file in files { try objects.write(file.content, hash: file.file.hash) }
        return try writing { database in
            let value = try note(database)
            for file in files {
                // Files that were not recorded after all stay leftovers.
                try database.execute(
                    "DELETE FROM leftover WHERE hash = ?1 AND EXISTS (SELECT 1 FROM file WHERE hash = ?1)",
                    [.text(file.file.hash)])
            }
            return value
        }
    }

    // MARK: Parts

    func reading<Value: Sendable>(_ read: (Database) throws -> Value) throws(FlatteningError) -> Value {
        try Self.translatingErrors(path) {
            try database.withLock { try $0.transaction(isWriting: false, read) }
        }
    }

    func writing<Value: Sendable>(_ write: (Database) throws -> Value) throws(FlatteningError) -> Value {
        try Self.translatingErrors(path) {
            try database.withLock { try $0.transaction(isWriting: true, write) }
        }
    }

    static func translatingErrors<Value>(
        _ path: String, _ work: () throws -> Value
    ) throws(FlatteningError) -> Value {
        try Database.translatingErrors("archive", path, stage: .documents, work)
    }

    /// Removes files that belong to no document.
    /// - Parameter patience: the longest wait for programs that are adding files, in seconds.
    /// - Returns: false if they did not finish in time, so that nothing was removed, or if they still read removed data.
    @discardableResult
    func removeLeftovers(patience: Double) throws(FlatteningError) -> Bool {
        guard try reading({ try !$0.rows("SELECT 1 FROM leftover LIMIT 1").isEmpty }) else { return true }
        guard let lock = try ArchiveLock(.removing, folder: path, patience: patience) else { return false }
        defer { withExtendedLifetime(lock) {} }
        let hashes = try reading { database in
            try database.rows(
                "SELECT hash FROM leftover WHERE NOT EXISTS (SELECT 1 FROM file WHERE file.hash = leftover.hash)"
            )
            .map { try $0.text(0) }
        }
        for hash in hashes { try objects.remove(hash) }
        let isDone = try objects.removeRests()
        // Other programs may have recorded more meanwhile.
        try writing { database in
            for hash in hashes {
                try database.execute("DELETE FROM leftover WHERE hash = ?", [.text(hash)])
            }
            try database.execute("DELETE FROM leftover WHERE hash IN (SELECT hash FROM file)")
        }
        return isDone
    }

    static func busy(_ path: String) -> FlatteningError {
        FlatteningError(
            .fileAccess, "another program takes files away from the archive", file: path, stage: .documents,
            advice: "Try again when it is done")
    }

    static func damaged(_ path: String) -> FlatteningError {
        FlatteningError(.badInput, "the archive is damaged", file: path, stage: .documents)
    }
}

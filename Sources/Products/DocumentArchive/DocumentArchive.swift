public import Platform
import LocalFiles
import SQLiteDatabase
import Synchronization

/// Receipts, cards and other documents with their images, in one folder that one can search and trust.
///
/// ```swift
/// let archive = try DocumentArchive(path: "papers")
/// try archive.add([NewDocument(receipt, name: "IMG_4711")], originals: [photograph])
/// for found in try archive.list(ArchiveQuery(words: "coffee 2026")) { print(found.day ?? "", found.merchant ?? "") }
/// ```
///
/// The folder holds an SQLite database and, under the hash of its content each, every file: the photographs as they came, flat
/// images, PDFs, texts, thumbnails. Only its owner may read it; with a passphrase nobody else can, for database and files are
/// encrypted then. What `add` or a change returned from is on the disk: a program or
/// machine that ends at any moment leaves the archive as before or after a change, never between. Several programs may use it at
/// once; who waits longer than `patience` for another gets an error.
public final class DocumentArchive: Sendable {
    /// What may be done with a folder.
    public enum Access: Sendable {
        /// Reading and changing; an archive that is not there is made.
        case creating
        /// Reading and changing an archive that is there.
        case existing
    }

    /// The folder, as the caller named it.
    public let path: String
    /// What it is encrypted with; nil for a plain archive.
    let passphrase: String?
    let database: Mutex<Database>
    let objects: any ObjectStore

    /// How long another program is waited for, in seconds: longer than any change takes but those of thousands of documents.
    static let patience = 10.0

    /// Opens an archive, and brings one of an earlier version up to date.
    /// - Parameters:
    ///   - path: the folder.
    ///   - access: whether it may be made.
    ///   - passphrase: what it is, or is to be, encrypted with (AES-256 by SQLCipher); nil for a plain archive.
    /// - Throws: `.fileAccess` for a folder that is not there or cannot be used; `.badInput` for one that is no archive or is
    ///   damaged, for a wrong passphrase, and for a missing or needless one; `.unsupported` for an archive of a later version;
    ///   `.missingDependency` without SQLite, or without SQLCipher for a passphrase.
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

    /// Whether it is encrypted.
    public var isEncrypted: Bool { passphrase != nil }

    /// How it is searched.
    var search: ArchiveSearch { isEncrypted ? .fts4 : .fts5 }

    /// Where an archive in a folder keeps its files.
    static func store(in folder: String, _ passphrase: String?) throws(FlatteningError) -> any ObjectStore {
        guard let passphrase else { return try ObjectFolder(folder: folder) }
        return ObjectDatabase(folder: folder, passphrase: passphrase)
    }

    static func databasePath(_ path: String) -> String { FilePath.join(path, "archive.sqlite") }

    /// Refuses what is no archive before anything is written there, and makes the folder of one that is to be made.
    /// - Returns: whether it is to be made.
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
        // A folder of something else gets no database among its files; one that an archive was begun in has nothing else.
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
                // One that was just made, here or by a program that was ended before it wrote more.
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

    /// Makes an empty file for the owner only: SQLite would let others read it. Its further files get the same permissions.
    static func makeFile(_ file: String, of path: String) throws(FlatteningError) {
        let descriptor = unsafe Platform.open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw FileSystemError.last("the archive cannot be made", file: path, stage: .documents)
        }
        close(descriptor)
    }

    // MARK: Reading

    /// One document; nil if there is none of that identifier.
    public func document(_ id: UUID) throws(FlatteningError) -> ArchivedDocument? {
        try reading { try ArchivedDocument.fetch(id, from: $0) }
    }

    /// Documents by the beginnings of their identifiers, as people write them, in that order.
    /// - Throws: `.badInput` where none or several begin so.
    package func documents(beginning starts: [String]) throws(FlatteningError) -> [ArchivedDocument] {
        try starts.map { start throws(FlatteningError) in try document(beginning: start) }
    }

    /// One document by the beginning of its identifier.
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

    /// A file of a document, as it was when it came.
    /// - Throws: `.badInput` if it is missing or was changed on the disk.
    public func contents(of file: ArchivedDocument.File) throws(FlatteningError) -> Data {
        try objects.read(file.hash, name: file.name)
    }

    /// The documents that have a file of this content.
    /// - Parameters:
    ///   - content: the file's.
    ///   - role: what the file is to them.
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

    /// Adds what was found on one capture: all of it or, on any error, nothing.
    /// - Parameters:
    ///   - documents: one for each sheet.
    ///   - originals: the files that they were read from, the photograph first.
    ///   - date: when they are added.
    /// - Returns: the documents as they are archived; nil, and nothing is added, if the first original, or the flat image where there
    ///   is none, is in the archive already.
    /// - Throws: `.badInput` without a document, for originals of one on which something was blacked out, as they still show it, and
    ///   for an entered value that its field cannot have; `.storageFull`, `.fileAccess`.
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
            // What came without its photograph is known by its flat image.
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

    /// A file on its way into the archive.
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

    /// Brings files to the disk, and then notes what they belong to. What a program that is ended meanwhile leaves behind is known
    /// as a leftover.
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
                // What was not noted after all stays a leftover.
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

    /// Takes files away that no document has.
    /// - Parameter patience: how long other programs that bring files are waited for, in seconds.
    /// - Returns: false if they did not end in time, so that nothing was taken away, or read what was.
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
        // Others may have noted more meanwhile.
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

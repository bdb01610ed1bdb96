import LocalFiles
import Platform
import SQLiteDatabase
import Synchronization

/// The files of an encrypted archive, in a database beside the documents' and encrypted with the same passphrase.
struct ObjectDatabase: ObjectStore {
    let folder: String
    private let passphrase: String
    private let kept = Kept()

    /// The connection shared by all copies of the store. It is opened when the first file is requested: deriving its key
    /// takes as long as for the documents' database, and searches do not need it.
    private final class Kept: Sendable {
        let connection = Mutex<Database?>(nil)
    }

    /// Returns the path of an archive's database of files.
    static func path(in folder: String) -> String { FilePath.join(folder, "objects.sqlite") }

    /// The mark that distinguishes it from other SQLite databases: "RFDO" in the header's field for it.
    private static let applicationID = 0x5246_444F

    init(folder: String, passphrase: String) {
        self.folder = folder
        self.passphrase = passphrase
    }

    /// Opens the database, or creates it.
    private func open() throws -> Database {
        let file = Self.path(in: folder)
        try DocumentArchive.makeFile(file, of: folder)
        let database = try Database(path: file, patience: DocumentArchive.patience, passphrase: passphrase)
        let isNew = try database.rows("PRAGMA application_id").first?.integer(0) != Self.applicationID
        // Must be set before the first table, so that free pages can be returned.
        if isNew { try database.execute("PRAGMA auto_vacuum = INCREMENTAL") }
        try database.guardContent(survivesPowerLoss: true)
        if isNew {
            try database.transaction(isWriting: true) { database in
                // Another program may have created it meanwhile.
                try database.execute(
                    """
                    PRAGMA application_id = \(Self.applicationID);
                    CREATE TABLE IF NOT EXISTS object (
                        id INTEGER PRIMARY KEY,
                        hash TEXT NOT NULL UNIQUE,
                        content BLOB NOT NULL
                    );
                    """)
            }
        }
        guard try !database.hasForeignPrograms() else { throw DamagedDatabase() }
        return database
    }

    private func using<Value: Sendable>(
        _ work: (Database) throws -> Value
    ) throws(FlatteningError) -> Value {
        try DocumentArchive.translatingErrors(folder) {
            try kept.connection.withLock { connection in
                let database = try connection ?? open()
                connection = database
                return try work(database)
            }
        }
    }

    func write(_ content: Data, hash: String) throws(FlatteningError) {
        try using { database in
            try database.transaction(isWriting: true) { database in
                try database.execute(
                    "INSERT OR IGNORE INTO object (hash, content) VALUES (?, ?)",
                    [.text(hash), .bytes([UInt8](content))])
            }
        }
    }

    func contents(of hash: String) throws(FlatteningError) -> [UInt8] {
        let found = try using { database in
            try database.rows("SELECT content FROM object WHERE hash = ?", [.text(hash)]).first?.bytes(0)
        }
        guard let found else {
            throw FlatteningError(.badInput, "there is no such file", file: folder, stage: .documents)
        }
        return found
    }

    func remove(_ hash: String) throws(FlatteningError) {
        try using { try $0.execute("DELETE FROM object WHERE hash = ?", [.text(hash)]) }
    }

    func removeRests() throws(FlatteningError) -> Bool {
        try using { database in
            // Deleted data was overwritten (`secure_delete`), but the log of changes still has it.
            try database.execute("PRAGMA incremental_vacuum")
            return try database.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.integer(0) == 0
        }
    }

    func hashes() throws(FlatteningError) -> Set<String> {
        try using { Set(try $0.rows("SELECT hash FROM object").map { try $0.text(0) }) }
    }

    /// Returns everything that is wrong with the database, one sentence each.
    func problems() throws(FlatteningError) -> [String] {
        try using { try $0.rows("PRAGMA integrity_check").map { try $0.text(0) }.filter { $0 != "ok" } }
    }
}

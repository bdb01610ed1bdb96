internal import CSQLite

extension Database {
    /// Sets the rules for every connection: changes go to a log beside the file, references are checked, deleted content is
    /// overwritten, nothing is written to files elsewhere, and functions in a stranger's file are not trusted.
    /// - Parameter survivesPowerLoss: whether a change survives a power failure right after it; this costs a wait for the disk
    ///   with each change.
    package func guardContent(survivesPowerLoss: Bool = false) throws {
        guard try rows("PRAGMA journal_mode = WAL").first?.text(0) == "wal" else {
            throw DatabaseError(
                code: SQLITE_CANTOPEN, message: "there can be no log of changes beside the file")
        }
        try execute(
            """
            PRAGMA synchronous = \(survivesPowerLoss ? "FULL" : "NORMAL");
            PRAGMA foreign_keys = ON;
            PRAGMA secure_delete = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA trusted_schema = OFF;
            PRAGMA cell_size_check = ON;
            """)
    }

    /// Whether the file contains its own statements, which would run when it is changed or read.
    package func hasForeignPrograms() throws -> Bool {
        try !rows("SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view') LIMIT 1").isEmpty
    }
}

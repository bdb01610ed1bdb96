internal import CSQLite

extension Database {
    /// What holds for every connection: changes go to a log beside the file, references are checked, what is deleted is
    /// overwritten, nothing goes to files elsewhere, and functions of a file from a stranger are not trusted.
    /// - Parameter survivesPowerLoss: whether a change that was made is there even if the power fails right after it, which costs a
    ///   wait for the disk with each.
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

    /// Whether the file holds statements of its own, which would run when it is changed or read.
    package func hasForeignPrograms() throws -> Bool {
        try !rows("SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view') LIMIT 1").isEmpty
    }
}

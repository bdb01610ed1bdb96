import GRDB

/// The tables of a store, and how they came about. A migration that was released never changes.
enum Schema {
    /// What tells a store of contacts from other SQLite databases: "RFCS" in the header's field for it.
    static let applicationID: UInt32 = 0x5246_4353

    /// The tables that are searched: `word` by words and their beginnings, `part` by any three signs.
    static let searchTables = ["word", "part"]

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("contacts, values, pictures, search", foreignKeyChecks: .immediate) {
            database in
            try database.execute(
                sql: """
                    CREATE TABLE contact (
                        -- Numbers are not given twice, so that one that was noted never leads to somebody else.
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        -- Seconds since 1970.
                        added REAL NOT NULL,
                        changed REAL NOT NULL
                    ) STRICT;
                    CREATE TABLE value (
                        contact INTEGER NOT NULL REFERENCES contact (id) ON DELETE CASCADE,
                        place INTEGER NOT NULL,
                        field TEXT NOT NULL,
                        -- The value with what it was read from, as JSON.
                        content TEXT NOT NULL,
                        PRIMARY KEY (contact, place)
                    ) STRICT;
                    CREATE TABLE picture (
                        contact INTEGER NOT NULL REFERENCES contact (id) ON DELETE CASCADE,
                        place INTEGER NOT NULL,
                        hash TEXT NOT NULL,
                        name TEXT NOT NULL,
                        PRIMARY KEY (contact, place)
                    ) STRICT;
                    CREATE INDEX picture_by_hash ON picture (hash);
                    CREATE VIRTUAL TABLE word USING fts5 (
                        name, organisation, other, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
                    );
                    CREATE VIRTUAL TABLE part USING fts5 (text, tokenize = 'trigram', detail = 'full');
                    """)
        }
        return migrator
    }()
}

extension Database {
    /// What holds for every connection: foreign keys are on (GRDB's default), what is deleted is overwritten, nothing goes to
    /// files elsewhere, and functions of a file from a stranger are not trusted.
    func guardContent() throws {
        try execute(
            sql: """
                PRAGMA secure_delete = ON;
                PRAGMA temp_store = MEMORY;
                PRAGMA trusted_schema = OFF;
                PRAGMA cell_size_check = ON;
                """)
    }

    /// Whether the file holds statements of its own, which would run when contacts are changed or read.
    func hasForeignPrograms() throws -> Bool {
        try Int.fetchOne(self, sql: "SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')")
            != 0
    }
}

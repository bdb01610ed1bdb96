import SQLiteDatabase

/// The tables of a store, and the migrations that create them. A released migration never changes.
enum Schema {
    /// Marks an SQLite database as a store of contacts: "RFCS" in the header's application ID.
    static let applicationID: UInt32 = 0x5246_4353

    /// The tables for searching: `word` by words and their beginnings, `part` by any three characters.
    static let searchTables = ["word", "part"]

    /// The steps to the current tables, each with the name that a store records once the step is done.
    private static let migrations: [(name: String, sql: String)] = [
        (
            "contacts, values, pictures, search",
            """
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
            """
        )
    ]

    /// The table of completed migrations. GRDB, which made the first stores, gave it this name.
    private static let list = "grdb_migrations"

    /// Whether a store was made by a later version of the program.
    static func isLater(_ database: Database) throws -> Bool {
        let known = Set(migrations.map(\.name))
        return try !done(in: database).isSubset(of: known)
    }

    /// Runs the remaining steps, each completely or not at all.
    static func migrate(_ database: Database) throws {
        guard try migrations.contains(where: { try !done(in: database).contains($0.name) }) else { return }
        try database.execute("CREATE TABLE IF NOT EXISTS \(list) (identifier TEXT NOT NULL PRIMARY KEY)")
        for migration in migrations {
            try database.transaction(isWriting: true) { database in
                // Another program may have run it meanwhile.
                guard try !done(in: database).contains(migration.name) else { return }
                try database.execute(migration.sql)
                try database.execute(
                    "INSERT INTO \(list) (identifier) VALUES (?)", [.text(migration.name)])
            }
        }
    }

    private static func done(in database: Database) throws -> Set<String> {
        let hasList = try !database.rows(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(list)]
        ).isEmpty
        guard hasList else { return [] }
        return Set(try database.rows("SELECT identifier FROM \(list)").map { try $0.text(0) })
    }
}

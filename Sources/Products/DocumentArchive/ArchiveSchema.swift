import ScalarText
import SQLiteDatabase

/// The tables of an archive, and the steps that created them. A released step never changes.
enum ArchiveSchema {
    /// The mark that distinguishes an archive from other SQLite databases: "RFDA" in the header's field for it.
    static let applicationID = 0x5246_4441

    /// The steps to the current tables; an archive stores in `user_version` how many it has taken.
    private static let steps = [
        """
        CREATE TABLE document (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            uuid TEXT NOT NULL UNIQUE,
            -- Seconds since 1970.
            added REAL NOT NULL,
            changed REAL NOT NULL,
            -- Of the values, what lists show and searches ask; "" where it is not known.
            kind TEXT NOT NULL,
            merchant TEXT NOT NULL,
            merchant_key TEXT NOT NULL,
            day TEXT NOT NULL,
            currency TEXT NOT NULL,
            -- In thousandths; NULL where it is not known.
            total INTEGER,
            -- What lists are ordered by: the day, or when it was added.
            ordered TEXT NOT NULL,
            -- 64 bits of what it looks like; NULL without an image.
            look INTEGER,
            -- Of its words, least hashes: documents with like words have some in common.
            sketch TEXT NOT NULL,
            program TEXT NOT NULL,
            report TEXT NOT NULL,
            -- The document that this one was merged into.
            merged INTEGER REFERENCES document (id) ON DELETE CASCADE
        ) STRICT;
        CREATE INDEX document_by_order ON document (ordered DESC, id DESC) WHERE merged IS NULL;
        CREATE INDEX document_by_merchant ON document (merchant_key);
        CREATE INDEX document_by_total ON document (total, day);
        CREATE INDEX document_by_merger ON document (merged) WHERE merged IS NOT NULL;
        CREATE TABLE value (
            document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            text TEXT NOT NULL,
            -- 0 to 1; NULL for what a person entered.
            confidence REAL
        ) STRICT;
        CREATE INDEX value_by_document ON value (document);
        CREATE TABLE tag (
            document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            PRIMARY KEY (document, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tag_by_name ON tag (name);
        CREATE TABLE code (
            document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
            text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX code_by_document ON code (document);
        CREATE INDEX code_by_text ON code (text);
        CREATE TABLE file (
            document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            role TEXT NOT NULL,
            name TEXT NOT NULL,
            hash TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (document, place)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX file_by_hash ON file (hash);
        -- What a person changed, to be undone, the last first.
        CREATE TABLE change (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
            at REAL NOT NULL,
            -- What was there before, as JSON.
            before TEXT NOT NULL
        ) STRICT;
        CREATE INDEX change_by_document ON change (document);
        -- Hashes of files that may lie in the archive without a document: they are being brought, or are to be taken away.
        CREATE TABLE leftover (hash TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
        -- Files of watched folders that could not be archived, so that none is tried for ever.
        CREATE TABLE refusal (hash TEXT PRIMARY KEY, name TEXT NOT NULL, reason TEXT NOT NULL, at REAL NOT NULL)
            STRICT, WITHOUT ROWID;
        """,
        """
        -- What is sold, and whom a card is of; "" where it is not known.
        ALTER TABLE document ADD COLUMN category TEXT NOT NULL DEFAULT '';
        ALTER TABLE document ADD COLUMN name TEXT NOT NULL DEFAULT '';
        CREATE INDEX document_by_name ON document (name COLLATE NOCASE) WHERE name != '';
        CREATE INDEX document_by_seller ON document (merchant COLLATE NOCASE);
        CREATE TABLE tax (
            document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
            -- Percent as printed; "" where it is not known.
            rate TEXT NOT NULL,
            -- In thousandths; base is NULL where it is not known.
            base INTEGER,
            amount INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX tax_by_document ON tax (document);
        """,
        """
        -- The change that put other files in the place of this one; NULL for files of today.
        ALTER TABLE file ADD COLUMN change INTEGER REFERENCES change (id) ON DELETE CASCADE;
        CREATE INDEX file_by_change ON file (change) WHERE change IS NOT NULL;
        """,
        """
        -- To whom a document was exported, and when last.
        CREATE TABLE exported (
            document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            at REAL NOT NULL,
            PRIMARY KEY (document, name)
        ) STRICT, WITHOUT ROWID;
        """,
    ]

    /// Whether a later version of the program created the archive.
    static func isLater(_ database: Database) throws -> Bool { try version(of: database) > steps.count }

    /// Takes the remaining steps, each completely or not at all.
    static func migrate(_ database: Database) throws {
        while try version(of: database) < steps.count {
            try database.transaction(isWriting: true) { database in
                // Another program may have taken the step meanwhile.
                let done = try version(of: database)
                guard done < steps.count else { return }
                let tables = steps[done] + (done == 0 ? database.search.creation : "")
                try database.execute(
                    (database.isEncrypted ? withoutStrictness(tables) : tables)
                        + "PRAGMA user_version = \(done + 1);")
                // New columns that are derived from the documents are filled by the current program.
                if done + 1 == steps.count { try ArchivedDocument.completeAll(in: database) }
            }
        }
    }

    /// Returns the tables without STRICT, which the SQLite of Debian 12's SQLCipher does not know. This is safe because only
    /// this program writes them.
    private static func withoutStrictness(_ tables: String) -> String {
        tables.replacingScalars(" STRICT, ", with: " ").replacingScalars(" STRICT;", with: ";")
    }

    private static func version(of database: Database) throws -> Int {
        try database.rows("PRAGMA user_version").first?.integer(0) ?? 0
    }
}

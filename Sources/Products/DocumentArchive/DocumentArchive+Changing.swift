import ContactStore
import Documents
import LocalFiles
public import Platform
import SQLiteDatabase

extension DocumentArchive {
    /// The state before a change, as an archive stores it.
    struct Before: Codable, Hashable, Sendable {
        var entered: [String: String]
        var tags: [String]
        var notes: String
        /// The documents that the change merged into this one.
        var merged: [UUID] = []
        /// The previous reading, if the change was another reading.
        var reading: Reading?

        init(_ document: ArchivedDocument, merged: [UUID] = [], reading: Reading? = nil) {
            entered = document.entered
            tags = document.tags
            notes = document.notes
            self.merged = merged
            self.reading = reading
        }
    }

    /// The values read from a document, and the files made from it.
    struct Reading: Codable, Hashable, Sendable {
        var read: [String: ArchivedDocument.Value]
        var text: String
        var codes: [String]
        var report: String
        var program: String
        var look: Int?
        var sketch: String
        var files: [ArchivedDocument.File]
    }

    /// Changes a document. Entered values take precedence over all readings; `undo` reverts the change.
    /// - Returns: the document after the change.
    /// - Throws: `.badInput` if there is no such document, or for a value that its field cannot have.
    @discardableResult
    public func change(
        _ id: UUID, _ change: ArchiveChange, date: Date = Date()
    ) throws(FlatteningError) -> ArchivedDocument {
        for (name, value) in change.values { try Self.checkEntered(name, value) }
        return try writing { [path] database in
            let document = try Self.existing(id, database, path)
            var after = Before(document)
            for (name, value) in change.values { after.entered[name] = value }
            after.tags = Set(after.tags).union(change.addedTags).subtracting(change.removedTags).sorted()
            after.notes = change.notes ?? after.notes
            try Self.note(Before(document), of: document, date: date, in: database)
            return try Self.write(after, to: document, changed: date, in: database)
        }
    }

    /// Replaces what was read from a document with another reading: values, text, codes, report and all files except the
    /// originals. Entered values stay and take precedence; `undo` restores the former reading with its files.
    /// - Parameters:
    ///   - id: the document.
    ///   - new: the new reading of its originals.
    ///   - date: the time of the change.
    /// - Returns: the document after the change.
    /// - Throws: `.badInput` if there is no such document, and for a redacted reading, because the originals show what is
    ///   blacked out.
    @discardableResult
    public func reread(
        _ id: UUID, as new: NewDocument, date: Date = Date()
    ) throws(FlatteningError) -> ArchivedDocument {
        let files = try new.files.map(StoredFile.init)
        return try bringing(files) { [path] database in
            var document = try Self.existing(id, database, path)
            guard !new.isRedacted || document.files(.original).isEmpty else {
                throw FlatteningError(
                    .badInput, "the document's originals show what is blacked out in the new reading",
                    file: path, stage: .documents)
            }
            let row = try ArchivedDocument.row(of: id, in: database) ?? 0
            let former = try Self.reading(of: document, row: row, database)
            let change = try Self.note(
                Before(document, reading: former), of: document, date: date, in: database)
            try database.execute(
                "UPDATE file SET change = ? WHERE document = ? AND change IS NULL AND role != 'original'",
                [.integer(change), .integer(row)])
            try Self.insert(files.map(\.file), row: row, change: nil, into: database)
            try Self.put(
                Reading(
                    read: new.read, text: new.text, codes: new.codes, report: new.report,
                    program: new.program, look: new.look.map { Int(bitPattern: UInt($0)) },
                    sketch: WordSketch.text(of: DocumentTraits.words(of: new.text)), files: []),
                in: &document, row: row, database)
            return try Self.write(Before(document), to: document, changed: date, in: database)
        }
    }

    /// Reverts the last change of a document, its last merger, or its last new reading.
    /// - Returns: the document after that.
    /// - Throws: `.badInput` if there is no such document, or nothing was changed.
    @discardableResult
    public func undo(_ id: UUID, date: Date = Date()) throws(FlatteningError) -> ArchivedDocument {
        try writing { [path] database in
            var document = try Self.existing(id, database, path)
            let row = try ArchivedDocument.row(of: id, in: database) ?? 0
            guard
                let last = try database.rows(
                    "SELECT id, before FROM change WHERE document = ? ORDER BY id DESC LIMIT 1",
                    [.integer(row)]
                ).first
            else {
                throw FlatteningError(
                    .badInput, "nothing of this document was changed", file: path, stage: .documents,
                    seen: id.uuidString)
            }
            let before = try JSONDecoder().decode(Before.self, from: Data(last.text(1).utf8))
            for merged in before.merged {
                try database.execute(
                    "UPDATE document SET merged = NULL WHERE uuid = ?", [.text(merged.uuidString)])
            }
            if let reading = before.reading {
                try Self.put(reading, in: &document, row: row, database)
                // Current files go, and those that the change replaced become current again.
                try database.execute(
                    """
                    INSERT OR IGNORE INTO leftover (hash) SELECT hash FROM file
                    WHERE document = ? AND change IS NULL AND role != 'original'
                    """, [.integer(row)])
                try database.execute(
                    "DELETE FROM file WHERE document = ? AND change IS NULL AND role != 'original'",
                    [.integer(row)])
                try database.execute(
                    "UPDATE file SET change = NULL WHERE change = ?", [.integer(try last.integer(0))])
            }
            // Also removes the rows that still belong to the change.
            try database.execute("DELETE FROM change WHERE id = ?", [.integer(try last.integer(0))])
            return try Self.write(before, to: document, changed: date, in: database)
        }
    }

    /// Merges documents that show the same. The first stays, with the notes and tags of all; the others are hidden behind it,
    /// with their files, until `undo` of the first restores them. A business card also gets the other cards' additional
    /// values: further numbers and addresses as `phone_2`, and values that it does not have at all.
    /// - Returns: the document after the merger.
    /// - Throws: `.badInput` for fewer than two documents, and for one that does not exist or was merged before.
    @discardableResult
    public func merge(_ ids: [UUID], date: Date = Date()) throws(FlatteningError) -> ArchivedDocument {
        guard let first = ids.first, Set(ids).count == ids.count, ids.count > 1 else {
            throw FlatteningError(
                .badInput, "there is nothing to merge", file: path, stage: .documents,
                seen: "\(ids.count) document", allowed: "two and more, each once")
        }
        return try writing { [path] database in
            let document = try Self.existing(first, database, path)
            let others = try ids.dropFirst().map { try Self.existing($0, database, path) }
            let row = try ArchivedDocument.row(of: first, in: database) ?? 0
            for id in ids {
                guard
                    try database.rows(
                        "SELECT 1 FROM document WHERE uuid = ? AND merged IS NULL", [.text(id.uuidString)]
                    ).first != nil
                else {
                    throw FlatteningError(
                        .badInput, "the document is merged into another already", file: path,
                        stage: .documents, seen: id.uuidString)
                }
            }
            try Self.note(
                Before(document, merged: others.map(\.id)), of: document, date: date, in: database)
            for other in others {
                try database.execute(
                    "UPDATE document SET merged = ? WHERE uuid = ?",
                    [.integer(row), .text(other.id.uuidString)])
            }
            var after = Before(document)
            after.tags = Set(([document] + others).flatMap(\.tags)).sorted()
            if document.contact != nil {
                for (name, value) in ContactValues.further(of: others.compactMap(\.contact), than: document) {
                    after.entered[name] = value.text
                }
            }
            after.notes = ([document] + others).map(\.notes).filter { !$0.isEmpty }.joined(separator: "\n")
            return try Self.write(after, to: document, changed: date, in: database)
        }
    }

    /// Removes documents, those that were merged into them, and the files that no other document has. After that, no file of
    /// the archive holds the removed data; older blocks kept by a file system, or a backup, are beyond reach. O(the
    /// database).
    /// - Throws: `.badInput` for a document that does not exist; nothing is removed then. `.fileAccess` if another program
    ///   uses the archive all the time: then the documents are removed, and the error says what is still in the files.
    public func remove(_ ids: [UUID]) throws(FlatteningError) {
        try writing { [path] database in
            for id in ids {
                _ = try Self.existing(id, database, path)
                for row in try Self.family(of: id, in: database) {
                    try database.execute(
                        "INSERT OR IGNORE INTO leftover (hash) SELECT hash FROM file WHERE document = ?",
                        [.integer(row)])
                    for table in ArchiveSearch.tables {
                        try database.execute("DELETE FROM \(table) WHERE rowid = ?", [.integer(row)])
                    }
                    try database.execute("DELETE FROM document WHERE id = ?", [.integer(row)])
                }
            }
            // Deleted words stay in the search index until its parts are joined.
            for table in ArchiveSearch.tables {
                try database.execute("INSERT INTO \(table) (\(table)) VALUES ('optimize')")
            }
        }
        // Removes what was left in pages when rows moved, and all former pages in the log of changes.
        try Self.translatingErrors(path) { try database.withLock { try $0.execute("VACUUM") } }
        let isLogInUse = try Self.translatingErrors(path) {
            try database.withLock { try $0.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.integer(0) } != 0
        }
        guard try removeLeftovers(patience: Self.patience), !isLogInUse else {
            throw FlatteningError(
                .fileAccess,
                "the documents are removed, but another program uses the archive, so what was there before still lies in its files",
                file: path, stage: .documents, advice: "End that program, and open the archive once more")
        }
    }

    // MARK: Parts

    static func existing(_ id: UUID, _ database: Database, _ path: String) throws -> ArchivedDocument {
        guard let document = try ArchivedDocument.fetch(id, from: database) else {
            throw FlatteningError(
                .badInput, "there is no such document", file: path, stage: .documents, seen: id.uuidString)
        }
        return document
    }

    /// Returns the rows of a document and of all documents merged into it, the outermost first.
    private static func family(of id: UUID, in database: Database) throws -> [Int] {
        try database.rows(
            """
            WITH RECURSIVE family (id) AS (
                SELECT id FROM document WHERE uuid = ?
                UNION SELECT document.id FROM document JOIN family ON merged = family.id)
            SELECT id FROM family ORDER BY id DESC
            """, [.text(id.uuidString)]
        ).map { try $0.integer(0) }
    }

    private static func reading(
        of document: ArchivedDocument, row: Int, _ database: Database
    ) throws -> Reading {
        guard
            let more = try database.rows(
                "SELECT coalesce(look, ''), sketch FROM document WHERE id = ?", [.integer(row)]
            ).first
        else { throw DamagedDatabase() }
        return Reading(
            read: document.read, text: document.text, codes: document.codes, report: document.report,
            program: document.program, look: try? more.integer(0), sketch: try more.text(1),
            files: document.files.filter { $0.role != .original })
    }

    /// Replaces the reading of a document, except for its files and the columns that `write` fills.
    private static func put(
        _ reading: Reading, in document: inout ArchivedDocument, row: Int, _ database: Database
    ) throws {
        document.read = reading.read
        document.text = reading.text
        document.codes = reading.codes
        document.report = reading.report
        document.program = reading.program
        try database.execute(
            "UPDATE document SET report = ?, program = ?, look = nullif(?, ''), sketch = ? WHERE id = ?",
            [
                .text(reading.report), .text(reading.program),
                reading.look.map(DatabaseValue.integer) ?? .text(""), .text(reading.sketch), .integer(row),
            ])
        try database.execute("DELETE FROM code WHERE document = ?", [.integer(row)])
        try insert(reading.codes, row: row, into: database)
    }

    /// Stores the state before a change.
    /// - Returns: the change's number.
    @discardableResult
    private static func note(
        _ before: Before, of document: ArchivedDocument, date: Date, in database: Database
    ) throws -> Int {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try database.execute(
            "INSERT INTO change (document, at, before) VALUES (?, ?, ?)",
            [
                .integer(try ArchivedDocument.row(of: document.id, in: database) ?? 0),
                .real(date.timeIntervalSince1970),
                .text(String(decoding: try encoder.encode(before), as: UTF8.self)),
            ])
        return database.lastInsertedID
    }

    private static func write(
        _ after: Before, to document: ArchivedDocument, changed: Date, in database: Database
    ) throws -> ArchivedDocument {
        var document = document
        (document.entered, document.tags, document.notes) = (after.entered, after.tags, after.notes)
        document.changed = changed
        try document.write(to: database)
        return try existing(document.id, database, "")
    }

    /// Refuses a value that its field cannot have.
    static func checkEntered(_ name: String, _ value: String?) throws(FlatteningError) {
        guard name.wholeMatch(of: /[a-z][a-z0-9_]{0,39}/) != nil else {
            throw FlatteningError(
                .badInput, "a value cannot have this name", stage: .documents, seen: name,
                allowed: "small letters, digits and _, beginning with a letter")
        }
        guard let value else { return }
        let allowed: String? =
            switch name {
            case "date": ArchiveQuery.isDay(value) ? nil : "a day, as 2026-11-26"
            case "currency": value.wholeMatch(of: /[A-Z]{3}/) == nil ? "three capitals, as EUR" : nil
            case _ where ReceiptFieldName.allCases.contains { $0.isAmount && $0.key == name }:
                value.wholeMatch(of: /-?[0-9]{1,12}(\.[0-9]{1,3})?/) == nil ? "an amount, as 12.50" : nil
            default: value.isEmpty ? "a text" : nil
            }
        if let allowed {
            throw FlatteningError(
                .badInput, "\(name) cannot be this", stage: .documents, seen: value, allowed: allowed)
        }
    }
}

import ContactStore
import Platform
import ScalarText
import SQLiteDatabase

extension ArchivedDocument {
    /// Reads a document; nil if there is none.
    static func fetch(_ uuid: UUID, from database: Database) throws -> ArchivedDocument? {
        guard
            let row = try database.rows(
                "SELECT id, added, changed, report, program FROM document WHERE uuid = ?",
                [.text(uuid.uuidString)]
            ).first
        else { return nil }
        let id = try row.integer(0)
        func rows(_ columns: String, of table: String, order: String, where more: String = "") throws -> [Row]
        {
            try database.rows(
                "SELECT \(columns) FROM \(table) WHERE document = ? \(more) ORDER BY \(order)", [.integer(id)]
            )
        }
        var read: [String: Value] = [:]
        var entered: [String: String] = [:]
        for value in try rows("name, text, coalesce(confidence, -1)", of: "value", order: "name") {
            let confidence = try value.real(2)
            if confidence < 0 {
                entered[try value.text(0)] = try value.text(1)
            } else {
                read[try value.text(0)] = Value(try value.text(1), confidence: confidence)
            }
        }
        guard
            let words = try database.rows("SELECT notes, text FROM word WHERE rowid = ?", [.integer(id)])
                .first
        else { throw DamagedDatabase() }
        return ArchivedDocument(
            id: uuid, added: Date(timeIntervalSince1970: try row.real(1)),
            changed: Date(timeIntervalSince1970: try row.real(2)), read: read, entered: entered,
            tags: try rows("name", of: "tag", order: "name").map { try $0.text(0) },
            notes: try words.text(0), text: try words.text(1),
            codes: try rows("text", of: "code", order: "rowid").map { try $0.text(0) },
            report: try row.text(3), program: try row.text(4),
            files: try rows(
                "role, name, hash, bytes", of: "file", order: "place", where: "AND change IS NULL"
            ).map { file in
                guard let role = File.Role(rawValue: try file.text(0)) else { throw DamagedDatabase() }
                return File(
                    role: role, name: try file.text(1), hash: try file.text(2), byteCount: try file.integer(3)
                )
            },
            exported: Dictionary(
                uniqueKeysWithValues: try rows("name, at", of: "exported", order: "name").map {
                    (try $0.text(0), Date(timeIntervalSince1970: try $0.real(1)))
                }))
    }

    /// Returns the number of a document's row; nil if there is none.
    static func row(of uuid: UUID, in database: Database) throws -> Int? {
        try database.rows("SELECT id FROM document WHERE uuid = ?", [.text(uuid.uuidString)]).first?.integer(
            0)
    }

    /// Fills the columns that later versions added, from the documents' own data.
    static func completeAll(in database: Database) throws {
        for row in try database.rows("SELECT uuid FROM document") {
            guard let id = UUID(uuidString: try row.text(0)), var document = try fetch(id, from: database)
            else {
                throw DamagedDatabase()
            }
            // A report that this program cannot read adds nothing.
            if let facts = try? ReportFacts(json: Data(document.report.utf8)) {
                document.read.merge(facts.values) { known, _ in known }
            }
            try document.write(to: database)
        }
    }

    /// Writes a document, with the derived columns that lists and searches use.
    func write(to database: Database) throws {
        guard let row = try Self.row(of: id, in: database) else { throw DamagedDatabase() }
        try Self.write(
            values, tags: tags, notes: notes, text: text, codes: codes, report: report, added: added,
            changed: changed, row: row, to: database)
        for (name, value) in read { try Self.insert(name, value, row: row, into: database) }
        for (name, text) in entered { try Self.insert(name, .init(text), row: row, into: database) }
    }

    /// Replaces the data derived from a document.
    private static func write(
        _ values: [String: Value], tags: [String], notes: String, text: String, codes: [String],
        report: String, added: Date, changed: Date, row id: Int, to database: Database
    ) throws {
        for table in ["value", "tag", "tax"] {
            try database.execute("DELETE FROM \(table) WHERE document = ?", [.integer(id)])
        }
        for tag in Set(tags) {
            try database.execute(
                "INSERT INTO tag (document, name) VALUES (?, ?)", [.integer(id), .text(tag)])
        }
        let asked = AskedValues(values, added: added)
        try database.execute(
            """
            UPDATE document SET changed = ?, kind = ?, merchant = ?, merchant_key = ?, day = ?, currency = ?,
                total = nullif(?, ''), ordered = ?, category = ?, name = ? WHERE id = ?
            """,
            [
                .real(changed.timeIntervalSince1970), .text(asked.kind), .text(asked.merchant),
                .text(asked.merchantKey), .text(asked.day), .text(asked.currency),
                asked.total.map(DatabaseValue.integer) ?? .text(""), .text(asked.order),
                .text(asked.category), .text(asked.name), .integer(id),
            ])
        for tax in asked.taxes(report: report) {
            try database.execute(
                "INSERT INTO tax (document, rate, base, amount) VALUES (?, ?, nullif(?, ''), ?)",
                [
                    .integer(id), .text(tax.rate), tax.base.map(DatabaseValue.integer) ?? .text(""),
                    .integer(tax.amount),
                ])
        }
        for table in ArchiveSearch.tables {
            try database.execute("DELETE FROM \(table) WHERE rowid = ?", [.integer(id)])
        }
        let head = (values.values.map(\.text) + tags).sorted().joined(separator: "\n")
        // When accents are removed, people take "ß" for "ss", but the search does not.
        let folded = Set([head, notes, text].flatMap { $0.split(whereSeparator: \.isWhitespace) })
            .filter { !$0.utf8.allSatisfy { $0 < 128 } }.map { String($0).folded }.sorted().joined(
                separator: "\n")
        try database.execute(
            "INSERT INTO word (rowid, head, notes, text) VALUES (?, ?, ?, ?)",
            [.integer(id), .text(head + "\n" + folded), .text(notes), .text(text)])
        try database.search.insertParts(of: [head, notes, text] + codes, row: id, into: database)
    }

    /// Writes one value of a document.
    private static func insert(
        _ name: String, _ value: Value, row id: Int, into database: Database
    ) throws {
        try database.execute(
            "INSERT INTO value (document, name, text, confidence) VALUES (?, ?, ?, nullif(?, ''))",
            [
                .integer(id), .text(name), .text(value.text),
                value.confidence.map(DatabaseValue.real) ?? .text(""),
            ])
    }
}

/// The values that lists and searches use.
private struct AskedValues {
    let kind, merchant, day, currency, order, category: String
    /// The name on a card.
    let name: String
    /// A key that is equal for all spellings of one merchant.
    let merchantKey: String
    let total: Int?
    private let tax: ArchivedDocument.Value?

    init(_ values: [String: ArchivedDocument.Value], added: Date) {
        kind = values["kind"]?.text ?? ""
        merchant = values["merchant"]?.text ?? ""
        currency = values["currency"]?.text ?? ""
        category = values["category"]?.text ?? ""
        name = values["name"]?.text ?? values["organisation"]?.text ?? ""
        // The brand was read together with the merchant, so it does not apply to an entered merchant.
        let chain = values["merchant"]?.confidence == nil ? nil : values["brand"]?.text
        merchantKey = chain?.foldedOrganisation ?? ArchiveQuery.key(ofMerchant: merchant)
        tax = values["tax"]
        let date = values["date"]?.text ?? ""
        day = ArchiveQuery.isDay(date) ? date : ""
        order = day.isEmpty ? String(added.formatted(.iso8601).prefix(10)) : day
        total = values["total"].flatMap { Decimal(string: $0.text) }.flatMap(ArchiveQuery.thousandths)
    }

    /// Returns the taxes line by line; one tax without a rate if only their sum is known, or a person entered it.
    func taxes(report: String) -> [ReportFacts.Tax] {
        guard let tax else { return [] }
        // A document made by another program has no report of ours, and so no tax lines.
        let read = tax.confidence == nil ? nil : try? ReportFacts(json: Data(report.utf8))
        let lines = read?.taxes ?? []
        let sum = Decimal(string: tax.text).flatMap(ArchiveQuery.thousandths)
        return lines.isEmpty ? sum.map { [.init(amount: $0)] } ?? [] : lines
    }
}

extension DocumentArchive {
    static func insert(_ codes: [String], row: Int, into database: Database) throws {
        for code in codes {
            try database.execute(
                "INSERT INTO code (document, text) VALUES (?, ?)", [.integer(row), .text(code)])
        }
    }

    /// Stores files of a document, after those that it has.
    /// - Parameter change: the change that replaced these files; nil for current files.
    static func insert(
        _ files: [ArchivedDocument.File], row: Int, change: Int?, into database: Database
    ) throws {
        let first =
            try database.rows(
                "SELECT coalesce(max(place) + 1, 0) FROM file WHERE document = ?", [.integer(row)]
            ).first?.integer(0) ?? 0
        for (place, file) in files.enumerated() {
            try database.execute(
                """
                INSERT INTO file (document, place, role, name, hash, bytes, change)
                VALUES (?, ?, ?, ?, ?, ?, nullif(?, ''))
                """,
                [
                    .integer(row), .integer(first + place), .text(file.role.rawValue), .text(file.name),
                    .text(file.hash), .integer(file.byteCount),
                    change.map(DatabaseValue.integer) ?? .text(""),
                ])
        }
    }

    /// Inserts a document whose files are already stored.
    static func insert(
        _ new: NewDocument, files: [ArchivedDocument.File], id uuid: UUID, added: Date, changed: Date,
        into database: Database, path: String
    ) throws -> ArchivedDocument {
        try database.execute(
            """
            INSERT INTO document (uuid, added, changed, kind, merchant, merchant_key, day, currency, ordered, look,
                sketch, program, report)
            VALUES (?, ?, 0, '', '', '', '', '', '', nullif(?, ''), ?, ?, ?)
            """,
            [
                .text(uuid.uuidString), .real(added.timeIntervalSince1970),
                new.look.map { .integer(Int(bitPattern: UInt($0))) } ?? .text(""),
                .text(WordSketch.text(of: DocumentTraits.words(of: new.text))), .text(new.program),
                .text(new.report),
            ])
        let row = database.lastInsertedID
        try insert(new.codes, row: row, into: database)
        try insert(files, row: row, change: nil, into: database)
        let document = ArchivedDocument(
            id: uuid, added: added, changed: changed, read: new.read, entered: new.entered,
            tags: Set(new.tags).sorted(), notes: new.notes, text: new.text, codes: new.codes,
            report: new.report,
            program: new.program, files: files)
        try document.write(to: database)
        // Reads the document back, so that its dates are exactly as stored.
        guard let kept = try ArchivedDocument.fetch(uuid, from: database) else { throw DamagedDatabase() }
        return kept
    }
}

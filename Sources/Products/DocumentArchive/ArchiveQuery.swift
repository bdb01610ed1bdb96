public import Platform
import ContactStore
import Documents
import SQLiteDatabase

/// Which documents are asked for; what is nil or empty asks for nothing.
public struct ArchiveQuery: Sendable {
    /// Words that all must be found in print, values, notes or tags: each where a word begins with it, accents and capitals aside;
    /// with three signs or more and a digit also in the middle of numbers and codes.
    public var words = ""
    /// The merchant, in any of its spellings.
    public var merchant: String?
    /// The first day, ISO 8601.
    public var since: String?
    /// The last day, ISO 8601.
    public var until: String?
    /// The least sum.
    public var least: Decimal?
    /// The greatest sum.
    public var most: Decimal?
    /// The currency of the sum, ISO 4217.
    public var currency: String?
    /// What it is: "receipt", "invoice" ...
    public var kind: String?
    /// What is sold: "groceries", "restaurant" ...
    public var category: String?
    /// A tag.
    public var tag: String?
    /// What a bar code on it says.
    public var code: String?
    /// Only what another version of the program read, and whose originals are there to be read again.
    public var isOutdated = false
    /// Only what was not exported to this name as it is now: never, or before it last changed.
    public var newFor: String?
    /// In which order documents are listed.
    public var order = Order.latest

    /// Orders of documents.
    public enum Order: String, CaseIterable, Sendable {
        /// The latest day first.
        case latest
        /// By whom cards are of, from A to Z; documents that are no cards come last, as above.
        case name
    }

    /// A query for words, or for all documents.
    public init(words: String = "") { self.words = words }

    /// Thousandths of a sum; nil beyond what fits.
    static func thousandths(_ sum: Decimal) -> Int? {
        let number = (sum.double * 1000).rounded()
        return abs(number) < 1e15 ? Int(number) : nil
    }

    /// Whether a text is a day as ISO 8601 writes it.
    public static func isDay(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])/) != nil
    }

    /// What spellings of one merchant have in common.
    static func key(ofMerchant name: String) -> String {
        (BrandTable.chain(ofSeller: name) ?? name).foldedOrganisation
    }

    /// The order in SQL.
    var ordering: String {
        switch order {
        case .latest: "ordered DESC, id DESC"
        case .name: "name = '', name COLLATE NOCASE, ordered DESC, id DESC"
        }
    }

    /// What the rows of `document` must fulfil, in SQL, with its values.
    func condition(_ search: ArchiveSearch) -> (sql: String, values: [DatabaseValue]) {
        var conditions = ["merged IS NULL"]
        var values: [DatabaseValue] = []
        func ask(_ condition: String, _ asked: DatabaseValue?...) {
            let asked = asked.compactMap(\.self)
            guard !asked.isEmpty else { return }
            conditions.append(condition)
            values += asked
        }
        // A spelling that some document has stands for all of that merchant.
        if let merchant {
            ask(
                """
                (merchant_key = ? OR merchant_key IN (
                    SELECT merchant_key FROM document WHERE merchant = ? COLLATE NOCASE AND merchant != ''))
                """, .text(Self.key(ofMerchant: merchant)), .text(merchant))
        }
        // A day that is known is what documents are ordered by, and that has an index.
        ask("ordered >= ? AND day != ''", since.map { .text($0) })
        ask("ordered <= ? AND day != ''", until.map { .text($0) })
        ask("total >= ?", least.flatMap(Self.thousandths).map { .integer($0) })
        ask("total <= ?", most.flatMap(Self.thousandths).map { .integer($0) })
        ask("currency = ?", currency.map { .text($0) })
        ask("kind = ?", kind.map { .text($0) })
        ask("category = ?", category.map { .text($0) })
        ask("id IN (SELECT document FROM tag WHERE name = ?)", tag.map { .text($0) })
        ask("id IN (SELECT document FROM code WHERE text = ?)", code.map { .text($0) })
        if isOutdated {
            conditions.append("id IN (SELECT document FROM file WHERE role = 'original')")
            ask("program != ?", .text(DocumentArchive.program))
        }
        ask(
            """
            NOT EXISTS (SELECT 1 FROM exported
                WHERE exported.document = document.id AND exported.name = ? AND at >= changed)
            """, newFor.map { .text($0) })
        // Words without parts are asked for together, which the search does faster than one after another.
        var together: [String] = []
        for word in words.split(whereSeparator: \.isWhitespace).map(String.init)
        where word.contains(where: { $0.isLetter || $0.isNumber }) {
            let beginning = search.beginning(word)
            if let part = search.middle(word) {
                ask(
                    "id IN (SELECT rowid FROM word WHERE word MATCH ? UNION SELECT rowid FROM part WHERE part MATCH ?)",
                    .text(beginning), .text(part))
            } else {
                together.append(beginning)
            }
        }
        ask(
            "id IN (SELECT rowid FROM word WHERE word MATCH ?)",
            together.isEmpty ? nil : .text(together.joined(separator: " ")))
        return (conditions.joined(separator: " AND "), values)
    }
}

extension DocumentArchive {
    /// The documents of a query, the latest day first; merged ones stand for one.
    /// - Parameters:
    ///   - query: which documents are asked for.
    ///   - offset: how many are passed over.
    ///   - limit: how many are given at most.
    public func list(
        _ query: ArchiveQuery = ArchiveQuery(), offset: Int = 0, limit: Int = .max
    ) throws(FlatteningError) -> [ArchivedSummary] {
        let condition = query.condition(search)
        return try reading { database in
            try database.rows(
                """
                SELECT uuid, kind, merchant, day, coalesce((
                        SELECT text FROM value WHERE document = document.id AND name = 'total'
                        ORDER BY confidence IS NULL DESC LIMIT 1), ''), currency, name, category, added
                FROM document WHERE \(condition.sql) ORDER BY \(query.ordering) LIMIT ? OFFSET ?
                """, condition.values + [.integer(max(limit, 0)), .integer(max(offset, 0))]
            ).map { row in
                guard let id = UUID(uuidString: try row.text(0)) else { throw DamagedDatabase() }
                func known(_ place: Int) throws -> String? {
                    let text = try row.text(place)
                    return text.isEmpty ? nil : text
                }
                return ArchivedSummary(
                    id: id, kind: try known(1), merchant: try known(2), day: try known(3),
                    total: try known(4), currency: try known(5), name: try known(6),
                    category: try known(7), added: Date(timeIntervalSince1970: try row.real(8)))
            }
        }
    }

    /// The whole documents of a query, in the order of `list`.
    public func documents(_ query: ArchiveQuery = ArchiveQuery()) throws(FlatteningError)
        -> [ArchivedDocument]
    {
        try documents(try list(query).map(\.id))
    }

    /// Documents by their identifiers, in that order, as far as they are there.
    public func documents(_ ids: [UUID]) throws(FlatteningError) -> [ArchivedDocument] {
        try reading { database in try ids.compactMap { try ArchivedDocument.fetch($0, from: database) } }
    }

    /// How many bytes the archive takes: its database, and its files, each once. O(files).
    public func usedBytes() throws(FlatteningError) -> Int {
        try reading { database in
            func sum(_ query: String) throws -> Int {
                try database.rows(query).first?.integer(0) ?? 0
            }
            return try sum(
                "SELECT coalesce(sum(bytes), 0) FROM (SELECT max(bytes) AS bytes FROM file GROUP BY hash)")
                + sum("PRAGMA page_count") * sum("PRAGMA page_size")
        }
    }

    /// How many documents a query has.
    public func count(_ query: ArchiveQuery = ArchiveQuery()) throws(FlatteningError) -> Int {
        let condition = query.condition(search)
        return try reading { database in
            try database.rows("SELECT count(*) FROM document WHERE \(condition.sql)", condition.values).first?
                .integer(0) ?? 0
        }
    }
}

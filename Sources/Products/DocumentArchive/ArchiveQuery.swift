public import Platform
import ContactStore
import Documents
import SQLiteDatabase

/// A query for documents; conditions that are nil or empty do not apply.
public struct ArchiveQuery: Sendable {
    /// Words that must all occur in print, values, notes or tags, each at the beginning of a word; accents and case are
    /// ignored. A word of three characters or more that contains a digit is also found in the middle of numbers and codes.
    public var words = ""
    /// The merchant, in any of its spellings.
    public var merchant: String?
    /// The first day, ISO 8601.
    public var since: String?
    /// The last day, ISO 8601.
    public var until: String?
    /// The lowest total.
    public var least: Decimal?
    /// The highest total.
    public var most: Decimal?
    /// The currency of the total, ISO 4217.
    public var currency: String?
    /// The kind of document: "receipt", "invoice" ...
    public var kind: String?
    /// The kind of goods: "groceries", "restaurant" ...
    public var category: String?
    /// A tag.
    public var tag: String?
    /// The content of a bar code on the document.
    public var code: String?
    /// Only documents that another version of the program read, and whose originals are available for reading again.
    public var isOutdated = false
    /// Only documents that were never exported to this name, or that changed since they were.
    public var newFor: String?
    /// The order in which documents are listed.
    public var order = Order.latest

    /// The orders of documents.
    public enum Order: String, CaseIterable, Sendable {
        /// The latest day first.
        case latest
        /// By the name on a card, from A to Z; documents that are not cards come last, in the order of `latest`.
        case name
    }

    /// Creates a query for words, or for all documents.
    public init(words: String = "") { self.words = words }

    /// Converts a sum to thousandths; nil if it does not fit.
    static func thousandths(_ sum: Decimal) -> Int? {
        let number = (sum.double * 1000).rounded()
        return abs(number) < 1e15 ? Int(number) : nil
    }

    /// Whether a text is a day in ISO 8601.
    public static func isDay(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])/) != nil
    }

    /// Returns a key that is equal for all spellings of one merchant.
    static func key(ofMerchant name: String) -> String {
        (BrandTable.chain(ofSeller: name) ?? name).foldedOrganisation
    }

    /// The order, in SQL.
    var ordering: String {
        switch order {
        case .latest: "ordered DESC, id DESC"
        case .name: "name = '', name COLLATE NOCASE, ordered DESC, id DESC"
        }
    }

    /// Returns the condition on rows of `document`, in SQL, with its values.
    func condition(_ search: ArchiveSearch) -> (sql: String, values: [DatabaseValue]) {
        var conditions = ["merged IS NULL"]
        var values: [DatabaseValue] = []
        func ask(_ condition: String, _ asked: DatabaseValue?...) {
            let asked = asked.compactMap(\.self)
            guard !asked.isEmpty else { return }
            conditions.append(condition)
            values += asked
        }
        // If a document has this spelling, the query covers all spellings of that merchant.
        if let merchant {
            ask(
                """
                (merchant_key = ? OR merchant_key IN (
                    SELECT merchant_key FROM document WHERE merchant = ? COLLATE NOCASE AND merchant != ''))
                """, .text(Self.key(ofMerchant: merchant)), .text(merchant))
        }
        // A known day is the one that documents are ordered by, and that column has an index.
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
        // Words that need no search in the middle are searched for together, which is faster than one after another.
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
    /// Lists the documents of a query, the latest day first; merged documents count as one.
    /// - Parameters:
    ///   - query: the documents to list.
    ///   - offset: the number of documents to skip.
    ///   - limit: the most documents to return.
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

    /// Returns the complete documents of a query, in the order of `list`.
    public func documents(_ query: ArchiveQuery = ArchiveQuery()) throws(FlatteningError)
        -> [ArchivedDocument]
    {
        try documents(try list(query).map(\.id))
    }

    /// Returns documents by their identifiers, in that order; identifiers that do not exist are skipped.
    public func documents(_ ids: [UUID]) throws(FlatteningError) -> [ArchivedDocument] {
        try reading { database in try ids.compactMap { try ArchivedDocument.fetch($0, from: database) } }
    }

    /// Returns the size of the archive in bytes: its database, and its files, each once. O(files).
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

    /// Returns the number of documents of a query.
    public func count(_ query: ArchiveQuery = ArchiveQuery()) throws(FlatteningError) -> Int {
        let condition = query.condition(search)
        return try reading { database in
            try database.rows("SELECT count(*) FROM document WHERE \(condition.sql)", condition.values).first?
                .integer(0) ?? 0
        }
    }
}

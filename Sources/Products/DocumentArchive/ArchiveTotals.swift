public import Platform
import SQLiteDatabase

/// The taxes of documents at one rate and in one currency.
public struct ArchiveTax: Codable, Equatable, Sendable {
    /// Percent, as printed; nil for taxes of which only the sum is known.
    public var rate: String?
    /// The currency, ISO 4217; nil if not known.
    public var currency: String?
    /// The taxed amount; nil if one of the documents does not state it.
    public var base: Decimal?
    /// The sum of the taxes.
    public var tax: Decimal
    /// The number of tax lines included.
    public var count: Int
}

extension DocumentArchive {
    /// Returns the taxes of the documents of a query, by rate and currency: the highest rate first, those without a rate
    /// last.
    /// - Complexity: O(documents).
    public func taxes(_ query: ArchiveQuery = ArchiveQuery()) throws(FlatteningError) -> [ArchiveTax] {
        let condition = query.condition(search)
        return try reading { database in
            try database.rows(
                """
                SELECT rate, currency, coalesce(sum(base), 0), count(base), sum(tax.amount), count(*)
                FROM tax JOIN document ON tax.document = document.id WHERE \(condition.sql)
                GROUP BY CASE rate WHEN '' THEN -1 ELSE CAST(rate AS REAL) END, currency
                ORDER BY CASE rate WHEN '' THEN -1 ELSE CAST(rate AS REAL) END DESC, currency
                """, condition.values
            ).map { row in
                let (rate, currency) = (try row.text(0), try row.text(1))
                let count = try row.integer(5)
                return ArchiveTax(
                    rate: rate.isEmpty ? nil : rate, currency: currency.isEmpty ? nil : currency,
                    base: try row.integer(3) == count ? Decimal(try row.integer(2)) / 1000 : nil,
                    tax: Decimal(try row.integer(4)) / 1000, count: count)
            }
        }
    }
}

/// The total of the documents of one group and currency.
public struct ArchiveTotal: Codable, Equatable, Sendable {
    /// The property by which documents are grouped.
    public enum Grouping: String, CaseIterable, Sendable {
        /// "2026-05".
        case month
        /// "2026".
        case year
        /// A merchant, in the spelling of the latest document.
        case merchant
        /// A tag; a document with several tags counts in each of their groups.
        case tag
        /// "receipt", "invoice" ...
        case kind
        /// "groceries", "restaurant" ...
        case category
        /// All documents in one group.
        case all
    }

    /// The group; "" for documents whose group is not known.
    public var group: String
    /// The currency, ISO 4217; nil if not known. Nothing is converted.
    public var currency: String?
    /// The total.
    public var total: Decimal
    /// The number of documents with a total.
    public var count: Int
    /// The number of documents without one, which are not included.
    public var withoutSum: Int

    private enum CodingKeys: String, CodingKey {
        case group, currency, total, count
        case withoutSum = "without_sum"
    }
}

extension DocumentArchive {
    /// Returns the totals of the documents of a query, by group and currency, in the order of the groups.
    /// - Complexity: O(documents).
    public func totals(
        _ query: ArchiveQuery = ArchiveQuery(), by grouping: ArchiveTotal.Grouping
    ) throws(FlatteningError) -> [ArchiveTotal] {
        let condition = query.condition(search)
        // In a group with `max(day)`, SQLite takes the bare columns from the row of the latest day.
        let (group, key, join) =
            switch grouping {
            case .month: ("substr(day, 1, 7)", "substr(day, 1, 7)", "")
            case .year: ("substr(day, 1, 4)", "substr(day, 1, 4)", "")
            case .merchant: ("merchant", "merchant_key", "")
            case .tag: ("coalesce(tag.name, '')", "tag.name", " LEFT JOIN tag ON tag.document = id")
            case .kind: ("kind", "kind", "")
            case .category: ("category", "category", "")
            case .all: ("''", "''", "")
            }
        return try reading { database in
            try database.rows(
                """
                SELECT \(group), currency, coalesce(sum(total), 0), count(total), count(*) - count(total), max(ordered)
                FROM document\(join) WHERE \(condition.sql) GROUP BY \(key), currency ORDER BY \(key), currency
                """, condition.values
            ).map { row in
                let currency = try row.text(1)
                return ArchiveTotal(
                    group: try row.text(0), currency: currency.isEmpty ? nil : currency,
                    total: Decimal(try row.integer(2)) / 1000, count: try row.integer(3),
                    withoutSum: try row.integer(4))
            }
        }
    }
}

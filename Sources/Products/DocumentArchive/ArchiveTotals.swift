public import Platform
import SQLiteDatabase

/// The sum of the documents of one group and currency.
public struct ArchiveTotal: Codable, Equatable, Sendable {
    /// What documents are summed by.
    public enum Grouping: String, CaseIterable, Sendable {
        /// "2026-05".
        case month
        /// "2026".
        case year
        /// A merchant, in the spelling of the latest document.
        case merchant
        /// A tag; a document with several counts in each of theirs.
        case tag
        /// "receipt", "invoice" ...
        case kind
        /// All in one.
        case all
    }

    /// The group; "" for documents of which it is not known.
    public var group: String
    /// The currency, ISO 4217; nil where it is not known: nothing is converted.
    public var currency: String?
    /// The sum.
    public var total: Decimal
    /// How many documents have a sum.
    public var count: Int
    /// How many have none, and are not in it.
    public var withoutSum: Int

    private enum CodingKeys: String, CodingKey {
        case group, currency, total, count
        case withoutSum = "without_sum"
    }
}

extension DocumentArchive {
    /// What the documents of a query come to, by group and currency, in the order of the groups.
    /// - Complexity: O(documents).
    public func totals(
        _ query: ArchiveQuery = ArchiveQuery(), by grouping: ArchiveTotal.Grouping
    ) throws(FlatteningError) -> [ArchiveTotal] {
        let condition = query.condition()
        // Of the group with a latest day SQLite takes the bare columns from that day's row.
        let (group, key, join) =
            switch grouping {
            case .month: ("substr(day, 1, 7)", "substr(day, 1, 7)", "")
            case .year: ("substr(day, 1, 4)", "substr(day, 1, 4)", "")
            case .merchant: ("merchant", "merchant_key", "")
            case .tag: ("coalesce(tag.name, '')", "tag.name", " LEFT JOIN tag ON tag.document = id")
            case .kind: ("kind", "kind", "")
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

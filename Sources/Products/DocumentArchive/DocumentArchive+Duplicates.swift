import ContactStore
import Documents
import Platform
import ScalarText
import SQLiteDatabase

extension DocumentArchive {
    /// Returns groups of documents that most likely show the same paper, as another photograph or as the same one encoded
    /// again; and groups of cards that are most likely of the same person.
    ///
    /// Documents are compared if they have the same day and total, share one long number, look nearly the same, or have
    /// similar words. Two are the same if most of their words are, unless both state a different day, time or total.
    /// - Complexity: O(documents) to read them, and quadratic in the size of each group to compare, up to `mostAlike`.
    public func duplicates() throws(FlatteningError) -> [[ArchivedSummary]] {
        try reading { database in
            let candidates = try Self.candidates(in: database)
            var traits: [Int: DocumentTraits] = [:]
            for row in Set(candidates.flatMap { [$0.first, $0.second] }) {
                traits[row] = try DocumentTraits(row, in: database)
            }
            let isCard = Set(
                try database.rows(
                    "SELECT id FROM document WHERE kind = ?", [.text(DocumentKind.businessCard.rawValue)]
                ).map { try $0.integer(0) })
            var roots: [Int: Int] = [:]
            func root(_ row: Int) -> Int {
                var row = row
                while let next = roots[row] { row = next }
                return row
            }
            for pair in candidates {
                let (one, other) = (root(pair.first), root(pair.second))
                // Colleagues' cards have most words in common, so cards are compared by their contacts instead.
                guard one != other, !(isCard.contains(pair.first) && isCard.contains(pair.second)),
                    let first = traits[pair.first], let second = traits[pair.second],
                    first.isSame(as: second)
                else { continue }
                roots[max(one, other)] = min(one, other)
            }
            let cards = try Self.sameContacts(in: database)
            for group in cards {
                for row in group.dropFirst() {
                    let (one, other) = (root(group[0]), root(row))
                    if one != other { roots[max(one, other)] = min(one, other) }
                }
            }
            return try Dictionary(grouping: Set(traits.keys).union(cards.joined()), by: root).values.filter {
                $0.count > 1
            }
            .map { $0.sorted() }.sorted { $0[0] < $1[0] }
            .map { try $0.map { try Self.summary(of: $0, in: database) } }
        }
    }

    /// If more documents than this share a number, or a total on a day, the match is ignored: the number is the shop's own.
    private static let mostAlike = 40
    /// The least number of digits of a number that few papers share, such as those of receipts, invoices and terminals.
    private static let longNumber = 6

    private struct Pair: Hashable {
        let first, second: Int
    }

    /// Returns pairs of documents that may be the same.
    private static func candidates(in database: Database) throws -> Set<Pair> {
        var pairs: Set<Pair> = []
        func pair(_ groups: some Sequence<[Int]>) {
            for group in groups where (2...mostAlike).contains(group.count) {
                let group = Set(group).sorted()
                for (place, one) in group.enumerated() {
                    for other in group[(place + 1)...] { pairs.insert(Pair(first: one, second: other)) }
                }
            }
        }
        var byDay: [String: [Int]] = [:]
        var byLook: [UInt64: [Int]] = [:]
        var byWords: [String: [Int]] = [:]
        for row in try database.rows(
            "SELECT id, day, coalesce(total, ''), coalesce(look, ''), sketch FROM document WHERE merged IS NULL"
        ) {
            let id = try row.integer(0)
            let day = try row.text(1)
            if !day.isEmpty, let total = try? row.integer(2) {
                byDay["\(day) \(total)", default: []].append(id)
            }
            for (function, hash) in try row.text(4).split(atScalar: " ").enumerated() {
                byWords["\(function) \(hash)", default: []].append(id)
            }
            guard let look = try? row.integer(3) else { continue }
            // Of four parts of 16 bits, one is equal if at most three bits differ, and mostly if a few more do.
            for part in 0..<4 {
                let bits = UInt64(UInt(bitPattern: look)) >> UInt64(part * 16) & 0xFFFF
                byLook[bits | UInt64(part) << 16, default: []].append(id)
            }
        }
        pair(byDay.values)
        pair(byLook.values)
        pair(byWords.values)
        var byNumber: [String: [Int]] = [:]
        for row in try database.rows(
            "SELECT document.id, part.text FROM part JOIN document ON document.id = part.rowid WHERE merged IS NULL"
        ) {
            let id = try row.integer(0)
            for number in Set(try row.text(1).split(atScalar: "\n").map { String($0.filter(\.isASCIIDigit)) })
            where number.utf8.count >= longNumber {
                byNumber[number, default: []].append(id)
            }
        }
        pair(byNumber.values)
        return pairs
    }

    private static func summary(of row: Int, in database: Database) throws -> ArchivedSummary {
        guard
            let text = try database.rows("SELECT uuid FROM document WHERE id = ?", [.integer(row)]).first?
                .text(0),
            let id = UUID(uuidString: text), let document = try ArchivedDocument.fetch(id, from: database)
        else { throw DamagedDatabase() }
        return document.summary
    }
}

/// The properties by which documents are compared.
struct DocumentTraits {
    private let words: Set<String>
    /// Day, time, total and numbers, as far as known: two photographs of one paper agree in them.
    private let facts: [String: String]

    init(words: Set<String>, facts: [String: String]) {
        self.words = words
        self.facts = facts
    }

    fileprivate init(_ row: Int, in database: Database) throws {
        let text =
            try database.rows("SELECT text FROM word WHERE rowid = ?", [.integer(row)]).first?.text(0) ?? ""
        var facts: [String: String] = [:]
        for value in try database.rows(
            "SELECT name, text, coalesce(confidence, 1) FROM value WHERE document = ? ORDER BY confidence IS NULL",
            [.integer(row)])
        where Self.telling.contains(try value.text(0)) {
            if try value.real(2) >= Self.sureFact { facts[try value.text(0)] = try value.text(1) }
        }
        self.init(words: Self.words(of: text), facts: facts)
    }

    static func words(of text: String) -> Set<String> { Set(text.foldedWords.filter { $0.count > 1 }) }

    /// Values that differ between two papers of one shop and day.
    private static let telling: Set = ["date", "time", "total", "receipt_number", "invoice_number"]
    /// The least confidence at which a different value shows that two papers are different; measured like `leastShare`.
    private static let sureFact = 0.9
    /// The share of common words, among the words of both, at which two papers count as one. Of 170 photographs of 114 papers
    /// (receipts, and invoices in light and shadow, folded and crumpled), 298 of 331 pairs that show one paper reach it. No
    /// pair of different papers does, unless other values tell the two apart.
    static let leastShare = 0.4
    /// With fewer words than this, papers are not compared.
    private static let fewestWords = 6

    func isSame(as other: DocumentTraits) -> Bool {
        guard min(words.count, other.words.count) >= Self.fewestWords,
            !facts.contains(where: { name, value in other.facts[name].map { $0 != value } ?? false })
        else { return false }
        return Self.share(words, other.words) >= Self.leastShare
    }

    /// Returns the share of common words among the words of both, 0 to 1.
    static func share(_ words: Set<String>, _ others: Set<String>) -> Double {
        let common = words.intersection(others).count
        return Double(common) / Double(max(words.count + others.count - common, 1))
    }
}

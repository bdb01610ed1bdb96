import Platform
import SQLiteDatabase
import ScalarText

/// What of a contact is searched.
struct SearchText {
    /// Words, of which the beginnings are found.
    let names, organisations, others: String
    /// What is found by any three signs in a row: mail and web addresses, and the digits of numbers.
    let parts: String

    init(of values: [StoredValue]) {
        func texts(_ isWanted: (StoredValue.Field) -> Bool) -> String {
            values.filter { isWanted($0.field) }.flatMap { value in
                // Printed words too: a number has another form there. Those without accents are what "ß" is found by.
                Set([value.text, value.printed, value.text.folded]).sorted()
            }
            .filter { !$0.isEmpty }.joined(separator: "\n")
        }
        names = texts { $0 == .name }
        organisations = texts { $0 == .organisation }
        others = texts { $0 != .name && $0 != .organisation }
        parts = values.flatMap { (value: StoredValue) -> [String] in
            switch value.field {
            case .email, .url: [value.text]
            case .phone: [value.text, value.printed].map { $0.filter(\.isASCIIDigit) }
            case .name, .organisation, .title, .address: []
            }
        }
        .filter { !$0.isEmpty }.joined(separator: "\n")
    }
}

/// A word that is searched for.
struct SearchWord {
    /// As it was written.
    let text: String

    /// The words of a query: what stands between spaces and has letters or digits.
    static func words(of query: String) -> [SearchWord] {
        query.split(whereSeparator: \.isWhitespace).map(String.init)
            .filter { $0.contains { $0.isLetter || $0.isNumber } }.map(SearchWord.init)
    }

    /// FTS5 takes a string in double quotes as the words in it, the last of which may go on.
    private var wordPattern: String { Self.quoted(text) + "*" }

    /// What is looked for in the middle of addresses and numbers; nil where it is too short for that.
    private var partPattern: String? {
        // By Characters: a digit with a mark on it is none of a number.
        let isNumber = text.allSatisfy { $0.isASCIIDigit || "+()/.-".contains($0) }
        let part = isNumber ? text.filter(\.isASCIIDigit) : text
        return part.count >= Self.trigram ? Self.quoted(part) : nil
    }

    /// What the search in the middle needs, in signs.
    private static let trigram = 3
    /// How much more a name counts than other words, and an organisation.
    private static let weights = "10, 5, 1"

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacingScalars("\"", with: "\"\"").replacingScalars("\0", with: " ") + "\""
    }

    /// The numbers of the contacts that have all the words, the best first.
    static func contacts(with words: [SearchWord], in database: Database) throws -> [Int] {
        var found: Set<Int>?
        for word in words {
            var ids = Set(
                try numbers("SELECT rowid FROM word WHERE word MATCH ?", word.wordPattern, database))
            if let part = word.partPattern {
                ids.formUnion(try numbers("SELECT rowid FROM part WHERE part MATCH ?", part, database))
            }
            found = found?.intersection(ids) ?? ids
        }
        guard let found, !found.isEmpty else { return [] }
        // Any of the words gives a place; what is only in the middle of something stands behind all.
        let ranked = try numbers(
            "SELECT rowid FROM word WHERE word MATCH ? ORDER BY bm25(word, \(weights)), rowid",
            words.map(\.wordPattern).joined(separator: " OR "), database
        )
        .filter(found.contains)
        return ranked + found.subtracting(ranked).sorted()
    }

    private static func numbers(_ sql: String, _ pattern: String, _ database: Database) throws -> [Int] {
        try database.rows(sql, [.text(pattern)]).map { try $0.integer(0) }
    }
}

import Platform
import SQLiteDatabase
import ScalarText

/// The searchable text of a contact.
struct SearchText {
    /// Words, found by their beginnings.
    let names, organisations, others: String
    /// Text found by any three consecutive characters: mail and web addresses, and the digits of numbers.
    let parts: String

    init(of values: [StoredValue]) {
        func texts(_ isWanted: (StoredValue.Field) -> Bool) -> String {
            values.filter { isWanted($0.field) }.flatMap { value in
                // Printed words are included, since a number has another form there, and words without accents, so that "ß" is
                // found.
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

/// A word of a query.
struct SearchWord {
    /// The word as written.
    let text: String

    /// Splits a query at white space; keeps words with letters or digits.
    static func words(of query: String) -> [SearchWord] {
        query.split(whereSeparator: \.isWhitespace).map(String.init)
            .filter { $0.contains { $0.isLetter || $0.isNumber } }.map(SearchWord.init)
    }

    /// FTS5 treats a string in double quotes as its words, where the last one may be a prefix.
    private var wordPattern: String { Self.quoted(text) + "*" }

    /// The pattern for matches within addresses and numbers; nil if the word is too short.
    private var partPattern: String? {
        // By Characters: a digit with a combining mark does not belong to a number.
        let isNumber = text.allSatisfy { $0.isASCIIDigit || "+()/.-".contains($0) }
        let part = isNumber ? text.filter(\.isASCIIDigit) : text
        return part.count >= Self.trigram ? Self.quoted(part) : nil
    }

    /// Minimum length for a match within a text, in characters.
    private static let trigram = 3
    /// The weights of names, organisations and other words.
    private static let weights = "10, 5, 1"

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacingScalars("\"", with: "\"\"").replacingScalars("\0", with: " ") + "\""
    }

    /// Returns the numbers of the contacts that contain all the words, the best first.
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
        // Any of the words gives a rank; contacts that match only within a text come last.
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

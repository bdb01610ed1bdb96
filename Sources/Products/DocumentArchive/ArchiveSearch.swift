import ScalarText
import SQLiteDatabase

/// The search of an archive: words and their beginnings in the table `word`, any three successive characters in `part`.
///
/// SQLite has FTS5 for both. Encrypted archives use FTS4, the only one in the SQLCipher of Debian 12; there each group of
/// three characters is stored as a word of its own.
enum ArchiveSearch: Sendable {
    case fts5
    case fts4

    static let tables = ["word", "part"]

    /// The SQL that creates the tables.
    var creation: String {
        switch self {
        case .fts5:
            """
            CREATE VIRTUAL TABLE word USING fts5 (
                head, notes, text, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
            );
            CREATE VIRTUAL TABLE part USING fts5 (text, tokenize = 'trigram', detail = 'full');
            """
        case .fts4:
            """
            CREATE VIRTUAL TABLE word USING fts4 (
                head, notes, text, tokenize=unicode61 "remove_diacritics=1", prefix="2,3"
            );
            CREATE VIRTUAL TABLE part USING fts4 (text, threes, notindexed=text);
            """
        }
    }

    /// Returns the search expression for the words of a string in sequence, the last of which may be incomplete.
    func beginning(_ word: String) -> String {
        switch self {
        case .fts5: Self.quoted(word) + "*"
        case .fts4:
            // Characters that FTS4's own query language uses are not part of words.
            "\"" + word.unicodeScalars.split { !$0.isOfWord }.map(String.init).joined(separator: " ") + "*\""
        }
    }

    /// Returns the search expression for a string in the middle of words; nil for a word without digits, or too short.
    func middle(_ word: String) -> String? {
        guard word.contains(where: \.isASCIIDigit), word.unicodeScalars.count >= Self.trigram else {
            return nil
        }
        return switch self {
        case .fts5: Self.quoted(word)
        case .fts4: "\"" + Self.threes(of: word) + "\""
        }
    }

    /// Stores in `part` the texts of a document that can be found by any three successive characters: words with digits in
    /// them, as they are and reduced to their digits.
    func insertParts(of texts: [String], row: Int, into database: Database) throws {
        let parts = Self.parts(of: texts)
        let text = DatabaseValue.text(parts.joined(separator: "\n"))
        switch self {
        case .fts5:
            try database.execute("INSERT INTO part (rowid, text) VALUES (?, ?)", [.integer(row), text])
        case .fts4:
            try database.execute(
                "INSERT INTO part (rowid, text, threes) VALUES (?, ?, ?)",
                [
                    .integer(row), text,
                    // A shorter word between two words keeps a match from spanning both.
                    .text(parts.map { Self.threes(of: $0) }.joined(separator: " - z ")),
                ])
        }
    }

    /// The least number of characters for a search in the middle.
    private static let trigram = 3

    private static func parts(of texts: [String]) -> [String] {
        var parts: Set<Substring> = []
        for text in texts {
            for word in text.split(whereSeparator: \.isWhitespace)
            where word.contains(where: \.isASCIIDigit) && word.utf8.count >= trigram {
                parts.insert(word)
                let digits = word.filter(\.isASCIIDigit)
                if digits.count >= trigram, digits.count < word.count { parts.insert(Substring(digits)) }
            }
        }
        return parts.sorted().map(String.init)
    }

    /// Encodes each three successive characters as a word of hexadecimal numbers, ignoring case.
    private static func threes(of word: String) -> String {
        let signs = word.lowercased().unicodeScalars.map { String($0.value, radix: 16) }
        guard signs.count >= trigram else { return "" }
        return (0...(signs.count - trigram)).map {
            signs[$0..<($0 + trigram)].joined(separator: "x")
        }.joined(separator: " ")
    }

    /// Quotes a string for FTS5: its words in sequence.
    private static func quoted(_ word: String) -> String {
        "\"" + word.replacingScalars("\"", with: "\"\"").replacingScalars("\0", with: " ") + "\""
    }
}

extension Unicode.Scalar {
    /// Whether the character belongs to a word: letters, numbers, and marks on them.
    fileprivate var isOfWord: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark,
            .privateUse:
            true
        default: false
        }
    }
}

extension Database {
    /// The kind of search for the archive in this database.
    var search: ArchiveSearch { isEncrypted ? .fts4 : .fts5 }
}

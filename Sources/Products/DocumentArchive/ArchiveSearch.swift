import ScalarText
import SQLiteDatabase

/// How an archive is searched: by words and their beginnings in the table `word`, by any three signs in a row in `part`.
///
/// SQLite has FTS5 for both. Encrypted archives keep to FTS4, which is all that the SQLCipher of Debian 12 has: there the threes of
/// signs are words of their own.
enum ArchiveSearch: Sendable {
    case fts5
    case fts4

    static let tables = ["word", "part"]

    /// The tables, in SQL.
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

    /// What finds the words of a string one after another, the last of which may go on.
    func beginning(_ word: String) -> String {
        switch self {
        case .fts5: Self.quoted(word) + "*"
        case .fts4:
            // Signs of FTS4's own language are none of words.
            "\"" + word.unicodeScalars.split { !$0.isOfWord }.map(String.init).joined(separator: " ") + "*\""
        }
    }

    /// What finds a string in the middle of words; nil for a word without digits, or too short.
    func middle(_ word: String) -> String? {
        guard word.contains(where: \.isASCIIDigit), word.unicodeScalars.count >= Self.trigram else {
            return nil
        }
        return switch self {
        case .fts5: Self.quoted(word)
        case .fts4: "\"" + Self.threes(of: word) + "\""
        }
    }

    /// Puts into `part` what of a document is found by any three signs in a row: words with digits in them, as they are and by
    /// their digits alone.
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
                    // A word of no three signs stands between two, so that nothing is found across them.
                    .text(parts.map { Self.threes(of: $0) }.joined(separator: " - z ")),
                ])
        }
    }

    /// What the search in the middle needs, in signs.
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

    /// Each three signs in a row as a word of hexadecimal numbers; capitals do not count.
    private static func threes(of word: String) -> String {
        let signs = word.lowercased().unicodeScalars.map { String($0.value, radix: 16) }
        guard signs.count >= trigram else { return "" }
        return (0...(signs.count - trigram)).map {
            signs[$0..<($0 + trigram)].joined(separator: "x")
        }.joined(separator: " ")
    }

    /// A string as FTS5 takes it: the words in it, one after another.
    private static func quoted(_ word: String) -> String {
        "\"" + word.replacingScalars("\"", with: "\"\"").replacingScalars("\0", with: " ") + "\""
    }
}

extension Unicode.Scalar {
    /// Whether it belongs to a word: letters, numbers, and marks on them.
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
    /// How the archive in this database is searched.
    var search: ArchiveSearch { isEncrypted ? .fts4 : .fts5 }
}

import CReceiptTables

/// The words by which letters, such as invoices, label seller, buyer and dates; see `words/letters.words`.
struct LetterWords {
    /// Phrases before or above the seller.
    let seller: Set<[String]>
    /// Phrases before or above the buyer.
    let buyer: Set<[String]>
    /// Phrases beside the letter's own date.
    let own: Set<[String]>
    /// Phrases beside another date.
    let other: Set<[String]>

    static let shared = LetterWords(
        file: Vocabulary.embeddedText(creceipttables_letter_words(), creceipttables_letter_words_size()))

    /// Reads a list of phrases for each of the four.
    init(file: String) {
        let lists = Dictionary(
            Vocabulary.lists(in: file).map { ($0.name, Set($0.phrases)) }, uniquingKeysWith: { $0.union($1) })
        (seller, buyer) = (lists["seller"] ?? [], lists["buyer"] ?? [])
        (own, other) = (lists["own"] ?? [], lists["other"] ?? [])
    }

    /// Whether words are phrases of a list, one behind the other, and nothing else: "Käufer/Leistungsempfänger".
    static func areAll(_ words: some Collection<String>, in phrases: Set<[String]>) -> Bool {
        var rest = Array(words)[...]
        while !rest.isEmpty {
            guard
                let taken = (1...min(longest, rest.count)).reversed().first(where: {
                    phrases.contains(Array(rest.prefix($0)))
                })
            else { return false }
            rest = rest.dropFirst(taken)
        }
        return !words.isEmpty
    }

    /// Where the last phrase of a list stands among words; nil for none.
    static func last(in words: [String], of phrases: Set<[String]>) -> Range<Int>? {
        for start in words.indices.reversed() {
            for count in (1...longest).reversed()
            where start + count <= words.count && phrases.contains(Array(words[start..<start + count])) {
                return start..<start + count
            }
        }
        return nil
    }

    /// Words of the longest phrase: "vendu et expédié par".
    private static let longest = 4
}

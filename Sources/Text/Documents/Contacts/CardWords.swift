import CContactTables

/// The meanings of words on business cards, from `CContactTables/words`, one file per language.
struct CardWords {
    enum Meaning: String, CaseIterable {
        /// A job: "manager".
        case title
        /// A degree after a name: "PhD".
        case degree
        /// A title before a name: "Dr".
        case salutation
        /// A word in names of firms and institutions: "university".
        case organisation
        /// A word in names of streets and houses.
        case address
        case phone
        case mobile
        case fax
        case email
        case web
    }

    /// The word list built into the program.
    static let shared = CardWords(
        file: Vocabulary.embeddedText(ccontacttables_words(), ccontacttables_words_size()))

    private var phrases: [Meaning: Set<[String]>] = [:]
    private let longestPhrase: Int
    /// Every word of every phrase.
    private let words: Set<String>
    /// One-word titles that other words may end with: "Vertriebsleiterin".
    private let titleEnds: [String]

    /// Reads lines of "meaning: phrase, phrase"; "#" begins a comment.
    init(file: String) {
        for line in file.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let halves = line.split(separator: ":", maxSplits: 1)
            guard halves.count == 2, let meaning = Meaning(rawValue: String(halves[0])) else { continue }
            for phrase in halves[1].split(separator: ",") {
                phrases[meaning, default: []].insert(phrase.split(separator: " ").map(String.init))
            }
        }
        words = Set(phrases.values.joined().joined())
        longestPhrase = phrases.values.joined().map(\.count).max() ?? 1
        titleEnds = (phrases[.title] ?? []).filter { $0.count == 1 }.joined()
            .filter { $0.count >= Self.shortestEnd }.sorted()
    }

    /// Minimum length of a title that may end a longer word; shorter ones end words of any kind.
    private static let shortestEnd = 6

    /// Whether a folded word occurs in any phrase.
    func holds(_ word: String) -> Bool { words.contains(word) }

    /// Whether the folded words form a phrase with this meaning.
    func isPhrase(_ words: some Sequence<String>, _ meaning: Meaning) -> Bool {
        phrases[meaning]?.contains(Array(words)) ?? false
    }

    /// Counts the folded words that belong to phrases with this meaning.
    func count(_ meaning: Meaning, in words: [String]) -> Int {
        guard let known = phrases[meaning] else { return 0 }
        var covered = Set<Int>()
        for start in words.indices {
            for end in start + 1...min(start + longestPhrase, words.count)
            where known.contains(Array(words[start..<end])) {
                covered.formUnion(start..<end)
            }
            if meaning == .title, words[start].count > Self.shortestEnd,
                titleEnds.contains(where: words[start].hasSuffix)
            {
                covered.insert(start)
            }
        }
        return covered.count
    }
}

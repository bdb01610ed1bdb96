import CContactTables

/// What words on business cards mean: `CContactTables/words`, a file a language.
struct CardWords {
    enum Meaning: String, CaseIterable {
        /// What a person does: "manager".
        case title
        /// What stands behind a name: "PhD".
        case degree
        /// What stands before a name: "Dr".
        case salutation
        /// What firms and institutions are called: "university".
        case organisation
        /// What streets and houses are called.
        case address
        case phone
        case mobile
        case fax
        case email
        case web
    }

    /// The words that ship.
    static let shared = CardWords(
        file: Vocabulary.embeddedText(ccontacttables_words(), ccontacttables_words_size()))

    private var phrases: [Meaning: Set<[String]>] = [:]
    private let longestPhrase: Int
    /// Every word of every phrase.
    private let words: Set<String>
    /// Titles of one word that other words end with: "Vertriebsleiterin".
    private let titleEnds: [String]

    /// Reads lines of "meaning: phrase, phrase"; "#" begins a remark.
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

    /// Letters of a title that can be the end of a longer word: shorter ones end words of any kind.
    private static let shortestEnd = 6

    /// Whether a folded word is one of any phrase.
    func holds(_ word: String) -> Bool { words.contains(word) }

    /// Whether folded words are a phrase of a meaning.
    func isPhrase(_ words: some Sequence<String>, _ meaning: Meaning) -> Bool {
        phrases[meaning]?.contains(Array(words)) ?? false
    }

    /// How many of the folded words belong to phrases of a meaning.
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

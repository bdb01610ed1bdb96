import CReceiptTables

/// The words by which pages of a document refer to each other; see `words/pages.words`.
struct PageWords {
    /// Words that stand beside a page's number.
    let page: Set<String>
    /// Phrases beside a sum that is carried from one page to the next, or in a row of their own.
    let carried: Set<[String]>
    /// Phrases of the same meaning that can also mean other things.
    let carriedAtEnds: Set<[String]>

    static let shared = PageWords(
        file: Vocabulary.embeddedText(creceipttables_page_words(), creceipttables_page_words_size()))

    /// Reads a list of phrases for each of the three.
    init(file: String) {
        let lists = Dictionary(
            Vocabulary.lists(in: file).map { ($0.name, $0.phrases) }, uniquingKeysWith: +)
        page = Set((lists["page"] ?? []).compactMap(\.first))
        carried = Set(lists["carried"] ?? [])
        carriedAtEnds = Set(lists["carriedatends"] ?? [])
    }

    /// Whether a row's words carry a sum from one page to the next, or say that the page goes on.
    /// - Parameter isAtEnd: whether no other row with an amount stands between it and the page's end.
    func carries(_ words: [String], isAtEnd: Bool) -> Bool {
        // "Übertrag auf Seite 2": the number adds nothing.
        let said = words.filter { !$0.allSatisfy(\.isNumber) }
        if carried.contains(said) || isAtEnd && carriedAtEnds.contains(said) { return true }
        let short = said.filter { !page.contains($0) }
        return short.count < said.count && carried.contains(short)
    }
}

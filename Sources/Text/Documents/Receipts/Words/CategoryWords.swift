import CReceiptTables

/// What a receipt's seller sells, in a dozen categories that budgets use.
package enum ReceiptCategory: String, CaseIterable, Sendable {
    case groceries, restaurant, fuel, health, care, clothing, home, electronics, leisure, travel, vehicle
    case post
    /// Sellers of everything: department stores, kiosks.
    case general
}

/// Words that say what a shop sells; see `words/categories.words`.
struct CategoryWords {
    /// Words of shops' names and heads.
    private let named: [(category: ReceiptCategory, phrases: Set<[String]>)]
    /// Words that tell the category wherever they stand.
    private let printed: [(category: ReceiptCategory, phrases: Set<[String]>)]
    /// Words that stand behind chains' names: of all chains, and of those of one category.
    private let shops: (of: [String: Set<String>], all: Set<String>)
    /// Words of the longest phrase.
    private let longest: Int

    static let shared = CategoryWords(
        file: Vocabulary.embeddedText(
            creceipttables_category_words(), creceipttables_category_words_size()))

    /// Reads a list of phrases for each category, and further lists whose names end in "printed" or "shop".
    init(file: String) {
        let lists = Vocabulary.lists(in: file)
        func categories(_ ending: String) -> [(category: ReceiptCategory, phrases: Set<[String]>)] {
            ReceiptCategory.allCases.compactMap { category in
                let phrases = lists.filter { $0.name == category.rawValue + ending }.flatMap(\.phrases)
                return phrases.isEmpty ? nil : (category, Set(phrases))
            }
        }
        (named, printed) = (categories(""), categories("printed"))
        func words(_ name: String) -> Set<String> {
            Set(lists.filter { $0.name == name }.flatMap(\.phrases).joined())
        }
        shops = (
            Dictionary(
                uniqueKeysWithValues: ReceiptCategory.allCases.map {
                    ($0.rawValue, words($0.rawValue + "shop"))
                }), words("shop")
        )
        longest = lists.flatMap(\.phrases).map(\.count).max() ?? 0
    }

    /// The one category that a shop's name tells; nil where it tells none, or several.
    func category(ofName words: [String]) -> ReceiptCategory? {
        let found = named.filter { list in !phrases(of: words).isDisjoint(with: list.phrases) }
        return found.count == 1 ? found[0].category : nil
    }

    /// Whether a word behind a chain's name says no more than that it has shops: "Rewe Markt".
    func isShop(_ word: String, of category: ReceiptCategory) -> Bool {
        shops.all.contains(word) || shops.of[category.rawValue]?.contains(word) == true
    }

    /// How many different phrases of each category rows hold wherever they stand.
    func printedCounts(_ rows: some Sequence<[String]>) -> [ReceiptCategory: Int] {
        let all = rows.reduce(into: Set<[String]>()) { $0.formUnion(phrases(of: $1)) }
        return Dictionary(
            uniqueKeysWithValues: printed.map { ($0.category, $0.phrases.intersection(all).count) })
    }

    /// All runs of words up to the longest phrase.
    private func phrases(of words: [String]) -> Set<[String]> {
        var found: Set<[String]> = []
        for start in words.indices {
            for end in start..<min(start + longest, words.count) { found.insert(Array(words[start...end])) }
        }
        return found
    }
}

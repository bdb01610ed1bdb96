/// Words in a form that zones and print share: ICAO 9303 spells letters outside A to Z with two letters, printed words do not;
/// both are reduced to what they have in common.
enum SpelledWords {
    private static let spellings = [
        ("æ", "ae"), ("œ", "oe"), ("ø", "o"), ("þ", "th"), ("ð", "d"), ("đ", "d"), ("ł", "l"), ("ı", "i"),
        ("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"), ("ss", "s"), ("ij", "y"),
    ]

    /// Reduces a folded word to this form.
    static func spelled(_ word: String) -> [Character] {
        Array(spellings.reduce(word) { $0.replacing($1.0, with: $1.1) })
    }

    /// The words of a text.
    static func words(of text: String) -> [[Character]] { Vocabulary.words(of: text).map(spelled) }

    /// Counts the letters to insert, remove or change to turn one word into the other (Levenshtein 1966). O(product of the
    /// lengths).
    static func mistakes(in word: [Character], for known: [Character]) -> Int {
        var costs = Array(0...known.count)
        for (row, letter) in word.enumerated() {
            var diagonal = costs[0]
            costs[0] = row + 1
            for (column, other) in known.enumerated() {
                let change = diagonal + (letter == other ? 0 : 1)
                diagonal = costs[column + 1]
                costs[column + 1] = min(change, diagonal + 1, costs[column] + 1)
            }
        }
        return costs[known.count]
    }
}

/// Words as zones write them: ICAO 9303 spells letters that A to Z lacks with two, printed words do not, and so what they agree
/// in is left.
enum SpelledWords {
    private static let spellings = [
        ("æ", "ae"), ("œ", "oe"), ("ø", "o"), ("þ", "th"), ("ð", "d"), ("đ", "d"), ("ł", "l"), ("ı", "i"),
        ("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"), ("ss", "s"), ("ij", "y"),
    ]

    /// A folded word.
    static func spelled(_ word: String) -> [Character] {
        Array(spellings.reduce(word) { $0.replacing($1.0, with: $1.1) })
    }

    /// The words of a text.
    static func words(of text: String) -> [[Character]] { Vocabulary.words(of: text).map(spelled) }

    /// Letters to put in, take out or change that make one word another (Levenshtein 1966). O(product of the lengths).
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

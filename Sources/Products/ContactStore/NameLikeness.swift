/// Measures how similar two names are: Jaro's measure of common letters with Winkler's bonus for a common start.
package enum NameLikeness {
    /// The share of the missing similarity that each letter of a common start adds (Winkler 1990).
    private static let prefixWeight = 0.1
    /// The longest start that counts, in letters.
    private static let longestPrefix = 4

    /// Returns the similarity, from 0 (nothing in common) to 1 (equal).
    ///
    /// W. E. Winkler, String Comparator Metrics and Enhanced Decision Rules in the Fellegi-Sunter Model of Record Linkage,
    /// 1990. O(product of the lengths).
    package static func between(_ one: String, _ other: String) -> Double {
        let (first, second) = (Array(one), Array(other))
        let similarity = jaro(first, second)
        let start = zip(first, second).prefix(longestPrefix).prefix { $0 == $1 }.count
        return similarity + Double(start) * prefixWeight * (1 - similarity)
    }

    /// Computes Jaro's measure. Two equal letters match if their places differ by less than half the longer name's length.
    private static func jaro(_ first: [Character], _ second: [Character]) -> Double {
        guard !first.isEmpty, !second.isEmpty else { return first.count == second.count ? 1 : 0 }
        let reach = max(max(first.count, second.count) / 2 - 1, 0)
        var isTaken = [Bool](repeating: false, count: second.count)
        var common: [Character] = []
        for (place, letter) in first.enumerated() {
            // In a much shorter name, no letter may be within reach.
            let end = min(place + reach + 1, second.count)
            let window = min(max(place - reach, 0), end)..<end
            guard let match = window.first(where: { !isTaken[$0] && second[$0] == letter }) else { continue }
            isTaken[match] = true
            common.append(letter)
        }
        guard !common.isEmpty else { return 0 }
        let others = second.indices.filter { isTaken[$0] }.map { second[$0] }
        let displaced = zip(common, others).count { $0 != $1 }
        let count = Double(common.count)
        return
            (count / Double(first.count) + count / Double(second.count) + (count - Double(displaced) / 2)
                / count)
            / 3
    }
}

/// A MinHash of a set of words: its least hash under each of several hash functions. The probability that two sets agree in
/// one of them equals their share of common words (A. Broder, On the Resemblance and Containment of Documents, 1997).
enum WordSketch {
    /// Number of hash functions: of pairs of sets that have two words in five in common, 0.98 agree in at least one of eight.
    private static let count = 8
    /// Shorter words occur on every paper.
    private static let shortestWord = 4

    /// Returns the hashes in the order of the functions, separated by spaces; "" for no words.
    static func text(of words: Set<String>) -> String {
        var least = [UInt64](repeating: .max, count: count)
        for word in words where word.utf8.count >= shortestWord {
            // FNV-1a (Fowler, Noll and Vo), then a multiplication by another odd number for each function.
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in word.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            for function in 0..<count {
                let mixed =
                    (hash ^ hash >> 29)
                    &* (0x9E37_79B9_7F4A_7C15 &+ UInt64(function) &* 0x6A09_E667_F3BC_C908)
                least[function] = min(least[function], mixed ^ mixed >> 32)
            }
        }
        guard least[0] != .max else { return "" }
        return least.map { String($0, radix: 36) }.joined(separator: " ")
    }
}

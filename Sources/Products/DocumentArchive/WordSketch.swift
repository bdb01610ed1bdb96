/// The least hashes of a set of words, one for each of several hash functions: two sets have one in common as often as they have
/// words in common (A. Broder, On the Resemblance and Containment of Documents, 1997).
enum WordSketch {
    /// How many hash functions: of sets with two words in five in common, 0.98 have one of eight in common.
    private static let count = 8
    /// Shorter words are on every paper.
    private static let shortestWord = 4

    /// The hashes in the order of the functions, blanks between them; "" for no words.
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

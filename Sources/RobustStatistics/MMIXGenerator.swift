/// Knuth's linear congruential generator for MMIX: state' = 6364136223846793005 · state + 1442695040888963407 modulo 2^64.
///
/// Knuth, "The Art of Computer Programming" 2, 3.3.4. Weaker than `SplitMix64`, and here only because the triples of points that
/// the table's plane starts from (`DominantPixelPlane`) are drawn with it: other numbers give other last digits.
package struct MMIXGenerator: Sendable {
    private var state: UInt64

    /// A generator that repeats itself for the same seed.
    package init(seed: UInt64) { state = seed }

    /// A number from 0 to `count` - 1, from the state's upper half: the lower bits have short periods.
    /// - Precondition: 1 <= count < 2^31.
    package mutating func next(below count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % count
    }
}

/// A small seeded generator: the same numbers on every platform and in every run.
///
/// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, DOI 10.1145/2660193.2660195.
/// Good for drawing samples, not for secrets.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator that repeats itself for the same seed.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A small seeded generator: the same numbers on every platform and in every run.
///
/// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, DOI 10.1145/2660193.2660195.
/// Period 2^64. Good for drawing samples, not for secrets. Printing the seed is enough to repeat a run.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    /// The state, which starts as the seed.
    @usableFromInline package var state: UInt64

    /// Creates a generator; equal seeds give equal numbers, and any value is good.
    @inlinable
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    @inlinable
    public mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.mix(state)
    }

    /// The increment of the state: 2^64 divided by the golden ratio, made odd.
    @inlinable package static var step: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// The finaliser: every bit of the result depends on every bit of `value`.
    @inlinable @inline(__always)
    package static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

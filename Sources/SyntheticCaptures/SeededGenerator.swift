import Foundation

/// A small random number generator whose numbers follow from its seed alone, on every machine: SplitMix64.
///
/// Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
/// Period 2^64; not for secrets. Printing the seed is enough to repeat a run.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The state, which starts as the seed.
    private var state: UInt64

    /// A generator that starts at `seed`; any value is good.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return NoiseHash.mix(state)
    }

    /// A generator for one purpose, independent of this one and of those for other purposes.
    /// - Parameter purpose: any text; drawing more or fewer numbers for one purpose leaves the others as they are.
    public func generator(for purpose: String) -> SeededGenerator {
        var hash = state ^ 0xCBF2_9CE4_8422_2325
        for byte in purpose.utf8 { hash = NoiseHash.mix(hash &+ UInt64(byte) &+ 0x9E37_79B9_7F4A_7C15) }
        return SeededGenerator(seed: hash)
    }

    /// A number drawn uniformly from a half-open range.
    public mutating func uniform(_ range: Range<Double>) -> Double {
        let unit = Double(next() >> 11) * 0x1p-53
        return range.lowerBound + unit * (range.upperBound - range.lowerBound)
    }

    /// A number of the normal distribution with mean 0 and deviation 1 (Box & Muller 1958).
    public mutating func normal() -> Double {
        let radius = (-2 * log(1 - uniform(0..<1))).squareRoot()
        return radius * cos(2 * .pi * uniform(0..<1))
    }
}

/// Random numbers by place instead of by turn: a pixel's noise is the same whichever thread draws it, and when.
package enum NoiseHash {
    /// SplitMix64's finaliser: every bit of the result depends on every bit of `value`.
    @inline(__always)
    package static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 64 random bits for the place `index` of the stream `seed`.
    @inline(__always)
    package static func bits(_ seed: UInt64, _ index: UInt64) -> UInt64 {
        mix(seed &+ mix(index &+ 0x9E37_79B9_7F4A_7C15))
    }

    /// 0 to 1, uniform.
    @inline(__always)
    package static func uniform(_ seed: UInt64, _ index: UInt64) -> Float {
        Float(bits(seed, index) >> 40) * 0x1p-24
    }

    /// Mean 0, deviation 1, nearly normal: the sum of four uniform 16-bit numbers (Irwin & Hall), cut at 3.46.
    @inline(__always)
    package static func normal(_ seed: UInt64, _ index: UInt64) -> Float {
        let random = bits(seed, index)
        let sum = (random & 0xFFFF) &+ (random >> 16 & 0xFFFF) &+ (random >> 32 & 0xFFFF) &+ (random >> 48)
        // Four uniform numbers have variance 4/12; 65535 is the width of each.
        return (Float(sum) - 131070) * (1.7320508 / 65535)
    }
}

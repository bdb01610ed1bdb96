import RobustStatistics

/// Random numbers by position instead of by sequence: a pixel's noise is the same whichever thread draws it, and when.
public enum NoiseHash {
    /// SplitMix64's finaliser: every bit of the result depends on every bit of `value`.
    @inline(__always)
    public static func mix(_ value: UInt64) -> UInt64 { SplitMix64.mix(value) }

    /// Returns 64 random bits for the position `index` of the stream `seed`.
    @inline(__always)
    public static func bits(_ seed: UInt64, _ index: UInt64) -> UInt64 {
        mix(seed &+ mix(index &+ 0x9E37_79B9_7F4A_7C15))
    }

    /// Returns a uniform random number from 0 to 1.
    @inline(__always)
    public static func uniform(_ seed: UInt64, _ index: UInt64) -> Float {
        Float(bits(seed, index) >> 40) * 0x1p-24
    }

    /// Returns a nearly normal random number of mean 0 and deviation 1: the sum of four uniform 16-bit numbers (Irwin &
    /// Hall), which ends at 3.46.
    @inline(__always)
    public static func normal(_ seed: UInt64, _ index: UInt64) -> Float {
        let random = bits(seed, index)
        let sum = (random & 0xFFFF) &+ (random >> 16 & 0xFFFF) &+ (random >> 32 & 0xFFFF) &+ (random >> 48)
        // Four uniform numbers have variance 4/12; 65535 is the range of each.
        return (Float(sum) - 131070) * (1.7320508 / 65535)
    }
}

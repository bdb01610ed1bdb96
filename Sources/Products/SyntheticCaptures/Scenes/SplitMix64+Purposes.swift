internal import Foundation
public import RobustStatistics

extension SplitMix64 {
    /// Returns a generator for one purpose, independent of this one and of those for other purposes.
    /// - Parameter purpose: any text; drawing more or fewer numbers for one purpose does not change the others.
    public func generator(for purpose: String) -> SplitMix64 {
        var hash = state ^ 0xCBF2_9CE4_8422_2325
        for byte in purpose.utf8 { hash = SplitMix64.mix(hash &+ UInt64(byte) &+ 0x9E37_79B9_7F4A_7C15) }
        return SplitMix64(seed: hash)
    }

    /// Returns a number drawn uniformly from a half-open range.
    public mutating func uniform(_ range: Range<Double>) -> Double {
        let unit = Double(next() >> 11) * 0x1p-53
        return range.lowerBound + unit * (range.upperBound - range.lowerBound)
    }

    /// Returns a normally distributed number with mean 0 and deviation 1 (Box & Muller 1958).
    public mutating func normal() -> Double {
        let radius = (-2 * log(1 - uniform(0..<1))).squareRoot()
        return radius * cos(2 * .pi * uniform(0..<1))
    }
}

/// The generator's name for callers outside of this module, which spares them another import.
public typealias SeededGenerator = SplitMix64

import Foundation
package import RobustStatistics

extension SplitMix64 {
    /// A number of the normal distribution with mean 0 and deviation 1 (Box & Muller 1958), from two of `Double.random`:
    /// other numbers than `normal()` of SyntheticCaptures, which tests with drawn captures use.
    package mutating func normalByDoubleRandom() -> Double {
        let radius = (-2 * log(Double.random(in: Double.leastNonzeroMagnitude..<1, using: &self)))
            .squareRoot()
        return radius * cos(Double.random(in: 0..<2 * .pi, using: &self))
    }
}

// Medians and quantiles of numbers without NaN. The names say which of two middle values counts, since results depend on it. An
// empty list has the median 0, since the smallest spread of no values is 0.

extension Array where Element: BinaryFloatingPoint {
    /// Returns the median, the upper of two middle values; 0 if empty. O(count) on average.
    @inlinable
    package func upperMedian() -> Element { isEmpty ? 0 : ranked(count / 2) }

    /// Returns the median, the mean of two middle values; 0 if empty. O(count) on average.
    @inlinable
    package func midpointMedian() -> Element {
        guard !isEmpty else { return 0 }
        var copy = self
        let upper = copy.selectRank(count / 2)
        guard count.isMultiple(of: 2) else { return upper }
        // After selection, no value before the upper middle is greater, so the lower middle is the maximum of those values.
        var lower = copy[0]
        for value in copy[..<(count / 2)] where value > lower { lower = value }
        return (lower + upper) / 2
    }

    /// Returns the value below which a share (0 to 1) of all values lies: the one at index count · share, rounded down; 0 if
    /// empty. O(count) on average.
    @inlinable
    package func quantile(_ share: Double) -> Element {
        isEmpty ? 0 : ranked(Swift.min(Int(Double(count) * share), count - 1))
    }
}

extension Array where Element == Double {
    /// Returns a robust standard deviation of residuals about 0: 1.4826 · median |r| (the upper median). Up to half of the
    /// residuals may be outliers. 0 if empty. O(count) on average.
    @inlinable
    package func robustDeviation() -> Double {
        var sizes = map { abs($0) }
        return isEmpty ? 0 : RobustScale.medianToDeviation * sizes.selectRank(count / 2)
    }
}

/// Estimates the scale of normal noise from medians.
@usableFromInline package enum RobustScale {
    /// Converts the median absolute value of normal noise to its standard deviation: 1 / Φ⁻¹(3/4).
    @inlinable package static var medianToDeviation: Double { 1.4826 }
}

// Medians and quantiles of numbers without NaN. Which of two middle values counts is part of a name, since results depend
// on it; the least spread of nothing is 0, so an empty list has the median 0.

extension Array where Element: BinaryFloatingPoint {
    /// The value in the middle, the upper one of two; 0 of none. O(count) on average.
    @inlinable
    package func upperMedian() -> Element { isEmpty ? 0 : ranked(count / 2) }

    /// The value in the middle, the mean of two; 0 of none. O(count) on average.
    @inlinable
    package func midpointMedian() -> Element {
        guard !isEmpty else { return 0 }
        var copy = self
        let upper = copy.selectRank(count / 2)
        guard count.isMultiple(of: 2) else { return upper }
        // Selection leaves nothing greater before the upper middle, so the lower one is the greatest of what is there.
        var lower = copy[0]
        for value in copy[..<(count / 2)] where value > lower { lower = value }
        return (lower + upper) / 2
    }

    /// The value below which a share of all values lies, 0 to 1: the one at place count · share, rounded down; 0 of none.
    /// O(count) on average.
    @inlinable
    package func quantile(_ share: Double) -> Element {
        isEmpty ? 0 : ranked(Swift.min(Int(Double(count) * share), count - 1))
    }
}

extension Array where Element == Double {
    /// The standard deviation of residuals about 0 as their median size tells it, 1.4826 · median |r| (the upper median):
    /// half of them may be wild. 0 of none. O(count) on average.
    @inlinable
    package func robustDeviation() -> Double {
        var sizes = map { abs($0) }
        return isEmpty ? 0 : RobustScale.medianToDeviation * sizes.selectRank(count / 2)
    }
}

/// The scale of normal noise from medians.
@usableFromInline package enum RobustScale {
    /// Makes the median size of normal noise its standard deviation: 1 / Φ⁻¹(3/4).
    @inlinable package static var medianToDeviation: Double { 1.4826 }
}

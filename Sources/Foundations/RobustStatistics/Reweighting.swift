/// Iteratively re-weighted least squares: repeats a fit, its residuals, their scale and new weights.
///
/// ```swift
/// var level = 0.0
/// let outcome = Reweighting(loss: .cauchy, sweeps: 20).run(prior: [1, 1, 1, 1]) { weights in
///     level = zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
///     return (residuals: values.map { $0 - level }, isSettled: false)
/// }
/// ```
@usableFromInline package struct Reweighting: Sendable {
    /// The loss that turns residuals into weights.
    @usableFromInline package var loss: RobustLoss
    /// The largest number of fits, at least 1.
    @usableFromInline package var sweeps: Int
    /// Lower bound of the scale: residuals within a reading's own noise are not outliers, however well most readings fit.
    @usableFromInline package var leastScale: Double

    /// Creates a re-weighting scheme.
    @inlinable
    package init(loss: RobustLoss, sweeps: Int, leastScale: Double = 0) {
        self.loss = loss
        self.sweeps = sweeps
        self.leastScale = leastScale
    }

    /// The result of the last fit.
    @usableFromInline package struct Outcome: Sendable {
        /// The residuals of the last fit.
        @usableFromInline package var residuals: [Double]
        /// Their robust standard deviation, `robustDeviation()`, at least `leastScale`.
        @usableFromInline package var scale: Double
        /// The weights computed from them.
        @usableFromInline package var weights: [Double]

        @usableFromInline
        init(residuals: [Double], scale: Double, weights: [Double]) {
            self.residuals = residuals
            self.scale = scale
            self.weights = weights
        }
    }

    /// Repeats the fit until it is settled, all residuals are 0, or all sweeps are used.
    /// - Parameters:
    ///   - prior: the weight of each reading independent of its residual; also the first fit's weights.
    ///   - isCounted: whether a reading counts for the scale; nil for all.
    ///   - fit: a weighted fit; returns one residual per reading, and whether the fit no longer differs from the last one.
    /// - Complexity: O(readings) per sweep, besides the fit.
    @inlinable
    package func run<Failure: Error>(
        prior: [Double], isCounted: [Bool]? = nil,
        fit: (_ weights: [Double]) throws(Failure) -> (residuals: [Double], isSettled: Bool)
    ) throws(Failure) -> Outcome {
        var outcome = Outcome(residuals: [], scale: leastScale, weights: prior)
        for _ in 0..<sweeps {
            let (residuals, isSettled) = try fit(outcome.weights)
            outcome.residuals = residuals
            let counted =
                isCounted.map { isCounted in residuals.indices.filter { isCounted[$0] }.map { residuals[$0] }
                }
                ?? residuals
            outcome.scale = max(counted.robustDeviation(), leastScale)
            let reach = max(loss.cut * outcome.scale, .leastNormalMagnitude)
            for index in prior.indices {
                outcome.weights[index] = loss.weight(residuals[index] / reach, prior: prior[index])
            }
            if isSettled || !(outcome.scale > 0) { break }
        }
        return outcome
    }
}

/// Iteratively re-weighted least squares: a fit, its residuals, their scale, new weights, and again.
///
/// ```swift
/// var level = 0.0
/// let outcome = Reweighting(loss: .cauchy, sweeps: 20).run(prior: [1, 1, 1, 1]) { weights in
///     level = zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
///     return (residuals: values.map { $0 - level }, isSettled: false)
/// }
/// ```
@usableFromInline package struct Reweighting: Sendable {
    /// What residuals weigh.
    @usableFromInline package var loss: RobustLoss
    /// The most fits, at least 1.
    @usableFromInline package var sweeps: Int
    /// No scale is smaller: residuals within a reading's own noise are not wild, however well most of them are met.
    @usableFromInline package var leastScale: Double

    /// How weights are renewed.
    @inlinable
    package init(loss: RobustLoss, sweeps: Int, leastScale: Double = 0) {
        self.loss = loss
        self.sweeps = sweeps
        self.leastScale = leastScale
    }

    /// What the last fit left.
    @usableFromInline package struct Outcome: Sendable {
        /// The residuals of the last fit.
        @usableFromInline package var residuals: [Double]
        /// Their robust standard deviation, `robustDeviation()`, at least `leastScale`.
        @usableFromInline package var scale: Double
        /// The weights that follow from them.
        @usableFromInline package var weights: [Double]

        @usableFromInline
        init(residuals: [Double], scale: Double, weights: [Double]) {
            self.residuals = residuals
            self.scale = scale
            self.weights = weights
        }
    }

    /// Fits until the fit stands still, all residuals are 0, or all sweeps are made.
    /// - Parameters:
    ///   - prior: what each reading weighs whatever its residual; the first fit's weights.
    ///   - isCounted: whether a reading counts for the scale; all do without it.
    ///   - fit: a weighted fit: its residuals, one a reading, and whether it differs from the last one no more.
    /// - Complexity: O(readings) a sweep beside the fit.
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

/// The weight of a residual in least squares; limits the pull of outliers.
///
/// A weight is a function of u = r / (cut · scale), the residual in units of the cut. The cuts are those at which a fit to
/// normal noise has 95 % of the efficiency of least squares (Holland and Welsch, "Robust regression using iteratively reweighted
/// least-squares", Communications in Statistics 1977, DOI 10.1080/03610927708827533).
@usableFromInline package struct RobustLoss: Equatable, Sendable {
    /// The shape of the weight function.
    @usableFromInline package enum Shape: Equatable, Sendable {
        /// 1 / (1 + u²): never 0, so a fit converges from any start.
        case cauchy
        /// (1 - u²)² up to 1, then 0: distant residuals do not count at all.
        case tukey
    }

    /// The shape of the weight function.
    @usableFromInline package let shape: Shape
    /// The number of deviations at which u = 1; greater than 0.
    @usableFromInline package let cut: Double

    /// Creates a loss with a custom cut.
    @inlinable
    package init(_ shape: Shape, cut: Double) {
        self.shape = shape
        self.cut = cut
    }

    /// Cauchy's, 95 % efficient: cut 2.385.
    @inlinable package static var cauchy: RobustLoss { RobustLoss(.cauchy, cut: 2.385) }
    /// Tukey's biweight, 95 % efficient: cut 4.685.
    @inlinable package static var tukey: RobustLoss { RobustLoss(.tukey, cut: 4.685) }
    /// Huber's cut for 95 % efficiency: beyond this many deviations the loss is linear.
    @inlinable static var huberCut: Double { 1.345 }

    /// Returns the weight of a residual of u = r / (cut · scale), times `prior`. NaN stays NaN.
    @inlinable @inline(__always)
    package func weight(_ u: Double, prior: Double = 1) -> Double {
        switch shape {
        case .cauchy: Self.cauchyWeight(u, prior: prior)
        case .tukey: prior * Self.tukeyWeight(u)
        }
    }

    /// prior / (1 + u²).
    @inlinable @inline(__always)
    static func cauchyWeight(_ u: Double, prior: Double = 1) -> Double { prior / (1 + u * u) }

    /// (1 - u²)², 0 beyond |u| = 1; NaN stays NaN, which `max` would lose.
    @inlinable @inline(__always)
    package static func tukeyWeight(_ u: Double) -> Double {
        let rest = 1 - u * u
        return rest < 0 ? 0 : rest * rest
    }

    /// min(1, huberCut · scale / |r|): Huber's weight.
    @inlinable @inline(__always)
    package static func huberWeight(_ residual: Double, scale: Double) -> Double {
        min(1, huberCut * scale / max(abs(residual), 1e-12))
    }
}

/// A model fitted to points, some of which do not belong to it, with the quality of the fit.
public struct RobustFit<Model: Sendable>: Sendable {
    /// The fitted model.
    public let model: Model
    /// For each point, in the order given, whether the model explains it.
    public let inliers: [Bool]
    /// How many points the model explains.
    package let inlierCount: Int
    /// Root mean square of the inliers' residuals, in the points' unit (metres for metric clouds).
    public let rmsResidual: Double
    /// Robust standard deviation of the residuals, in the points' unit; the inlier threshold is based on it.
    package let scale: Double
    /// How many minimal samples were tried.
    package let trialCount: Int
    /// The spread of the inliers, which tells whether they determine the model at all.
    package let spread: PrincipalSpread

    /// The share of points that the model explains, 0 to 1.
    public var inlierFraction: Double {
        inliers.isEmpty ? 0 : Double(inlierCount) / Double(inliers.count)
    }
}

extension RobustFit: Equatable where Model: Equatable {}

/// Standard deviations of a cloud along its principal axes, ascending: thickness, breadth, length.
package struct PrincipalSpread: Equatable, Sendable {
    /// Across the plane.
    package let thickness: Double
    /// Along the plane, the shorter way.
    package let breadth: Double
    /// Along the plane, the longer way.
    package let length: Double

    /// breadth / length, 0 to 1: near 0 the points lie on a line and leave the plane free to turn about it.
    package var elongationRatio: Double { length > 0 ? breadth / length : 0 }

    /// Creates the spread from the eigenvalues of a covariance, ascending; values that rounding made negative count as 0.
    package init(variances: [Double]) {
        precondition(variances.count == 3, "space has three axes")
        thickness = max(variances[0], 0).squareRoot()
        breadth = max(variances[1], 0).squareRoot()
        length = max(variances[2], 0).squareRoot()
    }
}

package import Diagnostics
import Platform
import Imaging
import LinearAlgebra
package import RobustStatistics

/// A plane fitted to inverse depth, where it is affine along the rays: 1/z = g · (x, y, 1).
///
/// Fitting 1/z instead of distances to the plane automatically weights readings by the noise law of triangulating sensors
/// (sigma_z proportional to z²), and measures depth errors along the rays, where they occur.
package struct InverseDepthPlane: Equatable, Sendable {
    /// 1/z at the ray (x, y, 1) is gradient · ray, in 1/metres.
    package let gradient: SIMD3<Double>
    /// Robust standard deviation of the residuals (1.4826 median |r|) in 1/metres.
    package let scale: Double
    /// Root of the weighted mean of the residuals' squares in 1/metres.
    package let rms: Double

    /// The same plane as normal and distance.
    package var plane: Plane { Plane(normal: -gradient, offset: 1) }

    /// How a plane is fitted.
    package struct Options: Equatable, Sendable {
        /// Loss function that weights residuals. Default Cauchy's.
        package var loss = RobustLoss.cauchy
        /// Most re-weighted fits, at least 1. Default 12.
        package var sweeps = 12
        /// Change of the gradient, as a share of its length, below which the fit has converged. Default 1e-9.
        package var leastChange = 1e-9

        /// The defaults.
        package init() {}
    }

    /// The plane that most readings agree on, by iteratively re-weighted least squares. O(readings) a sweep.
    /// - Parameters:
    ///   - rays: (x, y, 1) of each reading.
    ///   - inverseDepths: 1/z of each, in 1/metres.
    ///   - prior: weight of each reading before its residual is known, greater than 0.
    ///   - options: loss and sweeps.
    /// - Throws: `badInput` if the readings lie on a line or the plane is not in front of the camera.
    package static func fit(
        rays: [SIMD3<Double>], inverseDepths: [Double], prior: [Double], options: Options = Options()
    ) throws(FlatteningError) -> InverseDepthPlane {
        precondition(
            rays.count == inverseDepths.count && rays.count == prior.count,
            "each reading has a ray, a depth and a weight")
        // Centred and scaled, so that the 3 x 3 system is well conditioned at any focal length.
        let count = Double(rays.count)
        let mean = rays.reduce(SIMD3<Double>.zero, +) / count
        let spread = (rays.reduce(0.0) { $0 + ($1 - mean).dot($1 - mean) } / count).squareRoot()
        guard rays.count >= 3, spread > 0 else { throw degenerate }
        var gradient: SIMD3<Double>?
        let outcome = try Reweighting(loss: options.loss, sweeps: options.sweeps).run(prior: prior) {
            weights throws(FlatteningError) in
            let next = try leastSquares(rays, inverseDepths, weights: weights, mean: mean, spread: spread)
            let isSettled =
                gradient.map { !((next - $0).length > options.leastChange * next.length) } ?? false
            gradient = next
            return (rays.indices.map { inverseDepths[$0] - next.dot(rays[$0]) }, isSettled)
        }
        guard let gradient, gradient.isFinite, gradient.dot(mean) > 0 else { throw degenerate }
        var squares = 0.0
        for index in rays.indices {
            squares += outcome.weights[index] * outcome.residuals[index] * outcome.residuals[index]
        }
        return InverseDepthPlane(
            gradient: gradient, scale: outcome.scale,
            rms: (squares / outcome.weights.reduce(0, +)).squareRoot())
    }

    /// Weighted least squares by the normal equations, about the rays' mean and in units of their spread.
    private static func leastSquares(
        _ rays: [SIMD3<Double>], _ inverseDepths: [Double], weights: [Double], mean: SIMD3<Double>,
        spread: Double
    ) throws(FlatteningError) -> SIMD3<Double> {
        var squares = SIMD3<Double>.zero
        var products = SIMD3<Double>.zero
        var loads = SIMD3<Double>.zero
        for index in rays.indices {
            let offset = (rays[index] - mean) / spread
            let row = SIMD3(offset.x, offset.y, 1)
            let weighted = row * weights[index]
            squares += weighted * row
            products += SIMD3(weighted.x * row.y, weighted.x, weighted.y)
            loads += weighted * inverseDepths[index]
        }
        let normal = Matrix([
            [squares.x, products.x, products.y], [products.x, squares.y, products.z],
            [products.y, products.z, squares.z],
        ])
        let total = max(normal[2, 2], .leastNormalMagnitude)
        guard min(normal[0, 0], normal[1, 1]) > 1e-6 * total,
            let solution = try? CholeskyFactorization(of: normal).solve([loads.x, loads.y, loads.z])
        else { throw degenerate }
        let slope = SIMD3(solution[0], solution[1], 0) / spread
        return SIMD3(slope.x, slope.y, solution[2] - slope.dot(mean))
    }

    private static var degenerate: FlatteningError {
        FlatteningError(
            .badInput, "the depth readings determine no plane in front of the camera", stage: .surface)
    }
}

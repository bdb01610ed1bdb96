import DepthGeometry
import Foundation
import Imaging
import LinearAlgebra

/// A plane fitted to inverse depth, where it is affine along the rays: 1/z = g · (x, y, 1).
///
/// Fitting 1/z rather than distances to the plane weights readings by the noise law of triangulating sensors
/// (sigma_z proportional to z²) for free, and takes depth's errors where they are: along the rays.
struct InverseDepthPlane {
    /// 1/z at the ray (x, y, 1) is gradient · ray.
    let gradient: SIMD3<Double>
    /// Robust standard deviation of the residuals (1.4826 median |r|) in 1/metres.
    let scale: Double
    /// Root of the weighted mean of the residuals' squares in 1/metres.
    let rms: Double

    /// The same plane by normal and distance.
    var plane: Plane { Plane(normal: -gradient, offset: 1) }

    /// Iteratively re-weighted least squares with Cauchy's weights, 1 / (1 + (r / 2.385 s)²), s = 1.4826 median |r|.
    /// O(samples) a sweep.
    /// - Throws: `badInput` if the samples lie on a line or the plane is not in front of the camera.
    static func fit(
        to samples: SheetSamples
    ) throws(FlatteningError) -> InverseDepthPlane {
        let rays = samples.rays
        let inverse = samples.inverseDepths
        // Centred and scaled, so that the 3 x 3 system is well conditioned at any focal length.
        let count = Double(rays.count)
        let mean = rays.reduce(SIMD3<Double>.zero, +) / count
        let spread = (rays.reduce(0.0) { $0 + ($1 - mean).dot($1 - mean) } / count).squareRoot()
        guard rays.count >= 3, spread > 0 else { throw degenerate }
        var weights = samples.weights
        var gradient = SIMD3<Double>.zero
        var scale = 0.0
        var rms = 0.0
        var residuals = [Double](repeating: 0, count: rays.count)
        for sweep in 0..<12 {
            var squares = SIMD3<Double>.zero
            var products = SIMD3<Double>.zero
            var loads = SIMD3<Double>.zero
            for index in rays.indices {
                let offset = (rays[index] - mean) / spread
                let row = SIMD3(offset.x, offset.y, 1)
                let weighted = row * weights[index]
                squares += weighted * row
                products += SIMD3(weighted.x * row.y, weighted.x, weighted.y)
                loads += weighted * inverse[index]
            }
            let normal = Matrix([
                [squares.x, products.x, products.y], [products.x, squares.y, products.z],
                [products.y, products.z, squares.z],
            ])
            let right = [loads.x, loads.y, loads.z]
            let solution: [Double]
            do {
                let total = max(normal[2, 2], .leastNormalMagnitude)
                guard min(normal[0, 0], normal[1, 1]) > 1e-6 * total else { throw degenerate }
                solution = try CholeskyFactorization(of: normal).solve(right)
            } catch {
                throw degenerate
            }
            let slope = SIMD3(solution[0], solution[1], 0) / spread
            let next = SIMD3(slope.x, slope.y, solution[2] - slope.dot(mean))
            let change = (next - gradient).length
            gradient = next
            for index in rays.indices { residuals[index] = abs(inverse[index] - next.dot(rays[index])) }
            scale = 1.4826 * residuals.median()
            var sum = 0.0
            for index in weights.indices {
                let relative = residuals[index] / max(2.385 * scale, .leastNormalMagnitude)
                weights[index] = samples.weights[index] / (1 + relative * relative)
                sum += weights[index] * residuals[index] * residuals[index]
            }
            rms = (sum / weights.reduce(0, +)).squareRoot()
            guard scale > 0, sweep == 0 || change > 1e-9 * gradient.length else { break }
        }
        guard gradient.isFinite, gradient.dot(mean) > 0 else { throw degenerate }
        return InverseDepthPlane(gradient: gradient, scale: scale, rms: rms)
    }

    private static var degenerate: FlatteningError {
        FlatteningError(
            .badInput, "the depth readings determine no plane in front of the camera", stage: "surface")
    }
}

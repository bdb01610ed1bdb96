import RobustStatistics

/// A plane in a depth map without its camera: 1/z = value + slope · (place - centre).
///
/// In inverse depth a plane is affine in the pixel whatever the intrinsics, so a table can be separated from the objects on
/// it before anything is known about the camera. `InverseDepthPlane` is the counterpart along rays, with a normal and a
/// distance.
package struct PixelPlane: Equatable, Sendable {
    /// Where `value` holds, in the places' unit.
    package let centre: SIMD2<Double>
    /// 1/z at the centre, in 1/metres.
    package let value: Double
    /// Change of 1/z along x and y, in 1/metres per unit of the places.
    package let slope: SIMD2<Double>
    /// Robust standard deviation of the residuals in 1/metres.
    package let scale: Double
    /// Residual of each reading, in 1/metres, in the order given.
    package let residuals: [Double]

    /// Fits the plane that most readings agree on, by Cauchy's weights: 15 re-weighted fits. O(readings).
    /// - Parameters:
    ///   - places: at least 3.
    ///   - values: 1/z at each, in 1/metres.
    /// - Returns: nil if the places lie on a line.
    package init?(through places: [SIMD2<Double>], values: [Double]) {
        precondition(places.count == values.count, "each place has a value")
        let mean = places.reduce(SIMD2<Double>.zero, +) / Double(places.count)
        let level = values.upperMedian()
        var fit: LeastSquares?
        let outcome: Reweighting.Outcome
        do throws(Degenerate) {
            outcome = try Reweighting(loss: .cauchy, sweeps: Self.sweeps).run(
                prior: [Double](repeating: 1, count: places.count)
            ) { weights throws(Degenerate) in
                let next = try LeastSquares(places, values, weights: weights, about: mean, level: level)
                fit = next
                let residuals = places.indices.map { index in
                    let p = places[index] - mean - next.centre
                    return values[index] - level - next.middle - (p * next.slope).sum()
                }
                return (residuals, false)
            }
        } catch {
            return nil
        }
        guard let fit else { return nil }
        centre = mean + fit.centre
        value = level + fit.middle
        slope = fit.slope
        scale = outcome.scale
        residuals = outcome.residuals
    }

    private static let sweeps = 15

    /// The places lie on a line.
    private struct Degenerate: Error {}

    /// Weighted least squares of value = a + b x + c y in closed form, about the readings' own weighted mean.
    private struct LeastSquares {
        /// Weighted means of the places (relative to `mean`) and of the values (relative to `level`).
        var centre = SIMD2<Double>.zero
        var middle = 0.0
        var slope = SIMD2<Double>.zero

        init(
            _ places: [SIMD2<Double>], _ values: [Double], weights: [Double], about mean: SIMD2<Double>,
            level: Double
        ) throws(Degenerate) {
            var total = 0.0
            for index in places.indices {
                total += weights[index]
                centre += (places[index] - mean) * weights[index]
                middle += (values[index] - level) * weights[index]
            }
            centre /= total
            middle /= total
            var (xx, xy, yy, xv, yv) = (0.0, 0.0, 0.0, 0.0, 0.0)
            for index in places.indices {
                let p = places[index] - mean - centre
                let v = values[index] - level - middle
                xx += weights[index] * p.x * p.x
                xy += weights[index] * p.x * p.y
                yy += weights[index] * p.y * p.y
                xv += weights[index] * p.x * v
                yv += weights[index] * p.y * v
            }
            let determinant = xx * yy - xy * xy
            guard determinant > 1e-9 * xx * yy else { throw Degenerate() }
            slope = SIMD2(yy * xv - xy * yv, xx * yv - xy * xv) / determinant
        }
    }
}

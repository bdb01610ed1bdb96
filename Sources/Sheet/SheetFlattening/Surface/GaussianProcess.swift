import Platform
import LinearAlgebra

/// A Gaussian process of standard deviation 1 on top of an unknown plane, given values at some positions.
struct GaussianProcess {
    /// Variance of the plane's coefficients: large relative to 1, small enough for the system to stay well conditioned.
    static let planeVariance = 1e4
    /// Variance of each value's own, independent part: noise, and what a smooth process cannot follow.
    static let nugget = 0.0025

    private let places: [SIMD2<Double>]
    private let weights: [Double]
    private let plane: SIMD3<Double>
    private let center: SIMD2<Double>
    private let unit: Double
    private let falloff: Double

    init(_ places: [SIMD2<Double>], _ values: [Double], reach: Double) throws(LinearAlgebraError) {
        let falloff = -1 / (2 * reach * reach)
        let count = places.count
        let center = places.reduce(SIMD2<Double>.zero, +) / Double(count)
        let spread = places.reduce(0) { $0 + (($1 - center) * ($1 - center)).sum() } / Double(count)
        let unit = 1 / max(spread.squareRoot(), 1)
        var matrix = Matrix(rows: count, columns: count)
        for column in 0..<count {
            let b = (places[column] - center) * unit
            for row in column..<count {
                let offset = places[row] - places[column]
                let a = (places[row] - center) * unit
                let covariance =
                    exp(falloff * (offset * offset).sum()) + Self.planeVariance * (1 + (a * b).sum())
                matrix.elements[column * count + row] = covariance
                matrix.elements[row * count + column] = covariance
            }
            matrix.elements[column * count + column] += Self.nugget
        }
        weights = try CholeskyFactorization(of: matrix).solve(values)
        var plane = SIMD3<Double>.zero
        for index in 0..<count {
            let a = (places[index] - center) * unit
            plane += SIMD3(1, a.x, a.y) * (Self.planeVariance * weights[index])
        }
        self.plane = plane
        self.places = places
        self.center = center
        self.unit = unit
        self.falloff = falloff
    }

    /// The mean at a position, without the plane. O(places).
    func deviation(at place: SIMD2<Double>) -> Double {
        var sum = 0.0
        for index in places.indices {
            let offset = place - places[index]
            sum += weights[index] * exp(falloff * (offset * offset).sum())
        }
        return sum
    }

    /// The mean at a position. O(places).
    func value(at place: SIMD2<Double>) -> Double {
        let a = (place - center) * unit
        return deviation(at: place) + (plane * SIMD3(1, a.x, a.y)).sum()
    }
}

import Platform
import LinearAlgebra
import RobustStatistics

/// A displacement that changes slowly: a polynomial of second degree in both coordinates, within a rectangle.
struct SmoothField: Equatable, Sendable {
    private let center: SIMD2<Double>
    private let half: SIMD2<Double>
    private let x: [Double]
    private let y: [Double]

    /// Least scale of the residuals, in units: the precision with which a piece of print is located.
    private static let leastScale = 0.05
    /// Keeps terms small that the samples do not determine; as a share of one sample's weight.
    private static let ridge = 1e-3

    /// Fits the field to samples and discounts outliers. O(samples).
    /// - Returns: nil for fewer than six samples.
    init?(at places: [SIMD2<Double>], displacements: [SIMD2<Double>]) {
        precondition(places.count == displacements.count, "each place has a displacement")
        guard places.count >= 6 else { return nil }
        var (low, high) = (places[0], places[0])
        for place in places {
            low = pointwiseMin(low, place)
            high = pointwiseMax(high, place)
        }
        let (center, half) = ((low + high) / 2, pointwiseMax((high - low) / 2, SIMD2(1, 1)))
        let rows = places.map { Self.terms(($0 - center) / half) }
        var coefficients = (x: [Double](), y: [Double]())
        let outcome = try? Reweighting(loss: .tukey, sweeps: 20, leastScale: Self.leastScale).run(
            prior: places.map { _ in 1 }
        ) { weights in
            coefficients = try Self.solve(rows, displacements, weights)
            let residuals = zip(rows, displacements).map { row, displacement in
                (displacement - SIMD2(Self.value(row, coefficients.x), Self.value(row, coefficients.y)))
                    .length
            }
            return (residuals, false)
        }
        guard outcome != nil else { return nil }
        self.center = center
        self.half = half
        (x, y) = coefficients
    }

    /// Returns the displacement at a place; beyond the samples' rectangle, the displacement at its rim.
    func callAsFunction(_ place: SIMD2<Double>) -> SIMD2<Double> {
        let at = pointwiseMin(pointwiseMax((place - center) / half, SIMD2(-1, -1)), SIMD2(1, 1))
        let row = Self.terms(at)
        return SIMD2(Self.value(row, x), Self.value(row, y))
    }

    private static func terms(_ p: SIMD2<Double>) -> [Double] {
        [1, p.x, p.y, p.x * p.x, p.x * p.y, p.y * p.y]
    }

    private static func value(_ row: [Double], _ coefficients: [Double]) -> Double {
        zip(row, coefficients).reduce(0) { $0 + $1.0 * $1.1 }
    }

    private static func solve(
        _ rows: [[Double]], _ values: [SIMD2<Double>], _ weights: [Double]
    ) throws(LinearAlgebraError) -> (x: [Double], y: [Double]) {
        var normal = Matrix(rows: 6, columns: 6)
        var (right, down) = ([Double](repeating: 0, count: 6), [Double](repeating: 0, count: 6))
        for (index, row) in rows.enumerated() {
            for i in 0..<6 {
                for j in 0..<6 { normal[i, j] += weights[index] * row[i] * row[j] }
                right[i] += weights[index] * row[i] * values[index].x
                down[i] += weights[index] * row[i] * values[index].y
            }
        }
        for i in 0..<6 { normal[i, i] += ridge }
        let factor = try CholeskyFactorization(of: normal)
        return (try factor.solve(right), try factor.solve(down))
    }
}

extension SIMD2<Double> {
    var length: Double { (self * self).sum().squareRoot() }
}

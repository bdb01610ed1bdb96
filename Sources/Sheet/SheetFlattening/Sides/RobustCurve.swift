import LinearAlgebra
import RobustStatistics

/// A smooth curve through points that may include outliers: a polynomial over an interval, continued straight beyond it.
struct RobustCurve {
    /// Coefficients of the powers of the position, which runs from -1 to 1 within the interval.
    private let coefficients: [Double]
    private let interval: ClosedRange<Double>

    /// Number of fits with Tukey's weights.
    private static let sweeps = 10
    /// Added to the diagonal of the normal equations, per point: keeps the system solvable when points coincide.
    private static let ridge = 1e-9

    /// - Parameters:
    ///   - points: x is the position along the curve, y its height; at least one more than `degree`.
    ///   - leastScale: smaller residuals are no outliers.
    /// - Returns: nil if the points determine no curve.
    /// - Complexity: O(points).
    init?(through points: [SIMD2<Double>], degree: Int, leastScale: Double) {
        guard points.count > degree, let low = points.map(\.x).min(), let high = points.map(\.x).max(),
            low < high
        else { return nil }
        interval = low...high
        let powers = points.map { Self.powers(Self.position($0.x, in: low...high), degree: degree) }
        var solution: [Double] = []
        let outcome = try? Reweighting(loss: .tukey, sweeps: Self.sweeps, leastScale: leastScale).run(
            prior: [Double](repeating: 1, count: points.count)
        ) { weights throws(LinearAlgebraError) in
            var matrix = Matrix(rows: degree + 1, columns: degree + 1)
            var right = [Double](repeating: 0, count: degree + 1)
            for (index, row) in powers.enumerated() {
                for i in 0...degree {
                    right[i] += weights[index] * row[i] * points[index].y
                    for j in 0...degree { matrix[i, j] += weights[index] * row[i] * row[j] }
                }
            }
            for i in 0...degree { matrix[i, i] += Self.ridge * Double(points.count) }
            solution = try CholeskyFactorization(of: matrix).solve(right)
            let residuals = zip(powers, points).map { row, point in
                point.y - zip(row, solution).reduce(0) { $0 + $1.0 * $1.1 }
            }
            return (residuals, false)
        }
        guard outcome != nil else { return nil }
        coefficients = solution
    }

    /// Creates a level line.
    init(level: Double) { (coefficients, interval) = ([level], 0...1) }

    private static func position(_ x: Double, in interval: ClosedRange<Double>) -> Double {
        2 * (x - interval.lowerBound) / (interval.upperBound - interval.lowerBound) - 1
    }

    private static func powers(_ t: Double, degree: Int) -> [Double] {
        var powers = [1.0]
        for _ in 0..<degree { powers.append(powers[powers.count - 1] * t) }
        return powers
    }

    /// The curve's height. O(degree).
    func callAsFunction(_ x: Double) -> Double {
        let inside = min(max(x, interval.lowerBound), interval.upperBound)
        let t = Self.position(inside, in: interval)
        var (value, slope) = (0.0, 0.0)
        for coefficient in coefficients.reversed() {
            slope = slope * t + value
            value = value * t + coefficient
        }
        return value + slope * 2 / (interval.upperBound - interval.lowerBound) * (x - inside)
    }
}

package import RobustStatistics

/// The plane that more readings of a depth map lie on than on any other, without its camera: 1/z = coefficients · (x, y, 1).
///
/// Random triples on a sample, each judged by how many readings lie near it (Fischler and Bolles, "Random sample consensus",
/// CACM 1981, DOI 10.1145/358669.358692), then Tukey's weights on all readings. Unlike `PixelPlane`, which starts from all
/// readings, it finds a table that holds only a third of them.
package struct DominantPixelPlane: Equatable, Sendable {
    /// 1/z at the place (x, y, 1) is their product, in 1/metres.
    package let coefficients: SIMD3<Double>
    /// Robust standard deviation of the readings near the plane, in 1/metres.
    package let spread: Double

    /// Triples that are tried: of planes with a third of the readings all miss in 1 of 90 maps.
    private static let trials = 120
    /// Readings that triples are drawn from and judged by.
    private static let sampleSize = 600
    /// How near a reading lies that supports a plane, as a share of the middle inverse depth.
    private static let nearness = 0.005
    /// Re-weighted fits on all readings.
    private static let sweeps = 5
    /// Fewer readings on a plane say nothing about it.
    private static let leastSupport = 30
    /// No spread is smaller than this share of the middle inverse depth.
    private static let leastSpread = 1e-5

    /// - Parameters:
    ///   - places: (x, y, 1) of each reading, x and y from 0 to 1; at least one.
    ///   - values: 1/z of each, in 1/metres.
    ///   - generator: draws the triples.
    /// - Returns: nil if hardly a reading lies near any plane.
    /// - Complexity: O(readings).
    package init?(
        through places: [SIMD3<Double>], values: [Double], using generator: inout MMIXGenerator
    ) {
        precondition(places.count == values.count && !places.isEmpty, "each place has a value")
        let middle = values.upperMedian()
        guard middle > 0 else { return nil }
        let near = Self.nearness * middle
        var plane = Self.bestTriple(places, values, near: near, using: &generator) ?? SIMD3(0, 0, middle)
        var spread = near
        for _ in 0..<Self.sweeps {
            let terms = places.indices.compactMap { index -> Term? in
                let u = (values[index] - (plane * places[index]).sum()) / (RobustLoss.tukey.cut * spread)
                return abs(u) < 1 ? (places[index], values[index], RobustLoss.tukeyWeight(u)) : nil
            }
            guard terms.count > Self.leastSupport, let fitted = Self.solve(terms, ridge: 1e-9) else {
                return nil
            }
            plane = fitted
            let inside = places.indices.map { abs(values[$0] - (plane * places[$0]).sum()) }
                .filter { $0 < near }
            guard inside.count > Self.leastSupport else { return nil }
            spread = max(inside.robustDeviation(), Self.leastSpread * middle)
        }
        coefficients = plane
        self.spread = spread
    }

    /// The plane through three random readings that most of a sample support; nil if all triples lie on lines.
    private static func bestTriple(
        _ places: [SIMD3<Double>], _ values: [Double], near: Double, using generator: inout MMIXGenerator
    ) -> SIMD3<Double>? {
        let sample = (0..<sampleSize).map { _ in generator.next(below: places.count) }
        var best: SIMD3<Double>?
        var most = -1
        for _ in 0..<trials {
            let triple = (0..<3).map { _ in sample[generator.next(below: sample.count)] }
            guard let plane = solve(triple.map { (places[$0], values[$0], 1) }, ridge: 0) else { continue }
            let count = sample.count { abs(values[$0] - (plane * places[$0]).sum()) < near }
            if count > most {
                most = count
                best = plane
            }
        }
        return best
    }

    private typealias Term = (place: SIMD3<Double>, value: Double, weight: Double)

    /// Weighted least squares for value = coefficients · place, by the normal equations and Cramer's rule.
    private static func solve(_ terms: [Term], ridge: Double) -> SIMD3<Double>? {
        var xx = ridge
        var xy = 0.0
        var yy = ridge
        var sums = SIMD3<Double>()
        var r = SIMD3<Double>()
        for term in terms {
            xx += term.weight * term.place.x * term.place.x
            xy += term.weight * term.place.x * term.place.y
            yy += term.weight * term.place.y * term.place.y
            sums += term.weight * term.place
            r += term.weight * term.value * term.place
        }
        let a = SIMD3(xx, xy, sums.x)
        let b = SIMD3(xy, yy, sums.y)
        let c = sums
        func determinant(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Double {
            a.x * (b.y * c.z - b.z * c.y) - a.y * (b.x * c.z - b.z * c.x) + a.z * (b.x * c.y - b.y * c.x)
        }
        let whole = determinant(a, b, c)
        // The determinant of three random places is about 0.01 squared; far less means that they lie on a line.
        guard abs(whole) > 1e-9 else { return nil }
        // The matrix is symmetric, so its columns are a, b and c as well.
        return SIMD3(determinant(r, b, c), determinant(a, r, c), determinant(a, b, r)) / whole
    }
}

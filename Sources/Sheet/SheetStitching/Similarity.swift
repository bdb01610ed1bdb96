import Platform

/// A turn, one scale and a shift of the plane: p' = factor · p + shift, the factor as a complex number.
package struct Similarity: Equatable, Sendable {
    /// Scale and turn: (scale · cos, scale · sin).
    package var factor: SIMD2<Double>
    /// Where the origin goes.
    package var shift: SIMD2<Double>

    /// A similarity from its parts.
    package init(factor: SIMD2<Double> = SIMD2(1, 0), shift: SIMD2<Double> = .zero) {
        self.factor = factor
        self.shift = shift
    }

    /// Factor by which lengths are multiplied.
    package var scale: Double { (factor * factor).sum().squareRoot() }
    /// Angle of the turn, clockwise as seen, in radians.
    package var angle: Double { atan2(factor.y, factor.x) }

    /// Returns where a point goes.
    package func callAsFunction(_ point: SIMD2<Double>) -> SIMD2<Double> {
        Self.product(factor, point) + shift
    }

    /// The similarity that undoes this one.
    package var inverse: Similarity {
        let inverse = SIMD2(factor.x, -factor.y) / (factor * factor).sum()
        return Similarity(factor: inverse, shift: -Self.product(inverse, shift))
    }

    private static func product(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
    }

    /// Fits the similarity that takes `from` to `to` with the least sum of squares (Umeyama, PAMI 13(4), 1991).
    /// O(points).
    /// - Returns: nil if there are fewer than two points, or if all are the same.
    package init?(from: [SIMD2<Double>], to: [SIMD2<Double>]) {
        precondition(from.count == to.count, "each point has one that it goes to")
        guard from.count >= 2 else { return nil }
        let count = Double(from.count)
        let center = from.reduce(.zero, +) / count
        let target = to.reduce(.zero, +) / count
        var product = SIMD2<Double>.zero
        var square = 0.0
        for (point, goal) in zip(from, to) {
            let (p, q) = (point - center, goal - target)
            product += SIMD2(p.x * q.x + p.y * q.y, p.x * q.y - p.y * q.x)
            square += (p * p).sum()
        }
        guard square > 0, product != .zero else { return nil }
        factor = product / square
        shift = target - Self.product(factor, center)
    }
}

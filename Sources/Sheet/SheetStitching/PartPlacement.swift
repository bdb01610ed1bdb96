import Platform
import LinearAlgebra

/// An overlap between two of several parts.
struct PartPair: Sendable {
    /// The number of the part that the other was laid on.
    let first: Int
    /// The number of the other.
    let second: Int
    /// From the second part to the first.
    let similarity: Similarity
    /// Pieces of print that both show.
    let pieces: [(first: SIMD2<Double>, second: SIMD2<Double>)]
    /// See `PartOverlap.agreement`.
    let agreement: Double
    /// See `PartOverlap.residual`.
    let residual: Double

    /// By what share lengths on the second part exceed those on the first, across the sheet and along it, once both are
    /// placed; 0 where the two agree.
    func stretch(_ first: Similarity, _ second: Similarity) -> SIMD2<Double> {
        let count = Double(pieces.count)
        let (ones, others) = (pieces.map { first($0.first) }, pieces.map { second($0.second) })
        let (one, other) = (ones.reduce(.zero, +) / count, others.reduce(.zero, +) / count)
        var (product, square) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
        for (a, b) in zip(ones, others) {
            product += (a - one) * (b - other)
            square += (a - one) * (a - one)
        }
        return SIMD2(
            square.x > 0 ? product.x / square.x - 1 : 0, square.y > 0 ? product.y / square.y - 1 : 0)
    }

    /// The same pair with both parts upside down.
    func turned(sizes: [SIMD2<Double>]) -> PartPair {
        let (one, other) = (sizes[first], sizes[second])
        let back = Similarity(factor: similarity.factor)
        return PartPair(
            first: first, second: second,
            similarity: Similarity(
                factor: similarity.factor, shift: one - back(other) - similarity.shift),
            pieces: pieces.map { (one - $0.first, other - $0.second) }, agreement: agreement,
            residual: residual)
    }
}

/// Where each of several parts lies on the whole sheet, so that all overlaps agree as well as they can.
enum PartPlacement {
    // Weights beside an overlap's 1, set by reasoning: an overlap tells the ratio of two scales to about 0.1 %, a part's
    // own depth its scale to about 1 %, so that its weight is a hundredth.
    private static let weightOfOwnScale = 0.01
    // An overlap tells a turn to about 0.1 degrees, a part's rows are level to about 0.5.
    private static let weightOfLevel = 0.04
    // The sheet's place is free: what holds it is next to nothing.
    private static let weightOfPlace = 1e-6

    /// By how much a pair may miss where stronger ones lay its parts, in units. Set by reasoning: a row's pitch; slow errors
    /// of shape add up to less.
    private static let tolerance = 4.0

    /// The pairs that do not contradict stronger ones: those of more print.
    ///
    /// Two parts that do not overlap may seem to, as rows of the same goods look alike; the parts between them know better.
    static func consistent(_ pairs: [PartPair]) -> [PartPair] {
        var kept: [PartPair] = []
        for pair in pairs.sorted(by: { $0.pieces.count > $1.pieces.count }) {
            let middle = pair.pieces.reduce(.zero) { $0 + $1.second } / Double(pair.pieces.count)
            let place = place(of: middle, from: pair.second, on: pair.first, by: kept)
            if let place, (place - pair.similarity(middle)).length > tolerance { continue }
            kept.append(pair)
        }
        return kept
    }

    /// Where a point of a part lies on another, by way of the parts between them; nil if no pairs join the two.
    private static func place(
        of point: SIMD2<Double>, from part: Int, on goal: Int, by pairs: [PartPair]
    ) -> SIMD2<Double>? {
        var places = [part: point]
        var front = [part]
        while let next = front.popLast() {
            guard let place = places[next] else { continue }
            for pair in pairs {
                if pair.second == next, places[pair.first] == nil {
                    places[pair.first] = pair.similarity(place)
                    front.append(pair.first)
                } else if pair.first == next, places[pair.second] == nil {
                    places[pair.second] = pair.similarity.inverse(place)
                    front.append(pair.second)
                }
            }
        }
        return places[goal]
    }

    /// From each part to the sheet. Scales are the mean of the parts' own, weighted by their certainty; turns that of
    /// their rows'.
    /// - Precondition: the pairs join all parts.
    static func similarities(
        certainties: [Double], pairs: [PartPair]
    ) throws(LinearAlgebraError) -> [Similarity] {
        let sure = certainties.contains { $0 > 0 } ? certainties : certainties.map { _ in 1 }
        let scales = try levels(
            pairs.map { ($0.first, $0.second, log($0.similarity.scale)) },
            prior: sure.map { weightOfOwnScale * max($0 * $0, 1e-4) })
        let turns = try levels(
            pairs.map { ($0.first, $0.second, $0.similarity.angle) },
            prior: sure.map { _ in weightOfLevel })
        let factors = zip(scales, turns).map { scale, turn in
            SIMD2(cos(turn), sin(turn)) * exp(scale)
        }
        // The mean of an overlap's pieces says how far its two parts are apart.
        let shifts = pairs.map { pair -> SIMD2<Double> in
            let (first, second) = (
                Similarity(factor: factors[pair.first]), Similarity(factor: factors[pair.second])
            )
            return pair.pieces.reduce(.zero) { $0 + first($1.first) - second($1.second) }
                / Double(pair.pieces.count)
        }
        func places(_ axis: Int) throws(LinearAlgebraError) -> [Double] {
            try levels(
                zip(pairs, shifts).map { ($0.first, $0.second, $1[axis]) },
                prior: certainties.map { _ in weightOfPlace })
        }
        let (x, y) = (try places(0), try places(1))
        return factors.indices.map { Similarity(factor: factors[$0], shift: SIMD2(x[$0], y[$0])) }
    }

    /// Numbers whose differences are as measured, near 0 by the prior's weights: least squares.
    /// - Parameter differences: the second's number less the first's.
    static func levels(
        _ differences: [(first: Int, second: Int, value: Double)], prior: [Double]
    ) throws(LinearAlgebraError) -> [Double] {
        var normal = Matrix(rows: prior.count, columns: prior.count)
        var right = [Double](repeating: 0, count: prior.count)
        for (index, weight) in prior.enumerated() { normal[index, index] += weight }
        for (first, second, value) in differences {
            normal[first, first] += 1
            normal[second, second] += 1
            normal[first, second] -= 1
            normal[second, first] -= 1
            right[first] -= value
            right[second] += value
        }
        return try CholeskyFactorization(of: normal).solve(right)
    }
}

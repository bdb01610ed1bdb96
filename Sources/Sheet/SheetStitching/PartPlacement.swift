import Platform
import LinearAlgebra

/// An overlap between two of several parts.
struct PartPair: Sendable {
    /// Index of the part that the other was laid on.
    let first: Int
    /// Index of the other part.
    let second: Int
    /// Maps the second part to the first.
    let similarity: Similarity
    /// Pieces of print that both parts show.
    let pieces: [(first: SIMD2<Double>, second: SIMD2<Double>)]
    /// See `PartOverlap.agreement`.
    let agreement: Double
    /// See `PartOverlap.residual`.
    let residual: Double

    /// Returns by what share lengths on the second part exceed those on the first, across the sheet and along it, once
    /// both are placed; 0 where the two agree.
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

    /// Returns the same pair with both parts upside down.
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

/// Places each of several parts on the whole sheet, so that all overlaps agree as well as they can.
enum PartPlacement {
    // Weights relative to an overlap's weight of 1, set by reasoning: an overlap gives the ratio of two scales to about
    // 0.1 %, a part's own depth gives its scale to about 1 %, so the depth's weight is a hundredth.
    private static let weightOfOwnScale = 0.01
    // An overlap gives a turn to about 0.1 degrees, while a part's rows are level to about 0.5.
    private static let weightOfLevel = 0.04
    // The sheet's place is free, so the weight that holds it is next to nothing.
    private static let weightOfPlace = 1e-6

    /// How far a pair may be off the places that stronger pairs give its parts, in units. Set by reasoning: a row's
    /// pitch; slow errors of shape add up to less.
    private static let tolerance = 4.0

    /// Returns the pairs that do not contradict stronger ones, which are those of more print.
    ///
    /// Two parts that do not overlap may seem to, since rows of the same goods look alike; the parts between them show
    /// otherwise.
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

    /// Returns where a point of a part lies on another, by way of the parts between them; nil if no pairs join the two.
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

    /// Returns the map from each part to the sheet. The scale is the mean of the parts' own scales, weighted by their
    /// certainty; the turn is the mean of their rows' turns.
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
        // The mean over an overlap's pieces shows how far apart its two parts are.
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

    /// Returns numbers whose differences are close to the measured ones and which the prior's weights hold near 0:
    /// least squares.
    /// - Parameter differences: the second number minus the first.
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

import Platform
import Imaging
import Parallelism

/// A small piece of print that two parts show.
struct PatchMatch: Sendable {
    /// The piece's middle on the first part, in units.
    var first: SIMD2<Double>
    /// The same piece's middle on the second part, in units.
    var second: SIMD2<Double>
    /// Correlation of the piece on the two parts, -1 to 1.
    var correlation: Double
}

/// Finds pieces of one part's print on another, each near where it is expected.
struct PatchMatcher: Sendable {
    let first: PartTexture
    let second: PartTexture

    /// Side of a piece in units. Set by reasoning: two rows of a receipt, so that each holds letters.
    static let side = 8.0
    /// The least root mean square relief of a piece that shows print, in grey levels. Set by reasoning: twice what
    /// paper's grain and JPEG leave.
    private static let leastContrast: Float = 6
    /// The correlation from which on a piece counts as found, -1 to 1. Set by reasoning: half of the relief is the
    /// same; pieces that reach it by chance do not agree on one place.
    private static let leastCorrelation = 0.5

    /// The result of a search.
    struct Findings {
        /// Pieces that were found.
        var matches: [PatchMatch] = []
        /// Pieces with print that both parts should show, found or not.
        var tried = 0
    }

    /// Searches on a grid.
    /// - Parameters:
    ///   - step: the distance between the grid's points in units.
    ///   - reach: how far around the expected place to search, in units.
    ///   - expected: maps a place of the second part to where it should lie on the first.
    func search(
        step: Double, reach: SIMD2<Double>, expected: @Sendable (SIMD2<Double>) -> SIMD2<Double>
    ) -> Findings {
        let density = second.density
        let side = Int((Self.side * density).rounded())
        let stride = max(1, Int((step * density).rounded()))
        let places = Swift.stride(from: 0, through: second.relief.height - side, by: stride).flatMap { y in
            Swift.stride(from: 0, through: second.relief.width - side, by: stride).map { SIMD2($0, y) }
        }
        let shifts = SIMD2(Int((reach.x * density).rounded(.up)), Int((reach.y * density).rounded(.up)))
        let results = concurrentMap(places) { place -> (isTried: Bool, match: PatchMatch?) in
            let middle = (SIMD2<Double>(place) + Double(side) / 2) / density
            let goal = expected(middle)
            let corner = goal * density - Double(side) / 2
            guard corner.x.isFinite, corner.y.isFinite, abs(corner.x) < 1e6, abs(corner.y) < 1e6 else {
                return (false, nil)
            }
            let start = SIMD2(Int(corner.x.rounded()), Int(corner.y.rounded()))
            return match(place, side: side, near: start, shifts: shifts)
        }
        var findings = Findings()
        for result in results where result.isTried {
            findings.tried += 1
            if let match = result.match { findings.matches.append(match) }
        }
        return findings
    }

    private func match(
        _ place: SIMD2<Int>, side: Int, near start: SIMD2<Int>, shifts: SIMD2<Int>
    ) -> (isTried: Bool, match: PatchMatch?) {
        guard second.isSheet(x: place.x, y: place.y, width: side, height: side),
            first.isSheet(
                x: start.x - shifts.x, y: start.y - shifts.y, width: side + 2 * shifts.x,
                height: side + 2 * shifts.y)
        else { return (false, nil) }
        let (columns, rows) = (2 * shifts.x + 1, 2 * shifts.y + 1)
        var scores = [Double](repeating: -1, count: columns * rows)
        let hasPrint = unsafe first.relief.elements.withUnsafeBufferPointer { a in
            unsafe second.relief.elements.withUnsafeBufferPointer { b -> Bool in
                guard let a = a.baseAddress, let b = b.baseAddress else { return false }
                let own = unsafe b + place.y * second.relief.width + place.x
                let ones = [Float](repeating: 1, count: side)
                return unsafe ones.withUnsafeBufferPointer { ones -> Bool in
                    guard let ones = ones.baseAddress else { return false }
                    func moments(_ start: UnsafePointer<Float>, _ width: Int) -> (sum: Float, square: Float) {
                        var (sum, square): (Float, Float) = (0, 0)
                        for row in 0..<side {
                            unsafe sum += dot(start + row * width, ones, count: side)
                            unsafe square += dot(start + row * width, start + row * width, count: side)
                        }
                        return (sum, square)
                    }
                    let count = Float(side * side)
                    let mine = unsafe moments(own, second.relief.width)
                    let variance = mine.square - mine.sum * mine.sum / count
                    guard variance >= Self.leastContrast * Self.leastContrast * count else { return false }
                    for row in 0..<rows {
                        for column in 0..<columns {
                            let other =
                                unsafe a + (start.y + row - shifts.y) * first.relief.width + start.x + column
                                - shifts.x
                            let theirs = unsafe moments(other, first.relief.width)
                            let spread = theirs.square - theirs.sum * theirs.sum / count
                            guard spread > 0 else { continue }
                            var product: Float = 0
                            for line in 0..<side {
                                unsafe product += dot(
                                    own + line * second.relief.width, other + line * first.relief.width,
                                    count: side)
                            }
                            scores[row * columns + column] = Double(
                                (product - mine.sum * theirs.sum / count) / (variance * spread).squareRoot())
                        }
                    }
                    return true
                }
            }
        }
        guard hasPrint else { return (false, nil) }
        guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }),
            scores[best] >= Self.leastCorrelation
        else { return (true, nil) }
        let (x, y) = (best % columns, best / columns)
        // At the rim of the searched area, the true place lies beyond.
        guard x > 0, y > 0, x < columns - 1, y < rows - 1 else { return (true, nil) }
        func vertex(_ before: Double, _ here: Double, _ after: Double) -> Double {
            let bend = before - 2 * here + after
            return bend < 0 ? max(-0.5, min(0.5, (before - after) / (2 * bend))) : 0
        }
        let fraction = SIMD2(
            vertex(scores[best - 1], scores[best], scores[best + 1]),
            vertex(scores[best - columns], scores[best], scores[best + columns]))
        let found = SIMD2<Double>(start &+ SIMD2(x, y) &- shifts) + fraction
        let half = Double(side) / 2
        return (
            true,
            PatchMatch(
                first: (found + half) / first.density, second: (SIMD2<Double>(place) + half) / second.density,
                correlation: scores[best])
        )
    }
}

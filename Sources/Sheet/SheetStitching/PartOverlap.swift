import Platform
import Imaging
import RobustStatistics

/// How one flat part lies on another, found from the print that both show.
package struct PartOverlap: Sendable {
    /// Maps the second part to the first, in units.
    package let similarity: Similarity
    /// Pieces of print that agree on the similarity: places on the first part and on the second.
    package let pieces: [(first: SIMD2<Double>, second: SIMD2<Double>)]
    /// The share of all pieces with print in the overlap that agree, 0 to 1.
    package let agreement: Double
    /// Distance between the pieces and the similarity with a slow bend, root mean square in units.
    package let residual: Double

    /// Pixels per unit: letters are some eight pixels high.
    package static let density = 4.0
    /// How near pieces must lie to the first guess of a similarity to agree with it, in units. Set by reasoning: a
    /// fifth of a row's pitch.
    private static let roughTolerance = 0.75
    /// How near pieces must lie to the similarity with a slow bend, in units. Set by reasoning: a tenth of a row's
    /// pitch. Right pieces lie within 0.17, root mean square, on the drawn receipts of DrawnLongReceipt.
    private static let tolerance = 0.35
    /// Greatest relative difference between the scales of two parts, and greatest angle between them in radians. Set by
    /// reasoning: parts that were made flat separately are level, and their scales agree to a few percent.
    private static let greatestScaleChange = 0.15
    private static let greatestAngle = 0.1
    /// Fewest pieces that must agree. Set by reasoning: fewer than cover two rows of a narrow receipt prove too little.
    static let leastPieces = 12
    /// The least share of pieces that must agree, 0 to 1. Right places have 0.98 and more on the receipts of
    /// DrawnLongReceipt, seeds 600 and 701 to 707. Set by reasoning below that: at a wrong place rows whose names agree by
    /// chance still differ in number and price.
    static let leastAgreement = 0.8
    /// The least median correlation of these pieces, -1 to 1. Set by reasoning: half of the relief's variance is the
    /// same.
    static let leastCorrelation = 0.7
    /// The share of pieces that agree at the right place and at a wrong one, 0 to 1. Set by reasoning: the least share
    /// that is accepted, and half of the pieces where every row has the same layout.
    private static let (rightShare, wrongShare) = (0.8, 0.45)
    /// Evidence for another place, as a share of that for the best, above which the best place is only a guess. Set by
    /// reasoning: rows repeat.
    private static let greatestRivalry = 0.5

    /// Lays one part on another, both the same way up.
    /// - Returns: nil if no place holds, or if two hold equally well.
    /// - Complexity: O(pixels · places searched).
    init?(
        of second: (coarse: PartTexture, fine: PartTexture),
        on first: (coarse: PartTexture, fine: PartTexture)
    ) {
        let candidates = CoarseShift.candidates(of: second.coarse, on: first.coarse)
        let matcher = PatchMatcher(first: first.fine, second: second.fine)
        let rough = candidates.compactMap { Self.rough(from: $0, matcher) }
            .sorted { $0.evidence > $1.evidence }
        guard let best = rough.first else { return nil }
        let middle =
            SIMD2(Double(second.fine.relief.width), Double(second.fine.relief.height))
            / second.fine.density / 2
        for other in rough.dropFirst() {
            let isSame = (other.similarity(middle) - best.similarity(middle)).length < 4 * Self.roughTolerance
            if !isSame, other.evidence > Self.greatestRivalry * best.evidence { return nil }
        }
        self.init(refining: best.similarity, matcher)
    }

    /// Refines a similarity that is known to a fraction of a row.
    private init?(refining start: Similarity, _ matcher: PatchMatcher) {
        // Search once around the known similarity, and once around the bend that the first search shows.
        let step = PatchMatcher.side / 2
        let wide = matcher.search(step: step, reach: SIMD2(2, 2)) { start($0) }
        guard let known = Self.bend(wide.matches, from: start) else { return nil }
        let findings = matcher.search(step: step, reach: SIMD2(1, 1)) { start($0) + known($0) }
        guard findings.matches.count >= Self.leastPieces,
            let field = Self.bend(findings.matches, from: start)
        else { return nil }
        let residuals = findings.matches.map { ($0.first - start($0.second) - field($0.second)).length }
        let agreeing = findings.matches.indices.filter { residuals[$0] <= Self.tolerance }
        let pieces = agreeing.map { (findings.matches[$0].first, findings.matches[$0].second) }
        agreement = Double(agreeing.count) / Double(findings.tried)
        let correlation = agreeing.map { findings.matches[$0].correlation }.upperMedian()
        guard agreeing.count >= Self.leastPieces, agreement >= Self.leastAgreement,
            correlation >= Self.leastCorrelation,
            let similarity = Similarity(from: pieces.map(\.1), to: pieces.map(\.0))
        else { return nil }
        self.similarity = similarity
        self.pieces = pieces
        residual = (agreeing.reduce(0) { $0 + residuals[$1] * residuals[$1] } / Double(agreeing.count))
            .squareRoot()
    }

    /// Returns the bend: how far pieces are displaced from where a similarity takes them.
    private static func bend(_ matches: [PatchMatch], from start: Similarity) -> SmoothField? {
        SmoothField(at: matches.map(\.second), displacements: matches.map { $0.first - start($0.second) })
    }

    /// Returns the similarity that most pieces near a coarse place agree on.
    private static func rough(
        from candidate: CoarseShift, _ matcher: PatchMatcher
    ) -> (similarity: Similarity, evidence: Double)? {
        let start = Similarity(factor: SIMD2(candidate.scale, 0), shift: SIMD2(0, candidate.offset))
        let reach = SIMD2(CoarseShift.greatestAside + 1, 2)
        let findings = matcher.search(step: PatchMatcher.side, reach: reach) { start($0) }
        let matches = findings.matches
        let displacements = matches.map { $0.first - start($0.second) }
        func inliers(_ isNear: (Int) -> Bool) -> [Int] { matches.indices.filter(isNear) }
        // Turn and scale move pieces apart over the overlap's length, so neighbours along the sheet agree first.
        let neighbours = matches.indices.map { index in
            inliers {
                abs(matches[$0].second.y - matches[index].second.y) <= 3 * PatchMatcher.side
                    && (displacements[$0] - displacements[index]).length <= roughTolerance
            }
        }
        guard var chosen = neighbours.max(by: { $0.count < $1.count }), chosen.count >= 4 else { return nil }
        var similarity = start
        for _ in 0..<4 {
            guard
                let fitted = Similarity(
                    from: chosen.map { matches[$0].second }, to: chosen.map { matches[$0].first })
            else { return nil }
            similarity = fitted
            chosen = inliers { (matches[$0].first - fitted(matches[$0].second)).length <= roughTolerance }
            guard chosen.count >= 4 else { return nil }
        }
        guard abs(similarity.scale - 1) <= greatestScaleChange, abs(similarity.angle) <= greatestAngle else {
            return nil
        }
        // The logarithm of how much likelier it is that so many of the tried pieces agree at the right place than at a
        // wrong one.
        let missed = Double(max(findings.tried - chosen.count, 0))
        let evidence =
            Double(chosen.count) * log(rightShare / wrongShare)
            + missed * log((1 - rightShare) / (1 - wrongShare))
        return evidence > 0 ? (similarity, evidence) : nil
    }
}

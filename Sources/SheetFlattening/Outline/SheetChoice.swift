import RobustStatistics

/// Chooses between candidates that lie within each other.
struct SheetChoice {
    /// From this score on a candidate is hardly ever a part of the sheet only.
    private static let sure = 0.72

    private let field: ColorField
    private let detail: [Float]
    private let blank: [Float]
    private let unrest: [Float]

    init(_ picture: SmallPicture) {
        blank = picture.blank
        field = picture.field
        detail = picture.detail
        unrest = picture.change.size
    }

    /// The candidate to go on with: the best, or one around it that is nearly as good and clearly larger.
    ///
    /// A fold, a hard shadow or a printed bar makes a good sheet of a part of one. When unsure, keep more: a larger one of the
    /// same plain shape, or one that adds what looks like paper and holds print. A patch of light on the table does neither.
    /// Where tints tell paper from table, one that adds paper will do; if the best is in doubt, one half as good, for print and
    /// shade spoil its looks.
    func choose(from candidates: [SheetCandidate]) -> SheetCandidate? {
        guard let best = candidates.first else { return nil }
        var chosen = best
        var mask = chosen.contour.mask(width: field.width, height: field.height)
        var contrast = TintContrast(mask, in: field)
        let isInDoubt = best.score < Self.sure
        var looks = 0
        for candidate in candidates.dropFirst() {
            guard candidate.score > (isInDoubt ? 0.5 : 0.7) * best.score, looks < 60 else { break }
            guard candidate.areaShare > 1.06 * chosen.areaShare else { continue }
            looks += 1
            let larger = candidate.contour.mask(width: field.width, height: field.height)
            guard holds(larger, mask, share: 0.95) else { continue }
            // A patch of white light has paper's tint too, but no edge.
            let isAsClear = candidate.edgeSupport > 0.95 * best.edgeSupport
            let isClearEnough =
                isAsClear || isInDoubt && candidate.edgeSupport > 0.85 * best.edgeSupport
            let paper = contrast?.paperShare(of: larger, beyond: mask) ?? 0
            if isClearEnough && paper > (isInDoubt ? 0.5 : 0.6)
                || looksLikeMore(candidate, larger, than: best, mask, isAsClear: isAsClear)
            {
                chosen = candidate
                mask = larger
                contrast = TintContrast(mask, in: field)
            }
        }
        return chosen
    }

    /// Whether a larger candidate is nearly as good a sheet as the best, by its shape or by what it adds.
    private func looksLikeMore(
        _ candidate: SheetCandidate, _ larger: [Bool], than best: SheetCandidate, _ mask: [Bool],
        isAsClear: Bool
    ) -> Bool {
        let relative = candidate.score / best.score
        guard relative > 0.7 else { return false }
        if relative > 0.92, candidate.solidity > best.solidity - 0.03 { return true }
        let tint = tint(addedBy: larger, to: mask)
        return tint == .paper && isAsClear || tint == .possible && addsPrint(larger, to: mask)
    }

    /// A candidate of which it is not sure, enlarged by the print that goes on past its border.
    ///
    /// On a table as bright as the paper, shading inside the sheet is as strong as its edge, and a part of it is found. Print
    /// does not stop there. Only where in doubt: print that crosses a clear edge is something else, a pen or a hand.
    /// - Parameter picture: the picture that the candidate was found in.
    func withPrint(_ candidate: SheetCandidate, in picture: SmallPicture) -> SheetCandidate {
        guard candidate.score < Self.sure else { return candidate }
        let width = field.width
        let height = field.height
        let mask = candidate.contour.mask(width: width, height: height)
        let beyond = BinaryMask(width: width, height: height, bits: mask.map { $0 ? 1 : 0 }).distances(to: 1)
        let grain = detail.indices.filter { beyond[$0] > .pixels(2) }.map { detail[$0] }
        guard grain.count > 100 else { return candidate }
        let threshold = max(3 * grain.upperMedian(), 24)
        let gap = ChamferDistance.pixels(0.03 * Double(min(width, height)))
        let print = BinaryMask(
            width: width, height: height,
            bits: detail.indices.map { mask[$0] || detail[$0] > threshold ? 1 : 0 }
        ).closed(radius: gap)
        let (labels, _) = print.components()
        guard let inside = mask.indices.first(where: { mask[$0] && labels[$0] > 0 }) else { return candidate }
        let whole = BinaryMask(
            width: width, height: height, bits: labels.map { $0 == labels[inside] ? 1 : 0 })
        guard let first = whole.bits.firstIndex(of: 1) else { return candidate }
        let hull = whole.outerContour(from: first).hull
        // Rated as a contour with points all along, as those of regions are.
        let line = hull.resampled(count: max(60, Int(hull.perimeter)))
        guard let larger = SheetCandidate(line, source: candidate.source, in: picture),
            larger.score > 0.6 * candidate.score, larger.rimShare <= candidate.rimShare + 0.02,
            larger.areaShare > 1.03 * candidate.areaShare, larger.areaShare < 4 * candidate.areaShare
        else { return candidate }
        // Where tints tell paper from table, what is added is paper: the rim of a lamp's image is strong detail too.
        if let contrast = TintContrast(mask, in: field), contrast.isClear,
            contrast.paperShare(of: larger.contour.mask(width: width, height: height), beyond: mask) < 0.5
        {
            return candidate
        }
        return larger
    }

    /// Whether a candidate differs from what surrounds it once print is left out. On a page that fills the picture, a block of
    /// its text stands out, but the paper is the same inside and around.
    func differs(_ candidate: SheetCandidate) -> Bool {
        let mask = candidate.contour.mask(width: field.width, height: field.height)
        let bits = BinaryMask(width: field.width, height: field.height, bits: mask.map { $0 ? 1 : 0 })
        let away = bits.distances(to: 1)
        let depth = bits.distances(to: 0)
        let near = ChamferDistance.pixels(0.15 * Double(min(field.width, field.height)))
        func isOutside(_ index: Int) -> Bool { away[index] > .pixels(2) && away[index] < near }
        guard let inside = look(where: { depth[$0] > .pixels(2) }), let outside = look(where: isOutside)
        else {
            return true
        }
        let change = inside - outside
        // Where the same tint goes on, hardly darker, with as much print as inside, it is the sheet that goes on.
        if candidate.score < Self.sure, abs(change.y) < 0.012, abs(change.z) < 0.012,
            min(inside.x, outside.x) > 0.75 * max(inside.x, outside.x)
        {
            let within = printShare { depth[$0] > .pixels(2) }
            if within > 0.05, printShare(where: isOutside) > 0.5 * within { return false }
        }
        return abs(change.x) > 0.02 * max(inside.x, outside.x) || abs(change.y) > 0.008
            || abs(change.z) > 0.008
    }

    /// The share of some pixels that hold print: strong detail on calm paper.
    private func printShare(where isMeant: (Int) -> Bool) -> Double {
        let indices = field.colors.indices.filter(isMeant)
        // Ink takes a third of the paper's brightness at least.
        let printed = indices.count { detail[$0] > blank[$0] / 3 && unrest[$0] < 0.08 }
        return Double(printed) / Double(max(indices.count, 1))
    }

    /// Whether one mask holds a share of another.
    private func holds(_ larger: [Bool], _ smaller: [Bool], share: Double) -> Bool {
        var both = 0
        var all = 0
        for (a, b) in zip(larger, smaller) where b {
            all += 1
            if a { both += 1 }
        }
        return Double(both) >= share * Double(all)
    }

    /// What the tint of the pixels that a larger region adds says about them.
    private enum Tint {
        /// They are no paper.
        case other
        /// They may be paper, and so may the table.
        case possible
        /// They are paper and the table is not.
        case paper
    }

    /// Compares the tint of what a larger region adds with the smaller one's and with that of what surrounds the larger.
    /// How bright they are is not asked: a shadow or a fold darkens paper as much as a table.
    private func tint(addedBy larger: [Bool], to smaller: [Bool]) -> Tint {
        let around = BinaryMask(width: field.width, height: field.height, bits: larger.map { $0 ? 1 : 0 })
        let away = around.distances(to: 1)
        let near = ChamferDistance.pixels(0.08 * Double(min(field.width, field.height)))
        guard let paper = look(where: { smaller[$0] }),
            let added = look(where: { larger[$0] && !smaller[$0] })
        else { return .other }
        func difference(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
            abs(a.y - b.y) + abs(a.z - b.z)
        }
        let fromPaper = difference(added, paper)
        // The light in a shadow comes from elsewhere: its tint differs by some hundredths.
        let isNear = fromPaper < 0.02
        guard let table = look(where: { away[$0] > .pixels(2) && away[$0] <= near }) else {
            return isNear ? .possible : .other
        }
        let fromTable = min(difference(table, paper), difference(table, added))
        if fromTable > 0.12, fromPaper < 0.3 * fromTable { return .paper }
        return isNear || fromPaper < difference(added, table) ? .possible : .other
    }

    /// Whether what a larger region adds holds finer and stronger detail than the table around it does: print.
    private func addsPrint(_ larger: [Bool], to smaller: [Bool]) -> Bool {
        let width = field.width
        let height = field.height
        let around = BinaryMask(width: width, height: height, bits: larger.map { $0 ? 1 : 0 })
        let inner = BinaryMask(width: width, height: height, bits: smaller.map { $0 ? 1 : 0 })
        let away = around.distances(to: 1)
        let depth = around.distances(to: 0)
        let beyond = inner.distances(to: 1)
        // Two pixels clear of both contours, whose edges are detail too.
        let table = detail.indices.filter { away[$0] > .pixels(2) }.map { detail[$0] }
        let added = detail.indices.filter { depth[$0] > .pixels(2) && beyond[$0] > .pixels(2) }.map {
            detail[$0]
        }
        guard added.count > 50 else { return false }
        // Half as much again as all but a quarter of the table has; what both regions miss of the print may lie there too.
        let threshold = max(table.isEmpty ? 0 : 1.5 * table.ranked(table.count * 3 / 4), 30)
        return Double(added.count { $0 > threshold }) > 0.15 * Double(added.count)
    }

    /// The medians over some pixels of the brightness, print left out, and of the shares of red and blue in the colour, which
    /// print darkens but hardly tints; nil where these pixels are few.
    private func look(where isMeant: (Int) -> Bool) -> SIMD3<Float>? {
        let indices = field.colors.indices.filter(isMeant)
        guard indices.count > 30 else { return nil }
        func median(_ value: (Int) -> Float) -> Float { indices.map(value).upperMedian() }
        return SIMD3(
            median { blank[$0] }, median { field.colors[$0].x / max(field.colors[$0].sum(), 1) },
            median { field.colors[$0].z / max(field.colors[$0].sum(), 1) })
    }
}

import Platform
import PrintDetection
import RobustStatistics

/// Joins pieces of print into the printed lines, from left to right.
///
/// Each piece is joined with the nearest one beside it in its own band, if each is the other's nearest (the document spectrum
/// of O'Gorman, PAMI 15(11), 1993, limited to mutual neighbours). The allowed distance of a neighbour depends on how well the
/// page's bending is known: letters of a word if it is unknown, a label and its amount across the page if it is known.
struct PrintedLineTracing {
    /// The pieces as they would lie on the straightened page, by what is known of its bending so far.
    let pieces: [PrintedPiece]
    /// The usual height of a letter, in pixels.
    let letterHeight: Double

    /// Creates a tracing of pieces, as far as they are straightened so far.
    init(pieces: [PrintedPiece], letterHeight: Double) {
        self.pieces = pieces
        self.letterHeight = letterHeight
    }

    /// Greatest ratio of the heights of two letters in a row: a small letter beside a capital with its accent.
    private static let greatestHeightRatio = 2.2
    /// Least overlap of two letters in a row, as a share of the lower one's height.
    private static let leastOverlap = 0.5
    /// Greatest height difference between the middles of neighbouring pieces of one rule, in letter heights: less than half of
    /// the closest line pitch.
    private static let greatestRuleStep = 0.4
    /// Greatest overlap of the boxes of neighbouring letters, in letter heights.
    private static let greatestKerning = 0.4

    /// Traces lines, as indices of pieces from left to right. O(n log n + n · pieces within reach in a band).
    /// - Parameters:
    ///   - reach: the widest gap inside a line, in letter heights.
    ///   - leastCount: the fewest pieces that make a line.
    func lines(reach: Double, leastCount: Int) -> [[Int]] {
        let order = pieces.indices.sorted { pieces[$0].box.left < pieces[$1].box.left }
        let widest = reach * letterHeight
        var next = [Int?](repeating: nil, count: pieces.count)
        var nextGap = [Double](repeating: .infinity, count: pieces.count)
        var previous = next
        var previousGap = nextGap
        // Goes from right to left, so that the shelves hold the pieces that begin further right, the nearest last.
        var shelves = Shelves(height: max(letterHeight, 1))
        for rank in order.indices.reversed() {
            let index = order[rank]
            let piece = pieces[index]
            var nextRank = Int.max
            shelves.forEachShelf(from: piece.box.top, to: piece.box.bottom) { near in
                for otherRank in near.reversed() {
                    let other = order[otherRank]
                    let gap = pieces[other].box.left - piece.box.right
                    if gap > widest { break }
                    guard gap >= -Self.greatestKerning * letterHeight,
                        pieces[other].box.centerX > piece.box.centerX,
                        areInOneBand(piece, pieces[other])
                    else { continue }
                    // Among equally near pieces, takes the one that begins first.
                    if gap < nextGap[index] || gap == nextGap[index] && otherRank < nextRank {
                        (next[index], nextGap[index], nextRank) = (other, gap, otherRank)
                    }
                    if gap <= previousGap[other] { (previous[other], previousGap[other]) = (index, gap) }
                }
            }
            let reach = Self.greatestRuleStep * letterHeight
            shelves.add(rank, from: piece.box.top - reach, to: piece.box.bottom + reach)
        }
        var lines: [[Int]] = []
        for start in order {
            if let before = previous[start], next[before] == start { continue }
            var line = [start]
            var last = start
            while let following = next[last], previous[following] == last {
                line.append(following)
                last = following
            }
            if line.count >= leastCount { lines.append(line) }
        }
        return lines
    }

    /// The slopes of the lines that are long enough to measure.
    func slopes() -> [LineSlope] {
        lines(reach: Self.wordGap, leastCount: 2 * Self.endLength).map { line in
            func end(_ indices: ArraySlice<Int>) -> SIMD2<Double> {
                SIMD2(
                    indices.map { pieces[$0].box.centerX }.upperMedian(),
                    indices.map { pieces[$0].box.bottom }.upperMedian())
            }
            return LineSlope(start: end(line.prefix(Self.endLength)), end: end(line.suffix(Self.endLength)))
        }
    }

    /// The angle by which lines fall to the right, as the median of those long enough to measure, and its standard deviation;
    /// nil for fewer than four lines. Radians.
    func tilt() -> (angle: Double, deviation: Double)? {
        let slopes = slopes()
        guard slopes.count >= 4 else { return nil }
        let angles = slopes.map(\.angle)
        let angle = angles.upperMedian()
        let spread = angles.map { $0 - angle }.robustDeviation()
        // A median is less certain than a mean by the root of π / 2; the effect of letter shapes is the same in all lines.
        let chance = (.pi / 2 / Double(angles.count)).squareRoot() * spread
        let shape = Self.shapeSpread * letterHeight / max(slopes.map(\.run).upperMedian(), letterHeight)
        return (angle, (chance * chance + shape * shape).squareRoot())
    }

    /// Average height difference between the lower ends of a line's first and last letters, in letter heights: labels begin
    /// with flat letters, and amounts end with round ones, which reach below the base line.
    private static let shapeSpread = 0.07
    /// Widest gap between words, in letter heights: a wider one may separate columns.
    private static let wordGap = 4.0
    /// Number of pieces whose median gives a line's height at either end.
    private static let endLength = 3

    private func areInOneBand(_ a: PrintedPiece, _ b: PrintedPiece) -> Bool {
        guard a.kind == b.kind else { return false }
        if a.kind == .rule {
            return abs(a.box.centerY - b.box.centerY) <= Self.greatestRuleStep * letterHeight
        }
        let (lower, higher) = (min(a.box.height, b.box.height), max(a.box.height, b.box.height))
        let common = min(a.box.bottom, b.box.bottom) - max(a.box.top, b.box.top)
        return higher <= Self.greatestHeightRatio * lower && common >= Self.leastOverlap * lower
    }
}

/// The course of a printed line: from the lower ends of its first letters to those of its last ones.
struct LineSlope: Equatable, Sendable {
    let start: SIMD2<Double>
    let end: SIMD2<Double>

    /// The angle by which the line falls to the right, in radians.
    var angle: Double { atan2(end.y - start.y, end.x - start.x) }
    /// The line's extent along x.
    var run: Double { end.x - start.x }
    /// The midpoint of the line.
    var middle: SIMD2<Double> { (start + end) / 2 }
}

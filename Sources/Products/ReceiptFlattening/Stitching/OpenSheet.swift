import Imaging
import RobustStatistics
import SheetFlattening

/// The part of a sheet that a photograph shows if the sheet continues beyond the image, treated as a sheet of its own, cut
/// off along printed rows.
///
/// Where the image border cuts a sheet, the cut is not perpendicular to the sheet's sides, so the outline's corners say
/// nothing about its shape. Printed rows are perpendicular: between the first and the last row that the image shows from side
/// to side, the sheet has four corners, and whole sheets' flattening by edges applies. Beyond those rows, the sides may be
/// extended to the last row that is shown in part: then nothing is left out, but corners lie outside the image.
struct OpenSheet {
    /// Where to end a sheet that the image border cuts.
    enum End {
        /// At the last row shown from side to side, so that a part for joining has no gaps.
        case wholeRows
        /// At the last row that is shown even in part.
        case allThatIsShown
    }

    /// The outline of the part that is shown.
    let outline: SheetOutline
    /// Whether the sheet continues above the image, with the photograph's print upright.
    let goesOnAbove: Bool
    /// Whether the sheet continues below the image.
    let goesOnBelow: Bool

    /// Number of rows scanned, and of columns in each; rows lie half a millimetre apart.
    private static let (rows, columns) = (480, 160)
    /// Number of bisections of a column's width that locate a side, to a hundredth of a pixel.
    private static let halvings = 10
    /// Distance in pixels that the photograph must extend beyond a side for it to count as the sheet's side and not the image
    /// border.
    private static let rim = 8.0
    /// The least share of the photograph's height in which rows are shown from side to side.
    private static let leastShare = 0.2
    /// The least share of the sheet's shown length along which both sides are in view, for flattening the sheet by itself.
    private static let leastSeenShare = 0.8
    /// The least width of a row that spans the sheet, as a share of the width expected from its neighbours.
    private static let leastWidth = 0.97
    /// Number of rows from which the sides are extended to the sheet's end: an eighth of the photograph.
    private static let rowsOfTrend = 60
    /// Number of points along a side of the outline.
    private static let sidePoints = 96

    /// What one row of the levelled image shows of the sheet.
    private struct Span {
        var y: Double
        var left: Double
        var right: Double
    }

    /// Finds the sheet in a photograph that was levelled by its print.
    /// - Parameters:
    ///   - level: maps the levelled image, its print upright, to the photograph.
    ///   - found: the outline that was found, including parts on the image border.
    ///   - cut: where to end the sheet if it continues beyond the image.
    /// - Returns: nil if the sheet's two sides are not both in the image over a sufficient length.
    init?(level: SamplingMap, found: SheetOutline, cut: End) {
        let size = SIMD2(Double(level.outputSize.width), Double(level.outputSize.height))
        let step = size / SIMD2(Double(Self.columns), Double(Self.rows))
        let limit = SIMD2(Double(found.imageSize.width), Double(found.imageSize.height)) - 1
        func isOn(_ x: Double, _ y: Double) -> Bool { found.contains(level.source(of: SIMD2(x, y))) }
        func isInside(_ x: Double, _ y: Double) -> Bool {
            let source = level.source(of: SIMD2(x, y))
            return source.x >= 0 && source.y >= 0 && source.x <= limit.x && source.y <= limit.y
        }
        func edge(on: Double, off: Double, _ y: Double) -> Double {
            var (on, off) = (on, off)
            for _ in 0..<Self.halvings {
                let middle = (on + off) / 2
                if isOn(middle, y) { on = middle } else { off = middle }
            }
            return (on + off) / 2
        }
        var spans: [Span] = []
        var whole: [Span] = []
        for row in 0..<Self.rows {
            let y = (Double(row) + 0.5) * step.y
            let places = (0..<Self.columns).map { (Double($0) + 0.5) * step.x }.filter { isOn($0, y) }
            guard let start = places.first, let end = places.last else { continue }
            let span = Span(
                y: y, left: edge(on: start, off: start - step.x, y),
                right: edge(on: end, off: end + step.x, y))
            spans.append(span)
            if isInside(span.left - Self.rim, y), isInside(span.right + Self.rim, y) { whole.append(span) }
        }
        // Drop the rows that an end that is not level cuts short.
        let widths = LinearTrend(whole.map { ($0.y, $0.right - $0.left) })
        whole = whole.filter { $0.right - $0.left >= Self.leastWidth * widths($0.y) }
        guard var top = whole.first, var bottom = whole.last, bottom.y - top.y >= Self.leastShare * size.y
        else { return nil }
        /// The sheet's own end, if it is in the image: the last row whose middle is on the sheet, with the sides extended to
        /// it.
        func end(_ spans: [Span], _ nearest: ArraySlice<Span>, _ direction: Double) -> Span? {
            guard let last = spans.last, let near = nearest.first else { return nil }
            let middle = (near.left + near.right) / 2
            let y = isOn(middle, last.y) ? last.y : (spans.last { isOn(middle, $0.y) } ?? last).y
            guard isInside(middle, y + direction * (step.y + Self.rim)),
                isInside(last.left - Self.rim, last.y), isInside(last.right + Self.rim, last.y)
            else { return nil }
            return continued(nearest, to: y + direction * step.y / 2)
        }
        func continued(_ nearest: ArraySlice<Span>, to y: Double) -> Span {
            let left = LinearTrend(nearest.map { ($0.y, $0.left) })
            let right = LinearTrend(nearest.map { ($0.y, $0.right) })
            return Span(y: y, left: left(y), right: right(y))
        }
        let count = min(Self.rowsOfTrend, whole.count)
        let (upper, lower) = (whole[..<count], whole[(whole.count - count)...])
        let above = end(spans.reversed(), upper, -1)
        let below = end(spans, lower, 1)
        if case .allThatIsShown = cut, let first = spans.first, let last = spans.last {
            // An end that is neither seen nor at the image border, or sides that are only partly seen, do not determine the
            // shape.
            let middle = (top.left + top.right + bottom.left + bottom.right) / 4
            let beyond = step.y + Self.rim
            guard above != nil || !isInside(middle, first.y - beyond),
                below != nil || !isInside(middle, last.y + beyond),
                bottom.y - top.y >= Self.leastSeenShare * (last.y - first.y)
            else { return nil }
            top = continued(upper, to: first.y - step.y / 2)
            bottom = continued(lower, to: last.y + step.y / 2)
        }
        (top, bottom) = (above ?? top, below ?? bottom)
        func side(_ from: SIMD2<Double>, _ to: SIMD2<Double>) -> [SIMD2<Double>] {
            (0..<Self.sidePoints).map { from + (to - from) * (Double($0) / Double(Self.sidePoints)) }
                .map(level.source(of:))
        }
        let rows = whole.enumerated().filter { $0.offset % max(1, whole.count / Self.sidePoints) == 0 }
            .map(\.element).filter { $0.y > top.y && $0.y < bottom.y }
        let sides = [
            side(SIMD2(top.left, top.y), SIMD2(top.right, top.y)),
            [level.source(of: SIMD2(top.right, top.y))]
                + rows.map { level.source(of: SIMD2($0.right, $0.y)) },
            side(SIMD2(bottom.right, bottom.y), SIMD2(bottom.left, bottom.y)),
            [level.source(of: SIMD2(bottom.left, bottom.y))]
                + rows.reversed().map { level.source(of: SIMD2($0.left, $0.y)) },
        ]
        guard sides.joined().allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        var corners: [Int] = []
        var polygon: [SIMD2<Double>] = []
        for side in sides {
            corners.append(polygon.count)
            polygon += side
        }
        outline = SheetOutline(
            imageSize: found.imageSize, polygon: polygon, cornerIndices: corners,
            confidence: found.confidence,
            borderShare: found.borderShare)
        goesOnAbove = above == nil
        goesOnBelow = below == nil
    }
}

/// A line fitted through points by medians of their outer thirds, robust to outliers (Tukey's resistant line).
private struct LinearTrend {
    private let middle: (x: Double, y: Double)
    private let slope: Double

    init(_ points: [(x: Double, y: Double)]) {
        let third = max(points.count / 3, 1)
        let (first, last) = (points.prefix(third), points.suffix(third))
        let run = last.map(\.x).midpointMedian() - first.map(\.x).midpointMedian()
        let slope = run != 0 ? (last.map(\.y).midpointMedian() - first.map(\.y).midpointMedian()) / run : 0
        let x = points.map(\.x).midpointMedian()
        self.slope = slope
        middle = (x, points.map { $0.y - slope * ($0.x - x) }.midpointMedian())
    }

    func callAsFunction(_ x: Double) -> Double { middle.y + slope * (x - middle.x) }
}

import DepthGeometry
import Platform

/// Where ink is on a sheet: corners of boxes around it.
struct InkPlaces {
    /// Of all ink, as of a stain or a fold.
    var all: [SIMD2<Double>]
    /// Of letters, rules, bars and large print.
    var print: [SIMD2<Double>]

    func map(_ move: (SIMD2<Double>) -> SIMD2<Double>) -> InkPlaces {
        InkPlaces(all: all.map(move), print: print.map(move))
    }
}

/// Maps a flattened sheet, whose four sides still lean or bend, to a rectangle.
///
/// Without depth, the camera's angle of view is a guess and the paper's shape a model, so sides lean and bend on the flat sheet
/// even if its print is level. A sheet of paper is a rectangle: each side is fitted as a smooth curve, and
///
/// - x is stretched row by row from the left side to the right one, so that rows stay as level as they are;
/// - y is moved where the upper or lower side leaves a level line, by the same amount. Without print this move fades out at the
///   opposite side (Coons, "Surfaces for computer-aided design of space forms", MIT MAC-TR-41, 1967). If print made the rows
///   level, it fades out before the first print, which the side's own errors would bend again, and the page holds all print.
///
/// Known failures: without print, a sheet that is not a rectangle, for example with a torn or folded end, is stretched as far as
/// a smooth curve follows it; with print beside such an end, the end stays as it is, and blank paper beyond its middle is cut off.
/// A sheet that would be stretched by more than `greatestStretch` stays unchanged.
struct SheetRectangle {
    /// Width and height of the rectangle: the mean distances of the sides, and as much more as holds all print.
    let size: SIMD2<Double>
    /// Whether the image border cuts the sheet off at its top, right, bottom and left side.
    let cut: [Bool]
    /// Greatest distance of the sides from the rectangle's before, as a share of its shorter side.
    let greatestMove: Double

    private let low: SIMD2<Double>
    private let high: SIMD2<Double>
    private let left: RobustCurve
    private let right: RobustCurve
    /// Heights of the upper and lower side, as shares of the height from `low` to `high`, over the share of the width.
    private let upper: RobustCurve
    private let lower: RobustCurve
    private let top: Double
    private let bottom: Double
    /// The shares of the page's height over which the move of the upper and of the lower end fades out.
    private let reach: (above: Double, below: Double)

    /// Degree of the side curves. On 45 photographs of pages (nine kinds, five documents), degree 4 beats 1 and 2 in MS-SSIM by
    /// .005 to .02 where pages are curled or crumpled, and is equal elsewhere.
    private static let degree = 4
    /// Number of points along each side.
    private static let pointCount = 128
    /// Share of a side's length left out at its ends, where the outline rounds corners.
    private static let rounding = 0.03
    /// Deviations from a side below this share of the page are no outliers.
    private static let leastScale = 0.001
    /// Greatest `reach` if print made the rows level. In the same test, .08 to .3 score alike, and .5 scores less where pages
    /// are crumpled.
    private static let reachWithPrint = 0.3
    /// Greatest move of an end as a share of the length over which it fades out. From .5 on, places on the page would change
    /// their order; half of that draws blank paper out to twice its height at most.
    private static let greatestMoveOfEnd = 0.25
    /// Greatest ratio by which width or height may vary over the sheet: more is not an error of the surface.
    private static let greatestStretch = 1.6
    /// Number of positions along a curve at which its extent is measured.
    private static let probes = 64
    /// Steps of Newton's method to find the row of a point.
    private static let steps = 8

    /// - Parameters:
    ///   - outline: the sheet's outline on the flat sheet, clockwise as seen, x along its rows.
    ///   - isOnRim: whether each vertex lies on the image border, which cuts the sheet there.
    ///   - ink: where ink is on the flat sheet, if its rows are level by print; nil without print.
    /// - Returns: nil if the sheet has no four sides, or they differ more than an error of the surface explains.
    init?(outline: [SIMD2<Double>], isOnRim: [Bool], ink: InkPlaces?) {
        guard let sides = Self.sides(of: outline, isOnRim: isOnRim), let first = outline.first else {
            return nil
        }
        cut = sides.map(\.isCut)
        let low = outline.reduce(first, pointwiseMin)
        let high = outline.reduce(first, pointwiseMax)
        let extent = high - low
        guard extent.x > 0, extent.y > 0 else { return nil }
        let shorter = min(extent.x, extent.y)
        func curve(_ points: [SIMD2<Double>], leastScale: Double) -> RobustCurve? {
            let cut = Int(Self.rounding * Double(points.count))
            return RobustCurve(
                through: Array(points[cut..<(points.count - cut)]), degree: Self.degree,
                leastScale: leastScale)
        }
        // A side cut off by the image border is not a side of the sheet: everything shown stays, up to a line along the
        // rectangle.
        func upright(_ side: Side, end: Double) -> RobustCurve? {
            side.isCut
                ? RobustCurve(level: end)
                : curve(
                    side.points.map { SIMD2(($0.y - low.y) / extent.y, $0.x) },
                    leastScale: Self.leastScale * shorter)
        }
        guard let left = upright(sides[3], end: low.x), let right = upright(sides[1], end: high.x) else {
            return nil
        }
        func level(_ side: Side, end: Double) -> RobustCurve? {
            side.isCut
                ? RobustCurve(level: end)
                : curve(
                    side.points.map { point in
                        let t = (point.y - low.y) / extent.y
                        return SIMD2((point.x - left(t)) / (right(t) - left(t)), t)
                    }, leastScale: Self.leastScale)
        }
        guard let upper = level(sides[0], end: 0), let lower = level(sides[2], end: 1) else { return nil }
        let places = (0...Self.probes).map { Double($0) / Double(Self.probes) }
        let widths = places.map { right($0) - left($0) }
        let heights = places.map { lower($0) - upper($0) }
        guard let narrowest = widths.min(), let widest = widths.max(), let lowest = heights.min(),
            let highest = heights.max(), narrowest > 0, lowest > 0,
            widest <= Self.greatestStretch * narrowest, highest <= Self.greatestStretch * lowest
        else { return nil }
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
        (self.low, self.high, self.left, self.right) = (low, high, left, right)
        (self.upper, self.lower) = (upper, lower)
        let middles = (top: mean(places.map { upper($0) }), bottom: mean(places.map { lower($0) }))
        /// The first and the last of some heights, as shares of the extent.
        func ends(_ points: [SIMD2<Double>]) -> (first: Double, last: Double) {
            let shares = points.map { ($0.y - low.y) / extent.y }
            return (shares.min() ?? middles.bottom, shares.max() ?? middles.top)
        }
        let (any, print) = (ends((ink?.all ?? []) + (ink?.print ?? [])), ends(ink?.print ?? []))
        let top = min(middles.top, print.first)
        let bottom = max(middles.bottom, print.last)
        func fadingLength(_ blank: Double) -> Double {
            ink == nil ? 1 : min(max(blank / (bottom - top), 0), Self.reachWithPrint)
        }
        (self.top, self.bottom) = (top, bottom)
        reach = (fadingLength(any.first - middles.top), fadingLength(middles.bottom - any.last))
        size = SIMD2(mean(widths), (bottom - top) * extent.y)
        // The sides move farthest; their moves are measured against lines through their middles.
        func spread(_ values: [Double], around middle: Double) -> Double {
            values.reduce(0) { max($0, abs($1 - middle)) }
        }
        let (lefts, rights) = (places.map { left($0) }, places.map { right($0) })
        greatestMove =
            max(
                spread(lefts, around: mean(lefts)), spread(rights, around: mean(rights)),
                spread(places.map { upper($0) }, around: middles.top) * extent.y,
                spread(places.map { lower($0) }, around: middles.bottom) * extent.y)
            / min(size.x, size.y)
    }

    /// Maps a point of the flat sheet to the rectangle, measured from its upper left corner. O(1).
    func place(of flat: SIMD2<Double>) -> SIMD2<Double> {
        let t = (flat.y - low.y) / (high.y - low.y)
        let (start, end) = (left(t), right(t))
        let u = (flat.x - start) / (end - start)
        // Beyond the corners the ends continue level: a polynomial would run away.
        let inside = min(max(u, 0), 1)
        let (above, below) = (
            move(upper(inside) - top, reach.above), move(lower(inside) - bottom, reach.below)
        )
        // t = top + (bottom - top) v + above · fading(v) + below · fading(1 - v), solved for v.
        var v = (t - top) / (bottom - top)
        for _ in 0..<Self.steps {
            let (one, other) = (fading(v, reach.above), fading(1 - v, reach.below))
            let error = top + (bottom - top) * v + above * one.value + below * other.value - t
            let slope = (bottom - top) + above * one.slope - below * other.slope
            guard slope > 0 else { break }
            v -= error / slope
        }
        return SIMD2(u, v) * size
    }

    /// Limits the move of an end that fades out over a share of the page's height.
    private func move(_ share: Double, _ reach: Double) -> Double {
        guard reach < 1 else { return share }
        let most = Self.greatestMoveOfEnd * reach * (bottom - top)
        return min(max(share, -most), most)
    }

    /// 1 at an end and beyond, 0 from `reach` on; with print it falls as (1 - v / reach)², which ends smoothly.
    private func fading(_ v: Double, _ reach: Double) -> (value: Double, slope: Double) {
        guard v > 0 else { return (1, 0) }
        guard v < reach else { return (0, 0) }
        let rest = 1 - v / reach
        return reach < 1 ? (rest * rest, -2 * rest / reach) : (rest, -1 / reach)
    }

    /// One side of the sheet, in the direction of its axis.
    private struct Side {
        var points: [SIMD2<Double>]
        /// Whether the image border cuts the sheet off there.
        var isCut: Bool
    }

    /// The upper, right, lower and left side, between the outline's extreme points.
    private static func sides(of outline: [SIMD2<Double>], isOnRim: [Bool]) -> [Side]? {
        guard let corners = ExtremeCorners.indices(of: outline) else { return nil }
        return (0..<4).map { side in
            let from = corners[side]
            let count = (corners[(side + 1) % 4] - from + outline.count) % outline.count
            let indices = (0...count).map { (from + $0) % outline.count }
            var (length, cut) = (0.0, 0.0)
            for (a, b) in zip(indices, indices.dropFirst()) {
                let step = (outline[b] - outline[a]).length
                length += step
                if isOnRim[a], isOnRim[b] { cut += step }
            }
            let points = evenly(indices.map { outline[$0] })
            return Side(
                points: side < 2 ? points : points.reversed(), isCut: cut > PictureRim.leastShare * length)
        }
    }

    /// Points at equal distances along a line.
    private static func evenly(_ line: [SIMD2<Double>]) -> [SIMD2<Double>] {
        let steps = zip(line, line.dropFirst()).map { ($1 - $0).length }
        let length = steps.reduce(0, +)
        guard length > 0 else { return line }
        var result: [SIMD2<Double>] = []
        var (index, passed) = (0, 0.0)
        for point in 0..<pointCount {
            let wanted = length * Double(point) / Double(pointCount - 1)
            while index < steps.count - 1, passed + steps[index] < wanted {
                passed += steps[index]
                index += 1
            }
            let share = steps[index] > 0 ? min((wanted - passed) / steps[index], 1) : 0
            result.append(line[index] + (line[index + 1] - line[index]) * share)
        }
        return result
    }
}

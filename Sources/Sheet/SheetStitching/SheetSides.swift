package import Imaging
import RobustStatistics

/// The two long sides of a sheet on a flat part of it. They show how the sheet lies, which an end that the image cuts
/// off does not.
package struct SheetSides: Sendable {
    /// How many pixels the sides go to the right for each pixel down.
    package let slope: Double
    /// The x coordinate of the left side at half the part's height, in pixels.
    package let left: Double
    /// The x coordinate of the right side there.
    package let right: Double

    /// Where the sheet ends although the outline goes on, narrower than the sheet, as over a piece of the table:
    /// heights in pixels at the part's middle, above and below; nil where the outline does not go on.
    package let cuts: (above: Double?, below: Double?)

    /// The least share of a row's width that is sheet, for the sheet to span the row. Set by reasoning: tongues of
    /// table were half as wide as drawn sheets, and sides err by hundredths.
    private static let leastSpan = 0.75
    /// How far an outline must go on beyond an end to be cut off there, as a share of the width. Set by reasoning: an
    /// end that is torn or cut askew stays whole if it rises by less than 5 mm on a receipt of 80 mm.
    private static let leastTongue = 1.0 / 16
    /// Number of samples along a row.
    private static let rowSamples = 64
    /// Number of rows that are searched for the ends: less than a millimetre apart on a part of half a metre.
    private static let rows = 640
    /// Number of rows, and of columns, that are searched for the sides.
    private static let samples = 160
    /// How far the photograph must go on beyond a side, as a share of the part's width, for it to be a side of the
    /// sheet and not the image's rim.
    private static let rim = 0.015

    /// Finds the sides of a part whose outline is known; nil if one of them is not in the image. O(samples²).
    package init?(
        of map: SamplingMap, photograph: PixelSize, isOnSheet: (SIMD2<Double>) -> Bool
    ) {
        let size = SIMD2(Double(map.outputSize.width), Double(map.outputSize.height))
        let step = size / Double(Self.samples)
        func isInPhotograph(_ x: Double, _ y: Double) -> Bool {
            let source = map.source(of: SIMD2(x, y))
            return source.x >= 1 && source.y >= 1 && source.x <= Double(photograph.width) - 2
                && source.y <= Double(photograph.height) - 2
        }
        var sides: (left: [SIMD2<Double>], right: [SIMD2<Double>]) = ([], [])
        for row in 0..<Self.samples {
            let y = (Double(row) + 0.5) * step.y
            let columns = (0..<Self.samples).map { (Double($0) + 0.5) * step.x }
                .filter { isOnSheet(map.source(of: SIMD2($0, y))) }
            guard let first = columns.first, let last = columns.last else { continue }
            let beyond = Self.rim * size.x
            if isInPhotograph(max(first - beyond, 0), y) { sides.left.append(SIMD2(first - step.x / 2, y)) }
            if isInPhotograph(min(last + beyond, size.x - 1), y) {
                sides.right.append(SIMD2(last + step.x / 2, y))
            }
        }
        guard sides.left.count >= Self.samples / 8, sides.right.count >= Self.samples / 8 else { return nil }
        let slopes = [sides.left, sides.right].map(Self.slope)
        let slope = (slopes[0] + slopes[1]) / 2
        func place(_ side: [SIMD2<Double>]) -> Double {
            side.map { $0.x - slope * ($0.y - size.y / 2) }.midpointMedian()
        }
        self.slope = slope
        left = place(sides.left)
        right = place(sides.right)
        guard right > left else { return nil }
        let (middle, width) = ((left + right) / 2, right - left)
        // The share of each row, square to the sides, that is sheet, and the share that is not, both in the photograph.
        let shares = (0..<Self.rows).map { row -> (y: Double, on: Double, off: Double) in
            let y = (Double(row) + 0.5) * size.y / Double(Self.rows)
            var (on, off) = (0, 0)
            for index in 0..<Self.rowSamples {
                let along = ((Double(index) + 0.5) / Double(Self.rowSamples) - 0.5) * width
                let place = SIMD2(middle + slope * (y - size.y / 2) + along, y - slope * along)
                guard isInPhotograph(place.x, place.y) else { continue }
                if isOnSheet(map.source(of: place)) { on += 1 } else { off += 1 }
            }
            return (y, Double(on) / Double(Self.rowSamples), Double(off) / Double(Self.rowSamples))
        }
        /// Returns where the sheet ends, if the rows before the first that it spans hold a tongue and not the image's
        /// rim; else nil.
        func cut(_ rows: [(y: Double, on: Double, off: Double)]) -> Double? {
            guard let end = rows.firstIndex(where: { $0.on >= Self.leastSpan }) else { return nil }
            let beyond = rows[..<end].filter { abs($0.y - rows[end].y) <= Self.leastTongue * width }
            guard let outermost = rows[..<end].first(where: { $0.on > 0 }), !beyond.isEmpty,
                abs(outermost.y - rows[end].y) > Self.leastTongue * width,
                beyond.reduce(0, { $0 + $1.off }) >= (1 - Self.leastSpan) * Double(beyond.count)
            else { return nil }
            return rows[end].y
        }
        cuts = (cut(shares), cut(shares.reversed()))
    }

    /// The median slope of a side's pairs of points (Theil, 1950; Sen, JASA 63, 1968).
    private static func slope(_ points: [SIMD2<Double>]) -> Double {
        var slopes: [Double] = []
        for (index, point) in points.enumerated() {
            for other in points[(index + 1)...] where other.y - point.y > 0 {
                slopes.append((other.x - point.x) / (other.y - point.y))
            }
        }
        return slopes.midpointMedian()
    }
}

import Imaging
import RobustStatistics

/// Where one part ends and the next begins: a line across the sheet that runs over blank paper where it can.
struct Seam: Sendable {
    /// The seam's height on the sheet at each column from the area's left, with `density` columns per unit.
    private let heights: [Double]
    /// Factors for the lower part's channels that make them as bright as the upper part's.
    let gain: SIMD3<Double>
    /// The share of the seam's columns that cross print, 0 to 1.
    let crossing: Double

    /// Pixels per unit: strokes are half a pixel wide, gaps between rows three.
    private static let density = 2.0
    /// How much darker than paper print is at least, as a share.
    private static let leastInk: Float = 0.15
    /// Cost of a column that one part does not show: more than crossing black print.
    private static let costOfMissing: Float = 2
    /// Cost of a step up or down: seams go around letters, but do not follow the grain.
    private static let costOfStep: Float = 0.01
    /// Extra cost at the overlap's ends. In its middle both parts are far from the rims of their images.
    private static let costOfEnds: Float = 0.02
    /// The shortest overlap, in units: a row.
    private static let leastHeight = 4.0
    /// Quantile of all pixels that is taken for the paper: print covers a third of the paper at most.
    private static let paperQuantile = 0.7

    /// Finds the seam between two parts. O(pixels of the overlap).
    /// - Parameters:
    ///   - left: the left end of the sheet's area.
    ///   - width: the area's width.
    /// - Returns: nil if the parts share no height.
    init?(between upper: PlacedPart, and lower: PlacedPart, left: Double, width: Double) {
        let (top, bottom) = (lower.heights.lowerBound, upper.heights.upperBound)
        guard bottom - top >= Self.leastHeight, width > 0 else { return nil }
        let area = SheetArea(
            origin: SIMD2(left, top), density: Self.density,
            size: PixelSize(
                width: max(2, Int((width * Self.density).rounded(.up))),
                height: max(2, Int((bottom - top) * Self.density))))
        let (above, below) = (Side(upper, area), Side(lower, area))
        let (columns, rows) = (area.size.width, area.size.height)
        var costs = [Float](repeating: 0, count: columns * rows)
        for y in 0..<rows {
            let aside = 2 * Float(y) / Float(rows - 1) - 1
            for x in 0..<columns {
                let index = y * columns + x
                let (a, b) = (above.ink(index), below.ink(index))
                costs[index] =
                    Self.costOfEnds * aside * aside + (a.map { $0 * $0 } ?? Self.costOfMissing)
                    + (b.map { $0 * $0 } ?? Self.costOfMissing)
            }
        }
        let path = Self.cheapestPath(costs, columns: columns, rows: rows)
        heights = path.map { area.place(of: SIMD2(0, Double($0))).y }
        let crossed = path.indices.count { x in
            max(above.ink(path[x] * columns + x) ?? 0, below.ink(path[x] * columns + x) ?? 0) > Self.leastInk
        }
        crossing = Double(crossed) / Double(columns)
        gain = Self.gain(above, below)
    }

    /// The seam's height at a distance from the area's left end, in units.
    func height(at distance: Double) -> Double {
        let at = min(max(distance * Self.density - 0.5, 0), Double(heights.count - 1))
        let index = min(Int(at), heights.count - 2)
        let share = at - Double(index)
        return heights[index] * (1 - share) + heights[index + 1] * share
    }

    /// The heights that the seam runs through.
    var range: ClosedRange<Double> { (heights.min() ?? 0)...(heights.max() ?? 0) }

    /// What one part shows of the overlap.
    private struct Side {
        let picture: RGBImage
        let isShown: [Bool]
        let paper: Float

        init(_ placed: PlacedPart, _ area: SheetArea) {
            let map = placed.map(of: area, spacing: 4)
            let picture = placed.part.photograph.resampled(through: map)
            let nodes = map.nodes.map { placed.part.shows(SIMD2<Double>($0)) }
            let width = area.size.width
            let isShown = picture.elements.indices.map { index in
                let (x, y) = (index % width / 4, index / width / 4)
                return nodes[x: min(x, nodes.width - 1), y: min(y, nodes.height - 1)]
                    && nodes[x: min(x + 1, nodes.width - 1), y: min(y + 1, nodes.height - 1)]
            }
            let shown = picture.elements.indices.filter { isShown[$0] }.map {
                Float(picture.elements[$0].luma)
            }
            paper = max(shown.quantile(Seam.paperQuantile), 1)
            self.picture = picture
            self.isShown = isShown
        }

        /// How much darker than paper a pixel is, 0 to 1; nil where the part does not show the sheet.
        func ink(_ index: Int) -> Float? {
            isShown[index] ? max(0, 1 - Float(picture.elements[index].luma) / paper) : nil
        }
    }

    /// Returns the cheapest path from the left end to the right, at most one row up or down per column (dynamic
    /// programming).
    private static func cheapestPath(_ costs: [Float], columns: Int, rows: Int) -> [Int] {
        var sums = costs
        func sum(_ x: Int, _ y: Int) -> Float { sums[y * columns + x] }
        func before(_ x: Int, _ y: Int) -> Int {
            var best = y
            for other in [y - 1, y + 1] where other >= 0 && other < rows {
                if sum(x - 1, other) + costOfStep < sum(x - 1, best) + (best == y ? 0 : costOfStep) {
                    best = other
                }
            }
            return best
        }
        for x in 1..<columns {
            for y in 0..<rows {
                let from = before(x, y)
                sums[y * columns + x] += sum(x - 1, from) + (from == y ? 0 : costOfStep)
            }
        }
        var path = [Int](repeating: 0, count: columns)
        path[columns - 1] = (0..<rows).min { sum(columns - 1, $0) < sum(columns - 1, $1) } ?? 0
        for x in stride(from: columns - 1, to: 0, by: -1) { path[x - 1] = before(x, path[x]) }
        return path
    }

    /// Returns the ratio of the two papers' brightness for each channel: the median over blank pixels that both parts
    /// show.
    private static func gain(_ above: Side, _ below: Side) -> SIMD3<Double> {
        var ratios: (red: [Double], green: [Double], blue: [Double]) = ([], [], [])
        for index in above.picture.elements.indices {
            guard let a = above.ink(index), let b = below.ink(index), a < leastInk, b < leastInk else {
                continue
            }
            let (one, other) = (above.picture.elements[index], below.picture.elements[index])
            func ratio(_ one: UInt8, _ other: UInt8) -> Double { Double(max(one, 1)) / Double(max(other, 1)) }
            ratios.red.append(ratio(one.red, other.red))
            ratios.green.append(ratio(one.green, other.green))
            ratios.blue.append(ratio(one.blue, other.blue))
        }
        guard !ratios.red.isEmpty else { return SIMD3(1, 1, 1) }
        return SIMD3(ratios.red.upperMedian(), ratios.green.upperMedian(), ratios.blue.upperMedian())
    }
}

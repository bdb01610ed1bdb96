import Imaging
import Parallelism

// Finds where one flat part may lie on another, when it is only known that both stand the same way up.
//
// Problem: the parts of a long receipt look alike (rows of one height and pitch), share a fifth to a half of their
// length, and differ in scale by some percent.
//
// Model: parts are level and their left sides agree within some millimetres, so that only the shift along the sheet and
// the scale are unknown.
//
// Method: strips of one part, half the sheet wide and three rows high, are laid at every height of the other; the
// correlations of all strips are added up for each shift and scale (a Hough transform over strips).
//
// Known failures: sheets whose rows repeat in the same order; overlaps of less than a strip.

/// A place where one part may lie on another.
struct CoarseShift: Equatable {
    /// Factor that the second part's lengths are multiplied by.
    var scale: Double
    /// Height on the first part at which the second part's upper edge lies, in units.
    var offset: Double
    /// How far the sum of the strips' correlations stands out, in standard deviations of chance; it favours long
    /// overlaps.
    var strength: Double
    /// The strips' mean correlation, in standard deviations of chance; it favours short overlaps.
    var mean: Double
}

extension CoarseShift {
    /// Converts a height on the second part to a height on the first.
    func height(of other: Double) -> Double { offset + scale * other }

    /// Pixels per unit: letters are some two pixels wide, enough to tell words apart.
    static let density = 1.5
    /// Height of a strip in units: three rows of a receipt.
    private static let stripHeight = 12.0
    /// Distance from one strip to the next, in units.
    private static let stripStep = 8.0
    /// Greatest sideways shift between two parts, in units.
    static let greatestAside = 3.0
    /// Changes of scale that are tried, in percent. Set by reasoning: shapes from depth differ by less than a percent,
    /// those from outlines alone by several.
    private static let scales = -8...8
    /// Fewest strips in an overlap: two heights of two halves.
    private static let leastStrips = 4
    /// Least mean square relief of a strip that shows print, in squared grey levels.
    private static let leastContrast: Float = 9
    /// Candidates closer than this, in units, count as one.
    private static let distinct = 2.0

    /// Returns the likeliest places of a part on another. O(strips · rows · pixels of a strip).
    /// - Parameter count: how many candidates are taken for their strength, and how many more for their mean.
    static func candidates(of second: PartTexture, on first: PartTexture, count: Int = 6) -> [CoarseShift] {
        let strips = responses(of: second, on: first)
        let all = strips.flatMap(\.response)
        guard !all.isEmpty else { return [] }
        let mean = all.reduce(0, +) / Float(all.count)
        let variance = all.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(all.count)
        let deviation = max(variance.squareRoot(), 1e-3)
        var found: [CoarseShift] = []
        for percent in scales {
            let scale = 1 + Double(percent) / 100
            for offset in -second.relief.height...first.relief.height {
                var (sum, hits): (Float, Int) = (0, 0)
                for strip in strips {
                    let y = Int((Double(offset) + scale * Double(strip.y)).rounded())
                    guard y >= 0, y < strip.response.count else { continue }
                    sum += strip.response[y] - mean
                    hits += 1
                }
                guard hits >= leastStrips else { continue }
                let excess = Double(sum / deviation)
                found.append(
                    CoarseShift(
                        scale: scale, offset: Double(offset) / density,
                        strength: excess / Double(hits).squareRoot(), mean: excess / Double(hits)))
            }
        }
        let length = Double(second.relief.height) / density
        var best: [CoarseShift] = []
        for rank in [\CoarseShift.strength, \.mean] {
            let end = best.count + count
            let ranked = found.sorted {
                ($0[keyPath: rank], -$0.offset, -$0.scale) > ($1[keyPath: rank], -$1.offset, -$1.scale)
            }
            for candidate in ranked where best.count < end {
                if !best.contains(where: { $0.isLike(candidate, length: length) }) { best.append(candidate) }
            }
        }
        return best
    }

    /// Whether two candidates are the same: they agree at the second part's middle or at one of its ends.
    private func isLike(_ other: CoarseShift, length: Double) -> Bool {
        [0, 0.5, 1].contains { share in
            abs(height(of: share * length) - other.height(of: share * length)) < Self.distinct
        }
    }

    private struct Strip: Sendable {
        /// The strip's upper row on the second part.
        let y: Int
        /// For each row of the first part, the best correlation near it.
        let response: [Float]
    }

    private static func responses(of second: PartTexture, on first: PartTexture) -> [Strip] {
        let height = Int(stripHeight * density)
        let aside = Int(greatestAside * density)
        let width = min(first.relief.width, second.relief.width)
        guard width > 4 * aside, first.relief.height >= height else { return [] }
        let halves = [aside..<width / 2, width / 2..<width - aside]
        let tops = Array(
            stride(from: 0, through: second.relief.height - height, by: Int(stripStep * density)))
        let places = tops.flatMap { y in halves.map { (y, $0) } }
        return concurrentMap(places) { y, columns -> Strip? in
            correlate(second.relief, y, columns, height: height, with: first.relief, aside: aside)
                .map { Strip(y: y, response: $0) }
        }.compactMap(\.self)
    }

    private static func correlate(
        _ second: Raster<Float>, _ y: Int, _ columns: Range<Int>, height: Int, with first: Raster<Float>,
        aside: Int
    ) -> [Float]? {
        unsafe first.elements.withUnsafeBufferPointer { a in
            unsafe second.elements.withUnsafeBufferPointer { b -> [Float]? in
                guard let a = a.baseAddress, let b = b.baseAddress else { return nil }
                let start = unsafe b + y * second.width + columns.lowerBound
                func own(_ row: Int) -> UnsafePointer<Float> { unsafe start + row * second.width }
                let energy = (0..<height).reduce(Float(0)) {
                    unsafe $0 + dot(own($1), own($1), count: columns.count)
                }
                guard energy >= leastContrast * Float(height * columns.count) else { return nil }
                var rows = [Float](repeating: 0, count: first.height + 1)
                for row in 0..<first.height {
                    let start = unsafe a + row * first.width + columns.lowerBound
                    rows[row + 1] = unsafe rows[row] + dot(start, start, count: columns.count)
                }
                var response = [Float](repeating: 0, count: first.height - height + 1)
                for top in response.indices {
                    let other = rows[top + height] - rows[top]
                    guard other >= leastContrast * Float(height * columns.count) else { continue }
                    var best = -Float.infinity
                    for shift in -aside...aside {
                        var sum: Float = 0
                        for row in 0..<height {
                            unsafe sum += dot(
                                own(row), a + (top + row) * first.width + columns.lowerBound + shift,
                                count: columns.count)
                        }
                        best = max(best, sum)
                    }
                    response[top] = best / (energy * other).squareRoot()
                }
                // Allow one pixel each way for what scale and turn move within a strip.
                return response.indices.map {
                    max(response[max($0 - 1, 0)], response[$0], response[min($0 + 1, response.count - 1)])
                }
            }
        }
    }
}

import Foundation

/// What tells the sheet from the table by tint alone, however bright either is.
///
/// A fold, a shadow or a lamp changes how bright paper is by half; its tint they change by hundredths. The tint of most
/// tables differs by more, even that of grey stone, because paper is bleached. So from a region that is mostly sheet the
/// tints of sheet and table are counted, and each pixel of the picture is asked whose tint it has: what brightness had cut
/// in two is one again. The region may be wrong by a good part: what it misses lends its tint to the table, but the
/// sheet's has more of it.
struct TintContrast: Sendable {
    /// For each pixel the share of its tint that is the sheet's, 0 (all the table's) to 1.
    let likeness: [Float]
    /// How much of the sheet's tints the table has too, 0 (nothing) to 1 (the tints are the same).
    let overlap: Float

    /// Whether the tints are far enough apart to say anything.
    ///
    /// Wood and cloth overlap with paper by less than 0.02, grey concrete by 0.1, by 0.3 with a quarter of the sheet taken for
    /// table; stone as white as paper by 0.4 to 0.7.
    var isClear: Bool { overlap < 0.35 }

    /// Bins along each of the two shares: a quarter of a hundredth each.
    private static let bins = 400
    /// The bin of what has no tint because the sensor is full, in the last row, which no tint reaches.
    private static let blownOut = bins * bins - 1
    /// Added to both sides' densities, so that a tint that neither has says nothing.
    private static let least: Float = 1e-5

    /// Counts the tints inside and outside of a region. O(pixels).
    ///
    /// - Parameters:
    ///   - mask: the region, row-major.
    ///   - field: the colours.
    /// - Returns: nil where either side has few pixels.
    init?(_ mask: [Bool], in field: ColorField) {
        let bins = Self.bins
        let cells = field.colors.map { color -> Int in
            // Where the sensor is full there is no tint: lamps that a table mirrors are a kind of their own.
            if min(color.x, color.y, color.z) > 250 { return Self.blownOut }
            // The shares of red and blue; the darker it is the more they are noise, and are drawn towards grey.
            let place = (color + 20) / (color.sum() + 60) * Float(bins)
            return min(Int(place.x), bins - 1) * bins + min(Int(place.z), bins - 1)
        }
        let bits = BinaryMask(width: field.width, height: field.height, bits: mask.map { $0 ? 1 : 0 })
        let away = bits.distances(to: 1)
        let depth = bits.distances(to: 0)
        // Two pixels clear of the region's rim, where colours mix.
        guard let sheet = Self.density(cells.indices.filter { depth[$0] > .pixels(2) }.map { cells[$0] }),
            let table = Self.density(cells.indices.filter { away[$0] > .pixels(2) }.map { cells[$0] })
        else { return nil }
        overlap = zip(sheet, table).reduce(0) { $0 + min($1.0, $1.1) }
        likeness = cells.map { (sheet[$0] + Self.least) / (sheet[$0] + table[$0] + 2 * Self.least) }
    }

    /// The share of what a larger region adds to a smaller one that has the sheet's tint rather than the table's, 0 to 1.
    ///
    /// Print has tints of its own: with bars and logos paper may come to a half. 0 where tints say nothing, and where little
    /// is added.
    func paperShare(of larger: [Bool], beyond smaller: [Bool]) -> Double {
        guard isClear else { return 0 }
        let added = likeness.indices.filter { larger[$0] && !smaller[$0] }
        guard added.count > 30 else { return 0 }
        return Double(added.count { likeness[$0] > 0.5 }) / Double(added.count)
    }

    /// The shares of the bins among some pixels, blurred by as much as noise moves tints; nil for few.
    private static func density(_ cells: [Int]) -> [Float]? {
        let tints = cells.filter { $0 != blownOut }
        guard tints.count > 50, let first = tints.min(), let last = tints.max() else { return nil }
        var values = [Float](repeating: 0, count: bins * bins)
        for cell in cells { values[cell] += 1 / Float(cells.count) }
        // Four passes of (1, 2, 1) / 4 along each axis, a deviation of 1.4 bins, over the rows that they reach.
        let reached = max(first - 5 * bins, bins)..<min(last + 5 * bins, values.count - bins)
        for stride in [1, bins] {
            for _ in 0..<4 {
                let source = values
                for cell in reached {
                    values[cell] =
                        0.25 * source[cell - stride] + 0.5 * source[cell] + 0.25 * source[cell + stride]
                }
            }
        }
        return values
    }
}

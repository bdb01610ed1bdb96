import Imaging

/// Estimates how far a part of an image moved from one frame to the next, to a few pixels.
///
/// Finds the shift with the least mean absolute difference, searched at all distances in the coarsest image and refined in
/// finer ones (hierarchical block matching, Bierling 1988). Such coarse images do not resolve print, so its similar rows are
/// not confused. Each image is compared relative to its own mean, because exposure may change.
enum PictureShift {
    /// The largest shift in pixels of the coarsest level.
    private static let reach = 12
    /// The level at which refinement ends: a quarter of the finest level's size.
    private static let finest = 2
    /// Cost of a pixel of motion, in grey levels of the mean difference: in a uniform area no motion is preferred.
    private static let costOfMotion = 0.02

    /// Estimates the shift, in pixels of the finest level.
    /// - Parameters:
    ///   - columns: the part to compare, in pixels of the finest level of `before`.
    ///   - rows: likewise.
    static func estimate(
        from before: LumaPyramid, to after: LumaPyramid, columns: Range<Int>, rows: Range<Int>
    ) -> SIMD2<Double> {
        let coarsest = before.levels.count - 1
        var best = SIMD2(0, 0)
        for level in stride(from: coarsest, through: min(finest, coarsest), by: -1) {
            let (one, other) = (before.level(level), after.level(level))
            let part = (
                columns: (columns.lowerBound >> level..<(columns.upperBound + 1) >> level).clamped(
                    to: 0..<one.width),
                rows: (rows.lowerBound >> level..<(rows.upperBound + 1) >> level).clamped(to: 0..<one.height)
            )
            guard !part.columns.isEmpty, !part.rows.isEmpty else { return .zero }
            let offset = mean(other) - mean(one)
            let around = level == coarsest ? SIMD2(0, 0) : SIMD2(2 * best.x, 2 * best.y)
            let radius = level == coarsest ? reach : 1
            var least = Double.infinity
            for dy in around.y - radius...around.y + radius {
                for dx in around.x - radius...around.x + radius {
                    guard
                        let difference = difference(
                            one, other, columns: part.columns, rows: part.rows, dx: dx, dy: dy, offset: offset
                        )
                    else { continue }
                    let cost = difference + costOfMotion * Double(abs(dx) + abs(dy))
                    if cost < least {
                        least = cost
                        best = SIMD2(dx, dy)
                    }
                }
            }
        }
        let scale = Double(1 << min(finest, coarsest))
        return SIMD2(Double(best.x), Double(best.y)) * scale
    }

    private static func mean(_ image: GrayImage) -> Int32 {
        Int32(image.elements.reduce(0) { $0 + Int($1) } / max(image.elements.count, 1))
    }

    /// The mean absolute difference where both images have pixels; nil if that is less than two fifths of the part.
    private static func difference(
        _ one: GrayImage, _ other: GrayImage, columns: Range<Int>, rows: Range<Int>, dx: Int, dy: Int,
        offset: Int32
    ) -> Double? {
        let seenColumns = columns.clamped(to: -dx..<other.width - dx)
        let seenRows = rows.clamped(to: -dy..<other.height - dy)
        let count = seenColumns.count * seenRows.count
        guard 5 * count >= 2 * columns.count * rows.count, count > 0 else { return nil }
        var sum: Int32 = 0
        unsafe one.elements.withUnsafeBufferPointer { a in
            unsafe other.elements.withUnsafeBufferPointer { b in
                for y in seenRows {
                    let (from, to) = (y * one.width, (y + dy) * other.width + dx)
                    for x in seenColumns {
                        unsafe sum &+= abs(Int32(b[to + x]) &- Int32(a[from + x]) &- offset)
                    }
                }
            }
        }
        return Double(sum) / Double(count)
    }
}

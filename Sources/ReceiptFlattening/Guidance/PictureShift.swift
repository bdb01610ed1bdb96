internal import Imaging

/// By how much a part of a picture has moved in the next one, to a few pixels.
///
/// The shift of least mean absolute difference, looked for at all distances in the coarsest picture and corrected in finer
/// ones (hierarchical block matching, Bierling 1988). Print is not seen in pictures so coarse, so that its rows, which look alike,
/// are not mistaken for each other. Both pictures are compared around their own means: exposure may change.
enum PictureShift {
    /// The largest shift that is found, in pixels of the coarsest level.
    private static let reach = 12
    /// The level at which correcting ends: a quarter of the finest's size.
    private static let finest = 2

    /// The shift in pixels of the finest level.
    /// - Parameters:
    ///   - columns: the part that is looked at, in pixels of the finest level of `before`.
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
                    // Where all is alike, nothing has moved.
                    let cost = difference + 0.02 * Double(abs(dx) + abs(dy))
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

    /// The mean absolute difference where both pictures have pixels; nil where that is less than two fifths of the part.
    private static func difference(
        _ one: GrayImage, _ other: GrayImage, columns: Range<Int>, rows: Range<Int>, dx: Int, dy: Int,
        offset: Int32
    ) -> Double? {
        let seenColumns = columns.clamped(to: -dx..<other.width - dx)
        let seenRows = rows.clamped(to: -dy..<other.height - dy)
        let count = seenColumns.count * seenRows.count
        guard 5 * count >= 2 * columns.count * rows.count, count > 0 else { return nil }
        var sum: Int32 = 0
        one.elements.withUnsafeBufferPointer { a in
            other.elements.withUnsafeBufferPointer { b in
                for y in seenRows {
                    let (from, to) = (y * one.width, (y + dy) * other.width + dx)
                    for x in seenColumns {
                        sum &+= abs(Int32(b[to + x]) &- Int32(a[from + x]) &- offset)
                    }
                }
            }
        }
        return Double(sum) / Double(count)
    }
}

/// The middle of a printed row: a straight line, or one with bends.
package struct RowLine: Sendable {
    /// The y coordinate in column 0, and how much the row falls for each pixel to the right, on the whole.
    package var intercept: Double
    package var slope: Double
    /// Points that the line runs through, from left to right; fewer than two if it is straight.
    package var bends: [SIMD2<Double>]

    /// A line.
    package init(intercept: Double, slope: Double, bends: [SIMD2<Double>] = []) {
        self.intercept = intercept
        self.slope = slope
        self.bends = bends
    }

    /// Returns the y coordinate at a column. Beyond the outer bends the row has its slope on the whole.
    package func middle(at x: Double) -> Double {
        guard bends.count > 1, let first = bends.first, let last = bends.last else {
            return intercept + slope * x
        }
        if x <= first.x { return first.y + slope * (x - first.x) }
        if x >= last.x { return last.y + slope * (x - last.x) }
        let end = bends.indices.first { bends[$0].x >= x } ?? bends.count - 1
        let (a, b) = (bends[end - 1], bends[end])
        return b.x > a.x ? a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x) : b.y
    }
}

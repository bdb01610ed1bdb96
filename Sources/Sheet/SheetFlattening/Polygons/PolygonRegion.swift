/// The pixels of a lattice that lie inside a polygon and farther than a rim's width from its edge.
package struct PolygonRegion: Sendable {
    /// Columns that can hold inner pixels.
    package let columns: Range<Int>
    /// Rows that can hold inner pixels.
    package let rows: Range<Int>
    private var inside: [Bool]

    /// Creates the region by the even-odd rule at pixel centres. O(pixels of the bounding box + edge length · rim width).
    package init(polygon: [SIMD2<Double>], rimWidth: Double, width: Int, height: Int) {
        let finite = polygon.filter { $0.x.isFinite && $0.y.isFinite }
        guard finite.count >= 3, width > 0, height > 0 else {
            columns = 0..<0
            rows = 0..<0
            inside = []
            return
        }
        func range(_ values: [Double], _ count: Int) -> Range<Int> {
            let low = min(max(values.min() ?? 0, 0), Double(count)).rounded(.up)
            let high = min(max(values.max() ?? 0, -1), Double(count - 1)).rounded(.down)
            return Int(low)..<max(Int(low), Int(high) + 1)
        }
        let columns = range(finite.map(\.x), width)
        let rows = range(finite.map(\.y), height)
        var inside = [Bool](repeating: false, count: columns.count * rows.count)
        Polygon(finite).forEachSpan(ofRows: rows) { y, left, right in
            let start = (y - rows.lowerBound) * columns.count - columns.lowerBound
            let first = max(columns.lowerBound, Int(max(left, -1).rounded(.up)))
            let last = Int(min(right, Double(width)).rounded(.down))
            for x in first..<max(first, min(last + 1, columns.upperBound)) { inside[start + x] = true }
        }
        self.columns = columns
        self.rows = rows
        self.inside = inside
        if rimWidth > 0 { erode(polygon: finite, by: rimWidth, width: width, height: height) }
    }

    /// Whether a pixel of the lattice belongs to the region.
    package func contains(x: Int, y: Int) -> Bool {
        guard columns.contains(x), rows.contains(y) else { return false }
        return inside[(y - rows.lowerBound) * columns.count + x - columns.lowerBound]
    }

    /// Removes pixels within a distance of the polygon's edge. Edges along the lattice's own border are ignored: there the
    /// sheet runs out of the image, and its pixels mix with nothing.
    private mutating func erode(polygon: [SIMD2<Double>], by distance: Double, width: Int, height: Int) {
        let right = Double(width) - 1.5
        let lower = Double(height) - 1.5
        for index in polygon.indices {
            let a = polygon[index]
            let b = polygon[(index + 1) % polygon.count]
            if (a.x < 0.5 && b.x < 0.5) || (a.y < 0.5 && b.y < 0.5) || (a.x > right && b.x > right)
                || (a.y > lower && b.y > lower)
            {
                continue
            }
            let along = b - a
            let length2 = (along * along).sum()
            func span(_ p: Double, _ q: Double, _ range: Range<Int>) -> Range<Int> {
                let low = max(min(p, q) - distance, Double(range.lowerBound) - 1).rounded(.up)
                let high = min(max(p, q) + distance, Double(range.upperBound)).rounded(.down)
                let first = max(range.lowerBound, Int(low))
                return first..<max(first, min(range.upperBound, Int(high) + 1))
            }
            for y in span(a.y, b.y, rows) {
                for x in span(a.x, b.x, columns) {
                    let offset = SIMD2(Double(x), Double(y)) - a
                    let t = length2 > 0 ? min(max((offset * along).sum() / length2, 0), 1) : 0
                    let gap = offset - along * t
                    if (gap * gap).sum() < distance * distance {
                        inside[(y - rows.lowerBound) * columns.count + x - columns.lowerBound] = false
                    }
                }
            }
        }
    }
}

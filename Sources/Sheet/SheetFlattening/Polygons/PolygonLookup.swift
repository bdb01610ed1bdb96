/// A polygon prepared for many point queries: its edges are sorted by height.
///
/// Gives the same answer as `Polygon.contains` for every point, by the same arithmetic, using only the few edges at its height.
struct PolygonLookup: Sendable {
    private typealias Edge = (from: SIMD2<Double>, to: SIMD2<Double>)

    /// The edges that reach into each strip of equal height, from above.
    private var strips: [[Edge]]
    private let top: Double
    private let bottom: Double

    /// Sorts the edges of a polygon of finite vertices. O(vertices) if edges are short relative to the polygon.
    init(_ polygon: Polygon) {
        let heights = polygon.vertices.map(\.y)
        (top, bottom) = (heights.min() ?? 0, heights.max() ?? 0)
        let hasHeight = bottom > top && (bottom - top).isFinite
        strips = Array(repeating: [], count: hasHeight ? polygon.vertices.count : 1)
        guard var a = polygon.vertices.last else { return }
        for b in polygon.vertices {
            for strip in strip(of: min(a.y, b.y))...strip(of: max(a.y, b.y)) { strips[strip].append((a, b)) }
            a = b
        }
    }

    /// Whether a point lies inside (even-odd rule). O(edges at its height).
    func contains(_ point: SIMD2<Double>) -> Bool {
        guard point.y >= top, point.y <= bottom else { return false }
        var inside = false
        for (a, b) in strips[strip(of: point.y)] {
            if (a.y > point.y) != (b.y > point.y),
                point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
            {
                inside.toggle()
            }
        }
        return inside
    }

    /// The strip that contains a height between the polygon's top and bottom. The result never falls as the height grows, so an
    /// edge that spans a height is listed in that height's strip, however the division is rounded.
    private func strip(of y: Double) -> Int {
        guard strips.count > 1 else { return 0 }
        return min(Int((y - top) / (bottom - top) * Double(strips.count)), strips.count - 1)
    }
}

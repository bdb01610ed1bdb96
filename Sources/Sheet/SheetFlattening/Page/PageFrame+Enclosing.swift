import Platform

extension PageFrame {
    /// Creates the rectangle that encloses a sheet on the flat plane, level with the sheet's own edges.
    ///
    /// The least-area rectangle of the convex hull gives the direction to within the roughness of the edges. The sum of the
    /// edges as vectors, in which long straight runs outweigh ragged ends, then makes it exact.
    /// - Parameters:
    ///   - polygon: the sheet's outline in flat coordinates (metres), at least three points.
    ///   - margin: the margin around the sheet on every side, in metres, at least 0.
    /// - Returns: nil if the polygon has no area.
    /// - Complexity: O(n log n + h²) for n points of which h are on the hull.
    package init?(enclosing polygon: [SIMD2<Double>], margin: Double) {
        let hull = Polygon(polygon).hull.vertices
        guard hull.count >= 3, let roughAxis = Self.leastAreaAxis(of: hull) else { return nil }
        let axis = Self.levelled(roughAxis, with: polygon)
        let across = SIMD2(-axis.y, axis.x)
        let along = hull.map { ($0 * axis).sum() }
        let down = hull.map { ($0 * across).sum() }
        guard let left = along.min(), let right = along.max(), let top = down.min(), let bottom = down.max(),
            right > left, bottom > top
        else { return nil }
        self.init(
            origin: axis * (left - margin) + across * (top - margin), xAxis: axis,
            size: SIMD2(right - left, bottom - top) + 2 * margin)
    }

    /// Finds the axis of the least-area rectangle: one of its edges lies on the hull (Freeman & Shapira 1975), so try each.
    private static func leastAreaAxis(of hull: [SIMD2<Double>]) -> SIMD2<Double>? {
        var best: (area: Double, axis: SIMD2<Double>)?
        for (index, point) in hull.enumerated() {
            let edge = hull[(index + 1) % hull.count] - point
            let length = (edge * edge).sum().squareRoot()
            guard length > 0 else { continue }
            let axis = edge / length
            let across = SIMD2(-axis.y, axis.x)
            let along = hull.map { ($0 * axis).sum() }
            let down = hull.map { ($0 * across).sum() }
            let width = (along.max() ?? 0) - (along.min() ?? 0)
            let height = (down.max() ?? 0) - (down.min() ?? 0)
            if best.map({ width * height < $0.area }) ?? true { best = (width * height, axis) }
        }
        return best?.axis
    }

    /// Turns `axis` by at most 15 degrees to the mean direction of the edges that are nearly parallel or perpendicular to it;
    /// each edge counts as a vector.
    private static func levelled(_ axis: SIMD2<Double>, with polygon: [SIMD2<Double>]) -> SIMD2<Double> {
        let across = SIMD2(-axis.y, axis.x)
        let limit = cos(15 * Double.pi / 180)
        var sum = SIMD2<Double>.zero
        for (index, point) in polygon.enumerated() {
            let edge = polygon[(index + 1) % polygon.count] - point
            let length = (edge * edge).sum().squareRoot()
            guard length > 0 else { continue }
            let along = (edge * axis).sum()
            let down = (edge * across).sum()
            if abs(along) >= limit * length {
                sum += along > 0 ? edge : -edge
            } else if abs(down) >= limit * length {
                // The same edge turned back by a quarter turn.
                sum += down > 0 ? SIMD2(edge.y, -edge.x) : SIMD2(-edge.y, edge.x)
            }
        }
        let length = (sum * sum).sum().squareRoot()
        return length > 0 ? sum / length : axis
    }
}

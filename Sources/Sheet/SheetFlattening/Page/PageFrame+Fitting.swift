import DepthGeometry

extension PageFrame {
    /// Returns a frame in another direction around a polygon, with the same margin that this frame leaves around `former`.
    /// - Parameters:
    ///   - polygon: in flat coordinates, at least one point.
    ///   - axis: unit vector along the new frame's rows.
    ///   - former: the polygon that this frame was made around.
    /// - Returns: nil if the polygon has no area.
    package func fitted(
        around polygon: [SIMD2<Double>], along axis: SIMD2<Double>, insteadOf former: [SIMD2<Double>]
    ) -> PageFrame? {
        let offsets = former.map(offset(of:))
        let margin = offsets.reduce(Double.infinity) {
            min($0, $1.x, $1.y, size.x - $1.x, size.y - $1.y)
        }
        guard margin.isFinite, !polygon.isEmpty else { return nil }
        let level = PageFrame(origin: .zero, xAxis: axis, size: SIMD2(1, 1))
        let places = polygon.map(level.offset(of:))
        var (low, high) = (places[0], places[0])
        for place in places {
            low = pointwiseMin(low, place)
            high = pointwiseMax(high, place)
        }
        guard low.x < high.x, low.y < high.y, max(margin, 0).isFinite else { return nil }
        let corner = low - max(margin, 0)
        return PageFrame(
            origin: level.flatPosition(at: corner), xAxis: axis, size: high - low + 2 * max(margin, 0))
    }
}

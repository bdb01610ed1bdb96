/// The least convex polygon around points of the plane.
package enum ConvexHull {
    /// The hull's vertices in order around it, without collinear ones; fewer than three if the points lie on a line.
    ///
    /// Andrew's monotone chain (1979). O(n log n).
    package static func vertices(of points: [SIMD2<Double>]) -> [SIMD2<Double>] {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        return chain(sorted) + chain(sorted.reversed())
    }

    private static func chain(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
        var chain: [SIMD2<Double>] = []
        for point in points {
            while chain.count >= 2 {
                let edge = chain[chain.count - 1] - chain[chain.count - 2]
                let next = point - chain[chain.count - 2]
                guard edge.x * next.y - edge.y * next.x <= 0 else { break }
                chain.removeLast()
            }
            chain.append(point)
        }
        return chain.dropLast()
    }
}

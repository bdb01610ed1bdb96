import Platform

/// The rectangle of least area around points.
enum SmallestRectangle {
    /// Returns its corners, clockwise in an image (y down), starting at the upper left; nil for points on a line.
    /// - Complexity: O(n log n + h²) for h points on the hull.
    static func around(_ points: [SIMD2<Double>]) -> [SIMD2<Double>]? {
        let hull = hull(of: points)
        guard hull.count >= 3 else { return nil }
        var best: (area: Double, corners: [SIMD2<Double>])?
        for index in hull.indices {
            let edge = hull[(index + 1) % hull.count] - hull[index]
            let length = (edge * edge).sum().squareRoot()
            guard length > 0 else { continue }
            let along = edge / length
            let across = SIMD2(-along.y, along.x)
            let (u, v) = (hull.map { ($0 * along).sum() }, hull.map { ($0 * across).sum() })
            guard let left = u.min(), let right = u.max(), let top = v.min(), let bottom = v.max() else {
                continue
            }
            let area = (right - left) * (bottom - top)
            if area < best?.area ?? .infinity {
                best = (
                    area,
                    [(left, top), (right, top), (right, bottom), (left, bottom)].map {
                        $0.0 * along + $0.1 * across
                    }
                )
            }
        }
        return best.map { fromUpperLeft($0.corners) }
    }

    /// Returns the same corners, clockwise in an image, starting at the one nearest to the upper left.
    static func fromUpperLeft(_ corners: [SIMD2<Double>]) -> [SIMD2<Double>] {
        let next = corners.dropFirst() + corners.prefix(1)
        let area = zip(corners, next).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }
        let clockwise = area >= 0 ? corners : corners.reversed()
        guard let first = clockwise.indices.min(by: { clockwise[$0].sum() < clockwise[$1].sum() }) else {
            return corners
        }
        return Array(clockwise[first...] + clockwise[..<first])
    }

    /// Computes the convex hull by Andrew's monotone chain, without points on its edges.
    static func hull(of points: [SIMD2<Double>]) -> [SIMD2<Double>] {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        func chain(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
            var chain: [SIMD2<Double>] = []
            for point in points {
                while chain.count >= 2 {
                    let (a, b) = (chain[chain.count - 2], chain[chain.count - 1])
                    let turn = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
                    guard turn <= 0 else { break }
                    chain.removeLast()
                }
                chain.append(point)
            }
            return chain.dropLast()
        }
        return chain(sorted) + chain(sorted.reversed())
    }
}

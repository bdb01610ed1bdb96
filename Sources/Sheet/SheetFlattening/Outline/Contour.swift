import DepthGeometry
import Platform
import Imaging

/// A closed line around a region: points in pixel-centre coordinates, clockwise as seen (x right, y down), the last
/// joined to the first.
package struct Contour: Sendable, Equatable {
    /// The points in order.
    package var points: [SIMD2<Double>]

    /// Creates a contour through points that run clockwise as seen.
    package init(_ points: [SIMD2<Double>]) {
        self.points = points
    }

    /// The area that the line encloses, as a polygon.
    private var polygon: Polygon { Polygon(points) }

    /// Number of points.
    package var count: Int { points.count }

    /// The enclosed area, positive where the points run clockwise as seen. O(n).
    package var signedArea: Double { polygon.signedArea }

    /// The length once around. O(n).
    package var perimeter: Double {
        var sum = 0.0
        guard var previous = points.last else { return 0 }
        for point in points {
            sum += distance(previous, point)
            previous = point
        }
        return sum
    }

    /// Whether a point lies inside (even-odd rule). O(n).
    package func contains(_ point: SIMD2<Double>) -> Bool { polygon.contains(point) }

    /// Marks the pixels of a raster whose centre lies inside (even-odd rule), row-major. O(pixels + points).
    package func mask(width: Int, height: Int) -> [Bool] {
        polygon.mask(size: PixelSize(width: width, height: height)).elements
    }

    /// The same line with `count` points at equal distances along it. O(n + count).
    package func resampled(count: Int) -> Contour {
        let length = perimeter
        guard points.count > 1, count > 0, length > 0 else { return self }
        var result: [SIMD2<Double>] = []
        result.reserveCapacity(count)
        let spacing = length / Double(count)
        var passed = 0.0
        var next = 0.0
        for index in points.indices {
            let a = points[index]
            let b = points[(index + 1) % points.count]
            let step = distance(a, b)
            while next <= passed + step, result.count < count {
                result.append(step > 0 ? a + (b - a) * ((next - passed) / step) : a)
                next += spacing
            }
            passed += step
        }
        while result.count < count { result.append(points[0]) }
        return Contour(result)
    }

    /// Averages the points along the line with Gaussian weights. O(n · sigma).
    /// - Parameter sigma: in points.
    package func smoothed(sigma: Double) -> Contour {
        let reach = Int((3 * sigma).rounded(.up))
        guard reach > 0, points.count > 2 * reach else { return self }
        var weights = (-reach...reach).map { exp(-0.5 * pow(Double($0) / sigma, 2)) }
        let total = weights.reduce(0, +)
        weights = weights.map { $0 / total }
        var result = points
        for index in points.indices {
            var sum = SIMD2<Double>()
            for offset in -reach...reach {
                sum += weights[offset + reach] * points[(index + offset + points.count) % points.count]
            }
            result[index] = sum
        }
        return Contour(result)
    }

    /// Outward unit normals, measured across `reach` points to either side. O(n).
    package func normals(reach: Int) -> [SIMD2<Double>] {
        points.indices.map { index in
            let before = points[(index - reach + points.count * (reach / points.count + 1)) % points.count]
            let along = points[(index + reach) % points.count] - before
            let length = distance(along, .zero)
            // The points run clockwise as seen, so the outside is on the left of the direction of travel: (1, 0) along the top
            // edge gives (0, -1).
            return length > 0 ? SIMD2(along.y, -along.x) / length : SIMD2(0, -1)
        }
    }

    /// The indices of the points on the convex hull, clockwise as seen (Andrew's monotone chain). O(n log n).
    package func hullIndices() -> [Int] { polygon.hullIndices() }

    /// The convex hull as a contour. O(n log n).
    package var hull: Contour { Contour(hullIndices().map { points[$0] }) }

    /// Removes points while the line stays within `tolerance` of its original (Douglas & Peucker 1973).
    ///
    /// O(n log n) usually, O(n²) at worst.
    /// - Parameter kept: indices of points that must stay.
    package func simplified(tolerance: Double, keeping kept: [Int] = []) -> Contour {
        guard points.count > 4 else { return self }
        var fixed = Set(kept)
        if fixed.count < 2 {
            // The two points farthest apart, approximately: the farthest from the first, and the farthest from that one.
            func furthest(from point: SIMD2<Double>) -> Int {
                points.indices.max { distance(points[$0], point) < distance(points[$1], point) } ?? 0
            }
            let one = furthest(from: points[fixed.first ?? 0])
            fixed.insert(one)
            fixed.insert(furthest(from: points[one]))
        }
        let anchors = fixed.sorted()
        var stays = [Bool](repeating: false, count: points.count)
        for anchor in anchors { stays[anchor] = true }
        var pending: [(Int, Int)] = []
        for (index, anchor) in anchors.enumerated() {
            let next = index + 1 < anchors.count ? anchors[index + 1] : anchors[0] + points.count
            pending.append((anchor, next))
        }
        while let (first, last) = pending.popLast() {
            guard last > first + 1 else { continue }
            let a = points[first % points.count]
            let b = points[last % points.count]
            var worst = tolerance
            var split: Int?
            for index in (first + 1)..<last {
                let off = distanceToSegment(points[index % points.count], a, b)
                if off > worst {
                    worst = off
                    split = index
                }
            }
            if let split {
                stays[split % points.count] = true
                pending.append((first, split))
                pending.append((split, last))
            }
        }
        return Contour(points.indices.filter { stays[$0] }.map { points[$0] })
    }
}

/// The distance between two points.
@inline(__always)
func distance(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
    (a - b).length
}

/// Twice the area of the triangle a, b, c: positive where it turns clockwise as seen.
@inline(__always)
func cross(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) -> Double {
    (b - a).cross(c - a)
}

/// The distance of a point from a segment.
package func distanceToSegment(_ p: SIMD2<Double>, _ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
    let along = b - a
    let squared = along.x * along.x + along.y * along.y
    guard squared > 0 else { return distance(p, a) }
    let t = min(max(((p.x - a.x) * along.x + (p.y - a.y) * along.y) / squared, 0), 1)
    return distance(p, a + along * t)
}

import DepthGeometry
package import Imaging

/// A closed polygon: vertices in pixel-centre or any other plane coordinates, the last joined to the first.
package struct Polygon: Sendable, Equatable {
    /// The vertices in order around it.
    package var vertices: [SIMD2<Double>]

    /// Creates a polygon through vertices.
    package init(_ vertices: [SIMD2<Double>]) {
        self.vertices = vertices
    }

    /// The enclosed area, positive where the vertices run clockwise as seen (x right, y down). O(n).
    package var signedArea: Double {
        var sum = 0.0
        guard var previous = vertices.last else { return 0 }
        for vertex in vertices {
            sum += previous.x * vertex.y - vertex.x * previous.y
            previous = vertex
        }
        return sum / 2
    }

    /// Whether a point lies inside (even-odd rule). O(n).
    package func contains(_ point: SIMD2<Double>) -> Bool {
        var inside = false
        guard var a = vertices.last else { return false }
        for b in vertices {
            if (a.y > point.y) != (b.y > point.y),
                point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
            {
                inside.toggle()
            }
            a = b
        }
        return inside
    }

    // MARK: Convex hull

    /// The indices of the vertices on the convex hull, clockwise as seen, without collinear ones (Andrew's monotone chain,
    /// 1979); fewer than three if all lie on a line. O(n log n).
    package func hullIndices() -> [Int] {
        let order = vertices.indices.sorted {
            vertices[$0].x != vertices[$1].x
                ? vertices[$0].x < vertices[$1].x : vertices[$0].y < vertices[$1].y
        }
        guard order.count > 2 else { return order }
        func chain(_ order: some Sequence<Int>) -> [Int] {
            var hull: [Int] = []
            for index in order {
                while hull.count > 1 {
                    let (a, b) = (vertices[hull[hull.count - 2]], vertices[hull[hull.count - 1]])
                    guard (b - a).cross(vertices[index] - a) <= 0 else { break }
                    hull.removeLast()
                }
                hull.append(index)
            }
            hull.removeLast()
            return hull
        }
        return chain(order) + chain(order.reversed())
    }

    /// The least convex polygon around the vertices. O(n log n).
    package var hull: Polygon { Polygon(hullIndices().map { vertices[$0] }) }

    // MARK: Clipping

    /// Returns the part of a convex polygon where a linear function of the position is not negative (Sutherland & Hodgman, 1974).
    /// O(n).
    package func clipped(by distance: (SIMD2<Double>) -> Double) -> Polygon {
        guard var previous = vertices.last else { return self }
        var kept: [SIMD2<Double>] = []
        for vertex in vertices {
            let (from, to) = (distance(previous), distance(vertex))
            if min(from, to) < 0, max(from, to) > 0 {
                kept.append(previous + (vertex - previous) * (from / (from - to)))
            }
            if to >= 0 { kept.append(vertex) }
            previous = vertex
        }
        return Polygon(kept)
    }

    // MARK: Pixels

    /// Marks the pixels of an image whose centre lies inside (even-odd rule). O(pixels + vertices · rows).
    package func mask(size: PixelSize) -> Raster<Bool> {
        var result = Raster(width: size.width, height: size.height, filledWith: false)
        forEachSpan(ofRows: 0..<size.height) { y, left, right in
            let first = max(left.rounded(.up), 0)
            let last = min(right.rounded(.down), Double(size.width - 1))
            guard first <= last else { return }
            for x in Int(first)...Int(last) { result.elements[y * size.width + x] = true }
        }
        return result
    }

    /// Calls `body` with each stretch of each row's middle line that lies inside (even-odd rule), rows from top to bottom and
    /// stretches from left to right. An edge includes its upper end and excludes its lower one, so that no vertex counts twice.
    /// O(vertices · rows).
    /// - Parameter rows: at least 0.
    func forEachSpan(ofRows rows: Range<Int>, _ body: (_ y: Int, _ left: Double, _ right: Double) -> Void) {
        guard var a = vertices.last, !rows.isEmpty else { return }
        let (top, bottom) = (Double(rows.lowerBound), Double(rows.upperBound))
        var crossings = [[Double]](repeating: [], count: rows.count)
        for b in vertices {
            let lower = min(max(a.y, b.y), bottom)
            var row = max(min(a.y, b.y).rounded(.up), top)
            while row < lower, row < bottom {
                crossings[Int(row) - rows.lowerBound].append(a.x + (row - a.y) / (b.y - a.y) * (b.x - a.x))
                row += 1
            }
            a = b
        }
        for y in rows {
            let row = crossings[y - rows.lowerBound].sorted()
            for pair in stride(from: 0, to: row.count - 1, by: 2) { body(y, row[pair], row[pair + 1]) }
        }
    }
}

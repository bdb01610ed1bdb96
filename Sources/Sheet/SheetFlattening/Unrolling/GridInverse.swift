import Imaging

/// The inverse of a grid's mapping: the photograph position of each node of an output lattice.
struct GridInverse {
    let width: Int
    let height: Int
    private(set) var elements: [SIMD2<Float>]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        elements = Array(repeating: SIMD2(.nan, .nan), count: width * height)
    }

    /// The positions as a raster; NaN where there is none.
    var positions: Raster<SIMD2<Float>> { Raster(width: width, height: height, elements: elements) }

    /// Fills the nodes inside the grid's cells, each cell as two triangles with barycentric interpolation.
    /// - Parameters:
    ///   - vertices: each vertex's position in the output lattice, in row order.
    ///   - columns: number of vertices per row.
    ///   - origin: photograph position of the first vertex.
    ///   - step: distance between neighbouring vertices in the photograph.
    mutating func rasterise(
        _ vertices: [SIMD2<Double>], columns: Int, origin: SIMD2<Double>, step: SIMD2<Double>
    ) {
        let rows = vertices.count / columns
        for row in 0..<rows - 1 {
            for column in 0..<columns - 1 {
                let index = row * columns + column
                func corner(_ right: Int, _ down: Int) -> (SIMD2<Double>, SIMD2<Double>) {
                    (
                        vertices[index + right + down * columns],
                        origin + step * SIMD2(Double(column + right), Double(row + down))
                    )
                }
                fill(corner(0, 0), corner(1, 0), corner(0, 1))
                fill(corner(1, 1), corner(0, 1), corner(1, 0))
            }
        }
    }

    private typealias Corner = (node: SIMD2<Double>, photograph: SIMD2<Double>)

    private mutating func fill(_ a: Corner, _ b: Corner, _ c: Corner) {
        let (ab, ac) = (b.node - a.node, c.node - a.node)
        let area = ab.x * ac.y - ab.y * ac.x
        // Folded-over triangles would show the sheet's back.
        guard area > 0, area.isFinite else { return }
        let low = pointwiseMin(pointwiseMin(a.node, b.node), c.node)
        let high = pointwiseMax(pointwiseMax(a.node, b.node), c.node)
        guard high.x >= 0, high.y >= 0, low.x <= Double(width - 1), low.y <= Double(height - 1) else {
            return
        }
        let firstX = Int(max(low.x, 0).rounded(.up))
        let lastX = Int(min(high.x, Double(width - 1)).rounded(.down))
        let firstY = Int(max(low.y, 0).rounded(.up))
        let lastY = Int(min(high.y, Double(height - 1)).rounded(.down))
        guard firstX <= lastX, firstY <= lastY else { return }
        let slack = -1e-9
        for y in firstY...lastY {
            for x in firstX...lastX {
                let offset = SIMD2(Double(x), Double(y)) - a.node
                let s = (offset.x * ac.y - offset.y * ac.x) / area
                let t = (ab.x * offset.y - ab.y * offset.x) / area
                guard s >= slack, t >= slack, s + t <= 1 - slack else { continue }
                let position =
                    a.photograph + (b.photograph - a.photograph) * s + (c.photograph - a.photograph) * t
                elements[y * width + x] = SIMD2(Float(position.x), Float(position.y))
            }
        }
    }

    /// Extends the map into empty nodes, ring by ring: each new node is the mean of the linear extrapolations from its filled
    /// neighbours, 2 p(1) - p(2).
    mutating func extrapolate(rings: Int) {
        for _ in 0..<rings {
            var found: [(Int, SIMD2<Float>)] = []
            for y in 0..<height {
                for x in 0..<width where elements[y * width + x].x.isNaN {
                    var sum = SIMD2<Float>.zero
                    var count: Float = 0
                    for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)] {
                        let (farX, farY) = (x + 2 * dx, y + 2 * dy)
                        guard farX >= 0, farY >= 0, farX < width, farY < height else { continue }
                        let near = elements[(y + dy) * width + x + dx]
                        let far = elements[farY * width + farX]
                        guard !near.x.isNaN, !far.x.isNaN else { continue }
                        sum += near * 2 - far
                        count += 1
                    }
                    if count > 0 { found.append((y * width + x, sum / count)) }
                }
            }
            guard !found.isEmpty else { return }
            for (index, position) in found { elements[index] = position }
        }
    }
}

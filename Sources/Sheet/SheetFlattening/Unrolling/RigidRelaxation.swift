import Diagnostics
import DepthGeometry
import Platform
import Imaging
import LinearAlgebra
import Parallelism

/// Flattens a grid of surface points with as little stretching as possible.
///
/// As-rigid-as-possible parameterisation (Liu, Zhang, Xu, Gotsman, Gortler, "A Local/Global Approach to Mesh Parameterization",
/// SGP 2008, DOI 10.1111/j.1467-8659.2008.01290.x): each triangle of the grid gets the rotation that flattens it best (local),
/// then all vertices move to agree with their triangles (global, one sparse system whose matrix never changes). The border is
/// free. Triangles outside the sheet have little weight: they only continue it. The system is banded with the grid's short side
/// fastest, factored once and solved twice (x and y) per sweep.
struct RigidRelaxation {
    private struct Triangle {
        var vertices: SIMD3<Int32>
        /// The triangle's edges b - a, c - b, a - c in its own plane.
        var edges: (SIMD2<Double>, SIMD2<Double>, SIMD2<Double>)
        /// Weights of those edges: half the cotangent of the opposite angle, times the triangle's weight.
        var weights: SIMD3<Double>

        /// The weighted edges, rotated to match the edges between three flat positions as well as possible.
        @inline(__always)
        func turnedEdges(
            like a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>
        ) -> (SIMD2<Double>, SIMD2<Double>, SIMD2<Double>) {
            let (e0, e1, e2) = edges
            let (p0, p1, p2) = (b - a, c - b, a - c)
            // The best rotation in the plane has the angle of Σ w conj(edge) · position, in closed form.
            let w = weights
            var cosine = w.x * e0.dot(p0) + w.y * e1.dot(p1) + w.z * e2.dot(p2)
            var sine = w.x * e0.cross(p0) + w.y * e1.cross(p1) + w.z * e2.cross(p2)
            let length = (cosine * cosine + sine * sine).squareRoot()
            if length > 0 {
                cosine /= length
                sine /= length
            } else {
                cosine = 1
            }
            @inline(__always) func turn(_ e: SIMD2<Double>, _ weight: Double) -> SIMD2<Double> {
                SIMD2(cosine * e.x - sine * e.y, sine * e.x + cosine * e.y) * weight
            }
            return (turn(e0, w.x), turn(e1, w.y), turn(e2, w.z))
        }
    }

    private var triangles: [Triangle] = []
    private let factor: BandedCholesky
    /// Number of vertices along x and y.
    private let columns: Int
    private let rows: Int

    /// Weight of a triangle outside the sheet.
    static let outsideWeight = 0.02

    init(_ grid: SheetGrid) throws(FlatteningError) {
        columns = grid.columns
        rows = grid.rows
        triangles.reserveCapacity(2 * (columns - 1) * (rows - 1))
        for row in 0..<rows - 1 {
            for column in 0..<columns - 1 {
                let index = row * columns + column
                // The diagonals alternate, so that neither direction is stiffer.
                let corners = [index, index + 1, index + columns, index + columns + 1]
                let split =
                    (row + column) % 2 == 0 ? [(0, 1, 2), (3, 2, 1)] : [(0, 1, 3), (0, 3, 2)]
                for (a, b, c) in split {
                    triangles.append(Self.triangle(grid, corners[a], corners[b], corners[c]))
                }
            }
        }
        let isRowShort = columns <= rows
        func unknown(_ vertex: Int) -> Int {
            isRowShort ? vertex : vertex % grid.columns * grid.rows + vertex / grid.columns
        }
        var matrix = BandedMatrix(order: columns * rows, bandwidth: min(columns, rows) + 1)
        let stride = matrix.columnStride
        for triangle in triangles {
            for edge in 0..<3 {
                let i = unknown(Int(triangle.vertices[edge]))
                let j = unknown(Int(triangle.vertices[(edge + 1) % 3]))
                let weight = triangle.weights[edge]
                matrix.elements[i * stride] += weight
                matrix.elements[j * stride] += weight
                matrix.elements[min(i, j) * stride + abs(i - j)] -= weight
            }
        }
        // Differences alone leave the sheet free to move; this fixes its position without affecting its shape.
        let diagonal = matrix.diagonal
        let least = 1e-9 * (diagonal.max() ?? 1)
        matrix.diagonal = diagonal.map { $0 + least }
        do {
            factor = try BandedCholesky(of: matrix)
        } catch {
            throw Self.unsolvable(error)
        }
    }

    private static func triangle(_ grid: SheetGrid, _ a: Int, _ b: Int, _ c: Int) -> Triangle {
        let (ab, ac) = (grid.points[b] - grid.points[a], grid.points[c] - grid.points[a])
        let base = max(ab.length, 1e-9)
        let along = ac.dot(ab) / base
        let across = max(ab.cross(ac).length / base, 1e-9)
        let (flatB, flatC) = (SIMD2(base, 0), SIMD2(along, across))
        let edges = (flatB, flatC - flatB, SIMD2<Double>.zero - flatC)
        let area = base * across
        let inside = [a, b, c].reduce(0) { $0 + (grid.isInside[$1] ? 1.0 : 0) } / 3
        let weight = outsideWeight + inside
        // cot of the angle between two edges from a corner = dot / cross.
        func cotangent(_ u: SIMD2<Double>, _ v: SIMD2<Double>) -> Double { -u.dot(v) / area }
        let weights = SIMD3(
            cotangent(edges.1, edges.2), cotangent(edges.2, edges.0), cotangent(edges.0, edges.1))
        return Triangle(
            vertices: SIMD3(Int32(a), Int32(b), Int32(c)), edges: edges,
            weights: SIMD3(
                max(weights.x / 2, 1e-3), max(weights.y / 2, 1e-3), max(weights.z / 2, 1e-3)) * weight)
    }

    /// Computes flat positions in metres from a first guess. O(sweeps · vertices · short side).
    /// - Parameters:
    ///   - start: one position per vertex, not mirrored, right to within some tens of degrees everywhere.
    ///   - sweeps: maximum number of local and global steps.
    ///   - tolerance: movement in metres (without the common motion) below which it stops.
    func relax(
        from start: [SIMD2<Double>], sweeps: Int, tolerance: Double
    ) throws(FlatteningError) -> [SIMD2<Double>] {
        var flat = start
        let places = (0..<columns * rows).map { Int32(unknown(ofVertex: $0)) }
        var (rightX, rightY) = (
            [Double](repeating: 0, count: flat.count), [Double](repeating: 0, count: flat.count)
        )
        for _ in 0..<sweeps {
            addTurnedEdges(of: flat, at: places, to: &rightX, &rightY)
            let (x, y) = try solved(rightX, rightY)
            let step = Self.step(from: flat, to: x, y, at: places)
            flat = step.positions
            if step.largest < tolerance { break }
        }
        return flat
    }

    /// Index of a vertex among the unknowns: the grid's short side is fastest.
    private func unknown(ofVertex vertex: Int) -> Int {
        columns <= rows ? vertex : vertex % columns * rows + vertex / columns
    }

    /// The local step: computes the right-hand sides of the systems, with each triangle's edges rotated to fit its flat
    /// position best.
    private func addTurnedEdges(
        of flat: [SIMD2<Double>], at places: [Int32], to rightX: inout [Double], _ rightY: inout [Double]
    ) {
        rightX.withUnsafeMutableBufferPointer { x in
            rightY.withUnsafeMutableBufferPointer { y in
                x.update(repeating: 0)
                y.update(repeating: 0)
                flat.withUnsafeBufferPointer { flat in
                    triangles.withUnsafeBufferPointer { triangles in
                        for triangle in triangles {
                            let v = triangle.vertices
                            let (g0, g1, g2) = triangle.turnedEdges(
                                like: flat[Int(v.x)], flat[Int(v.y)], flat[Int(v.z)])
                            let a = Int(places[Int(v.x)])
                            let b = Int(places[Int(v.y)])
                            let c = Int(places[Int(v.z)])
                            x[a] += g2.x - g0.x
                            x[b] += g0.x - g1.x
                            x[c] += g1.x - g2.x
                            y[a] += g2.y - g0.y
                            y[b] += g0.y - g1.y
                            y[c] += g1.y - g2.y
                        }
                    }
                }
            }
        }
    }

    /// The global step: solves for x and y in parallel, since they are independent.
    private func solved(
        _ rightX: [Double], _ rightY: [Double]
    ) throws(FlatteningError) -> (x: [Double], y: [Double]) {
        let (x, y) = together {
            Result { () throws(LinearAlgebraError) in try factor.solve(rightX) }
        } _: {
            Result { () throws(LinearAlgebraError) in try factor.solve(rightY) }
        }
        do {
            return (try x.get(), try y.get())
        } catch {
            throw Self.unsolvable(error)
        }
    }

    /// The flat positions after the global step, without a common shift, and the farthest movement of a vertex in metres.
    private static func step(
        from flat: [SIMD2<Double>], to x: [Double], _ y: [Double], at places: [Int32]
    ) -> (positions: [SIMD2<Double>], largest: Double) {
        let count = flat.count
        var shift = SIMD2<Double>.zero
        var next = flat
        for vertex in 0..<count {
            let index = Int(places[vertex])
            next[vertex] = SIMD2(x[index], y[index])
            shift += flat[vertex] - next[vertex]
        }
        shift /= Double(count)
        var largest = 0.0
        for vertex in 0..<count {
            next[vertex] += shift
            let moved = next[vertex] - flat[vertex]
            largest = max(largest, moved.dot(moved))
        }
        return (next, largest.squareRoot())
    }

    private static func unsolvable(_ error: LinearAlgebraError) -> FlatteningError {
        FlatteningError(
            .internalInconsistency, "the unrolling's system cannot be solved", stage: .unrolling,
            detail: "\(error)")
    }
}

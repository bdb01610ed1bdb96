import DepthGeometry
import Foundation
import Imaging
import Testing

@testable import SheetFlattening

/// Grids over surfaces whose unrolling is known, and the sums that each step has to balance.
@Suite struct RigidRelaxationTests {
    private static let camera = CameraIntrinsics(
        fx: 1000, fy: 1000, cx: 500, cy: 500, imageSize: PixelSize(width: 1001, height: 1001))
    private static let middle = SIMD3(0.0, 0.0, 0.3)
    private static let plane = Plane(through: middle, normal: SIMD3(0.1, 0.2, -1))
    private static let frame = PlaneFrame(on: plane, origin: middle)

    /// A grid of some 20 by 28 vertices or 28 by 20: the unknowns are numbered along the shorter side.
    private static func grid(of surface: SheetSurface, isWide: Bool) throws -> SheetGrid {
        let half = isWide ? SIMD2(67.0, 40.0) : SIMD2(40, 67)
        let corners = [SIMD2(-1.0, -1.0), SIMD2(1, -1), SIMD2(1, 1), SIMD2(-1, 1)]
        let grid = try SheetGrid(
            over: corners.map { SIMD2(500, 500) + $0 * half }, of: surface, intrinsics: camera)
        try #require(isWide == (grid.columns > grid.rows))
        return grid
    }

    /// Positions by their foot on the plane.
    private static func feet(_ grid: SheetGrid) -> [SIMD2<Double>] {
        grid.points.map { frame.coordinates(of: $0) }
    }

    /// How far positions are at most from others once they are turned and shifted onto them, never mirrored.
    private static func distance(
        _ found: [SIMD2<Double>], _ wanted: [SIMD2<Double>], isCounted: [Bool]
    ) -> Double {
        let counted = found.indices.filter { isCounted[$0] }
        let count = Double(counted.count)
        let center = counted.reduce(SIMD2<Double>.zero) { $0 + found[$1] } / count
        let target = counted.reduce(SIMD2<Double>.zero) { $0 + wanted[$1] } / count
        var (cosine, sine) = (0.0, 0.0)
        for index in counted {
            let (p, q) = (found[index] - center, wanted[index] - target)
            cosine += p.dot(q)
            sine += p.cross(q)
        }
        let length = (cosine * cosine + sine * sine).squareRoot()
        return counted.reduce(0) { greatest, index in
            let p = found[index] - center
            let turned = SIMD2(cosine * p.x - sine * p.y, sine * p.x + cosine * p.y) / length
            return max(greatest, (turned + target - wanted[index]).length)
        }
    }

    @Test(arguments: [false, true])
    func aPlaneIsLaidFlatAsItIsFromACrookedStart(isWide: Bool) throws {
        let grid = try Self.grid(of: .plane(Self.plane), isWide: isWide)
        let truth = Self.feet(grid)
        // Turned by 17 degrees, stretched, narrowed and bent by up to 3 mm.
        let (cosine, sine) = (cos(0.3), sin(0.3))
        let start = truth.map { place in
            let x = cosine * place.x - sine * place.y
            let y = sine * place.x + cosine * place.y
            let wave = 0.003 * sin(150 * y)
            return SIMD2(1.2 * x + wave, 0.9 * y + 3 * x * x)
        }
        let everywhere = truth.map { _ in true }
        #expect(Self.distance(start, truth, isCounted: everywhere) > 0.002)
        let flat = try RigidRelaxation(grid).relax(from: start, sweeps: 120, tolerance: 0)
        // What holds the sheet where it is, a billionth of the matrix, takes a tenth of a micrometre off its
        // size.
        #expect(Self.distance(flat, truth, isCounted: everywhere) < 5e-7)
    }

    @Test(arguments: [false, true])
    func aParabolicCylinderUnrollsToItsArcLength(isWide: Bool) throws {
        // A height of 8 t²: a radius of 62 mm at the vertex. A spline has a parabola exactly: its
        // coefficients lie a third of the square of a cell lower.
        let (bend, angle) = (8.0, 0.5)
        let basis = UniformCubicSpline(covering: -0.06...0.06, spacing: 0.005)
        let coefficients = (0..<basis.count).map { index in
            let middle = CardinalCubic.middle(index, of: basis)
            return bend * (middle * middle - basis.spacing * basis.spacing / 3)
        }
        let cylinder = CylinderSurface(
            frame: Self.frame, angle: angle, slope: 0, basis: basis, coefficients: coefficients)
        let grid = try Self.grid(of: .cylinder(cylinder), isWide: isWide)
        let (cosine, sine) = (cos(angle), sin(angle))
        let wanted = grid.points.map { point in
            let (t, s) = cylinder.parameters(of: point)
            let slope = 2 * bend * t
            let chord = t * (1 + slope * slope).squareRoot()
            let arc = (chord + asinh(slope) / (2 * bend)) / 2
            return SIMD2(cosine * s - sine * arc, sine * s + cosine * arc)
        }
        let start = Self.feet(grid)
        #expect(Self.distance(start, wanted, isCounted: grid.isInside) > 1e-4)
        let flat = try RigidRelaxation(grid).relax(from: start, sweeps: 40, tolerance: 2e-6)
        // Chords of 2 mm on a radius of 62 mm are 4e-5 too short, over some 30 mm to either side: a
        // micrometre and a half.
        #expect(Self.distance(flat, wanted, isCounted: grid.isInside) < 3e-6)
    }

    /// A triangle of the grid as the paper has it: its edges a to b, b to c and c to a in its own plane, and
    /// their weights.
    private struct Triangle {
        let vertices: [Int]
        let edges: [SIMD2<Double>]
        let weights: [Double]

        init(_ grid: SheetGrid, _ vertices: [Int]) {
            self.vertices = vertices
            let points = vertices.map { grid.points[$0] }
            let sides = (0..<3).map { points[($0 + 1) % 3] - points[$0] }
            let area = sides[0].cross(sides[1]).length
            // Heron's triangle: the first edge along x.
            let base = sides[0].length
            let apex = SIMD2(-sides[2].dot(sides[0]) / base, area / base)
            edges = [SIMD2(base, 0), apex - SIMD2(base, 0), SIMD2(0, 0) - apex]
            let inside = Double(vertices.count { grid.isInside[$0] }) / 3
            weights = (0..<3).map { edge in
                // The cotangent at the corner that is opposite.
                let cotangent = -sides[(edge + 1) % 3].dot(sides[(edge + 2) % 3]) / area
                return max(cotangent / 2, 1e-3) * (RigidRelaxation.outsideWeight + inside)
            }
        }

        private func sides(_ flat: [SIMD2<Double>]) -> [SIMD2<Double>] {
            (0..<3).map { flat[vertices[($0 + 1) % 3]] - flat[vertices[$0]] }
        }

        /// The rotation under which the edges lie nearest to those of flat positions, not of length 1.
        private func rotation(_ flat: [SIMD2<Double>]) -> SIMD2<Double> {
            let sides = sides(flat)
            return (0..<3).reduce(.zero) { sum, edge in
                sum + SIMD2(edges[edge].dot(sides[edge]), edges[edge].cross(sides[edge])) * weights[edge]
            }
        }

        /// The weighted edges in that rotation.
        func turned(_ flat: [SIMD2<Double>]) -> [SIMD2<Double>] {
            let turn = rotation(flat) / rotation(flat).length
            return (0..<3).map { edge in
                let (e, w) = (edges[edge], weights[edge])
                return SIMD2(turn.x * e.x - turn.y * e.y, turn.y * e.x + turn.x * e.y) * w
            }
        }

        /// The least sum of weighted squares between the turned edges and those of flat positions.
        func energy(_ flat: [SIMD2<Double>]) -> Double {
            let sides = sides(flat)
            let squares = (0..<3).reduce(0.0) { sum, edge in
                sum + weights[edge] * (edges[edge].dot(edges[edge]) + sides[edge].dot(sides[edge]))
            }
            return squares - 2 * rotation(flat).length
        }

        /// All of a grid's, their diagonals in turn.
        static func all(_ grid: SheetGrid) -> [Triangle] {
            (0..<grid.rows - 1).flatMap { row in
                (0..<grid.columns - 1).flatMap { column in
                    let a = row * grid.columns + column
                    let (b, c, d) = (a + 1, a + grid.columns, a + grid.columns + 1)
                    let pair = (row + column) % 2 == 0 ? [[a, b, c], [d, c, b]] : [[a, b, d], [a, d, c]]
                    return pair.map { Triangle(grid, $0) }
                }
            }
        }
    }

    /// A dome: it cannot be laid flat without stretching.
    private static func dome(isWide: Bool) throws -> SheetGrid {
        let basis = UniformCubicSpline(covering: -0.05...0.05, spacing: 0.005)
        let coefficients = (0..<basis.count * basis.count).map { index in
            let x = CardinalCubic.middle(index % basis.count, of: basis)
            let y = CardinalCubic.middle(index / basis.count, of: basis)
            return 6 * (x * x + y * y)
        }
        let gradient = -plane.normal / plane.offset
        return try grid(
            of: .freeform(
                FreeformSurface(
                    gradient: gradient, depth: 0.3, alongX: basis, alongY: basis, coefficients: coefficients)),
            isWide: isWide)
    }

    @Test(arguments: [false, true])
    func afterASweepTheEdgesPullsAtEachVertexBalance(isWide: Bool) throws {
        let grid = try Self.dome(isWide: isWide)
        let start = Self.feet(grid)
        let flat = try RigidRelaxation(grid).relax(from: start, sweeps: 1, tolerance: 0)
        var pulls = [SIMD2<Double>](repeating: .zero, count: flat.count)
        var before = pulls
        for triangle in Triangle.all(grid) {
            let turned = triangle.turned(start)
            for edge in 0..<3 {
                let (from, to) = (triangle.vertices[edge], triangle.vertices[(edge + 1) % 3])
                let pull = (flat[to] - flat[from]) * triangle.weights[edge] - turned[edge]
                pulls[from] += pull
                pulls[to] -= pull
                let first = (start[to] - start[from]) * triangle.weights[edge] - turned[edge]
                before[from] += first
                before[to] -= first
            }
        }
        #expect((before.map(\.length).max() ?? 0) > 1e-6)
        // A billionth of the matrix's diagonal, 8, times 3 cm.
        #expect((pulls.map(\.length).max() ?? .infinity) < 1e-9)
    }

    @Test func noSweepAddsToTheStretching() throws {
        let grid = try Self.dome(isWide: false)
        let triangles = Triangle.all(grid)
        let relaxation = try RigidRelaxation(grid)
        let start = Self.feet(grid).map { SIMD2(1.1 * $0.x, $0.y + 2 * $0.x * $0.x) }
        let energies: [Double] = try (0...8).map { sweeps in
            let flat = try relaxation.relax(from: start, sweeps: sweeps, tolerance: 0)
            return triangles.reduce(0) { $0 + $1.energy(flat) }
        }
        for (before, after) in zip(energies, energies.dropFirst()) {
            // Rounding and the billionth that holds the sheet.
            #expect(after <= before + 1e-11, "\(energies)")
        }
        #expect(energies[8] < 0.1 * energies[0], "\(energies)")
        // A dome of 3 cm on a radius of 8 cm stretches by a thousandth or so whatever one does.
        #expect(energies[8] > 1e-9, "\(energies)")
    }
}

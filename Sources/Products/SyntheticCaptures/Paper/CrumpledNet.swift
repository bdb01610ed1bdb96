import Foundation
import RobustStatistics

/// A crumpled sheet as a net of points, whose edges keep their lengths as well as is possible for a smooth sheet.
///
/// Problem: there is no closed form for a developable surface with facets that meet in crossing ridges. So a flat net is
/// raised by a sum of soft ridges, then all edges and diagonals are pulled back to their flat lengths, many times
/// (position-based dynamics, Müller et al. 2007, without inertia). Between the points the sheet is the bicubic Catmull-Rom
/// surface. Known limitation: where ridges cross, a smooth sheet must stretch; some tenths of a percent remain there.
struct CrumpledNet: Sendable {
    private static let spacing = 0.003
    private static let sweeps = 300

    private let columns: Int
    private let rows: Int
    /// Position of node (0, 0) on the flat sheet, from its centre.
    private let origin: SIMD2<Double>
    private let nodes: [SIMD3<Double>]

    init(width: Double, height: Double, slope: Double, ridgeCount: Int, seed: UInt64) {
        // Two more nodes on every side, so that the cubic surface needs no special case at the edge.
        columns = Int((width / Self.spacing).rounded(.up)) + 5
        rows = Int((height / Self.spacing).rounded(.up)) + 5
        origin = SIMD2(-Double(columns - 1), -Double(rows - 1)) * (Self.spacing / 2)

        var generator = SplitMix64(seed: seed)
        let ridges = (0..<max(ridgeCount, 1)).map { index in
            let angle = Double.pi * (Double(index) + generator.uniform(0..<1)) / Double(max(ridgeCount, 1))
            let through = SIMD2(
                width * generator.uniform(-0.45..<0.45), height * generator.uniform(-0.45..<0.45))
            return Ridge(
                normal: SIMD2(cos(angle), sin(angle)), through: through,
                slope: slope * generator.uniform(0.5..<1) * (generator.uniform(0..<1) < 0.5 ? 1 : -1))
        }
        var points: [SIMD3<Double>] = []
        points.reserveCapacity(columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                let flat = origin + SIMD2(Double(column), Double(row)) * Self.spacing
                let up = ridges.reduce(0) { $0 + $1.height(at: flat) }
                points.append(SIMD3(flat.x, flat.y, -up))
            }
        }
        Self.level(&points)
        Self.relax(&points, columns: columns, rows: rows)
        nodes = points
    }

    private struct Ridge {
        let normal: SIMD2<Double>
        let through: SIMD2<Double>
        let slope: Double

        /// Returns half the slope on either side, rounded over about 4 mm.
        func height(at flat: SIMD2<Double>) -> Double {
            let distance = ((flat - through) * normal).sum()
            return slope / 2 * (distance * distance + 4e-6).squareRoot()
        }
    }

    /// Subtracts the mean plane, so that the sheet does not stand on one corner.
    private static func level(_ points: inout [SIMD3<Double>]) {
        // The net is symmetric about its centre, so x, y and 1 are orthogonal.
        var mean = 0.0
        var products = SIMD2(0.0, 0.0)
        var squares = SIMD2(0.0, 0.0)
        for point in points {
            mean += point.z
            products += SIMD2(point.x, point.y) * point.z
            squares += SIMD2(point.x * point.x, point.y * point.y)
        }
        mean /= Double(points.count)
        let slopes = products / squares
        for index in points.indices {
            points[index].z -= mean + slopes.x * points[index].x + slopes.y * points[index].y
        }
    }

    private static func relax(_ points: inout [SIMD3<Double>], columns: Int, rows: Int) {
        let diagonal = spacing * 2.0.squareRoot()
        points.withUnsafeMutableBufferPointer { nodes in
            func pull(_ a: Int, _ b: Int, to length: Double) {
                let across = nodes[b] - nodes[a]
                let now = (across.x * across.x + across.y * across.y + across.z * across.z).squareRoot()
                let factor = (now - length) / (2 * now)
                let x = across.x * factor
                let y = across.y * factor
                let z = across.z * factor
                nodes[a].x += x
                nodes[a].y += y
                nodes[a].z += z
                nodes[b].x -= x
                nodes[b].y -= y
                nodes[b].z -= z
            }
            for sweep in 0..<sweeps {
                // Alternates direction, so that no side of the sheet is favoured.
                let isForward = sweep % 2 == 0
                for turn in 0..<rows {
                    let row = isForward ? turn : rows - 1 - turn
                    for place in 0..<columns {
                        let column = isForward ? place : columns - 1 - place
                        let node = row * columns + column
                        if column + 1 < columns { pull(node, node + 1, to: spacing) }
                        if row + 1 < rows {
                            pull(node, node + columns, to: spacing)
                            if column + 1 < columns { pull(node, node + columns + 1, to: diagonal) }
                            if column > 0 { pull(node, node + columns - 1, to: diagonal) }
                        }
                    }
                }
            }
        }
    }

    /// Returns the point of the sheet at a place relative to the sheet's centre.
    func point(u: Double, v: Double) -> SIMD3<Double> {
        let x = (u - origin.x) / Self.spacing
        let y = (v - origin.y) / Self.spacing
        let column = min(max(Int(x.rounded(.down)), 1), columns - 3)
        let row = min(max(Int(y.rounded(.down)), 1), rows - 3)
        let across = Self.weights(x - Double(column))
        let down = Self.weights(y - Double(row))
        var sum = SIMD3(0.0, 0.0, 0.0)
        for j in 0..<4 {
            let start = (row + j - 1) * columns + column - 1
            var line = nodes[start] * across[0]
            line += nodes[start + 1] * across[1]
            line += nodes[start + 2] * across[2]
            line += nodes[start + 3] * across[3]
            sum += line * down[j]
        }
        return sum
    }

    /// Returns the Catmull-Rom weights of four neighbouring nodes.
    private static func weights(_ s: Double) -> SIMD4<Double> {
        let s2 = s * s
        let s3 = s2 * s
        return SIMD4(
            0.5 * (2 * s2 - s - s3), 0.5 * (3 * s3 - 5 * s2 + 2), 0.5 * (4 * s2 + s - 3 * s3), 0.5 * (s3 - s2)
        )
    }
}

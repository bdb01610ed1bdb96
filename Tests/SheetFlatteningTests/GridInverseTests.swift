import Imaging
import Testing

@testable import SheetFlattening

/// Grids of nine by seven vertices whose inverses are known.
@Suite struct GridInverseTests {
    private static let (columns, rows) = (9, 7)
    private static let origin = SIMD2(1500.0, 800.0)
    private static let step = SIMD2(3.0, 5.0)
    private static let (width, height) = (32, 26)
    /// Single precision at 1500 is good to 6e-5, and so are the sums.
    private static let rounding = 3e-4

    /// The inverse of a map from the grid's columns and rows to the output lattice.
    private static func inverse(of map: (SIMD2<Double>) -> SIMD2<Double>) -> GridInverse {
        var inverse = GridInverse(width: width, height: height)
        let vertices = (0..<columns * rows).map { map(SIMD2(Double($0 % columns), Double($0 / columns))) }
        inverse.rasterise(vertices, columns: columns, origin: origin, step: step)
        return inverse
    }

    /// How far the place of the photograph at a node is from that of a place of the grid; nil where there is
    /// none.
    private static func miss(_ inverse: GridInverse, _ x: Int, _ y: Int, _ grid: SIMD2<Double>) -> Double? {
        let found = inverse.positions[x: x, y: y]
        guard !found.x.isNaN else { return nil }
        let wanted = origin + step * grid
        return max(abs(Double(found.x) - wanted.x), abs(Double(found.y) - wanted.y))
    }

    @Test func theInverseOfAnAffineMapIsExactAndEndsWhereTheGridDoes() {
        let (right, down) = (SIMD2(2.3, -0.3), SIMD2(0.4, 2.1))
        let inverse = Self.inverse { SIMD2(4, 4) + right * $0.x + down * $0.y }
        let determinant = 2.3 * 2.1 + 0.3 * 0.4
        var (filled, wrong) = (0, 0)
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let (p, q) = (Double(x) - 4, Double(y) - 4)
                let grid = SIMD2(2.1 * p - 0.4 * q, 0.3 * p + 2.3 * q) / determinant
                // How far inside the grid, in cells.
                let depth = min(grid.x, grid.y, 8 - grid.x, 6 - grid.y)
                // Whether a node on the rim itself is inside is a matter of rounding.
                if abs(depth) < 1e-6 { continue }
                if let miss = Self.miss(inverse, x, y, grid) {
                    filled += 1
                    if depth < 0 || miss > Self.rounding { wrong += 1 }
                } else if depth > 0 {
                    wrong += 1
                }
            }
        }
        // The grid covers 48 cells of 4.95 nodes each.
        #expect(wrong == 0 && abs(filled - 238) < 20, "\(wrong) of \(filled)")
    }

    @Test func theInverseOfASmoothMapIsAsNearAsItsChordsAndHasNoHoles() {
        func map(_ p: SIMD2<Double>) -> SIMD2<Double> {
            let x: Double = 2 + (2.6 + 0.05 * p.x + 0.1 * p.y) * p.x
            let y: Double = 2 + (2.9 - 0.04 * p.y + 0.08 * p.x) * p.y
            return SIMD2(x, y)
        }
        let inverse = Self.inverse(of: map)
        var filled = 0
        for y in 0..<Self.height {
            let shown = (0..<Self.width).filter { !inverse.positions[x: $0, y: y].x.isNaN }
            filled += shown.count
            if let first = shown.first, let last = shown.last {
                #expect(shown == Array(first...last), "row \(y)")
            }
            for x in shown {
                let found = inverse.positions[x: x, y: y]
                let place = SIMD2(Double(found.x), Double(found.y))
                let miss = map((place - Self.origin) / Self.step) - SIMD2(Double(x), Double(y))
                // Across a cell a square differs from its chord by an eighth of its second derivative, .1,
                // and a product by a quarter of its own, .1.
                #expect(max(abs(miss.x), abs(miss.y)) < 0.04, "\(x), \(y): \(miss)")
            }
        }
        // Most of the lattice.
        #expect(filled > 400, "\(filled)")
    }

    @Test func theSheetsBackIsNotShown() {
        // Folded along the fifth column of vertices: what lies right of it runs back to the left, over what
        // was there.
        let folded = Self.inverse { SIMD2(16 - 3 * abs($0.x - 4), 2 + 3 * $0.y) }
        for y in 2...20 {
            for x in 4...16 {
                let grid = SIMD2(Double(x - 4), Double(y - 2)) / 3
                let miss = Self.miss(folded, x, y, grid) ?? .infinity
                #expect(miss < Self.rounding, "\(x), \(y): \(miss)")
            }
        }
        let mirrored = Self.inverse { SIMD2(26 - 3 * $0.x, 2 + 3 * $0.y) }
        #expect(mirrored.elements.allSatisfy { $0.x.isNaN })
    }

    @Test func aVertexThatIsMissingLeavesOutOnlyTheCellsAroundIt() {
        let hidden = SIMD2(4.0, 3.0)
        let inverse = Self.inverse { $0 == hidden ? SIMD2(.nan, .nan) : SIMD2(2, 2) + $0 * 3 }
        #expect(inverse.positions[x: 14, y: 11].x.isNaN)
        for y in 2...20 {
            for x in 2...26 {
                let grid = SIMD2(Double(x - 2), Double(y - 2)) / 3
                if abs(grid.x - hidden.x) < 0.99, abs(grid.y - hidden.y) < 0.99 { continue }
                let miss = Self.miss(inverse, x, y, grid) ?? .infinity
                #expect(miss < Self.rounding, "\(x), \(y): \(miss)")
            }
        }
    }

    @Test func pastTheGridALinearMapGoesOnLinearlyRingByRing() {
        // Covers the columns 8 to 24 and the rows 6 to 18.
        func map(_ p: SIMD2<Double>) -> SIMD2<Double> { SIMD2(8, 6) + p * 2 }
        for rings in 0...3 {
            var inverse = Self.inverse(of: map)
            inverse.extrapolate(rings: rings)
            for y in 0..<Self.height {
                for x in 0..<Self.width {
                    let ring = max(8 - x, x - 24, 6 - y, y - 18, 0)
                    let miss = Self.miss(inverse, x, y, SIMD2(Double(x - 8), Double(y - 6)) / 2)
                    if ring > rings {
                        #expect(miss == nil, "\(x), \(y), \(rings) rings")
                    } else {
                        // Halves of whole numbers; the mean of three of them is rounded.
                        #expect(miss ?? .infinity < 1e-3, "\(x), \(y), \(rings) rings")
                    }
                }
            }
        }
    }
}

/// The four neighbours around a position in a row-major grid, and the position's fractions between them.
///
/// Positions are in elements: the centre of the upper left one is (0, 0). The three initialisers differ in their treatment
/// of positions beyond the edge. Two formulas interpolate a value; they agree except for the last bit, so code whose
/// results must not change keeps the formula it has.
@frozen @usableFromInline
package struct BilinearCell: Sendable {
    /// Index of the upper left neighbour.
    @usableFromInline package let index: Int
    /// Step from a neighbour to the one on its right, in elements; 0 in a grid of one column.
    @usableFromInline package let right: Int
    /// Step from a neighbour to the one below, in elements; 0 in a grid of one row.
    @usableFromInline package let below: Int
    /// Fraction of the way from left to right, 0 to 1 within the grid.
    @usableFromInline package let across: Double
    /// Fraction of the way from top to bottom, 0 to 1 within the grid.
    @usableFromInline package let down: Double

    /// The cell of a position. Beyond the edge, extrapolates the cell at the edge: `across` and `down` leave 0 to 1.
    /// - Precondition: the position is finite; the grid has an element.
    @inlinable @inline(__always)
    package init(continuing position: SIMD2<Double>, columns: Int, rows: Int) {
        let column = min(max(Int(position.x), 0), max(columns - 2, 0))
        let row = min(max(Int(position.y), 0), max(rows - 2, 0))
        index = row * columns + column
        right = columns > 1 ? 1 : 0
        below = rows > 1 ? columns : 0
        across = position.x - Double(column)
        down = position.y - Double(row)
    }

    /// The cell of the nearest position within the grid: beyond the edge, the edge values apply.
    /// - Precondition: the grid has an element.
    @inlinable @inline(__always)
    package init(holding position: SIMD2<Double>, columns: Int, rows: Int) {
        let x = min(max(position.x, 0), Double(columns - 1))
        let y = min(max(position.y, 0), Double(rows - 1))
        self.init(continuing: SIMD2(x, y), columns: columns, rows: rows)
    }

    /// The cell of a position within the grid; nil beyond its edge.
    @inlinable @inline(__always)
    package init?(inside position: SIMD2<Double>, columns: Int, rows: Int) {
        guard position.x >= 0, position.y >= 0, position.x <= Double(columns - 1),
            position.y <= Double(rows - 1)
        else { return nil }
        self.init(continuing: position, columns: columns, rows: rows)
    }

    // MARK: a (1 - s) + b s

    /// The neighbours' mean, weighted by closeness.
    /// - Parameter value: returns the element at an index.
    @inlinable @inline(__always)
    package func weighted(_ value: (Int) -> Double) -> Double {
        let top = value(index) * (1 - across) + value(index + right) * across
        let bottom = value(index + below) * (1 - across) + value(index + below + right) * across
        return top * (1 - down) + bottom * down
    }

    /// The same in single precision; the weights are rounded first.
    @inlinable @inline(__always)
    package func weighted(_ value: (Int) -> Float) -> Float {
        let (s, t) = (Float(across), Float(down))
        let top = value(index) * (1 - s) + value(index + right) * s
        let bottom = value(index + below) * (1 - s) + value(index + below + right) * s
        return top * (1 - t) + bottom * t
    }

    /// The same for elements that are pairs, such as positions.
    @inlinable @inline(__always)
    package func weighted(_ value: (Int) -> SIMD2<Double>) -> SIMD2<Double> {
        let top = value(index) * (1 - across) + value(index + right) * across
        let bottom = value(index + below) * (1 - across) + value(index + below + right) * across
        return top * (1 - down) + bottom * down
    }

    // MARK: a + s (b - a)

    /// The neighbours' mean, computed in steps from the upper left one.
    /// - Parameter value: returns the element at an index.
    @inlinable @inline(__always)
    package func stepped(_ value: (Int) -> Double) -> Double {
        let (first, second) = (value(index), value(index + below))
        let top = first + across * (value(index + right) - first)
        let bottom = second + across * (value(index + below + right) - second)
        return top + down * (bottom - top)
    }
}

extension Raster where Element == UInt8 {
    /// The brightness at a position in pixel-centre coordinates, bilinear; beyond the edge, the edge values apply.
    /// - Precondition: the image has a pixel.
    package func bilinear(at position: SIMD2<Double>) -> Double {
        BilinearCell(holding: position, columns: width, rows: height).weighted { Double(elements[$0]) }
    }
}

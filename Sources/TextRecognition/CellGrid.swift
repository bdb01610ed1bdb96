import Imaging

/// Values on a grid of square cells, interpolated bilinearly between the cells' middles and constant beyond the outer ones.
struct CellGrid {
    /// One value a cell, row-major.
    let values: Raster<Float>
    /// Side of a cell in pixels.
    let cell: Int

    /// How many cells it takes to cover a length.
    static func count(covering length: Int, cell: Int) -> Int { max((length + cell - 1) / cell, 1) }

    /// Writes the values of a row of pixels; the buffer's length is the row's. O(pixels), a plain loop for each cell.
    func writeRow(_ y: Int, into row: UnsafeMutableBufferPointer<Float>) {
        let scale = 1 / Float(cell)
        let v = min(max((Float(y) + 0.5) * scale - 0.5, 0), Float(values.height - 1))
        let above = Int(v)
        let below = min(above + 1, values.height - 1)
        let down = v - Float(above)
        func value(_ column: Int) -> Float {
            let top = values[x: column, y: above]
            return top + (values[x: column, y: below] - top) * down
        }
        var left = value(0)
        var from = 0
        for column in 0..<values.width {
            // Up to this cell's middle, from the middle of the one before.
            let right = value(column)
            let to = min(column * cell + cell / 2, row.count)
            Self.writeLine(
                into: UnsafeMutableBufferPointer(rebasing: row[min(from, to)..<to]), from: left,
                slope: (right - left) * scale, offset: Float(from) + 0.5 - (Float(column) - 0.5) * Float(cell)
            )
            (left, from) = (right, to)
        }
        Self.writeLine(
            into: UnsafeMutableBufferPointer(rebasing: row[from...]), from: left, slope: 0, offset: 0)
    }

    private static func writeLine(
        into line: UnsafeMutableBufferPointer<Float>, from start: Float, slope: Float, offset: Float
    ) {
        guard let base = line.baseAddress else { return }
        let first = start + slope * offset
        for x in 0..<Int32(line.count) { base[Int(x)] = first + slope * Float(x) }
    }
}

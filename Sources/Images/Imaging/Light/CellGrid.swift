import Parallelism

/// A slowly varying quantity of an image (its light, its paper, the darkness of its print): one value for each square cell,
/// bilinear between the cells' centres and constant beyond the outer ones.
package struct CellGrid: Sendable {
    /// A value for each cell, row-major; the image's edge may cut off the last row and column.
    package var values: Raster<Float>
    /// Side of a cell in pixels.
    package let cell: Int

    /// A grid from its values.
    package init(values: Raster<Float>, cell: Int) {
        self.values = values
        self.cell = cell
    }

    /// Number of cells that cover a length in pixels, at least 1.
    package static func count(covering length: Int, cell: Int) -> Int { max((length + cell - 1) / cell, 1) }

    /// Takes for each cell the brightness below which `share` of its pixels lie. O(pixels).
    /// - Parameter brightness: returns a pixel's brightness, 0 to 255.
    init<Pixel>(
        of picture: Raster<Pixel>, cell side: Int, quantile share: Double, threading: Threading,
        brightness: @Sendable (Pixel) -> UInt8
    ) {
        cell = side
        let (width, height) = (picture.width, picture.height)
        let columns = Self.count(covering: width, cell: side)
        let rows = Self.count(covering: height, cell: side)
        // A few hundred samples give a quantile to a grey level or two.
        let step = max(side / 16, 1)
        values = Raster(width: columns, height: rows) { output in
            let cells = DisjointRows(output, rowLength: columns)
            forEachBand(of: 0..<rows, threading: threading, minimumRows: 2) { band in
                picture.elements.withUnsafeBufferPointer { pixels in
                    var histogram = [Int](repeating: 0, count: 256)
                    for row in band {
                        for column in 0..<columns {
                            for value in 0..<256 { histogram[value] = 0 }
                            var count = 0
                            for y in stride(from: row * side, to: min((row + 1) * side, height), by: step) {
                                let end = y * width + min((column + 1) * side, width)
                                for index in stride(from: y * width + column * side, to: end, by: step) {
                                    histogram[Int(brightness(pixels[index]))] += 1
                                    count += 1
                                }
                            }
                            let wanted = Int(share * Double(count))
                            var value = 0
                            var below = histogram[0]
                            while value < 255, below <= wanted {
                                value += 1
                                below += histogram[value]
                            }
                            cells[row][column] = Float(value)
                        }
                    }
                }
            }
        }
    }

    /// Calls `body` with each column's value in a row of an image `width` pixels wide. O(width).
    @inline(__always)
    func forEachColumn(ofRow y: Int, width: Int, _ body: (_ x: Int, _ value: Float) -> Void) {
        let v = min(max((Float(y) + 0.5) / Float(cell) - 0.5, 0), Float(values.height - 1))
        let top = Int(v)
        let bottom = min(top + 1, values.height - 1)
        let t = v - Float(top)
        let row = (0..<values.width).map { column in
            let upper = values[x: column, y: top]
            return upper + (values[x: column, y: bottom] - upper) * t
        }
        // From one cell's centre to the next, the value changes in equal steps.
        var x = 0
        for left in -1..<values.width {
            let from = row[max(left, 0)]
            let to = row[min(left + 1, values.width - 1)]
            let end = left == values.width - 1 ? width : min((2 * left + 3) * cell / 2, width)
            let step = (to - from) / Float(cell)
            let center = (Float(left) + 0.5) * Float(cell) - 0.5
            while x < end {
                body(x, from + (Float(x) - center) * step)
                x += 1
            }
        }
    }

    /// Writes the values for a row of pixels; the buffer's length is the row's. O(pixels). Uses one plain loop for each
    /// cell, which compiles to vector instructions. The last bit may differ from `forEachColumn`, which divides.
    package func writeRow(_ y: Int, into row: UnsafeMutableBufferPointer<Float>) {
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
            // From the centre of the previous cell up to the centre of this one.
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

    /// Replaces each cell by the maximum or minimum (`choose`) of the square of `2 radius + 1` cells around it. O(cells ·
    /// radius).
    func filtered(radius: Int, _ choose: (Float, Float) -> Float) -> CellGrid {
        var across = values
        for y in 0..<values.height {
            for x in 0..<values.width {
                for i in max(x - radius, 0)...min(x + radius, values.width - 1) {
                    across[x: x, y: y] = choose(across[x: x, y: y], values[x: i, y: y])
                }
            }
        }
        var result = self
        for y in 0..<values.height {
            for x in 0..<values.width {
                for j in max(y - radius, 0)...min(y + radius, values.height - 1) {
                    result.values[x: x, y: y] = choose(result.values[x: x, y: y], across[x: x, y: j])
                }
            }
        }
        return result
    }

    /// Smooths by the binomial 1 2 1 along both axes: without it, bilinear interpolation makes the cells visible.
    func smoothed() -> CellGrid {
        var result = self
        result.values = values.smoothed { ($0 + 2 * $1 + $2) / 4 }
        return result
    }
}

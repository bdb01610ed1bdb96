/// A slowly varying quantity of a picture (the light on it, the darkness of its print): one value for each square cell.
struct CellGrid {
    /// A value for each cell, row-major; the last row and column may be cut off by the picture's rim.
    var cells: Raster<Float>
    /// Side of a cell in pixels.
    let side: Int
    /// The picture's size.
    let size: PixelSize

    /// In each cell the brightness below which `share` of its pixels lie. O(pixels).
    /// - Parameter brightness: of a pixel, 0 to 255.
    init<Pixel>(
        of picture: Raster<Pixel>, side: Int, quantile share: Double, threading: Threading,
        brightness: @Sendable (Pixel) -> UInt8
    ) {
        self.side = side
        size = picture.size
        let (width, height) = (size.width, size.height)
        let columns = max((width + side - 1) / side, 1)
        let rows = max((height + side - 1) / side, 1)
        // A few hundred samples tell a quantile to a grey level or two.
        let step = max(side / 16, 1)
        cells = Raster(width: columns, height: rows) { output in
            let cells = SharedMemory(output)
            picture.elements.withUnsafeBufferPointer { pixels in
                let source = SharedMemory(pixels)
                forEachBand(of: 0..<rows, threading: threading, minimumRows: 2) { band in
                    var histogram = [Int](repeating: 0, count: 256)
                    for row in band {
                        for column in 0..<columns {
                            for value in 0..<256 { histogram[value] = 0 }
                            var count = 0
                            for y in stride(from: row * side, to: min((row + 1) * side, height), by: step) {
                                let end = y * width + min((column + 1) * side, width)
                                for index in stride(from: y * width + column * side, to: end, by: step) {
                                    histogram[Int(brightness(source.base[index]))] += 1
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
                            cells.base[row * columns + column] = Float(value)
                        }
                    }
                }
            }
        }
    }

    /// Calls `body` with each column's value in a row of the picture, bilinear between the cells' centres.
    @inline(__always)
    func forEachColumn(ofRow y: Int, _ body: (_ x: Int, _ value: Float) -> Void) {
        let v = min(max((Float(y) + 0.5) / Float(side) - 0.5, 0), Float(cells.height - 1))
        let top = Int(v)
        let bottom = min(top + 1, cells.height - 1)
        let t = v - Float(top)
        let row = (0..<cells.width).map { column in
            let upper = cells[x: column, y: top]
            return upper + (cells[x: column, y: bottom] - upper) * t
        }
        // From one cell's centre to the next the value changes by the same step.
        var x = 0
        for left in -1..<cells.width {
            let from = row[max(left, 0)]
            let to = row[min(left + 1, cells.width - 1)]
            let end = left == cells.width - 1 ? size.width : min((2 * left + 3) * side / 2, size.width)
            let step = (to - from) / Float(side)
            let center = (Float(left) + 0.5) * Float(side) - 0.5
            while x < end {
                body(x, from + (Float(x) - center) * step)
                x += 1
            }
        }
    }

    /// Each cell replaced by the greatest or least (`choose`) of the square of `2 radius + 1` cells around it.
    func filtered(radius: Int, _ choose: (Float, Float) -> Float) -> CellGrid {
        var across = cells
        for y in 0..<cells.height {
            for x in 0..<cells.width {
                for i in max(x - radius, 0)...min(x + radius, cells.width - 1) {
                    across[x: x, y: y] = choose(across[x: x, y: y], cells[x: i, y: y])
                }
            }
        }
        var result = self
        for y in 0..<cells.height {
            for x in 0..<cells.width {
                for j in max(y - radius, 0)...min(y + radius, cells.height - 1) {
                    result.cells[x: x, y: y] = choose(result.cells[x: x, y: y], across[x: x, y: j])
                }
            }
        }
        return result
    }

    /// Smoothed by the binomial 1 2 1 along both axes: without it bilinear interpolation shows the cells.
    func smoothed() -> CellGrid {
        var across = cells
        for y in 0..<cells.height {
            for x in 0..<cells.width {
                let (left, right) = (max(x - 1, 0), min(x + 1, cells.width - 1))
                across[x: x, y: y] =
                    (cells[x: left, y: y] + 2 * cells[x: x, y: y] + cells[x: right, y: y]) / 4
            }
        }
        var result = self
        for y in 0..<cells.height {
            let (above, below) = (max(y - 1, 0), min(y + 1, cells.height - 1))
            for x in 0..<cells.width {
                result.cells[x: x, y: y] =
                    (across[x: x, y: above] + 2 * across[x: x, y: y] + across[x: x, y: below]) / 4
            }
        }
        return result
    }
}

/// Memory of which each thread uses rows of its own.
struct SharedMemory<Pointer>: @unchecked Sendable {
    let base: Pointer
    init(_ base: Pointer) { self.base = base }
}

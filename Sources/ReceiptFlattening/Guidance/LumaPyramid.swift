internal import Imaging

/// A picture's brightness at its own size and at halves, quarters ... of it.
struct LumaPyramid: Sendable {
    /// The levels from fine to coarse; each pixel is the mean of four of the level before. A last odd row or column is left out.
    let levels: [GrayImage]

    /// Halves until the longer side has at most 48 pixels. O(pixels).
    init(_ image: RGBImage) {
        var levels = [image.gray()]
        while let last = levels.last, max(last.width, last.height) > 48, min(last.width, last.height) > 1 {
            levels.append(last.halved())
        }
        self.levels = levels
    }

    /// The size of the finest level.
    var size: PixelSize { levels[0].size }

    /// The level that is smaller than the finest by 2 to the power of `index`, or the coarsest that there is.
    func level(_ index: Int) -> GrayImage { levels[min(index, levels.count - 1)] }
}

extension Raster where Element == UInt8 {
    /// The means of blocks of 2 x 2 pixels, rounded.
    fileprivate func halved() -> GrayImage {
        let (columns, rows) = (width / 2, height / 2)
        return elements.withUnsafeBufferPointer { fine in
            GrayImage(width: columns, height: rows) { coarse in
                for y in 0..<rows {
                    let upper = 2 * y * width
                    let lower = upper + width
                    for x in 0..<columns {
                        let top = UInt16(fine[upper + 2 * x]) &+ UInt16(fine[upper + 2 * x + 1])
                        let bottom = UInt16(fine[lower + 2 * x]) &+ UInt16(fine[lower + 2 * x + 1])
                        coarse.initializeElement(
                            at: y * columns + x, to: UInt8(truncatingIfNeeded: (top &+ bottom &+ 2) >> 2))
                    }
                }
            }
        }
    }

    /// The brightness at a position, bilinear, held at the rim.
    func value(at point: SIMD2<Double>) -> Double {
        let x = min(max(point.x, 0), Double(width - 1))
        let y = min(max(point.y, 0), Double(height - 1))
        let (column, row) = (min(Int(x), max(width - 2, 0)), min(Int(y), max(height - 2, 0)))
        let (s, t) = (x - Double(column), y - Double(row))
        let (right, below) = (min(column + 1, width - 1), min(row + 1, height - 1))
        func at(_ x: Int, _ y: Int) -> Double { Double(elements[y * width + x]) }
        let top = at(column, row) * (1 - s) + at(right, row) * s
        let bottom = at(column, below) * (1 - s) + at(right, below) * s
        return top * (1 - t) + bottom * t
    }
}

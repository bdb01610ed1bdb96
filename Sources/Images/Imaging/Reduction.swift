import Parallelism

// Reduction of images by a whole factor.

extension Raster where Element == RGB {
    /// The means of blocks of `step` x `step` pixels, rounded; blocks cut off at the right and bottom edges use the pixels
    /// they have. O(pixels), one pass on all cores.
    ///
    /// First sums the columns of a band of rows, byte by byte, which compiles to vector additions; then sums across each
    /// block only once per band.
    /// - Precondition: `step` is 1 to 4096.
    package func blockMeans(_ step: Int) -> RGBImage {
        precondition(step >= 1 && step <= 4096, "a block has 1 to 4096 rows")
        let outputWidth = (width + step - 1) / step
        let outputHeight = (height + step - 1) / step
        let rowBytes = 3 * width
        return Raster(width: outputWidth, height: outputHeight) { output in
            let output = DisjointRows(output, rowLength: outputWidth)
            forEachBand(of: 0..<outputHeight, threading: .allCores) { bands in
                var sums = [UInt32](repeating: 0, count: rowBytes)
                withBytes { bytes in
                    sums.withUnsafeMutableBufferPointer { sums in
                        for band in bands {
                            let rows = (band * step)..<Swift.min(height, (band + 1) * step)
                            sums.update(repeating: 0)
                            var y = rows.lowerBound
                            // Four rows at a time: their sum fits into 16 bits and is widened only once.
                            while y + 4 <= rows.upperBound {
                                let four = UnsafeRawBufferPointer(
                                    rebasing: bytes[(y * rowBytes)..<((y + 4) * rowBytes)])
                                for x in 0..<rowBytes {
                                    let upper = UInt16(four[x]) &+ UInt16(four[x &+ rowBytes])
                                    let lower =
                                        UInt16(four[x &+ 2 &* rowBytes]) &+ UInt16(four[x &+ 3 &* rowBytes])
                                    sums[x] &+= UInt32(upper &+ lower)
                                }
                                y += 4
                            }
                            while y < rows.upperBound {
                                let row = UnsafeRawBufferPointer(
                                    rebasing: bytes[(y * rowBytes)..<((y + 1) * rowBytes)])
                                for x in 0..<rowBytes { sums[x] &+= UInt32(row[x]) }
                                y += 1
                            }
                            let row = output[band]
                            for block in 0..<outputWidth {
                                let columns = (block * step)..<Swift.min(width, (block + 1) * step)
                                row.initializeElement(
                                    at: block,
                                    to: Self.mean(of: sums, columns: columns, rows: rows.count))
                            }
                        }
                    }
                }
            }
        }
    }

    private static func mean(
        of sums: UnsafeMutableBufferPointer<UInt32>, columns: Range<Int>, rows: Int
    ) -> RGB {
        var (red, green, blue) = (UInt32(0), UInt32(0), UInt32(0))
        for x in columns {
            red &+= sums[3 * x]
            green &+= sums[3 * x + 1]
            blue &+= sums[3 * x + 2]
        }
        let count = UInt32(rows * columns.count)
        return RGB(
            red: UInt8((red &+ count / 2) / count), green: UInt8((green &+ count / 2) / count),
            blue: UInt8((blue &+ count / 2) / count))
    }
}

extension Raster where Element == UInt8 {
    /// The means of blocks of 2 x 2 pixels, rounded; a last odd row or column is left out. O(pixels).
    package func halved() -> GrayImage {
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
}

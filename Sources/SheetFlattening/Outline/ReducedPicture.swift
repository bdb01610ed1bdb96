package import Imaging

/// A picture made smaller by a whole factor, each pixel the mean of the block that it covers.
///
/// The sheet is looked for in such a picture, and its edge is followed down to the photograph afterwards.
package struct ReducedPicture: Sendable {
    /// The smaller picture. Blocks at the right and lower rim that are cut off count only their own pixels.
    package let image: RGBImage
    /// How many pixels of the photograph one pixel spans, at least 1.
    package let factor: Int

    /// Takes a picture as it is.
    package init(_ image: RGBImage) {
        self.image = image
        factor = 1
    }

    /// Reduces so that the longer side has at most `longestSide` pixels. O(pixels), one pass.
    /// - Precondition: `longestSide >= 1`.
    package init(reducing picture: ReducedPicture, toLongestSide longestSide: Int) {
        precondition(longestSide >= 1, "a picture has at least one pixel")
        let longest = max(picture.image.width, picture.image.height)
        let step = max(1, (longest + longestSide - 1) / longestSide)
        factor = picture.factor * step
        image = step == 1 ? picture.image : picture.image.blockMeans(step)
    }

    /// The position in the photograph of a position in this picture (pixel-centre coordinates of both).
    package func photographPoint(_ point: SIMD2<Double>) -> SIMD2<Double> {
        (point + 0.5) * Double(factor) - 0.5
    }

    /// The position in this picture of a position in the photograph.
    package func reducedPoint(_ point: SIMD2<Double>) -> SIMD2<Double> {
        (point + 0.5) / Double(factor) - 0.5
    }
}

extension Raster where Element == RGB {
    /// The means of blocks of `step` x `step` pixels, rounded.
    ///
    /// The columns of a band of rows are summed first, byte by byte, which compiles to vector additions; blocks are summed
    /// across only once a band.
    func blockMeans(_ step: Int) -> RGBImage {
        precondition(step >= 1 && step <= 4096, "a block has 1 to 4096 rows")
        let outputWidth = (width + step - 1) / step
        let outputHeight = (height + step - 1) / step
        let rowBytes = 3 * width
        return withBytes { bytes in
            Raster(width: outputWidth, height: outputHeight) { output in
                // Bands are disjoint.
                nonisolated(unsafe) let (bytes, output) = (bytes, output)
                forEachBand(of: 0..<outputHeight, threading: .allCores) { bands in
                    var sums = [UInt32](repeating: 0, count: rowBytes)
                    sums.withUnsafeMutableBufferPointer { sums in
                        for band in bands {
                            let rows = (band * step)..<Swift.min(height, (band + 1) * step)
                            sums.update(repeating: 0)
                            for y in rows {
                                let row = UnsafeRawBufferPointer(
                                    rebasing: bytes[(y * rowBytes)..<((y + 1) * rowBytes)])
                                for x in 0..<rowBytes { sums[x] &+= UInt32(row[x]) }
                            }
                            for block in 0..<outputWidth {
                                let columns = (block * step)..<Swift.min(width, (block + 1) * step)
                                output.initializeElement(
                                    at: band * outputWidth + block,
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

    /// The least and the greatest brightness within blocks of `step` x `step` pixels, 0 to 255.
    ///
    /// Their difference is large where there is print, or the grain of a table; the greatest is the paper's without the
    /// print. O(pixels).
    func lumaExtremes(_ step: Int) -> (least: [Float], greatest: [Float]) {
        precondition(step >= 1, "a block has at least one row")
        let columns = (width + step - 1) / step
        let rows = (height + step - 1) / step
        var least = [UInt8](repeating: 255, count: columns * rows)
        var greatest = [UInt8](repeating: 0, count: columns * rows)
        elements.withUnsafeBufferPointer { pixels in
            for y in 0..<height {
                let base = y / step * columns
                for block in 0..<columns {
                    var low = least[base + block]
                    var high = greatest[base + block]
                    for x in (block * step)..<Swift.min(width, (block + 1) * step) {
                        let luma = pixels[y * width + x].luma
                        low = Swift.min(low, luma)
                        high = Swift.max(high, luma)
                    }
                    least[base + block] = low
                    greatest[base + block] = high
                }
            }
        }
        return (least.map(Float.init), greatest.map(Float.init))
    }
}

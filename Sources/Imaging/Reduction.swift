// Smaller copies by whole factors, for steps that look at the whole picture and need no detail.

extension Raster where Element == RGB {
    /// The picture reduced by a whole factor: each pixel is the mean of `factor` x `factor`, rounded.
    ///
    /// Columns and rows that do not fill a block at the right and lower rim are averaged over what there is, so the
    /// result has ⌈width / factor⌉ x ⌈height / factor⌉ pixels. The centre of result pixel (0, 0) lies at
    /// (factor - 1) / 2 in this picture's coordinates. O(pixels), one pass.
    /// - Parameter factor: 1 ... 256.
    public func downsampled(by factor: Int, threading: Threading = .allCores) -> RGBImage {
        precondition((1...256).contains(factor), "a reduction's factor is 1 ... 256")
        guard factor > 1 else { return self }
        return withBytes { bytes in
            let size = Self.reducedSize(size, by: factor)
            return RGBImage(width: size.width, height: size.height) { output in
                let input = UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[...])
                UnsafeMutableRawBufferPointer(output).withMemoryRebound(to: UInt8.self) { output in
                    reduce(
                        input, width: width, height: height, channels: 3, by: factor, threading: threading,
                        into: output)
                }
            }
        }
    }
}

extension Raster where Element == UInt8 {
    /// The picture reduced by a whole factor: each pixel is the mean of `factor` x `factor`, rounded.
    ///
    /// As the colour picture's ``downsampled(by:threading:)``.
    /// - Parameter factor: 1 ... 256.
    public func downsampled(by factor: Int, threading: Threading = .allCores) -> GrayImage {
        precondition((1...256).contains(factor), "a reduction's factor is 1 ... 256")
        guard factor > 1 else { return self }
        return elements.withUnsafeBufferPointer { input in
            let size = Self.reducedSize(size, by: factor)
            return GrayImage(width: size.width, height: size.height) { output in
                reduce(
                    input, width: width, height: height, channels: 1, by: factor, threading: threading,
                    into: output)
            }
        }
    }
}

extension Raster {
    /// How large a picture is after reduction by a whole factor.
    static func reducedSize(_ size: PixelSize, by factor: Int) -> PixelSize {
        PixelSize(width: (size.width + factor - 1) / factor, height: (size.height + factor - 1) / factor)
    }
}

/// Block means of interleaved bytes.
private func reduce(
    _ input: UnsafeBufferPointer<UInt8>, width: Int, height: Int, channels: Int, by factor: Int,
    threading: Threading, into output: UnsafeMutableBufferPointer<UInt8>
) {
    guard let source = input.baseAddress, let target = output.baseAddress else { return }
    nonisolated(unsafe) let from = source
    nonisolated(unsafe) let to = target
    let columns = (width + factor - 1) / factor
    let rows = (height + factor - 1) / factor
    let rowBytes = width * channels
    forEachBand(of: 0..<rows, threading: threading, minimumRows: 8) { band in
        // Rows of a block are added up first, in one vector loop over the whole row; 256 rows of 255 fit 16 bits.
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: rowBytes) { sums in
            for row in band {
                let first = row * factor
                let count = min(factor, height - first)
                let line = from + first * rowBytes
                for i in 0..<rowBytes { sums[i] = UInt16(line[i]) }
                for next in 1..<max(count, 1) {
                    let line = from + (first + next) * rowBytes
                    for i in 0..<rowBytes { sums[i] &+= UInt16(line[i]) }
                }
                let result = to + row * columns * channels
                for column in 0..<columns {
                    let start = column * factor
                    let end = min(start + factor, width)
                    let area = UInt32((end - start) * count)
                    for channel in 0..<channels {
                        var sum = area / 2
                        var at = start * channels + channel
                        for _ in start..<end {
                            sum &+= UInt32(sums[at])
                            at += channels
                        }
                        result[column * channels + channel] = UInt8(truncatingIfNeeded: sum / area)
                    }
                }
            }
        }
    }
}

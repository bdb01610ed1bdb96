package import Imaging

extension GrayImage {
    /// Returns the image smoothed over three pixels, with weights of a quarter, a half and a quarter, across and down:
    /// a standard deviation of 0.7 pixels. The outermost pixels are smoothed along the edge only. O(pixels).
    ///
    /// The dots and ragged strokes of real print become letters again, and the paper's grain fades.
    package func smoothed() -> GrayImage {
        guard width > 2, height > 2 else { return self }
        var result = self
        var across = [UInt8](repeating: 0, count: elements.count)
        elements.withUnsafeBufferPointer { pixels in
            across.withUnsafeMutableBufferPointer { across in
                for row in stride(from: 0, to: pixels.count, by: width) {
                    across[row] = pixels[row]
                    across[row + width - 1] = pixels[row + width - 1]
                    for x in row + 1..<row + width - 1 {
                        across[x] = Self.mean(pixels[x - 1], pixels[x], pixels[x + 1])
                    }
                }
            }
        }
        across.withUnsafeBufferPointer { across in
            result.elements.withUnsafeMutableBufferPointer { result in
                for x in 0..<width { result[x] = across[x] }
                for x in across.count - width..<across.count { result[x] = across[x] }
                for x in width..<across.count - width {
                    result[x] = Self.mean(across[x - width], across[x], across[x + width])
                }
            }
        }
        return result
    }

    @inline(__always)
    private static func mean(_ before: UInt8, _ middle: UInt8, _ after: UInt8) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt16(before) &+ 2 &* UInt16(middle) &+ UInt16(after) &+ 2) &>> 2)
    }
}

// Pictures and maps from the buffers of a camera: rows with padding, channels in the sensor's order.

extension Raster {
    /// A raster from rows that may be padded, as cameras hand them over.
    /// - Parameters:
    ///   - rows: the bytes from the first row's first element on, row after row.
    ///   - width: columns.
    ///   - height: rows.
    ///   - bytesPerRow: bytes from the start of one row to the next, at least `width` elements.
    /// - Returns: nil if the bytes are too few for these sizes.
    /// - Complexity: O(width · height).
    public init?(rows: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int)
    where Element: BitwiseCopyable {
        let size = MemoryLayout<Element>.stride
        guard
            Self.holds(rows.count, width: width, height: height, bytesPerRow: bytesPerRow, elementSize: size)
        else {
            return nil
        }
        self.init(width: width, height: height) { elements in
            for y in 0..<height {
                for x in 0..<width {
                    elements.initializeElement(
                        at: y * width + x,
                        to: rows.loadUnaligned(fromByteOffset: y * bytesPerRow + x * size, as: Element.self))
                }
            }
        }
    }

    /// Whether a number of bytes is enough for rows of a length.
    fileprivate static func holds(
        _ count: Int, width: Int, height: Int, bytesPerRow: Int, elementSize: Int
    ) -> Bool {
        guard width > 0, height > 0, width <= Int(Int32.max), height <= Int(Int32.max),
            bytesPerRow <= Int(Int32.max)
        else { return false }
        return bytesPerRow >= width * elementSize && count >= (height - 1) * bytesPerRow + width * elementSize
    }
}

extension Raster where Element == RGB {
    /// A picture from rows of blue, green, red and a fourth byte that is not used (`kCVPixelFormatType_32BGRA`).
    /// - Parameters: see `init(rows:width:height:bytesPerRow:)`.
    /// - Returns: nil if the bytes are too few for these sizes.
    public init?(bgraRows rows: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int) {
        guard Self.holds(rows.count, width: width, height: height, bytesPerRow: bytesPerRow, elementSize: 4)
        else {
            return nil
        }
        self.init(width: width, height: height) { pixels in
            for y in 0..<height {
                for x in 0..<width {
                    let at = y * bytesPerRow + 4 * x
                    pixels.initializeElement(
                        at: y * width + x, to: RGB(red: rows[at + 2], green: rows[at + 1], blue: rows[at]))
                }
            }
        }
    }

    /// A picture without colour from its brightness, as the first plane of a video frame has it.
    package init(luma: GrayImage) {
        self = luma.map { RGB(red: $0, green: $0, blue: $0) }
    }
}

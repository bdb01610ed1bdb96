/// An image of black and white pixels, eight to a byte.
///
/// Rows follow one another, each padded with white to whole bytes. The first pixel of a byte is its highest bit; a set bit
/// is white, as in PNG and PDF.
package struct BilevelImage: Equatable, Sendable {
    /// The image's size in pixels.
    package let size: PixelSize
    /// All rows.
    package let bytes: [UInt8]

    /// Bytes of a row.
    package var bytesPerRow: Int { Self.bytesPerRow(width: size.width) }

    /// Converts a grey image; each pixel becomes black (0) or white (255), whichever is nearer. O(pixels).
    package init(_ image: GrayImage) {
        size = image.size
        let (width, stride) = (image.width, Self.bytesPerRow(width: image.width))
        bytes = image.elements.withUnsafeBufferPointer { pixels in
            [UInt8](unsafeUninitializedCapacity: stride * image.height) { output, count in
                for y in 0..<image.height {
                    for place in 0..<stride {
                        var byte: UInt8 = 0
                        for x in 8 * place..<8 * place + 8 {
                            let isWhite = x >= width || pixels[y * width + x] >= 128
                            byte = byte << 1 | (isWhite ? 1 : 0)
                        }
                        output[y * stride + place] = byte
                    }
                }
                count = stride * image.height
            }
        }
    }

    /// Whether a pixel is white.
    /// - Precondition: it lies in the image.
    package func isWhite(x: Int, y: Int) -> Bool {
        precondition((0..<size.width).contains(x) && (0..<size.height).contains(y), "the pixel lies outside")
        return bytes[y * bytesPerRow + x / 8] & (0x80 >> (x % 8)) != 0
    }

    private static func bytesPerRow(width: Int) -> Int { (width + 7) / 8 }
}

import Diagnostics
import Imaging
import LocalFiles

/// The sizes of the images that a file declares, for formats whose decoder reserves the declared memory before it reads
/// further.
enum DeclaredSize {
    /// The frames of a GIF (GIF89a specification, 1990): a decoder keeps one byte for each pixel of every frame.
    /// - Throws: `.badInput` for a file that ends before its first frame.
    static func framesOfGIF(_ bytes: [UInt8]) throws(FlatteningError) -> [PixelSize] {
        func number(_ at: Int) -> Int { at + 1 < bytes.count ? Int(bytes[at]) | Int(bytes[at + 1]) << 8 : 0 }
        /// Bytes of a colour table, from the flags that announce it.
        func tableLength(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
        func endOfBlocks(_ start: Int) -> Int {
            var position = start
            while position < bytes.count, bytes[position] != 0 { position += Int(bytes[position]) + 1 }
            return position + 1
        }
        var frames: [PixelSize] = []
        var position = bytes.count > 10 ? 13 + tableLength(bytes[10]) : bytes.count
        reading: while position < bytes.count {
            switch bytes[position] {
            case 0x21: position = endOfBlocks(position + 2)
            case 0x2C where position + 9 < bytes.count:
                frames.append(PixelSize(width: number(position + 5), height: number(position + 7)))
                // The minimum code length precedes the blocks.
                position = endOfBlocks(position + 10 + tableLength(bytes[position + 9]) + 1)
            default: break reading
            }
        }
        guard !frames.isEmpty else {
            throw FlatteningError(.badInput, "the GIF ends before its first picture", stage: .format)
        }
        return frames
    }

    /// The size of a JPEG 2000 code stream, alone or in its boxes: from its SIZ marker (ISO/IEC 15444-1, A.5.1), which
    /// decoders use, not from the box that states the size too.
    /// - Throws: `.badInput` for a file without one.
    static func ofJPEG2000(_ bytes: [UInt8]) throws(FlatteningError) -> PixelSize {
        let marker: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]
        let start = bytes.indices.first { bytes[$0] == 0xFF && bytes[$0...].starts(with: marker) }
        guard let start, start + 24 <= bytes.count else {
            throw FlatteningError(.badInput, "the JPEG 2000 file has no code stream", stage: .format)
        }
        func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
        // After the markers: length and capabilities of two bytes each, then the image's right and bottom, then its left
        // and top.
        let (right, bottom) = (number(start + 8), number(start + 12))
        let (left, top) = (number(start + 16), number(start + 20))
        return PixelSize(width: max(right - left, 0), height: max(bottom - top, 0))
    }
}

import Imaging

/// The information in a JPEG's markers, read without decoding: its metadata, and how much work decoding takes.
///
/// ITU-T T.81, Annex B. Reads only what is needed to refuse decompression bombs and to find EXIF; the decoder checks the
/// rest.
package struct JPEGStructure {
    /// The TIFF structure of the APP1 EXIF block, as a range of the file.
    package var exif: Range<Int>?
    /// JFIF density in pixels per metre, if it has a unit and is the same along both axes.
    package var pixelsPerMeter: Double?
    /// Number of SOS markers; counting stops at one past the limit.
    package var scanCount = 0
    /// Whether the end marker was found after the last scan.
    package var hasEnd = false
    /// Position after the end marker, where data appended by other programs begins; nil if there is no end marker.
    package var end: Int?
    /// The marker of the first frame header (0xC0 to 0xCF), 0 if there is none.
    package var frame: UInt8 = 0

    /// Whether the file uses arithmetic coding, which no camera writes.
    package var isArithmetic: Bool { frame >= 0xC9 && frame <= 0xCF }

    /// Reads the markers. O(bytes), one pass.
    package init(_ bytes: [UInt8], maximumScans: Int) {
        bytes.withUnsafeBufferPointer { walk($0, maximumScans: maximumScans) }
    }

    private mutating func walk(_ bytes: UnsafeBufferPointer<UInt8>, maximumScans: Int) {
        var position = 2
        while position + 1 < bytes.count {
            guard bytes[position] == 0xFF else {
                position += 1
                continue
            }
            let marker = bytes[position + 1]
            switch marker {
            case 0xFF:
                position += 1
                continue
            case 0x00, 0x01, 0xD0...0xD8:
                position += 2
                continue
            case 0xD9:
                hasEnd = true
                end = position + 2
                return
            default: break
            }
            guard position + 3 < bytes.count else { return }
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            let content = position + 4
            let end = position + 2 + length
            guard length >= 2, end <= bytes.count else { return }
            switch marker {
            case 0xE0 where pixelsPerMeter == nil:
                readDensity(bytes[content..<end])
            case 0xE1 where exif == nil:
                if bytes[content..<end].starts(with: Array("Exif".utf8) + [0, 0]) {
                    exif = content + 6..<end
                }
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                if frame == 0 { frame = marker }
            case 0xDA:
                scanCount += 1
                if scanCount > maximumScans { return }
            default: break
            }
            position = end
        }
    }

    private mutating func readDensity(_ block: Slice<UnsafeBufferPointer<UInt8>>) {
        let start = block.startIndex
        guard block.count >= 12, block.starts(with: Array("JFIF".utf8) + [0]) else { return }
        let x = Int(block[start + 8]) << 8 | Int(block[start + 9])
        let y = Int(block[start + 10]) << 8 | Int(block[start + 11])
        guard x == y && x > 0 else { return }
        switch block[start + 7] {
        case 1: pixelsPerMeter = Double(x) / Inch.meters
        case 2: pixelsPerMeter = Double(x) * 100
        default: break
        }
    }
}

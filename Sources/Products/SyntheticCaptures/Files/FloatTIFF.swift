import Foundation
import ImageFiles
import Imaging

/// Encodes a map of 32-bit floating-point values as a TIFF: one strip, little-endian, uncompressed (TIFF 6.0, SampleFormat
/// 3).
enum FloatTIFF {
    static func encode(_ map: Raster<Float>) -> [UInt8] {
        let pixelBytes = map.elements.count * 4
        // Tag, type (3 = 16 bits, 4 = 32 bits), value; sorted by tag, as the format requires.
        let entries: [(tag: UInt16, type: UInt16, value: UInt32)] = [
            (256, 4, UInt32(map.width)),  // ImageWidth
            (257, 4, UInt32(map.height)),  // ImageLength
            (258, 3, 32),  // BitsPerSample
            (259, 3, 1),  // Compression: none
            (262, 3, 1),  // PhotometricInterpretation: black is zero
            (273, 4, 8),  // StripOffsets: right after the header
            (277, 3, 1),  // SamplesPerPixel
            (278, 4, UInt32(map.height)),  // RowsPerStrip
            (279, 4, UInt32(pixelBytes)),  // StripByteCounts
            (339, 3, 3),  // SampleFormat: IEEE floating point
        ]
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 + pixelBytes + 6 + 12 * entries.count)
        bytes += Array("II".utf8)
        append(UInt16(42), to: &bytes)
        append(UInt32(8 + pixelBytes), to: &bytes)
        for value in map.elements { append(value.bitPattern, to: &bytes) }
        append(UInt16(entries.count), to: &bytes)
        for entry in entries {
            append(entry.tag, to: &bytes)
            append(entry.type, to: &bytes)
            append(UInt32(1), to: &bytes)
            append(entry.value, to: &bytes)
        }
        append(UInt32(0), to: &bytes)
        return bytes
    }

    private static func append<Value: FixedWidthInteger>(_ value: Value, to bytes: inout [UInt8]) {
        for byte in 0..<Value.bitWidth / 8 { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
    }
}

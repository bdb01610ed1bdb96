/// A TrueType font of two empty glyphs, for text that is searched and never seen: ".notdef", and one for all characters.
///
/// It has the tables that PDF requires (ISO 32000-1, 9.9), following the OpenType specification. An embedded font keeps the PDF
/// independent of the reader's fonts; tesseract's writer does the same.
enum GlyphlessFont {
    /// The font's name.
    static let name = "GlyphLessFont"
    /// The glyph that stands for every character.
    static let glyph: UInt16 = 1
    /// Units per em.
    static let unitsPerEm: UInt16 = 1000
    /// The advance width of each glyph, in units.
    static let advance: UInt16 = 600
    /// The height above the base line, in units; with `descent` it makes up the whole em.
    static let ascent: Int16 = 843
    /// The depth below the base line, in units; negative.
    static let descent: Int16 = -157

    /// The font's file.
    static let bytes: [UInt8] = {
        // Readers find tables by binary search, so they are sorted by name.
        let tables: [(name: String, bytes: [UInt8])] = [
            ("glyf", [0, 0, 0, 0]), ("head", head), ("hhea", horizontalHeader),
            ("hmtx", [advance, 0, advance, 0].bigEndianBytes),
            ("loca", [UInt16](repeating: 0, count: 3).bigEndianBytes),
            ("maxp", maximumProfile),
        ]
        // Number of tables, then values for the search: the largest power of two not above it times 16, its exponent, and the
        // rest.
        var file = [UInt8]([0x0001_0000 as UInt32].bigEndianBytes)
        file += [UInt16(tables.count), 64, 2, UInt16(tables.count * 16 - 64)].bigEndianBytes
        var data: [UInt8] = []
        for (name, bytes) in tables {
            let padded = bytes.paddedToWords
            file += Array(name.utf8)
            file +=
                [
                    padded.checksum, UInt32(12 + 16 * tables.count + data.count), UInt32(bytes.count),
                ].bigEndianBytes
            data += padded
        }
        file += data
        // The header's checksum entry is set last, so that the whole file adds up to a fixed number.
        let adjustment = (0xB1B0_AFBA as UInt32) &- file.checksum
        let place = 12 + 16 * tables.count + tables[0].bytes.paddedToWords.count + 8
        file.replaceSubrange(place..<place + 4, with: [adjustment].bigEndianBytes)
        return file
    }()

    private static var head: [UInt8] {
        [0x0001_0000, 0x0001_0000, 0, 0x5F0F_3CF5 as UInt32].bigEndianBytes
            // Flags, units per em, two timestamps of 8 bytes, the bounding box of all glyphs.
            + [0, unitsPerEm].bigEndianBytes + [UInt8](repeating: 0, count: 16)
            + [0, UInt16(bitPattern: descent), advance, UInt16(bitPattern: ascent)].bigEndianBytes
            // Style, smallest legible size, direction, short offsets in "loca", format of "glyf".
            + [0, 8, 2, 0, 0 as UInt16].bigEndianBytes
    }

    private static var horizontalHeader: [UInt8] {
        [0x0001_0000 as UInt32].bigEndianBytes
            + [UInt16(bitPattern: ascent), UInt16(bitPattern: descent), 0, advance].bigEndianBytes
            // Bearings, extent, caret (rise 1), four reserved, format, and the number of advances.
            + [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2 as UInt16].bigEndianBytes
    }

    /// Version and number of glyphs; the other counts are 0, except for the two zones that always exist.
    private static var maximumProfile: [UInt8] {
        [0x0001_0000 as UInt32].bigEndianBytes
            + [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0 as UInt16].bigEndianBytes
    }
}

extension [UInt8] {
    /// The bytes padded with zeros to a multiple of four.
    fileprivate var paddedToWords: [UInt8] { self + [UInt8](repeating: 0, count: (4 - count % 4) % 4) }

    /// The sum of all 4-byte words.
    fileprivate var checksum: UInt32 {
        stride(from: 0, to: count, by: 4).reduce(0) { sum, start in
            sum &+ self[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}

extension Array where Element: FixedWidthInteger {
    /// The numbers' bytes, highest byte first.
    var bigEndianBytes: [UInt8] {
        flatMap { number in unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe [UInt8]($0) } }
    }
}

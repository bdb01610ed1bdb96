/// Numbers as files hold them.
package enum Bytes {
    /// The lowest `count` bytes of a number, the lowest first.
    package static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// The lowest `count` bytes of a number, the highest of them first.
    package static func big(_ value: Int, _ count: Int = 4) -> [UInt8] { little(value, count).reversed() }

    /// The checksum of PNG and ZIP, bit by bit (PNG specification, annex D; PKWARE's APPNOTE, 4.4.7).
    package static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var remainder = UInt32.max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~remainder
    }
}

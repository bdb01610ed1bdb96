import ImageFiles

/// Several arrays in one file, readable by NumPy's `load`: a ZIP archive (APPNOTE 6.3) of stored .npy files.
struct ArrayArchive {
    private var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count: UInt16 = 0

    /// Adds an array.
    /// - Parameters:
    ///   - name: the array's name, without the extension.
    ///   - type: NumPy's name of the element type, such as "<f8".
    ///   - shape: the array's shape, row-major.
    ///   - elements: the elements' bytes, little-endian.
    mutating func add(_ name: String, type: String, shape: [Int], elements: [UInt8]) {
        let content = NPYWriter.header(type: type, shape: shape) + elements
        let file = Array((name + ".npy").utf8)
        let checksum = Self.checksum(content)
        // Version 2.0, no flags, stored, 1 January 1980 so that the same arrays give the same file.
        var common = little(UInt16(20)) + little(UInt16(0)) + little(UInt16(0))
        common += little(UInt16(0)) + little(UInt16(0x21)) + little(checksum)
        common += little(UInt32(content.count)) + little(UInt32(content.count))
        common += little(UInt16(file.count)) + little(UInt16(0))
        let offset = UInt32(bytes.count)
        bytes += little(UInt32(0x0403_4B50)) + common + file + content
        directory += little(UInt32(0x0201_4B50)) + little(UInt16(20)) + common
        directory += little(UInt16(0)) + little(UInt16(0)) + little(UInt16(0)) + little(UInt32(0))
        directory += little(offset) + file
        count += 1
    }

    /// The whole file.
    func encoded() -> [UInt8] {
        var end = little(UInt32(0x0605_4B50)) + little(UInt16(0)) + little(UInt16(0))
        end += little(count) + little(count) + little(UInt32(directory.count)) + little(UInt32(bytes.count))
        end += little(UInt16(0))
        return bytes + directory + end
    }

    private func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Returns the CRC-32 that ZIP requires (polynomial 0xEDB88320, reflected).
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        let table = (0..<256).map { index -> UInt32 in
            var value = UInt32(index)
            for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
            return value
        }
        var sum = UInt32.max
        for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
        return ~sum
    }
}

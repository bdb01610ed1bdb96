/// The fields of a TIFF structure in memory (EXIF, and the index of the Multi-Picture Format), in its byte order.
///
/// Positions count from the structure's start; anything outside it is nil.
struct TIFFFields<Bytes: RandomAccessCollection<UInt8>> {
    let bytes: Bytes
    let isLittleEndian: Bool

    init?(bytes: Bytes) {
        self.bytes = bytes
        guard bytes.count >= 8 else { return nil }
        let start = Array(bytes.prefix(4))
        switch start {
        case [0x49, 0x49, 0x2A, 0]: isLittleEndian = true
        case [0x4D, 0x4D, 0, 0x2A]: isLittleEndian = false
        default: return nil
        }
    }

    /// The tags of a directory that hold one SHORT or LONG; of duplicate tags the first is used.
    func entries(at position: Int?) -> [Int: Int] {
        guard let position, let count = uint16(at: position) else { return [:] }
        var found: [Int: Int] = [:]
        for index in 0..<count {
            let entry = position + 2 + index * 12
            guard let tag = uint16(at: entry), let type = uint16(at: entry + 2),
                let length = uint32(at: entry + 4)
            else { break }
            guard length == 1 else { continue }
            let value = type == 3 ? uint16(at: entry + 8) : type == 4 ? uint32(at: entry + 8) : nil
            if let value, found[tag] == nil { found[tag] = value }
        }
        return found
    }

    /// The range of the bytes of a tag of type UNDEFINED; nil if the tag is absent or its bytes are incomplete.
    func undefined(tag: Int, inDirectoryAt position: Int?) -> Range<Int>? {
        guard let position, let count = uint16(at: position) else { return nil }
        for index in 0..<count {
            let entry = position + 2 + index * 12
            guard let own = uint16(at: entry), let type = uint16(at: entry + 2),
                let length = uint32(at: entry + 4), let start = uint32(at: entry + 8)
            else { return nil }
            if own == tag, type == 7, length > 4, start + length <= bytes.count {
                return start..<start + length
            }
        }
        return nil
    }

    func uint16(at position: Int) -> Int? { integer(at: position, length: 2) }
    func uint32(at position: Int) -> Int? { integer(at: position, length: 4) }

    private func integer(at position: Int, length: Int) -> Int? {
        guard position >= 0, length <= bytes.count, position <= bytes.count - length else { return nil }
        let start = bytes.index(bytes.startIndex, offsetBy: position)
        var value = 0
        var index = start
        for step in 0..<length {
            let byte = Int(bytes[index])
            value = isLittleEndian ? value | byte << (8 * step) : value << 8 | byte
            index = bytes.index(after: index)
        }
        return value
    }
}

import Imaging

/// What is wanted of a picture's EXIF: its orientation and its lens.
///
/// EXIF is a TIFF structure; this reads just two of its directories, never outside `bytes`, and takes anything broken as
/// absent: metadata must not make a good picture unreadable.
struct ExifMetadata: Equatable {
    /// Tag 0x0112, nil if absent or not 1 to 8.
    var orientation: ImageOrientation?
    /// Tag 0xA405 in millimetres, nil if absent or 0.
    var focalLengthIn35mmFilm: Double?

    /// Nothing known.
    init() {}

    /// Reads a TIFF structure ("II*\0" or "MM\0*").
    init(tiff bytes: some RandomAccessCollection<UInt8>) {
        guard let reader = Reader(bytes: bytes) else { return }
        let main = reader.entries(at: reader.uint32(at: 4))
        orientation = main[0x0112].flatMap { ImageOrientation(rawValue: $0) }
        if let position = main[0x8769] {
            let exif = reader.entries(at: position)
            focalLengthIn35mmFilm = exif[0xA405].flatMap { $0 > 0 ? Double($0) : nil }
        }
    }

    /// Bounds-checked access in the structure's byte order.
    private struct Reader<Bytes: RandomAccessCollection<UInt8>> {
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

        /// The tags of a directory that hold one SHORT or LONG; the first of doubled tags counts.
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
}

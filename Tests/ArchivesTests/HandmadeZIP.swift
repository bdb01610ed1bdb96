import Foundation

/// A ZIP archive put together byte by byte (PKWARE's APPNOTE 6.3.10, 4.3): whatever its headers say.
struct HandmadeZIP {
    struct Entry {
        var name: [UInt8]
        var content: [UInt8]
        /// General purpose flags: 1 is encryption.
        var flags = 0
        var method = 0
        /// What the headers state; nil for the content's own.
        var size: Int?
        var packedSize: Int?
        /// The upper byte of "version made by" and the external attributes: 3 is Unix, its mode in the upper half.
        var system = 0
        var attributes = 0
        /// Where the content lies; nil for behind the entries before.
        var sharesContentOf: Int?

        init(_ name: String, _ content: [UInt8] = [1, 2, 3]) {
            (self.name, self.content) = (Array(name.utf8), content)
        }
    }

    var entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries }

    var bytes: [UInt8] {
        var file: [UInt8] = []
        var places: [Int] = []
        var directory: [UInt8] = []
        for entry in entries {
            let owner = entry.sharesContentOf.map { entries[$0] } ?? entry
            let packed = entry.packedSize ?? owner.content.count
            let common =
                Self.little(entry.flags, 2) + Self.little(entry.method, 2) + [0, 0, 0x21, 0x28]
                + Self.little(Int(Self.crc32(owner.content)), 4) + Self.little(packed, 4)
                + Self.little(entry.size ?? owner.content.count, 4) + Self.little(entry.name.count, 2) + [
                    0, 0,
                ]
            if let owner = entry.sharesContentOf {
                places.append(places[owner])
            } else {
                places.append(file.count)
                file += [0x50, 0x4B, 3, 4, 20, 0] + common + entry.name + entry.content
            }
            directory +=
                [0x50, 0x4B, 1, 2, 20, UInt8(entry.system), 20, 0] + common + [0, 0, 0, 0, 0, 0]
                + Self.little(entry.attributes, 4) + Self.little(places[places.count - 1], 4) + entry.name
        }
        let end =
            [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + Self.little(entries.count, 2) + Self.little(entries.count, 2)
            + Self.little(directory.count, 4) + Self.little(file.count, 4) + [0, 0]
        return file + directory + end
    }

    /// Calls `body` with the path of the archive, which is gone afterwards.
    func withFile<Result>(_ body: (String) throws -> Result) throws -> Result {
        let path = NSTemporaryDirectory() + "handmade-\(UUID().uuidString).zip"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return try body(path)
    }

    static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// 4.4.7, bit by bit.
    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var remainder = UInt32.max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~remainder
    }
}

import Foundation

/// A ZIP archive put together byte by byte (PKWARE's APPNOTE 6.3.10, 4.3): whatever its headers say.
package struct HandmadeZIP {
    package struct Entry {
        package var name: [UInt8]
        package var content: [UInt8]
        /// General purpose flags: 1 is encryption.
        package var flags = 0
        package var method = 0
        /// What the headers state; nil for the content's own.
        package var size: Int?
        package var packedSize: Int?
        /// The upper byte of "version made by" and the external attributes: 3 is Unix, its mode in the upper half.
        package var system = 0
        package var attributes = 0
        /// Where the content lies; nil for behind the entries before.
        package var sharesContentOf: Int?

        package init(_ name: String, _ content: [UInt8] = [1, 2, 3]) {
            (self.name, self.content) = (Array(name.utf8), content)
        }
    }

    package var entries: [Entry]

    package init(_ entries: [Entry]) { self.entries = entries }

    package var bytes: [UInt8] {
        var file: [UInt8] = []
        var places: [Int] = []
        var directory: [UInt8] = []
        for entry in entries {
            let owner = entry.sharesContentOf.map { entries[$0] } ?? entry
            let packed = entry.packedSize ?? owner.content.count
            let common =
                Bytes.little(entry.flags, 2) + Bytes.little(entry.method, 2) + [0, 0, 0x21, 0x28]
                + Bytes.little(Int(Bytes.crc32(owner.content)), 4) + Bytes.little(packed, 4)
                + Bytes.little(entry.size ?? owner.content.count, 4) + Bytes.little(entry.name.count, 2) + [
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
                + Bytes.little(entry.attributes, 4) + Bytes.little(places[places.count - 1], 4) + entry.name
        }
        let end =
            [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + Bytes.little(entries.count, 2) + Bytes.little(entries.count, 2)
            + Bytes.little(directory.count, 4) + Bytes.little(file.count, 4) + [0, 0]
        return file + directory + end
    }

    /// Calls `body` with the path of the archive, which is gone afterwards.
    package func withFile<Result>(_ body: (String) throws -> Result) throws -> Result {
        let folder = try ScratchFolder()
        try Data(bytes).write(to: URL(filePath: folder.path("handmade.zip")))
        return try body(folder.path("handmade.zip"))
    }
}

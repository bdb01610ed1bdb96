/// The metadata segments of one JPEG image within a file: XMP, and the index of the images after it.
package struct JPEGMetadata {
    /// The XMP packet of APP1.
    package private(set) var xmp: Range<Int>?
    /// The pieces of extended XMP, each with its identifier, the total length and the piece's offset.
    private(set) var extensions: [(identifier: [UInt8], total: Int, offset: Int, content: Range<Int>)] = []
    /// The TIFF structure of the Multi-Picture Format's index.
    private(set) var pictureIndex: Range<Int>?

    private static let xmpName = Array("http://ns.adobe.com/xap/1.0/".utf8) + [0]
    private static let extensionName = Array("http://ns.adobe.com/xmp/extension/".utf8) + [0]
    private static let indexName = Array("MPF".utf8) + [0]
    /// Most images read from an index: a preview, a gain map, depth and some mattes. An index can name thousands, all with
    /// the same bytes.
    private static let mostPictures = 32

    /// Reads the segments before the first scan of the image that begins at `picture.lowerBound`. O(segments).
    package init(_ bytes: [UInt8], of picture: Range<Int>) {
        var position = picture.lowerBound + 2
        while position + 3 < picture.upperBound, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            let end = position + 2 + (Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
            guard marker != 0xDA, end >= position + 4, end <= picture.upperBound else { return }
            let content = bytes[(position + 4)..<end]
            if marker == 0xE1, xmp == nil, content.starts(with: Self.xmpName) {
                xmp = content.startIndex + Self.xmpName.count..<end
            } else if marker == 0xE1, content.starts(with: Self.extensionName) {
                // Identifier (32 bytes), total length, offset of this piece.
                let start = content.startIndex + Self.extensionName.count
                if end - start >= 40 {
                    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
                    extensions.append(
                        (
                            Array(bytes[start..<start + 32]), number(start + 32), number(start + 36),
                            start + 40..<end
                        ))
                }
            } else if marker == 0xE2, pictureIndex == nil, content.starts(with: Self.indexName) {
                pictureIndex = content.startIndex + Self.indexName.count..<end
            }
            position = end
        }
    }

    /// The images that the index names after the first, in the file's order. Leaves out images outside the file, and those
    /// after the thirty-second.
    ///
    /// CIPA DC-007-2009, 5.2.3: tag 0xB002 holds 16 bytes per image: attribute, size, offset from the index's own start,
    /// two dependent images.
    package func pictures(in bytes: [UInt8]) -> [Range<Int>] {
        guard let index = pictureIndex, let reader = TIFFFields(bytes: bytes[index]),
            let entries = reader.undefined(tag: 0xB002, inDirectoryAt: reader.uint32(at: 4))
        else { return [] }
        let places = stride(from: entries.lowerBound, to: entries.upperBound - 15, by: 16)
        return places.prefix(Self.mostPictures).compactMap { entry in
            guard let size = reader.uint32(at: entry + 4), let offset = reader.uint32(at: entry + 8),
                offset > 0
            else { return nil }
            let start = index.lowerBound + offset
            guard size > 4, start + size <= bytes.count, bytes[start] == 0xFF, bytes[start + 1] == 0xD8 else {
                return nil
            }
            return start..<start + size
        }
    }

    /// Joins the extended XMP of an identifier; nil unless it is complete. Adobe's XMP specification, part 3.
    package func extendedXMP(identifier: String, in bytes: [UInt8]) -> [UInt8]? {
        let wanted = Array(identifier.utf8)
        let pieces = extensions.filter { $0.identifier == wanted }.sorted { $0.offset < $1.offset }
        var whole: [UInt8] = []
        for piece in pieces {
            guard piece.offset == whole.count else { return nil }
            whole += bytes[piece.content]
        }
        return whole.count == pieces.first?.total ? whole : nil
    }
}

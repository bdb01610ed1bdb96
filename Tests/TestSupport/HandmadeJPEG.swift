/// Metadata put into a JPEG that is whole: segments behind its first marker (ITU-T T.81, B.1.1.4).
package enum HandmadeJPEG {
    package static func inserting(_ segments: [UInt8], into jpeg: [UInt8]) -> [UInt8] {
        Array(jpeg.prefix(2)) + segments + jpeg.dropFirst(2)
    }

    package static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }

    /// The segment of an XMP packet.
    package static func xmp(_ packet: String) -> [UInt8] {
        segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8))
    }

    /// A packet with properties of Google's depth map.
    package static func gdepth(_ properties: [String: String]) -> [UInt8] {
        let attributes = properties.sorted { $0.key < $1.key }.map { "g:\($0.key)=\"\($0.value)\"" }
        return xmp(
            "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><r:Description "
                + "xmlns:g='http://ns.google.com/photos/1.0/depthmap/' "
                + attributes.joined(separator: " ") + "/></r:RDF>")
    }

    /// The index of CIPA DC-007, big-endian: one entry for each picture, its size and its place counted from the index.
    package static func pictureIndex(_ pictures: [(size: Int, offset: Int)]) -> [UInt8] {
        var index: [UInt8] = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1]
        index += [0xB0, 0x02, 0, 7] + Bytes.big(16 * pictures.count) + Bytes.big(26) + [0, 0, 0, 0]
        for picture in pictures {
            index += [0, 0, 0, 0] + Bytes.big(picture.size) + Bytes.big(picture.offset) + [0, 0, 0, 0]
        }
        return segment(0xE2, Array("MPF\0".utf8) + index)
    }
}

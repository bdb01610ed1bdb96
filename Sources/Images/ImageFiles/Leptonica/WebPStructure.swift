import Imaging

/// The parts of a WebP file (RFC 9649, 2.7): Leptonica reads still pictures alone.
struct WebPStructure {
    /// A part: its name and where its content stands.
    private struct Chunk {
        let name: String
        let content: Range<Int>
    }

    private let bytes: [UInt8]
    private let chunks: [Chunk]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // "RIFF", a length, "WEBP".
        chunks = Self.chunks(of: bytes, in: 12..<max(bytes.count, 12))
    }

    /// Chunks of a name, a length and an even number of bytes; up to the first that does not lie within.
    private static func chunks(of bytes: [UInt8], in range: Range<Int>) -> [Chunk] {
        var found: [Chunk] = []
        var position = range.lowerBound
        while position + 8 <= range.upperBound {
            let length = bytes[position + 4..<position + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            let content = position + 8
            guard length <= range.upperBound - content else { break }
            found.append(
                Chunk(
                    name: String(decoding: bytes[position..<position + 4], as: UTF8.self),
                    content: content..<content + length))
            position = content + length + length % 2
        }
        return found
    }

    /// The turn that EXIF asks for; none where there is none, or a broken one.
    var orientation: ImageOrientation {
        guard let block = chunks.first(where: { $0.name == "EXIF" }) else { return .up }
        var tiff = bytes[block.content]
        // Some programs put JPEG's name of the block before it.
        if tiff.starts(with: Array("Exif\0\0".utf8)) { tiff = tiff.dropFirst(6) }
        return ExifMetadata(tiff: tiff).orientation ?? .up
    }

    /// How many pictures a moving one has; 0 for a still one.
    var frameCount: Int { chunks.count { $0.name == "ANMF" } }

    /// The first picture of a moving one as a file of its own; nil for a still one, and a broken one.
    var firstFrame: [UInt8]? {
        // Before a frame's own chunks stand its place, size, time and flags: 16 bytes.
        guard let frame = chunks.first(where: { $0.name == "ANMF" }), frame.content.count > 16 else {
            return nil
        }
        let parts = Self.chunks(of: bytes, in: frame.content.dropFirst(16)).filter {
            ["ALPH", "VP8 ", "VP8L"].contains($0.name)
        }
        guard let picture = parts.last, picture.name != "ALPH" else { return nil }
        var body = Array("WEBP".utf8)
        if parts.contains(where: { $0.name == "ALPH" }) {
            // A header that tells of transparency, with the frame's size.
            let size = bytes[frame.content.lowerBound + 6..<frame.content.lowerBound + 12]
            body += Array("VP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0] + size
        }
        for part in parts {
            body += bytes[part.content.lowerBound - 8..<part.content.upperBound]
            if part.content.count % 2 == 1 { body.append(0) }
        }
        let length = body.count
        return Array("RIFF".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + body
    }
}

import Imaging

/// The parts of a WebP file (RFC 9649, 2.7): Leptonica reads still pictures alone.
struct WebPStructure {
    /// Where a part's name stands, and its content.
    private struct Chunk {
        let name: String
        let start: Int
        let content: Range<Int>
    }

    private let bytes: [UInt8]
    /// The first picture of a moving one, and what says how it was taken.
    private var (frame, exif): (Chunk?, Chunk?)
    /// How many pictures a moving one has; 0 for a still one.
    private(set) var frameCount = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // "RIFF", a length, "WEBP".
        Self.visit(bytes, in: 12..<max(bytes.count, 12)) { chunk in
            switch chunk.name {
            case "ANMF":
                frameCount += 1
                frame = frame ?? chunk
            case "EXIF": exif = exif ?? chunk
            default: break
            }
        }
    }

    /// Chunks of a name, a length and an even number of bytes, one after the other, up to the first that does not lie within.
    private static func visit(_ bytes: [UInt8], in range: Range<Int>, _ body: (Chunk) -> Void) {
        var position = range.lowerBound
        while position + 8 <= range.upperBound {
            let length = bytes[position + 4..<position + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            let content = position + 8
            guard length <= range.upperBound - content else { return }
            let name = String(decoding: bytes[position..<position + 4], as: UTF8.self)
            body(Chunk(name: name, start: position, content: content..<content + length))
            position = content + length + length % 2
        }
    }

    /// The turn that EXIF asks for; none where there is none, or a broken one.
    var orientation: ImageOrientation {
        guard let exif else { return .up }
        var tiff = bytes[exif.content]
        // Some programs put JPEG's name of the block before it.
        if tiff.starts(with: Array("Exif\0\0".utf8)) { tiff = tiff.dropFirst(6) }
        return ExifMetadata(tiff: tiff).orientation ?? .up
    }

    /// The first picture of a moving one as a file of its own; nil for a still one, and a broken one.
    var firstFrame: [UInt8]? {
        // Before a frame's own chunks stand its place, size, time and flags: 16 bytes.
        guard let frame, frame.content.count > 16 else { return nil }
        var (transparency, picture): (Chunk?, Chunk?)
        Self.visit(bytes, in: frame.content.dropFirst(16)) { chunk in
            switch chunk.name {
            case "ALPH": transparency = transparency ?? chunk
            case "VP8 ", "VP8L": picture = picture ?? chunk
            default: break
            }
        }
        guard let picture else { return nil }
        var body = Array("WEBP".utf8)
        if transparency != nil {
            // A header that tells of transparency, with the frame's size.
            let size = bytes[frame.content.lowerBound + 6..<frame.content.lowerBound + 12]
            body += Array("VP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0] + size
        }
        for part in [transparency, picture].compactMap(\.self) {
            body += bytes[part.start..<part.content.upperBound]
            if part.content.count % 2 == 1 { body.append(0) }
        }
        let length = body.count
        return Array("RIFF".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + body
    }
}

import Imaging

/// The parts of a WebP file (RFC 9649, 2.7), needed because Leptonica reads only still images.
struct WebPStructure {
    /// The name, start and content of a part.
    private struct Chunk {
        let name: String
        let start: Int
        let content: Range<Int>
    }

    private let bytes: [UInt8]
    /// The first frame of an animation, and the EXIF part.
    private var (frame, exif): (Chunk?, Chunk?)
    /// Number of frames of an animation; 0 for a still image.
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

    /// Visits chunks (a name, a length and an even number of bytes) in order, up to the first that does not lie within the
    /// range.
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

    /// The turn that EXIF asks for; `.up` if EXIF is absent or broken.
    var orientation: ImageOrientation {
        guard let exif else { return .up }
        var tiff = bytes[exif.content]
        // Some programs put JPEG's name of the EXIF block before it.
        if tiff.starts(with: Array("Exif\0\0".utf8)) { tiff = tiff.dropFirst(6) }
        return ExifMetadata(tiff: tiff).orientation ?? .up
    }

    /// The first frame of an animation as a file of its own; nil for a still image or a broken frame.
    var firstFrame: [UInt8]? {
        // A frame's own chunks come after its position, size, duration and flags: 16 bytes.
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
            // A header that announces transparency, with the frame's size.
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

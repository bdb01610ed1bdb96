/// A PNG put together byte by byte, with nothing of the code under test: any kind of pixels, interlaced or not, and any
/// fault. Rows are unfiltered and deflate only stores (PNG specification, 3rd ed.; RFC 1950, RFC 1951).
package struct HandmadePNG {
    package var width: Int
    package var height: Int
    package var bitDepth: Int
    package var colorType: Int
    package var isInterlaced = false
    /// The value of a channel of a pixel, below 2^bitDepth.
    package var sample: (_ x: Int, _ y: Int, _ channel: Int) -> Int
    /// Chunks between the header and the pixels: palette, transparency, gamma.
    package var chunks: [(kind: String, data: [UInt8])] = []
    package var hasPixels = true
    /// The compressed data instead of the rows.
    package var stream: [UInt8]?
    /// Bytes that the stream unpacks to after the last row.
    package var surplus: [UInt8] = []
    /// What stands in the chunk of pixels after its stream.
    package var trailer: [UInt8] = []

    /// A picture without further chunks, each sample from its place.
    package init(
        width: Int, height: Int, bitDepth: Int, colorType: Int, isInterlaced: Bool = false,
        sample: @escaping (_ x: Int, _ y: Int, _ channel: Int) -> Int
    ) {
        (self.width, self.height, self.bitDepth, self.colorType) = (width, height, bitDepth, colorType)
        (self.isInterlaced, self.sample) = (isInterlaced, sample)
    }

    package var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1 }

    package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The fifteen pairs of colour type and bit depth that there are (11.2.1, table 11.1).
    package static let kinds: [(colorType: Int, bitDepth: Int)] =
        [1, 2, 4, 8, 16].map { (0, $0) } + [8, 16].map { (2, $0) } + [1, 2, 4, 8].map { (3, $0) }
        + [8, 16].map { (4, $0) } + [8, 16].map { (6, $0) }

    package var bytes: [UInt8] {
        let header =
            Bytes.big(width) + Bytes.big(height)
            + [UInt8(bitDepth), UInt8(colorType), 0, 0, isInterlaced ? 1 : 0]
        var file = Self.signature + Self.chunk("IHDR", header)
        for (kind, data) in chunks { file += Self.chunk(kind, data) }
        if hasPixels { file += Self.chunk("IDAT", (stream ?? Self.stored(rows + surplus)) + trailer) }
        return file + Self.chunk("IEND", [])
    }

    /// Adam7's passes: where each starts, and its steps (8.2).
    private static let passes: [(x: Int, y: Int, dx: Int, dy: Int)] = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]

    private var rows: [UInt8] {
        var rows: [UInt8] = []
        for pass in isInterlaced ? Self.passes : [(x: 0, y: 0, dx: 1, dy: 1)] where pass.x < width {
            for y in stride(from: pass.y, to: height, by: pass.dy) {
                rows.append(0)
                rows += row(y, from: pass.x, by: pass.dx)
            }
        }
        return rows
    }

    private func row(_ y: Int, from start: Int, by step: Int) -> [UInt8] {
        var row: [UInt8] = []
        var held = 0
        var heldBits = 0
        for x in stride(from: start, to: width, by: step) {
            for channel in 0..<channels {
                held = held << bitDepth | sample(x, y, channel)
                heldBits += bitDepth
                while heldBits >= 8 {
                    heldBits -= 8
                    row.append(UInt8(held >> heldBits & 0xFF))
                }
                held &= (1 << heldBits) - 1
            }
        }
        return heldBits > 0 ? row + [UInt8(held << (8 - heldBits) & 0xFF)] : row
    }

    // MARK: - Parts

    /// A chunk: length, kind, data, checksum.
    package static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(kind.utf8) + data
        return Bytes.big(data.count) + content + Bytes.big(Int(Bytes.crc32(content)))
    }

    /// A zlib stream of stored blocks.
    private static func stored(_ content: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = content[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
        } while !rest.isEmpty
        var (a, b) = (1, 0)
        for byte in content {
            a = (a + Int(byte)) % 65521
            b = (b + a) % 65521
        }
        return stream + Bytes.big(b << 16 | a)
    }

    /// The beginning of a zlib stream of some length that unpacks to zeros, 159 for each byte: a literal and then copies of
    /// 258 bytes from one byte back, 13 bits each by the fixed code (RFC 1951, 3.2.6).
    package static func endlessZeros(_ count: Int) -> [UInt8] {
        let literal = [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
        let copy = [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]
        func byte(_ index: Int) -> UInt8 {
            (0..<8).reduce(0) { value, bit in
                let place = 8 * index + bit
                let set = place < literal.count ? literal[place] : copy[(place - literal.count) % copy.count]
                return value | UInt8(set << bit)
            }
        }
        let head = [0, 1].map(byte)
        let period = (2..<2 + copy.count).map(byte)
        return [0x78, 0x01] + head + (0..<max(count - 4, 0)).map { period[$0 % period.count] }
    }
}

/// An uncompressed little-endian TIFF of one strip, put together byte by byte (TIFF 6.0, section 2): whatever its tags say.
package struct HandmadeTIFF {
    package var width: Int
    package var height: Int
    /// Bits of one sample.
    package var bits: Int
    package var samples = 1
    /// PhotometricInterpretation: 1 grey, 2 RGB, 3 palette, 5 CMYK.
    package var photometric = 1
    /// SampleFormat: 1 unsigned, 2 signed, 3 floating point.
    package var format = 1
    package var isPlanar = false
    /// Further tags, of 16-bit values.
    package var tags: [Int: [Int]] = [:]
    package var pixels: [UInt8]

    /// A picture of these kinds of sample, without further tags.
    package init(
        width: Int, height: Int, bits: Int, samples: Int = 1, photometric: Int = 1, format: Int = 1,
        isPlanar: Bool = false, pixels: [UInt8]
    ) {
        (self.width, self.height, self.bits, self.samples) = (width, height, bits, samples)
        (self.photometric, self.format, self.isPlanar, self.pixels) = (photometric, format, isPlanar, pixels)
    }

    package var bytes: [UInt8] {
        let short = 3
        let long = 4
        var entries: [(tag: Int, type: Int, values: [Int])] = [
            (256, long, [width]), (257, long, [height]), (258, short, Array(repeating: bits, count: samples)),
            (259, short, [1]), (262, short, [photometric]), (273, long, []), (277, short, [samples]),
            (278, long, [height]), (279, long, []), (284, short, [isPlanar ? 2 : 1]),
            (339, short, Array(repeating: format, count: samples)),
        ]
        entries += tags.map { ($0.key, short, $0.value) }
        entries.sort { $0.tag < $1.tag }
        // Header, directory, the values that do not fit into it, pixels.
        let directory = 2 + entries.count * 12 + 4
        var outside: [UInt8] = []
        let strips = isPlanar ? samples : 1
        func size(_ entry: (tag: Int, type: Int, values: [Int])) -> Int {
            let count = [273, 279].contains(entry.tag) ? strips : entry.values.count
            return count * (entry.type == long ? 4 : 2)
        }
        let firstPixel = 8 + directory + entries.map(size).filter { $0 > 4 }.reduce(0, +)
        var file: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0] + Bytes.little(entries.count, 2)
        for entry in entries {
            let stripBytes = pixels.count / strips
            let values =
                switch entry.tag {
                case 273: (0..<strips).map { firstPixel + $0 * stripBytes }
                case 279: Array(repeating: stripBytes, count: strips)
                default: entry.values
                }
            let content = values.flatMap { Bytes.little($0, entry.type == long ? 4 : 2) }
            file += Bytes.little(entry.tag, 2) + Bytes.little(entry.type, 2) + Bytes.little(values.count, 4)
            if content.count <= 4 {
                file += content + [UInt8](repeating: 0, count: 4 - content.count)
            } else {
                file += Bytes.little(8 + directory + outside.count, 4)
                outside += content
            }
        }
        return file + [0, 0, 0, 0] + outside + pixels
    }
}

extension Raster where Element == RGB {
    /// Creates an image from interleaved bytes, row after row, without padding. O(pixels).
    /// - Parameters:
    ///   - rgb: red, green, blue of each pixel; exactly 3 · width · height bytes.
    ///   - width: columns.
    ///   - height: rows.
    /// - Precondition: the number of bytes matches the size.
    public init(rgb: some Collection<UInt8>, width: Int, height: Int) {
        self.init(bytes: rgb, stride: 3, width: width, height: height)
    }

    /// Creates an image from interleaved bytes with an ignored fourth channel, row after row, without padding. O(pixels).
    /// - Parameters:
    ///   - rgba: red, green, blue, alpha of each pixel; exactly 4 · width · height bytes.
    ///   - width: columns.
    ///   - height: rows.
    /// - Precondition: the number of bytes matches the size.
    public init(rgba: some Collection<UInt8>, width: Int, height: Int) {
        self.init(bytes: rgba, stride: 4, width: width, height: height)
    }

    private init(bytes: some Collection<UInt8>, stride: Int, width: Int, height: Int) {
        precondition(
            width >= 0 && height >= 0 && bytes.count == stride * width * height, "bytes of whole pixels")
        let bytes = Array(bytes)
        self.init(
            width: width, height: height,
            elements: (0..<width * height).map {
                RGB(red: bytes[stride * $0], green: bytes[stride * $0 + 1], blue: bytes[stride * $0 + 2])
            })
    }

    /// Red, green, blue and 255 of each pixel, row after row without padding. O(pixels).
    public func rgbaBytes() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 4 * elements.count) { bytes, count in
            for (index, pixel) in elements.enumerated() {
                bytes[4 * index] = pixel.red
                bytes[4 * index + 1] = pixel.green
                bytes[4 * index + 2] = pixel.blue
                bytes[4 * index + 3] = 255
            }
            count = bytes.count
        }
    }
}

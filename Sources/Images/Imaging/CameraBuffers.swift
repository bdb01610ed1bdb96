// Images and maps from camera buffers: rows with padding, channels in the sensor's order.

extension Raster {
    /// Creates a raster from rows that may be padded, as cameras deliver them.
    /// - Parameters:
    ///   - rows: the bytes from the first element of the first row, row after row.
    ///   - width: columns.
    ///   - height: rows.
    ///   - bytesPerRow: bytes from the start of one row to the next, at least `width` elements.
    /// - Returns: nil if the bytes are too few for these sizes.
    /// - Complexity: O(width · height).
    public init?(rows: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int)
    where Element: BitwiseCopyable {
        let size = MemoryLayout<Element>.stride
        guard
            Self.holds(rows.count, width: width, height: height, bytesPerRow: bytesPerRow, elementSize: size)
        else {
            return nil
        }
        self.init(width: width, height: height) { elements in
            for y in 0..<height {
                for x in 0..<width {
                    elements.initializeElement(
                        at: y * width + x,
                        to: rows.loadUnaligned(fromByteOffset: y * bytesPerRow + x * size, as: Element.self))
                }
            }
        }
    }

    /// Whether `count` bytes suffice for the rows.
    fileprivate static func holds(
        _ count: Int, width: Int, height: Int, bytesPerRow: Int, elementSize: Int
    ) -> Bool {
        guard width > 0, height > 0, width <= Int(Int32.max), height <= Int(Int32.max),
            bytesPerRow <= Int(Int32.max)
        else { return false }
        return bytesPerRow >= width * elementSize && count >= (height - 1) * bytesPerRow + width * elementSize
    }
}

extension Raster where Element == Float {
    /// Creates a raster from rows of 16-bit numbers (IEEE 754 binary16), as phones deliver depth and disparity
    /// (`kCVPixelFormatType_DepthFloat16`, `_DisparityFloat16`).
    /// - Parameters: see `init(rows:width:height:bytesPerRow:)`.
    /// - Returns: nil if the bytes are too few for these sizes.
    public init?(halfFloatRows rows: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int) {
        guard
            let bits = Raster<UInt16>(rows: rows, width: width, height: height, bytesPerRow: bytesPerRow)
        else { return nil }
        self = bits.map(SmallFloat.float(half:))
    }
}

/// A video frame in two planes: brightness, and colour at half the size in each direction, blue before red
/// (`kCVPixelFormatType_420YpCbCr8BiPlanarFullRange`, "420f", and `...VideoRange`, "420v").
public struct BiPlanarFrame {
    /// Which values stand for black and white.
    public enum Levels: Sendable {
        /// 0 to 255, "420f".
        case full
        /// 16 to 235, colour 16 to 240, "420v".
        case video
    }

    /// How brightness is computed from the colours, as stated by the buffer's attachment `CVImageBufferYCbCrMatrix`.
    public enum Matrix: Sendable {
        /// ITU-R BT.601, of still pictures.
        case bt601
        /// ITU-R BT.709, of most video.
        case bt709

        /// The weights of red and blue in brightness.
        fileprivate var weights: (red: Double, blue: Double) {
            switch self {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            }
        }
    }

    /// The bytes of the brightness plane, row after row, one byte per pixel.
    public var luma: UnsafeRawBufferPointer
    /// Bytes from the start of one brightness row to the next.
    public var lumaBytesPerRow: Int
    /// The bytes of the colour plane: one byte of blue and one of red for each 2 x 2 pixels of the image.
    public var chroma: UnsafeRawBufferPointer
    /// Bytes from the start of one colour row to the next.
    public var chromaBytesPerRow: Int
    /// Columns and rows of the image.
    public var size: PixelSize
    /// Which values stand for black and white.
    public var levels: Levels
    /// How brightness is computed from the colours.
    public var matrix: Matrix

    /// Creates a frame from its planes; their bytes are read only when an image is made from the frame.
    public init(
        luma: UnsafeRawBufferPointer, lumaBytesPerRow: Int, chroma: UnsafeRawBufferPointer,
        chromaBytesPerRow: Int, size: PixelSize, levels: Levels, matrix: Matrix
    ) {
        (self.luma, self.lumaBytesPerRow) = (luma, lumaBytesPerRow)
        (self.chroma, self.chromaBytesPerRow) = (chroma, chromaBytesPerRow)
        (self.size, self.levels, self.matrix) = (size, levels, matrix)
    }
}

extension Raster where Element == RGB {
    /// Creates an image from a video frame in two planes; two columns and rows share their colour.
    /// - Returns: nil if the bytes are too few for its size.
    /// - Complexity: O(width · height).
    public init?(_ frame: BiPlanarFrame) {
        let (width, height) = (frame.size.width, frame.size.height)
        guard
            Self.holds(
                frame.luma.count, width: width, height: height, bytesPerRow: frame.lumaBytesPerRow,
                elementSize: 1),
            Self.holds(
                frame.chroma.count, width: (width + 1) / 2, height: (height + 1) / 2,
                bytesPerRow: frame.chromaBytesPerRow, elementSize: 2)
        else { return nil }
        // 16-bit fixed point: the change per step of each value.
        func fixed(_ value: Double) -> Int32 { Int32((value * 65_536).rounded()) }
        let (red, blue) = frame.matrix.weights
        let green = 1 - red - blue
        let (black, unit, swing) =
            switch frame.levels {
            case .full: (Int32(0), 1.0, 1.0)
            case .video: (Int32(16), 255.0 / 219, 255.0 / 224)
            }
        let ofLuma = fixed(unit)
        let redOfRed = fixed(2 * (1 - red) * swing)
        let blueOfBlue = fixed(2 * (1 - blue) * swing)
        let greenOfRed = fixed(-2 * (1 - red) * red / green * swing)
        let greenOfBlue = fixed(-2 * (1 - blue) * blue / green * swing)
        func byte(_ value: Int32) -> UInt8 { UInt8(clamping: (value + 32_768) >> 16) }
        self.init(width: width, height: height) { pixels in
            for y in 0..<height {
                let (row, colours) = (y * frame.lumaBytesPerRow, y / 2 * frame.chromaBytesPerRow)
                for x in 0..<width {
                    let brightness = (Int32(frame.luma[row + x]) - black) * ofLuma
                    let cb = Int32(frame.chroma[colours + (x & ~1)]) - 128
                    let cr = Int32(frame.chroma[colours + (x | 1)]) - 128
                    pixels.initializeElement(
                        at: y * width + x,
                        to: RGB(
                            red: byte(brightness + redOfRed * cr),
                            green: byte(brightness + greenOfRed * cr + greenOfBlue * cb),
                            blue: byte(brightness + blueOfBlue * cb)))
                }
            }
        }
    }

    /// Creates an image from rows of blue, green, red and an unused fourth byte (`kCVPixelFormatType_32BGRA`).
    /// - Parameters: see `init(rows:width:height:bytesPerRow:)`.
    /// - Returns: nil if the bytes are too few for these sizes.
    public init?(bgraRows rows: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int) {
        guard Self.holds(rows.count, width: width, height: height, bytesPerRow: bytesPerRow, elementSize: 4)
        else {
            return nil
        }
        self.init(width: width, height: height) { pixels in
            for y in 0..<height {
                for x in 0..<width {
                    let at = y * bytesPerRow + 4 * x
                    pixels.initializeElement(
                        at: y * width + x, to: RGB(red: rows[at + 2], green: rows[at + 1], blue: rows[at]))
                }
            }
        }
    }

    /// Creates a colourless image from its brightness, such as the first plane of a video frame.
    package init(luma: GrayImage) {
        self = luma.map { RGB(red: $0, green: $0, blue: $0) }
    }
}

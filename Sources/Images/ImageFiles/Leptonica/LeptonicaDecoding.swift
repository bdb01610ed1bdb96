import CLeptonica
import Diagnostics
import Imaging
import LocalFiles
import RuntimeLibraries

/// Decodes WebP, GIF, BMP and JPEG 2000 images, by Leptonica if it is installed.
enum LeptonicaDecoding {
    static let formats: Set<ImageFileFormat> = [.webp, .gif, .bmp, .jpeg2000]

    private static let stage = FlatteningError.Stage.format

    /// Most bytes that decoding takes for each pixel: Leptonica's image in 32 bits and another without transparency.
    /// OpenJPEG keeps three to four channels of 32 bits in addition.
    private static let bytesOfPixel = 12
    private static let bytesOfJPEG2000Pixel = 32

    /// Decodes the image, or the first frame of several; transparency is laid over white.
    static func color(
        _ bytes: [UInt8], format: ImageFileFormat, limits: FlatteningLimits
    ) throws(FlatteningError) -> ColorPicture {
        let leptonica = try LeptonicaLibrary.shared.load()
        let webP = format == .webp ? WebPStructure(bytes) : nil
        let bytes = webP?.firstFrame ?? bytes
        let sizes: [PixelSize]
        switch format {
        case .gif: sizes = try DeclaredSize.framesOfGIF(bytes)
        case .jpeg2000: sizes = [try DeclaredSize.ofJPEG2000(bytes)]
        default: sizes = [try headerSize(of: bytes, format, leptonica)]
        }
        var memory = 0
        for size in sizes {
            try limits.check(width: size.width, height: size.height, purpose: .color, stage: stage)
            memory += size.pixelCount * (memory == 0 ? bytesOfPixel(in: format) : 1)
        }
        guard memory <= limits.maximumDecodingBytes else {
            throw FlatteningError(
                .limitExceeded, "decoding the \(format.rawValue) file would take too much memory",
                stage: stage,
                seen: "\(memory)", allowed: "\(limits.maximumDecodingBytes) (maximumDecodingBytes)",
                advice: "Save it smaller, or as PNG")
        }
        guard Resources.canReserve(memory) else { throw .shortage(of: "decoding", stage: stage, detail: nil) }
        let frames = webP?.frameCount ?? sizes.count
        let image = try decode(bytes, format, leptonica, limits: limits)
        return ColorPicture(
            image: image, orientation: webP?.orientation ?? .up,
            warnings: frames > 1
                ? ["only the first of \(frames) pictures in the \(format.rawValue) is shown"] : [])
    }

    private static func bytesOfPixel(in format: ImageFileFormat) -> Int {
        format == .jpeg2000 ? bytesOfJPEG2000Pixel : bytesOfPixel
    }

    private static func broken(_ format: ImageFileFormat) -> FlatteningError {
        FlatteningError(
            .badInput, "the \(format.rawValue) file cannot be decoded", stage: stage,
            advice: "Convert it: magick in.\(format.fileExtension) out.png")
    }

    private static func headerSize(
        of bytes: [UInt8], _ format: ImageFileFormat, _ leptonica: CLeptonicaFunctions
    ) throws(FlatteningError) -> PixelSize {
        var (width, height): (Int32, Int32) = (0, 0)
        guard leptonica.pixReadHeaderMem(bytes, bytes.count, nil, &width, &height, nil, nil, nil) == 0 else {
            throw broken(format)
        }
        return PixelSize(width: Int(width), height: Int(height))
    }

    private static func decode(
        _ bytes: [UInt8], _ format: ImageFileFormat, _ leptonica: CLeptonicaFunctions,
        limits: FlatteningLimits
    ) throws(FlatteningError) -> RGBImage {
        var stored = leptonica.pixReadMem(bytes, bytes.count)
        defer { leptonica.pixDestroy(&stored) }
        guard let read = stored else { throw broken(format) }
        // White; the lowest byte is not used.
        let hasTransparency = leptonica.pixGetDepth(read) == 32 && leptonica.pixGetSpp(read) == 4
        var full =
            hasTransparency
            ? leptonica.pixAlphaBlendUniform(read, 0xFFFF_FF00) : leptonica.pixConvertTo32(read)
        defer { leptonica.pixDestroy(&full) }
        guard let full, let data = leptonica.pixGetData(full) else { throw broken(format) }
        let (width, height) = (Int(leptonica.pixGetWidth(full)), Int(leptonica.pixGetHeight(full)))
        try limits.check(width: width, height: height, purpose: .color, stage: stage)
        let pitch = Int(leptonica.pixGetWpl(full))
        return RGBImage(width: width, height: height) { pixels in
            for y in 0..<height {
                for x in 0..<width {
                    // Red in the highest byte of a word.
                    let word = data[y * pitch + x]
                    pixels[y * width + x] = RGB(
                        red: UInt8(word >> 24), green: UInt8(word >> 16 & 0xFF), blue: UInt8(word >> 8 & 0xFF)
                    )
                }
            }
        }
    }
}

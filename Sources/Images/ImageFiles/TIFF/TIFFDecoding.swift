import Diagnostics
import LocalFiles
import CTIFF
import Imaging

/// Decodes TIFF images and maps.
enum TIFFDecoding {
    private static let stage = TIFFReader.stage

    // MARK: - Maps

    static func map(
        _ bytes: [UInt8], limits: FlatteningLimits
    ) throws(FlatteningError) -> SampleMap.File {
        try TIFFReader.open(bytes, purpose: .map, limits: limits) { (tiff) throws(FlatteningError) in
            guard tiff.samplesPerPixel == 1,
                [PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE].contains(tiff.photometric)
            else {
                throw FlatteningError(
                    .badInput, "a map holds one value per pixel, not colours", stage: stage,
                    seen: "\(tiff.samplesPerPixel) samples, photometric \(tiff.photometric)",
                    allowed: "1 grey sample",
                    advice: "Save the depth itself, not a rendering of it in colours")
            }
            let map: SampleMap
            switch (tiff.sampleFormat, tiff.bitsPerSample) {
            case (SAMPLEFORMAT_UINT, 8), (SAMPLEFORMAT_VOID, 8):
                map = .uint8(try samples(tiff) { $0.loadUnaligned(fromByteOffset: $1, as: UInt8.self) })
            case (SAMPLEFORMAT_UINT, 16), (SAMPLEFORMAT_VOID, 16):
                map = .uint16(try samples(tiff) { $0.loadUnaligned(fromByteOffset: $1 * 2, as: UInt16.self) })
            case (SAMPLEFORMAT_IEEEFP, 16):
                map = .float32(
                    try samples(tiff) {
                        SmallFloat.float(half: $0.loadUnaligned(fromByteOffset: $1 * 2, as: UInt16.self))
                    })
            case (SAMPLEFORMAT_IEEEFP, 24):
                map = .float32(try samples(tiff) { SmallFloat.float(bits24: host24($0 + $1 * 3)) })
            case (SAMPLEFORMAT_IEEEFP, 32):
                map = .float32(try samples(tiff) { $0.loadUnaligned(fromByteOffset: $1 * 4, as: Float.self) })
            case (SAMPLEFORMAT_IEEEFP, 64):
                map = .float32(
                    try samples(tiff) { Float($0.loadUnaligned(fromByteOffset: $1 * 8, as: Double.self)) })
            default:
                throw FlatteningError(
                    .unsupported, "TIFF maps of this type are not read", stage: stage,
                    seen: "\(tiff.bitsPerSample)-bit \(name(ofFormat: tiff.sampleFormat))",
                    allowed: "8- or 16-bit unsigned, 16-, 24-, 32- or 64-bit float",
                    advice: "Save it as 32-bit float")
            }
            let tagged = ExifMetadata(tiff: bytes).orientation
            let orientation = tiff.orientation
            return SampleMap.File(map: map, orientation: tagged ?? (orientation == .up ? nil : orientation))
        }
    }

    /// Reads every sample of a one-channel file.
    private static func samples<Sample: Sendable>(
        _ tiff: TIFFReader, _ sample: (UnsafeRawPointer, Int) -> Sample
    ) throws(FlatteningError) -> Raster<Sample> {
        try Raster<Sample>.decoded(width: tiff.width, height: tiff.height) { pixels in
            do throws(FlatteningError) {
                try tiff.forEachRun { run, stored in
                    let start = run.y * tiff.width + run.x
                    for index in 0..<run.count {
                        pixels.initializeElement(at: start + index, to: sample(stored, index))
                    }
                }
                return nil
            } catch {
                return error
            }
        }
    }

    /// Three bytes in host order, as libtiff leaves them.
    private static func host24(_ bytes: UnsafeRawPointer) -> UInt32 {
        let first = UInt32(bytes.load(fromByteOffset: 0, as: UInt8.self))
        let middle = UInt32(bytes.load(fromByteOffset: 1, as: UInt8.self))
        let last = UInt32(bytes.load(fromByteOffset: 2, as: UInt8.self))
        return UInt32(1).littleEndian == 1
            ? first | middle << 8 | last << 16 : first << 16 | middle << 8 | last
    }

    /// The name of a SampleFormat.
    static func name(ofFormat format: Int32) -> String {
        switch format {
        case SAMPLEFORMAT_UINT: "unsigned"
        case SAMPLEFORMAT_INT: "signed"
        case SAMPLEFORMAT_IEEEFP: "float"
        case SAMPLEFORMAT_COMPLEXINT, SAMPLEFORMAT_COMPLEXIEEEFP: "complex"
        default: "format \(format)"
        }
    }

    // MARK: - Pictures

    /// - Parameter page: counted from 1; nil for the first, with a warning if there are others.
    static func color(
        _ bytes: [UInt8], page: Int? = nil, limits: FlatteningLimits
    ) throws(FlatteningError) -> ColorPicture {
        try TIFFReader.open(bytes, page: page ?? 1, purpose: .color, limits: limits) {
            (tiff) throws(FlatteningError) in
            let conversion = try TIFFColorConversion(tiff)
            let image = try RGBImage.decoded(width: tiff.width, height: tiff.height) { pixels in
                // Separate planes fill one channel at a time.
                pixels.initialize(repeating: .white)
                let target = UnsafeMutableRawBufferPointer(pixels)
                do throws(FlatteningError) {
                    try tiff.forEachRun { run, stored in
                        conversion.convert(run, stored, into: target, width: tiff.width)
                    }
                    return nil
                } catch {
                    return error
                }
            }
            return ColorPicture(
                image: image, orientation: tiff.orientation,
                focalLengthIn35mmFilm: ExifMetadata(tiff: bytes).focalLengthIn35mmFilm,
                pixelsPerMeter: tiff.pixelsPerMeter,
                warnings: page == nil && tiff.pages > 1
                    ? ["page 1 of \(tiff.pages) was read, and no other"] : [])
        }
    }

    /// Converts 16 bits to 8: value / 257, rounded to the nearest.
    static func byte(_ value: UInt16) -> UInt8 {
        UInt8((UInt32(value) * 255 + 32895) >> 16)
    }
}

package import Diagnostics
package import LocalFiles
import CTurboJPEG
package import Imaging

/// Decodes JPEG images, by libjpeg-turbo's TurboJPEG interface.
package enum JPEGDecoding {
    private static let stage = FlatteningError.Stage.jpeg

    /// Decodes a map stored as JPEG: the brightness of its pixels.
    package static func gray(_ bytes: [UInt8], limits: FlatteningLimits) throws(FlatteningError) -> GrayImage
    {
        var limits = limits
        limits.maximumColorPixels = limits.maximumDepthPixels
        return try color(bytes, limits: limits).image.gray()
    }

    package static func color(
        _ bytes: [UInt8], limits: FlatteningLimits
    ) throws(FlatteningError) -> ColorPicture {
        let structure = JPEGStructure(bytes, maximumScans: limits.maximumJPEGScans)
        guard structure.scanCount <= limits.maximumJPEGScans else {
            throw FlatteningError(
                .limitExceeded, "the JPEG file has too many scans", stage: stage,
                seen: "more than \(limits.maximumJPEGScans)",
                allowed: "\(limits.maximumJPEGScans) (maximumJPEGScans)")
        }
        guard structure.frame != 0 else {
            throw FlatteningError(.badInput, "the JPEG file holds no picture", stage: stage)
        }
        guard !structure.isArithmetic else {
            throw FlatteningError(
                .unsupported, "JPEG files with arithmetic coding are not read", stage: stage,
                advice: "Convert it: jpegtran -optimize in.jpg > out.jpg")
        }
        guard let handle = tjInitDecompress() else {
            throw .shortOfMemory(stage: stage)
        }
        defer { tjDestroy(handle) }

        // A file without its end marker may still hold the whole image. Append a marker; the decoder's warnings then tell
        // whether data is missing.
        let data = structure.hasEnd ? bytes : bytes + [0xFF, 0xD9]
        var width: Int32 = 0
        var height: Int32 = 0
        var subsampling: Int32 = 0
        var colors: Int32 = 0
        guard
            tjDecompressHeader3(
                handle, data, UInt(data.count), &width, &height, &subsampling, &colors) == 0
        else {
            throw .codec(.badInput, "the JPEG file is broken", stage: stage, words: words(handle))
        }
        try check(width: Int(width), height: Int(height), subsampling, bytes: bytes, structure, limits)

        let isCMYK = colors == TJCS_CMYK.rawValue || colors == TJCS_YCCK.rawValue
        var warnings: [String] = []
        let image =
            isCMYK
            ? try decodeCMYK(handle, data, Int(width), Int(height), structure, &warnings)
            : try RGBImage.decoded(width: Int(width), height: Int(height)) { pixels in
                decode(
                    handle, data, into: UnsafeMutableRawBufferPointer(pixels), width, height, TJPF_RGB,
                    structure,
                    &warnings)
            }
        let exif = structure.exif.map { ExifMetadata(tiff: bytes[$0]) } ?? ExifMetadata()
        return ColorPicture(
            image: image, orientation: exif.orientation ?? .up,
            focalLengthIn35mmFilm: exif.focalLengthIn35mmFilm, pixelsPerMeter: structure.pixelsPerMeter,
            warnings: warnings)
    }

    private static func check(
        width: Int, height: Int, _ subsampling: Int32, bytes: [UInt8], _ structure: JPEGStructure,
        _ limits: FlatteningLimits
    ) throws(FlatteningError) {
        try limits.check(width: width, height: height, purpose: .color, stage: stage)
        // Huffman codes take at least one bit for each block of 8 x 8: one byte holds at most 512 pixels.
        try FlatteningLimits.checkRatio(
            declared: width * height, fileBytes: bytes.count, ratio: 512, stage: stage)
        let work = (width * height).multipliedReportingOverflow(by: max(structure.scanCount, 1))
        guard !work.overflow && work.partialValue <= limits.maximumJPEGScanPixels else {
            throw FlatteningError(
                .limitExceeded, "decoding the JPEG file would take too long", stage: stage,
                seen: "\(width) x \(height) in \(structure.scanCount) scans",
                allowed: "\(limits.maximumJPEGScanPixels) pixels times scans (maximumJPEGScanPixels)",
                advice: baseline)
        }
        // With more than one scan, every coefficient (two bytes) is kept until the last scan.
        let coefficientBytes = structure.scanCount > 1 ? 2 * coefficientsPerPixel(subsampling) : 0
        let memory = Double(width * height) * (4 + coefficientBytes)
        guard memory <= Double(limits.maximumDecodingBytes) else {
            throw FlatteningError(
                .limitExceeded, "decoding the JPEG file would take too much memory", stage: stage,
                seen: "\(Int(memory)) bytes",
                allowed: "\(limits.maximumDecodingBytes) (maximumDecodingBytes)",
                advice: baseline)
        }
    }

    private static let baseline = "Save it as baseline JPEG: jpegtran -optimize in.jpg > out.jpg"

    /// Coefficients of all components for each pixel; for subsamplings that TurboJPEG has no name for, those of four full
    /// components.
    private static func coefficientsPerPixel(_ subsampling: Int32) -> Double {
        switch TJSAMP(UInt32(bitPattern: subsampling)) {
        case TJSAMP_GRAY: 1
        case TJSAMP_444: 3
        case TJSAMP_422, TJSAMP_440: 2
        case TJSAMP_420, TJSAMP_411: 1.5
        default: 4
        }
    }

    private static func decode(
        _ handle: tjhandle, _ data: [UInt8], into pixels: UnsafeMutableRawBufferPointer, _ width: Int32,
        _ height: Int32, _ format: TJPF, _ structure: JPEGStructure, _ warnings: inout [String]
    ) -> FlatteningError? {
        let result = tjDecompress2(
            handle, data, UInt(data.count), pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), width, 0,
            height, Int32(format.rawValue), 0)
        guard result != 0 else { return nil }
        let words = words(handle)
        guard tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else {
            return .codec(.badInput, "the JPEG file is broken", stage: stage, words: words)
        }
        guard structure.hasEnd else {
            return FlatteningError(
                .badInput, "the JPEG file ends before its picture does", stage: stage, detail: words)
        }
        if let words { warnings.append(words) }
        return nil
    }

    /// Decodes CMYK as Adobe's programs write it (inverted: 255 is no ink), and converts it to RGB in place.
    private static func decodeCMYK(
        _ handle: tjhandle, _ data: [UInt8], _ width: Int, _ height: Int, _ structure: JPEGStructure,
        _ warnings: inout [String]
    ) throws(FlatteningError) -> RGBImage {
        let count = width * height
        let pixels = try [RGB](unsafeUninitializedCapacity: (count * 4 + 2) / 3) {
            (buffer, initialized) throws(FlatteningError) in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            if let failure = decode(
                handle, data, into: bytes, Int32(width), Int32(height), TJPF_CMYK, structure, &warnings)
            {
                throw failure
            }
            // Three bytes replace four, so writing never overtakes reading.
            for index in 0..<count {
                let key = UInt32(bytes[index * 4 + 3])
                for channel in 0..<3 {
                    let ink = UInt32(bytes[index * 4 + channel])
                    bytes[index * 3 + channel] = UInt8((ink * key + 127) / 255)
                }
            }
            initialized = count
        }
        return RGBImage(width: width, height: height, elements: pixels)
    }

    private static func words(_ handle: tjhandle) -> String? {
        tjGetErrorStr2(handle).map { String(cString: $0) }
    }
}

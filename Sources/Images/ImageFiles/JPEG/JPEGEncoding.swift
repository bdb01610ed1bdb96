import Diagnostics
import LocalFiles
import CTurboJPEG
import Imaging

/// Encodes JPEG, by TurboJPEG.
package enum JPEGEncoding {
    private static let stage = FlatteningError.Stage.jpeg
    /// Text shows no visible ringing; files have about a tenth of the PNG's size.
    package static let quality = 92
    /// The largest side that libjpeg allows with the format's 16-bit sizes.
    private static let maximumSide = 65_500

    static func write(
        _ pixels: ImageWriter.Pixels, to file: AtomicFile, pixelsPerMeter: Double?
    ) throws(FlatteningError) {
        try file.write(try encoded(pixels, pixelsPerMeter: pixelsPerMeter))
    }

    /// The whole file's bytes.
    static func encoded(
        _ pixels: ImageWriter.Pixels, quality: Int = quality, pixelsPerMeter: Double?
    ) throws(FlatteningError) -> [UInt8] {
        guard pixels.size.width <= maximumSide, pixels.size.height <= maximumSide else {
            throw FlatteningError(
                .limitExceeded, "a JPEG cannot have this size", stage: stage, seen: "\(pixels.size)",
                allowed: "\(maximumSide) a side")
        }
        guard let handle = tjInitCompress() else {
            throw .shortOfMemory(stage: stage)
        }
        defer { tjDestroy(handle) }
        var encoded: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer { tjFree(encoded) }
        let isGray = pixels.kind == .gray
        // Chroma at full resolution: coloured print on receipts is thin.
        let result = try pixels.withBytes { (bytes) throws(FlatteningError) in
            tjCompress2(
                handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(pixels.size.width), 0,
                Int32(pixels.size.height), Int32((isGray ? TJPF_GRAY : TJPF_RGB).rawValue), &encoded, &count,
                Int32((isGray ? TJSAMP_GRAY : TJSAMP_444).rawValue), Int32(quality), 0)
        }
        guard result == 0, let encoded, count > 0 else {
            throw .codec(
                .internalInconsistency, "the JPEG cannot be encoded", stage: stage,
                words: tjGetErrorStr2(handle).map { String(cString: $0) })
        }
        let bytes = UnsafeMutableRawBufferPointer(start: encoded, count: Int(count))
        if let pixelsPerMeter { setDensity(pixelsPerMeter, in: bytes) }
        return Array(bytes)
    }

    /// Writes the density into the JFIF block that libjpeg puts first. JFIF stores whole numbers per inch or per
    /// centimetre; the unit with the smaller rounding error is used.
    private static func setDensity(_ pixelsPerMeter: Double, in bytes: UnsafeMutableRawBufferPointer) {
        guard bytes.count >= 18, bytes[2] == 0xFF, bytes[3] == 0xE0,
            bytes[6..<11].elementsEqual(Array("JFIF".utf8) + [0]), pixelsPerMeter.isFinite
        else { return }
        let candidates = [
            (unit: UInt8(1), value: pixelsPerMeter * Inch.meters), (unit: 2, value: pixelsPerMeter / 100),
        ]
        .filter { $0.value >= 0.5 && $0.value < 65_535 }
        func error(_ value: Double) -> Double { abs(value.rounded() / value - 1) }
        guard let best = candidates.min(by: { error($0.value) < error($1.value) }) else { return }
        let whole = UInt16(best.value.rounded())
        bytes[13] = best.unit
        for position in [14, 16] {
            bytes[position] = UInt8(whole >> 8)
            bytes[position + 1] = UInt8(whole & 0xFF)
        }
    }
}

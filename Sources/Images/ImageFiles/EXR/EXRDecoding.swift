import Diagnostics
import LocalFiles
import COpenEXR
import Imaging

/// Depth maps in OpenEXR: scan lines of one part, half or single precision, any compression that OpenEXRCore supports.
///
/// The map is channel Z, Y or R, or the only channel. Depth has no colours; programs that write it as RGB write it three
/// times.
enum EXRDecoding {
    private static let stage = FlatteningError.Stage.exr

    static func map(_ bytes: [UInt8], limits: FlatteningLimits) throws(FlatteningError) -> SampleMap {
        let exr = try EXRLibrary.shared.load()
        return try withUnsafePointer(to: exr) { exr throws(FlatteningError) in
            try bytes.withUnsafeBufferPointer { bytes throws(FlatteningError) in
                .float32(try map(bytes, exr, limits: limits))
            }
        }
    }

    private static func map(
        _ bytes: UnsafeBufferPointer<UInt8>, _ exr: UnsafePointer<COpenEXRFunctions>, limits: FlatteningLimits
    ) throws(FlatteningError) -> Raster<Float> {
        var message = [CChar](repeating: 0, count: Int(COPENEXR_MESSAGE_LENGTH))
        guard let base = bytes.baseAddress else { throw error(COPENEXR_BROKEN, message) }
        var picture: OpaquePointer?
        var (width, height): (Int32, Int32) = (0, 0)
        let opening = copenexr_open(
            exr, base, bytes.count, Int32(clamping: limits.maximumSide),
            UInt64(max(limits.maximumDecodingBytes, 0)), &picture, &width, &height, &message)
        defer { copenexr_close(picture) }
        guard opening == COPENEXR_OK, let picture else { throw error(opening, message) }
        try limits.check(width: Int(width), height: Int(height), purpose: .map, stage: stage)
        return try Raster.decoded(width: Int(width), height: Int(height)) { values in
            values.initialize(repeating: .nan)
            guard let start = values.baseAddress else { return nil }
            let reading = copenexr_read(picture, start, &message)
            return reading == COPENEXR_OK ? nil : error(reading, message)
        }
    }

    private static func error(_ status: COpenEXRStatus, _ message: [CChar]) -> FlatteningError {
        let text = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let words = text.isEmpty ? nil : text
        switch status {
        case COPENEXR_UNSUPPORTED:
            return FlatteningError(
                .unsupported, "this kind of OpenEXR picture is not read as a map", stage: stage, seen: words,
                allowed: "one part of scan lines with a channel Z, Y or R")
        case COPENEXR_TOO_LARGE:
            return FlatteningError(
                .limitExceeded, "the picture is too large", stage: stage, seen: words,
                allowed: "FlatteningLimits", advice: "Scale it down or raise the limit")
        default:
            return FlatteningError(.badInput, "the OpenEXR file is broken", stage: stage, detail: words)
        }
    }
}

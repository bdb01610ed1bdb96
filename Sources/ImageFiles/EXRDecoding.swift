import COpenEXR
import Imaging

/// Depth maps in OpenEXR: scan lines of one part, half or single precision, any compression that OpenEXRCore knows.
///
/// The map is channel Z, Y or R, or the only channel: depth has no colours, and those who write it as RGB write it thrice.
enum EXRDecoding {
    private static let stage = "exr"

    static func map(_ bytes: [UInt8], limits: FlatteningLimits) throws(FlatteningError) -> SampleMap {
        _ = try EXRLibrary.load()
        var message = [CChar](repeating: 0, count: Int(COPENEXR_MESSAGE_LENGTH))
        var failure: FlatteningError?
        var map: Raster<Float>?
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            var picture: OpaquePointer?
            var (width, height): (Int32, Int32) = (0, 0)
            let opening = copenexr_open(
                base, buffer.count, Int32(clamping: limits.maximumSide),
                UInt64(max(limits.maximumDecodingBytes, 0)),
                &picture, &width, &height, &message)
            defer { copenexr_close(picture) }
            guard opening == COPENEXR_OK, let picture else {
                failure = error(opening, message)
                return
            }
            do throws(FlatteningError) {
                try limits.check(width: Int(width), height: Int(height), purpose: .map, stage: stage)
                map = try Raster.decoded(width: Int(width), height: Int(height)) { values in
                    values.initialize(repeating: .nan)
                    guard let start = values.baseAddress else { return nil }
                    let reading = copenexr_read(picture, start, &message)
                    return reading == COPENEXR_OK ? nil : error(reading, message)
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        guard let map else { throw error(COPENEXR_BROKEN, message) }
        return .float32(map)
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

import Foundation
import Imaging

/// Depth as Google's GDepth keeps it: a grey PNG or JPEG in base64 inside the XMP.
///
/// Depth Map Metadata 1.0 (developers.google.com/depthmap-metadata): v from 0 to 1 stands for
/// near + v (far - near) in `RangeLinear`, and for near far / (far - v (far - near)) in `RangeInverse`, along the optical
/// axis or along each ray.
enum GoogleDepth {
    private static let namespace = "http://ns.google.com/photos/1.0/depthmap/"
    private static let notes = "http://ns.adobe.com/xmp/note/"

    /// The depth in a JPEG's XMP, nil if there is none.
    /// - Throws: `.badInput` for a range or picture that cannot be, `.unsupported` for other formats, limits.
    static func inJPEG(
        _ bytes: [UInt8], limits: FlatteningLimits
    ) throws(FlatteningError) -> EmbeddedCapture? {
        let metadata = JPEGMetadata(bytes, of: 0..<bytes.count)
        guard let range = metadata.xmp else { return nil }
        let packet = XMPPacket(bytes[range])
        // What is longer than a segment stands in the extended packet.
        let extended = packet.value(notes, "HasExtendedXMP")
            .flatMap { metadata.extendedXMP(identifier: $0, in: bytes) }.map { XMPPacket($0) }
        func value(_ name: String) -> String? {
            packet.value(namespace, name) ?? extended?.value(namespace, name)
        }
        guard let format = value("Format"), let data = value("Data") else { return nil }
        func failure(_ message: String, seen: String, allowed: String) -> FlatteningError {
            FlatteningError(.badInput, message, stage: "embedded depth", seen: seen, allowed: allowed)
        }
        let isInverse = format == "RangeInverse"
        guard isInverse || format == "RangeLinear" else {
            throw failure("GDepth's format is not known", seen: format, allowed: "RangeInverse, RangeLinear")
        }
        let unit = value("Units")
        let near = value("Near").flatMap(Double.init) ?? .nan
        let far = value("Far").flatMap(Double.init) ?? .nan
        guard near > 0, near < far, far.isFinite else {
            throw failure("GDepth's range is none", seen: "\(near) ... \(far)", allowed: "0 < near < far")
        }
        guard let picture = Data(base64Encoded: data, options: .ignoreUnknownCharacters) else {
            throw failure("GDepth's data is not base64", seen: "\(data.count) characters", allowed: "base64")
        }
        let (samples, bits) = try Self.samples(
            InputFile(name: "GDepth", bytes: Array(picture)), limits: limits)

        let scale = unit == "mm" ? 0.001 : 1
        let (from, to) = isInverse ? (1 / (near * scale), 1 / (far * scale)) : (near * scale, far * scale)
        let greatest = Double((1 << bits) - 1)
        let (offset, step) = (Float(from), Float((to - from) / greatest))
        let isRadial = value("MeasureType") == "OpticRay"
        let isAbsolute = unit == "m" || unit == "mm"
        var found = EmbeddedCapture()
        found.depth = .init(
            readings: samples.map { offset + $0 * step }, isDisparity: isInverse, isAbsolute: isAbsolute,
            isRadial: isRadial,
            form: "inside the picture (GDepth): \(bits)-bit \(format) from \(near) to \(far) "
                + (unit ?? "of an unstated unit") + (isRadial ? ", along each ray" : ""))
        return found
    }

    private static func samples(
        _ file: InputFile, limits: FlatteningLimits
    ) throws(FlatteningError) -> (Raster<Float>, bits: Int) {
        if file.format == .jpeg {
            return (try JPEGDecoding.gray(file.bytes, limits: limits).map(Float.init), 8)
        }
        switch try SampleMap.decodeFile(file, limits: limits).map {
        case .uint8(let raster): return (raster.map(Float.init), 8)
        case .uint16(let raster): return (raster.map(Float.init), 16)
        case .float32(let raster):
            throw FlatteningError(
                .unsupported, "floating-point GDepth is not read", stage: "embedded depth",
                seen: "\(raster.size)")
        }
    }
}

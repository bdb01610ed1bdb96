import Diagnostics
import ImageFiles
import LocalFiles
import Imaging

/// The distances that the whole numbers of Google's depth images represent, in GDepth and in Dynamic Depth.
///
/// v, the number divided by the greatest one, represents near + v (far - near) in `RangeLinear`, and near far / (far - v (far
/// - near)) in `RangeInverse`, where the reciprocal is linear in v. Units are metres, or dioptres (one over metres: Dynamic
/// Depth 1.0, "Depth Map"), along the optical axis or along each ray.
struct DepthRange {
    private let isInverse: Bool
    private let near: Double
    private let far: Double
    private let unit: String?
    private let isRadial: Bool
    private let name: String

    /// Reads the range in a packet under a namespace; nil if there is none.
    /// - Throws: `.badInput` for an impossible format or range.
    init?(_ packets: XMPPackets, namespace: String, name: String) throws(FlatteningError) {
        try self.init(name: name) { packets.value(namespace, $0) }
    }

    /// Reads the range from properties; nil if there is none.
    init?(name: String, value: (String) -> String?) throws(FlatteningError) {
        guard let format = value("Format") else { return nil }
        func failure(_ message: String, seen: String, allowed: String) -> FlatteningError {
            FlatteningError(.badInput, message, stage: .embeddedDepth, seen: seen, allowed: allowed)
        }
        isInverse = format.lowercased() == "rangeinverse"
        guard isInverse || format.lowercased() == "rangelinear" else {
            throw failure("\(name)'s format is not known", seen: format, allowed: "RangeInverse, RangeLinear")
        }
        near = value("Near").flatMap(Double.init) ?? .nan
        far = value("Far").flatMap(Double.init) ?? .nan
        unit = value("Units").flatMap { $0.lowercased() == "none" ? nil : $0 }
        let isDioptres = unit?.lowercased() == "diopters"
        // Nearer distances have more dioptres.
        guard near > 0, far > 0, near.isFinite, far.isFinite, isDioptres ? near != far : near < far else {
            throw failure("\(name)'s range is none", seen: "\(near) ... \(far)", allowed: "0 < near < far")
        }
        isRadial = value("MeasureType")?.lowercased() == "opticray"
        self.name = name
    }

    /// Returns the readings of a grey image.
    /// - Throws: errors of decoding, `.unsupported` for floating-point images.
    func depth(in file: InputFile, limits: FlatteningLimits) throws(FlatteningError) -> EmbeddedCapture.Depth
    {
        let (samples, bits) = try Self.samples(file, limits: limits)
        let lowercased = unit?.lowercased() ?? ""
        let isDioptres = lowercased == "diopters"
        let isAbsolute = isDioptres || ["m", "mm", "meters"].contains(lowercased)
        let scale = lowercased == "mm" ? CaptureDescription.Depth.millimeter : 1
        let (from, to) = isInverse ? (1 / (near * scale), 1 / (far * scale)) : (near * scale, far * scale)
        let (offset, step) = (Float(from), Float((to - from) / Double((1 << bits) - 1)))
        return EmbeddedCapture.Depth(
            readings: samples.map { offset + $0 * step }, isDisparity: isInverse != isDioptres,
            isAbsolute: isAbsolute, isRadial: isRadial, step: abs(step),
            form:
                "inside the picture (\(name)): \(bits)-bit \(isInverse ? "RangeInverse" : "RangeLinear") from "
                + "\(near) to \(far) " + (unit ?? "of an unstated unit")
                + (isRadial ? ", along each ray" : ""))
    }

    private static func samples(
        _ file: InputFile, limits: FlatteningLimits
    ) throws(FlatteningError) -> (Raster<Float>, bits: Int) {
        if file.format == .jpeg {
            return (try JPEGDecoding.gray(file.bytes, limits: limits).map(Float.init), 8)
        }
        // Android's cameras write grey as RGB with alpha; the specifications require one channel.
        switch try SampleMap.decodeFile(file, limits: limits, takesFirstChannel: true).map {
        case .uint8(let raster): return (raster.map(Float.init), 8)
        case .uint16(let raster): return (raster.map(Float.init), 16)
        case .float32(let raster):
            throw FlatteningError(
                .unsupported, "floating-point depth inside pictures is not read", stage: .embeddedDepth,
                seen: "\(raster.size)")
        }
    }
}

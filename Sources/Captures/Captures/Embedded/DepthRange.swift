import Diagnostics
import ImageFiles
import LocalFiles
import Imaging

/// What the whole numbers of Google's depth pictures stand for, in GDepth as in Dynamic Depth.
///
/// v, the number over the greatest one, stands for near + v (far - near) in `RangeLinear`, and for
/// near far / (far - v (far - near)) in `RangeInverse`: then one over it is linear in v. In metres, or in dioptres (one
/// over metres: Dynamic Depth 1.0, "Depth Map"), along the optical axis or along each ray.
struct DepthRange {
    private let isInverse: Bool
    private let near: Double
    private let far: Double
    private let unit: String?
    private let isRadial: Bool
    private let name: String

    /// The range that a packet states under a namespace, nil if it states none.
    /// - Throws: `.badInput` for a format or range that cannot be.
    init?(_ packets: XMPPackets, namespace: String, name: String) throws(FlatteningError) {
        try self.init(name: name) { packets.value(namespace, $0) }
    }

    /// The range that properties state, nil if they state none.
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
        // What is near has more dioptres.
        guard near > 0, far > 0, near.isFinite, far.isFinite, isDioptres ? near != far : near < far else {
            throw failure("\(name)'s range is none", seen: "\(near) ... \(far)", allowed: "0 < near < far")
        }
        isRadial = value("MeasureType")?.lowercased() == "opticray"
        self.name = name
    }

    /// The readings of a grey picture.
    /// - Throws: what decoding throws, `.unsupported` for floating-point pictures.
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
        // Android's cameras write grey as RGB with alpha; the specifications speak of one channel.
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

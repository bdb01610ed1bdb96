import DepthGeometry
import Diagnostics
import ImageFiles
import LocalFiles
import Platform
import Imaging

/// Depth as iPhones store it: a grey auxiliary image, with the meaning of its numbers in the XMP beside it.
///
/// The properties are those of AVFoundation's `AVDepthData` and `AVCameraCalibrationData`. The whole numbers IntMinValue ...
/// IntMaxValue represent FloatMinValue ... FloatMaxValue, in 1/metres for disparity and metres for depth.
enum AppleDepth {
    private static let pixelData = "http://ns.apple.com/pixeldatainfo/1.0/"
    private static let depthData = "http://ns.apple.com/depthData/1.0/"

    /// Returns the first depth map among the images after a JPEG's first; nil if there is none.
    static func inJPEG(
        _ bytes: [UInt8], limits: FlatteningLimits
    ) throws(FlatteningError) -> EmbeddedCapture? {
        for picture in JPEGMetadata(bytes, of: 0..<bytes.count).pictures(in: bytes) {
            guard let range = JPEGMetadata(bytes, of: picture).xmp else { continue }
            let xmp = XMPPacket(bytes[range])
            guard isDepth(xmp) else { continue }
            let samples = try JPEGDecoding.gray(Array(bytes[picture]), limits: limits)
            return try capture(samples: samples.map(Float.init), bits: 8, xmp: xmp)
        }
        return nil
    }

    /// Returns the depth map beside a HEIC's primary image; nil if there is none whose numbers are explained.
    static func inHEIC(
        _ bytes: [UInt8], limits: FlatteningLimits
    ) throws(FlatteningError) -> EmbeddedCapture? {
        func description(in packets: [[UInt8]]) -> XMPPacket? {
            packets.lazy.map { XMPPacket($0) }.first(where: isDepth)
        }
        guard
            let depth = try HEIFDecoding.auxiliaryDepth(
                bytes, limits: limits, isDescribed: { description(in: $0) != nil }),
            let xmp = description(in: depth.xmp)
        else { return nil }
        return try capture(samples: depth.samples, bits: depth.bits, xmp: xmp)
    }

    /// Whether a packet describes depth or disparity.
    static func isDepth(_ xmp: XMPPacket) -> Bool {
        ["depth", "disparity"].contains(xmp.value(pixelData, "AuxiliaryImageType"))
    }

    /// Computes depth and camera from an auxiliary image's numbers and its packet.
    /// - Throws: `.badInput` if the packet does not say what the numbers represent.
    static func capture(
        samples: Raster<Float>, bits: Int, xmp: XMPPacket
    ) throws(FlatteningError) -> EmbeddedCapture {
        let least = xmp.number(pixelData, "FloatMinValue")
        let greatest = xmp.number(pixelData, "FloatMaxValue")
        let from = xmp.number(pixelData, "IntMinValue") ?? 0
        let to = xmp.number(pixelData, "IntMaxValue") ?? Double((1 << bits) - 1)
        guard let least, let greatest, least.isFinite, greatest.isFinite, least <= greatest, from < to,
            from.isFinite, to.isFinite
        else {
            throw FlatteningError(
                .badInput, "the depth inside the picture does not say what its numbers stand for",
                stage: .embeddedDepth,
                seen: "\(from) ... \(to) for \(least ?? .nan) ... \(greatest ?? .nan)")
        }
        let scale = Float((greatest - least) / (to - from))
        let (first, offset) = (Float(from), Float(least))
        let isDisparity = xmp.value(pixelData, "AuxiliaryImageType") == "disparity"
        let isAbsolute = xmp.value(depthData, "Accuracy") == "absolute"
        // The coefficients are of a polynomial whose unit is not published; the tables of AVCameraCalibrationData are not
        // stored.
        let isDistorted = xmp.numbers(depthData, "LensDistortionCoefficients")?.contains { $0 != 0 } ?? false
        var found = EmbeddedCapture()
        found.depth = .init(
            readings: samples.map { offset + ($0 - first) * scale }, isDisparity: isDisparity,
            isAbsolute: isAbsolute,
            form:
                "inside the picture (Apple): \(bits)-bit \(isDisparity ? "disparity" : "depth") from \(least) to "
                + "\(greatest) \(isDisparity ? "/m" : "m"), \(isAbsolute ? "absolute" : "relative")"
                + (isDistorted ? ", lens distortion ignored" : ""))
        found.camera = camera(xmp)
        return found
    }

    /// IntrinsicMatrix: nine numbers, column by column.
    private static func camera(_ xmp: XMPPacket) -> EmbeddedCapture.Camera? {
        guard let matrix = xmp.numbers(depthData, "IntrinsicMatrix"), matrix.count == 9,
            let width = xmp.number(depthData, "IntrinsicMatrixReferenceWidth").flatMap({ Int(exactly: $0) }),
            let height = xmp.number(depthData, "IntrinsicMatrixReferenceHeight").flatMap({ Int(exactly: $0) }
            ),
            (1...1_048_576).contains(width), (1...1_048_576).contains(height)
        else { return nil }
        return .init(
            focalLength: SIMD2(matrix[0], matrix[4]), principalPoint: SIMD2(matrix[6], matrix[7]),
            size: PixelSize(width: width, height: height))
    }
}

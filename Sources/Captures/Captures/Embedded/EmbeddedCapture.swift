import DepthGeometry
package import Diagnostics
import ImageFiles
package import LocalFiles
package import Imaging

/// What a phone put inside its picture's file beside the picture: depth, and the camera.
///
/// Laid out as the picture is stored, not upright; nothing in it is checked against the picture yet.
package struct EmbeddedCapture: Sendable, Equatable {
    /// Readings of distance or of its inverse.
    package struct Depth: Sendable, Equatable {
        /// Metres, or 1/metres for disparity, in the order of the file.
        package var readings: Raster<Float>
        /// Whether the readings are one over distance.
        package var isDisparity: Bool
        /// Whether the file says that the unit can be trusted.
        package var isAbsolute: Bool
        /// Whether distances run along each pixel's ray instead of the optical axis.
        package var isRadial: Bool
        /// The least difference of two readings that differ, in the readings' unit; nil where it is not known.
        package var step: Float?
        /// What the numbers were taken for, in words.
        package var form: String

        /// Depth from its parts.
        package init(
            readings: Raster<Float>, isDisparity: Bool, isAbsolute: Bool, isRadial: Bool = false,
            step: Float? = nil, form: String
        ) {
            self.readings = readings
            self.isDisparity = isDisparity
            self.isAbsolute = isAbsolute
            self.isRadial = isRadial
            self.step = step
            self.form = form
        }
    }

    /// A pinhole as the file states it.
    package struct Camera: Sendable, Equatable {
        /// Focal length along x and y, in pixels of a picture of `size`.
        package var focalLength: SIMD2<Double>
        /// Principal point, likewise.
        package var principalPoint: SIMD2<Double>
        /// The size of the picture that the numbers belong to.
        package var size: PixelSize
    }

    /// Depth, if there is some that can be read.
    package var depth: Depth?
    /// The camera, if it is stated.
    package var camera: Camera?

    /// Nothing.
    package init() {}

    /// Reads what a picture's file holds beside the picture; nil if that is nothing that is known.
    ///
    /// Known are Apple's auxiliary depth in JPEG (CIPA DC-007 Multi-Picture Format) and HEIC, Google's GDepth in JPEG,
    /// and the Dynamic Depth of Android's cameras in JPEG.
    /// - Throws: what decoding throws. The picture itself may well be readable then.
    package static func read(
        _ file: InputFile, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> EmbeddedCapture? {
        do throws(FlatteningError) {
            try limits.deadline.check(before: .embeddedDepth)
            switch file.format {
            case .jpeg:
                if let found = try AppleDepth.inJPEG(file.bytes, limits: limits) { return found }
                if let found = try GoogleDepth.inJPEG(file.bytes, limits: limits) { return found }
                return try DynamicDepth.inJPEG(file.bytes, limits: limits)
            case .heic: return try AppleDepth.inHEIC(file.bytes, limits: limits)
            default: return nil
            }
        } catch {
            throw error.naming(file: file.name)
        }
    }
}

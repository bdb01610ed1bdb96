import DepthGeometry
package import Diagnostics
import ImageFiles
package import LocalFiles
package import Imaging

/// The data that a phone stored in its image file beside the image: depth and camera.
///
/// In the image's stored orientation, not upright, and not yet checked against the image.
package struct EmbeddedCapture: Sendable, Equatable {
    /// Readings of distance or of its reciprocal.
    package struct Depth: Sendable, Equatable {
        /// Metres, or 1/metres for disparity, in the order of the file.
        package var readings: Raster<Float>
        /// Whether the readings are reciprocals of distance.
        package var isDisparity: Bool
        /// Whether the file says that the unit can be trusted.
        package var isAbsolute: Bool
        /// Whether distances run along each pixel's ray instead of the optical axis.
        package var isRadial: Bool
        /// The smallest difference between two different readings, in the readings' unit; nil if not known.
        package var step: Float?
        /// Words that describe the recognised form.
        package var form: String

        /// Creates depth from its parts.
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

    /// A pinhole camera as the file states it.
    package struct Camera: Sendable, Equatable {
        /// Focal length along x and y, in pixels of an image of `size`.
        package var focalLength: SIMD2<Double>
        /// Principal point, in the same pixels.
        package var principalPoint: SIMD2<Double>
        /// The size of the image that the numbers belong to.
        package var size: PixelSize
    }

    /// The depth, if there is any that can be read.
    package var depth: Depth?
    /// The camera, if one is stated.
    package var camera: Camera?

    /// Creates an empty value.
    package init() {}

    /// Reads the data that an image file holds beside the image; nil if there is nothing known.
    ///
    /// The known formats are Apple's auxiliary depth in JPEG (CIPA DC-007 Multi-Picture Format) and HEIC, Google's GDepth in
    /// JPEG, and the Dynamic Depth of Android's cameras in JPEG.
    /// - Throws: errors of decoding. The image itself may still be readable then.
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

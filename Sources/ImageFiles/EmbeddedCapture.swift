public import Imaging

/// What a phone put inside its picture's file beside the picture: depth, and the camera.
///
/// Laid out as the picture is stored, not upright; nothing in it is checked against the picture yet.
public struct EmbeddedCapture: Sendable, Equatable {
    /// Readings of distance or of its inverse.
    public struct Depth: Sendable, Equatable {
        /// Metres, or 1/metres for disparity, in the order of the file.
        public var readings: Raster<Float>
        /// Whether the readings are one over distance.
        public var isDisparity: Bool
        /// Whether the file says that the unit can be trusted.
        public var isAbsolute: Bool
        /// Whether distances run along each pixel's ray instead of the optical axis.
        public var isRadial: Bool
        /// What the numbers were taken for, in words.
        public var form: String

        /// Depth from its parts.
        public init(
            readings: Raster<Float>, isDisparity: Bool, isAbsolute: Bool, isRadial: Bool = false, form: String
        ) {
            self.readings = readings
            self.isDisparity = isDisparity
            self.isAbsolute = isAbsolute
            self.isRadial = isRadial
            self.form = form
        }
    }

    /// A pinhole as the file states it.
    public struct Camera: Sendable, Equatable {
        /// Focal length along x and y, in pixels of a picture of `size`.
        public var focalLength: SIMD2<Double>
        /// Principal point, likewise.
        public var principalPoint: SIMD2<Double>
        /// The size of the picture that the numbers belong to.
        public var size: PixelSize
    }

    /// Depth, if there is some that can be read.
    public var depth: Depth?
    /// The camera, if it is stated.
    public var camera: Camera?

    /// Nothing.
    public init() {}

    /// Reads what a picture's file holds beside the picture; nil if that is nothing that is known.
    ///
    /// Known are Apple's auxiliary depth in JPEG (CIPA DC-007 Multi-Picture Format) and HEIC, Google's GDepth in JPEG,
    /// and the Dynamic Depth of Android's cameras in JPEG.
    /// - Throws: what decoding throws. The picture itself may well be readable then.
    public static func read(
        _ file: InputFile, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> EmbeddedCapture? {
        do throws(FlatteningError) {
            try limits.deadline.check(before: "embedded depth")
            switch file.format {
            case .jpeg:
                if let found = try AppleDepth.inJPEG(file.bytes, limits: limits) { return found }
                if let found = try GoogleDepth.inJPEG(file.bytes, limits: limits) { return found }
                return try DynamicDepth.inJPEG(file.bytes, limits: limits)
            case .heic: return try HEIFDecoding.embedded(file.bytes, limits: limits)
            default: return nil
            }
        } catch {
            throw error.naming(file: file.name)
        }
    }
}

public import Imaging

/// One shot of a sheet: the image, and what is known about depth and camera, all turned upright together.
///
/// Unknown parts are nil, and ``warnings`` or ``depthRefusal`` say why; broken files throw errors before a capture exists.
public struct Capture: Sendable {
    /// Where a capture's intrinsics come from.
    public enum IntrinsicsOrigin: Codable, Equatable, Sendable {
        /// There are none.
        case none
        /// From the capture's own description, or from the file `name` in the format `form`.
        case file(name: String, form: String)
        /// From numbers that the caller gave.
        case given
        /// From EXIF's focal length (35 mm equivalent), with the principal point assumed at the centre.
        case exifFocalLength(millimeters: Double)
    }

    /// How the files were interpreted, for reports and diagnosis.
    public struct Metadata: Codable, Equatable, Sendable {
        /// The recording's format, the evidence for it and the frame's number; nil for a single image.
        public var source: String?
        /// The image's file.
        public var imageName: String
        /// The image's size as its file stores it.
        public var storedSize: PixelSize
        /// How the image was turned upright.
        public var orientation: ImageOrientation
        /// EXIF's 35 mm focal length, nil if the file has none.
        public var focalLengthIn35mmFilm: Double?
        /// The depth file, nil if there is none.
        public var depthName: String?
        /// How the depth file's numbers were read: "16-bit whole numbers, 0.0001 m a unit, along the axis".
        public var depthForm: String?
        /// The assumed size in metres of one unit of the depth file; nil if a file states it, or without depth.
        public var assumedDepthUnit: Double?
        /// How the depth map was turned: `.up` if it was stored upright while the image was not.
        public var depthOrientation: ImageOrientation?
        /// The confidence map's file, nil if there is none.
        public var confidenceName: String?
        /// The share of valid readings that the confidence map removed; nil without such a map.
        public var shareDroppedByConfidence: Double?
        /// Where the intrinsics come from.
        public var intrinsicsOrigin = IntrinsicsOrigin.none
        /// The size of the image that the intrinsics were stated for, if their source says so.
        public var intrinsicsStatedSize: PixelSize?

        /// Metadata of the image; the rest is filled in as files are read.
        package init(
            source: String? = nil, imageName: String, storedSize: PixelSize, orientation: ImageOrientation,
            focalLengthIn35mmFilm: Double? = nil
        ) {
            self.source = source
            self.imageName = imageName
            self.storedSize = storedSize
            self.orientation = orientation
            self.focalLengthIn35mmFilm = focalLengthIn35mmFilm
        }
    }

    /// The image, upright.
    public var image: RGBImage
    /// Distance along the optical axis, upright, at its own resolution and covering what the image shows; readings of
    /// low confidence are removed. Nil without usable depth.
    public var depth: DepthMap?
    /// The camera of the upright image, at its size.
    public var intrinsics: CameraIntrinsics?
    /// The lens's distortion for the upright image, nil if none is known.
    public var distortion: LensDistortion?
    /// How the files were interpreted.
    public var metadata: Metadata
    /// The document page shown; nil for a capture that is not a page.
    public var page: Page?
    /// How the frames that this was fused from were used; nil for a single frame.
    package var fusion: FusionRecord?
    /// Why the given depth is not used, in one sentence; nil otherwise.
    public var depthRefusal: String?
    /// Assumptions made, damage tolerated and contradictions resolved, in sentences.
    public var warnings: [String]

    /// Creates a capture from parts in memory, all of them upright.
    public init(
        image: RGBImage, depth: DepthMap? = nil, intrinsics: CameraIntrinsics? = nil,
        distortion: LensDistortion? = nil, metadata: Metadata? = nil
    ) {
        self.image = image
        self.depth = depth
        self.intrinsics = intrinsics
        self.distortion = distortion
        var known = Metadata(imageName: "memory", storedSize: image.size, orientation: .up)
        known.depthName = depth.map { _ in "memory" }
        known.intrinsicsOrigin = intrinsics == nil ? .none : .given
        self.metadata = metadata ?? known
        warnings = []
    }
}

extension Capture.IntrinsicsOrigin: CustomStringConvertible {
    /// "capture.json", "camera.yaml (3 x 3 matrix by rows)", "EXIF, 26 mm" ...
    public var description: String {
        switch self {
        case .none: "none"
        case .file(let name, let form): name.hasSuffix(form) ? name : "\(name) (\(form))"
        case .given: "given"
        case .exifFocalLength(let millimeters): "EXIF focal length, \(millimeters) mm (35 mm equivalent)"
        }
    }
}

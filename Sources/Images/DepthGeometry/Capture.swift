public import Imaging

/// One shot of a sheet: the picture, and what is known of distance and camera, all turned upright together.
///
/// What is unknown is nil, and ``warnings`` or ``depthRefusal`` say why; broken files are errors before.
public struct Capture: Sendable {
    /// Where a capture's intrinsics come from.
    public enum IntrinsicsOrigin: Codable, Equatable, Sendable {
        /// There are none.
        case none
        /// From the capture's own description, or a file of the form named.
        case file(name: String, form: String)
        /// From numbers that the caller gave.
        case given
        /// From EXIF's focal length (35 mm equivalent), with the principal point assumed in the middle.
        case exifFocalLength(millimeters: Double)
    }

    /// How the files were understood, for reports and diagnosis.
    public struct Metadata: Codable, Equatable, Sendable {
        /// The recording's format, the evidence for it and the frame's number; nil for a single picture.
        public var source: String?
        /// The picture's file.
        public var imageName: String
        /// The picture's size as its file stores it.
        public var storedSize: PixelSize
        /// How the picture was turned upright.
        public var orientation: ImageOrientation
        /// EXIF's 35 mm focal length, nil if the file has none.
        public var focalLengthIn35mmFilm: Double?
        /// The depth file, nil if there is none.
        public var depthName: String?
        /// How the depth file's numbers were read: "16-bit whole numbers, 0.0001 m a unit, along the axis".
        public var depthForm: String?
        /// The assumed size in metres of a unit of the depth file; nil if a file states it, and without depth.
        public var assumedDepthUnit: Double?
        /// How the depth map was turned: `.up` if it was stored upright while the picture was not.
        public var depthOrientation: ImageOrientation?
        /// The confidence map's file, nil if there is none.
        public var confidenceName: String?
        /// The share of valid readings that the confidence map removed, nil without such a map.
        public var shareDroppedByConfidence: Double?
        /// Where the intrinsics come from.
        public var intrinsicsOrigin = IntrinsicsOrigin.none
        /// The size of the picture that the intrinsics were stated for, if their source says so.
        public var intrinsicsStatedSize: PixelSize?

        /// Metadata of the picture; the rest is filled in as files are read.
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

    /// The picture, upright.
    public var image: RGBImage
    /// Distance along the optical axis, upright, at its own resolution and covering what the picture shows; readings of
    /// low confidence are removed. Nil without usable depth.
    public var depth: DepthMap?
    /// The camera of the upright picture, at its size.
    public var intrinsics: CameraIntrinsics?
    /// The lens's distortion for the upright picture, nil if none is known.
    public var distortion: LensDistortion?
    /// What was understood of the files.
    public var metadata: Metadata
    /// The page of a document that this is; nil for what is none.
    public var page: Page?
    /// What became of the frames that this was fused from; nil for a single one.
    package var fusion: FusionRecord?
    /// Why the depth that was given is not used, in one sentence; nil otherwise.
    public var depthRefusal: String?
    /// Assumptions made, damage tolerated and contradictions settled, in sentences.
    public var warnings: [String]

    /// A capture from what is already in memory, all of it upright.
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

extension FlatteningError {
    /// The step in which an error happened: "png", "intrinsics", "text" ... New ones may come with any minor version.
    public struct Stage: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The step in words, lower case.
        public let rawValue: String

        /// A step from its words.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The step in words.
        public var description: String { rawValue }
    }
}

/// The steps of this package. Work on one of many frames or files is named with its number instead.
extension FlatteningError.Stage {
    package static let archive = Self(rawValue: "archive")
    package static let batch = Self(rawValue: "batch")
    package static let capture = Self(rawValue: "capture")
    package static let cloud = Self(rawValue: "cloud")
    package static let confidence = Self(rawValue: "confidence")
    package static let contacts = Self(rawValue: "contacts")
    package static let corners = Self(rawValue: "corners")
    package static let depth = Self(rawValue: "depth")
    package static let depthPreview = Self(rawValue: "depth preview")
    package static let distortion = Self(rawValue: "distortion")
    package static let documents = Self(rawValue: "documents")
    package static let embeddedDepth = Self(rawValue: "embedded depth")
    package static let exr = Self(rawValue: "exr")
    package static let extrinsics = Self(rawValue: "extrinsics")
    package static let finding = Self(rawValue: "finding")
    package static let format = Self(rawValue: "format")
    package static let framing = Self(rawValue: "framing")
    package static let fusing = Self(rawValue: "fusing")
    package static let heic = Self(rawValue: "heic")
    package static let homography = Self(rawValue: "homography")
    package static let intrinsics = Self(rawValue: "intrinsics")
    package static let jpeg = Self(rawValue: "jpeg")
    package static let json = Self(rawValue: "json")
    package static let libraries = Self(rawValue: "libraries")
    package static let lzfse = Self(rawValue: "lzfse")
    package static let network = Self(rawValue: "network")
    package static let npy = Self(rawValue: "npy")
    package static let options = Self(rawValue: "options")
    package static let pdf = Self(rawValue: "pdf")
    package static let plane = Self(rawValue: "plane")
    package static let png = Self(rawValue: "png")
    package static let pnm = Self(rawValue: "pnm")
    package static let print = Self(rawValue: "print")
    package static let program = Self(rawValue: "program")
    package static let read = Self(rawValue: "read")
    package static let redaction = Self(rawValue: "redaction")
    package static let report = Self(rawValue: "report")
    package static let resampling = Self(rawValue: "resampling")
    package static let save = Self(rawValue: "save")
    package static let stitching = Self(rawValue: "stitching")
    package static let surface = Self(rawValue: "surface")
    package static let synthetic = Self(rawValue: "synthetic")
    package static let table = Self(rawValue: "table")
    package static let text = Self(rawValue: "text")
    package static let tiff = Self(rawValue: "tiff")
    package static let unrolling = Self(rawValue: "unrolling")
    package static let video = Self(rawValue: "video")
    package static let worker = Self(rawValue: "worker")
    package static let write = Self(rawValue: "write")
    package static let yaml = Self(rawValue: "yaml")
}

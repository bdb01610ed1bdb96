public import DepthGeometry
public import Diagnostics
public import Platform
import ImageFiles
import Imaging
public import LocalFiles

extension Capture {
    /// Reads a capture folder, an archive, a recording's middle frame, the frame that one of its images belongs to, or an
    /// image alone.
    ///
    /// An image that lies in a recording is read with that recording's depth and camera, and a warning says so. For
    /// strangers' files in one folder use ``init(imageData:depthData:metersPerUnit:intrinsics:limits:)``, which reads nothing
    /// else.
    /// - Throws: `FlatteningError` for files that cannot be read; never for information that is missing.
    /// - Complexity: O(pixels + files).
    public init(
        contentsOf url: URL, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) {
        self = try Self.read(try url.filePath(), limits: limits)
    }

    /// Combines the bytes of an image file and a depth map with a camera to an upright capture, without any file.
    /// - Parameters:
    ///   - imageData: a PNG, JPEG, TIFF, HEIC, PGM or PPM. Its EXIF orientation turns all three, and may give the focal
    ///     length.
    ///   - depthData: a 16-bit PNG, TIFF, NPY, PGM or OpenEXR with the same field of view; nil for none, or to use depth
    ///     embedded in the image file.
    ///   - metersPerUnit: metres per unit of the depth map; nil for the usual unit of its format.
    ///   - intrinsics: for the image as stored; nil to use those in the image file.
    ///   - limits: the limits for the decoded data.
    /// - Throws: `.badInput`, `.unsupported`, `.limitExceeded`, `.missingDependency`, naming "image" or "depth".
    /// - Complexity: O(pixels).
    public init(
        imageData: Data, depthData: Data? = nil, metersPerUnit: Double? = nil,
        intrinsics: CameraIntrinsics? = nil, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) {
        var description = CaptureDescription(imagePath: "image")
        description.files.keep(InputFile(name: "image", bytes: Array(imageData)), as: "image")
        if let depthData {
            description.depth = .init(path: "depth", unit: metersPerUnit)
            description.files.keep(InputFile(name: "depth", bytes: Array(depthData)), as: "depth")
        }
        if let intrinsics {
            description.intrinsics = .given(
                try IntrinsicsDocument(
                    fx: intrinsics.fx, fy: intrinsics.fy, cx: intrinsics.cx, cy: intrinsics.cy,
                    size: intrinsics.imageSize))
        }
        self = try Self.read(description, limits: limits)
    }
}

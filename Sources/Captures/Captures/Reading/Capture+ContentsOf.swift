public import DepthGeometry
public import Diagnostics
public import Platform
import ImageFiles
import Imaging
public import LocalFiles

extension Capture {
    /// Reads a capture folder, an archive, a recording's middle frame, the frame that a picture of it names, or a picture
    /// alone.
    ///
    /// A picture that lies in a recording is taken with its depth and camera, as a warning says; for strangers' files in one
    /// folder use ``init(imageData:depthData:metersPerUnit:intrinsics:limits:)``, which looks at nothing else.
    /// - Throws: `FlatteningError` for files that cannot be read; never for information that is missing.
    /// - Complexity: O(pixels + files).
    public init(
        contentsOf url: URL, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) {
        self = try Self.read(try url.filePath(), limits: limits)
    }

    /// Brings a picture file's bytes, a depth map's and a camera together, upright, without a file.
    /// - Parameters:
    ///   - imageData: a PNG, JPEG, TIFF, HEIC, PGM or PPM; its EXIF turns all and may tell the focal length.
    ///   - depthData: a PNG of 16 bits, TIFF, NPY, PGM or OpenEXR of the same field of view; nil for none, or for what the
    ///     picture's own file holds.
    ///   - metersPerUnit: metres for one unit of the depth map; nil for what its form usually means.
    ///   - intrinsics: of the picture as it is stored; nil for what the picture's own file tells.
    ///   - limits: how much the bytes may ask for.
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

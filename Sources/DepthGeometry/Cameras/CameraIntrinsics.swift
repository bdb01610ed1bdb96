import Platform
public import Imaging

/// A pinhole camera: where points in front of it fall in its picture.
///
/// Camera frame: x right, y down, z forward, metres. Picture frame: pixels, the centre of the top-left pixel at (0, 0).
/// u = fx · x / z + cx, v = fy · y / z + cy (Hartley & Zisserman, 2nd ed., 6.1, without skew).
public struct CameraIntrinsics: Equatable, Sendable {
    /// Focal length along x in pixels, finite and greater than 0.
    public let fx: Double
    /// Focal length along y in pixels, finite and greater than 0.
    public let fy: Double
    /// Principal point, column in pixels.
    public let cx: Double
    /// Principal point, row in pixels.
    public let cy: Double
    /// Size of the picture that the other values belong to.
    public let imageSize: PixelSize

    /// A camera from its parameters.
    /// - Precondition: all finite, focal lengths and sizes greater than 0. Values from files are checked where they are
    ///   read, with an error that names the file.
    public init(fx: Double, fy: Double, cx: Double, cy: Double, imageSize: PixelSize) {
        precondition(
            fx.isFinite && fy.isFinite && fx > 0 && fy > 0, "focal lengths are finite and greater than 0")
        precondition(cx.isFinite && cy.isFinite, "the principal point is finite")
        precondition(imageSize.width > 0 && imageSize.height > 0, "a camera's picture has at least one pixel")
        self.fx = fx
        self.fy = fy
        self.cx = cx
        self.cy = cy
        self.imageSize = imageSize
    }

    /// A camera that looks through the middle of its picture with a given field of view along the longer side.
    /// - Parameters:
    ///   - imageSize: the picture that the focal length belongs to.
    ///   - fieldOfView: full angle in radians, greater than 0 and less than pi.
    public init(fieldOfView: Double, imageSize: PixelSize) {
        precondition(fieldOfView > 0 && fieldOfView < .pi, "a field of view lies between 0 and pi")
        let half = Double(max(imageSize.width, imageSize.height)) / 2
        let focal = half / tan(fieldOfView / 2)
        self.init(
            fx: focal, fy: focal, cx: (Double(imageSize.width) - 1) / 2,
            cy: (Double(imageSize.height) - 1) / 2,
            imageSize: imageSize)
    }

    /// The field of view that is assumed if nothing is known about the camera: about that of a phone's main camera.
    package static let assumedFieldOfView = 60 * Double.pi / 180

    /// The camera that is assumed for a picture of which nothing is known.
    package static func assumed(imageSize: PixelSize) -> CameraIntrinsics {
        CameraIntrinsics(fieldOfView: assumedFieldOfView, imageSize: imageSize)
    }

    /// Full angle of view along the longer side, in radians.
    package var fieldOfView: Double {
        imageSize.width >= imageSize.height
            ? 2 * atan(Double(imageSize.width) / (2 * fx)) : 2 * atan(Double(imageSize.height) / (2 * fy))
    }

    /// Where a point of the camera frame falls in the picture, in pixels. Meaningless unless z > 0.
    public func project(_ point: SIMD3<Double>) -> SIMD2<Double> {
        SIMD2(fx * point.x / point.z + cx, fy * point.y / point.z + cy)
    }

    /// The point of the camera frame that is seen at a pixel, `depth` metres along the optical axis.
    public func unproject(_ pixel: SIMD2<Double>, depth: Double) -> SIMD3<Double> {
        ray(through: pixel) * depth
    }

    /// The direction seen at a pixel, with z = 1.
    public func ray(through pixel: SIMD2<Double>) -> SIMD3<Double> {
        SIMD3((pixel.x - cx) / fx, (pixel.y - cy) / fy, 1)
    }

    /// The same camera for its picture at another size: f' = s f, c' = s (c + 0.5) - 0.5 along each axis.
    ///
    /// Scaling c plainly would be off by half a pixel of the coarser picture (0.4 depth pixels for a LiDAR map).
    public func scaled(to size: PixelSize) -> CameraIntrinsics {
        let sx = Double(size.width) / Double(imageSize.width)
        let sy = Double(size.height) / Double(imageSize.height)
        return CameraIntrinsics(
            fx: fx * sx, fy: fy * sy, cx: (cx + 0.5) * sx - 0.5, cy: (cy + 0.5) * sy - 0.5, imageSize: size)
    }

    /// The camera of the picture turned upright.
    public func rotated(_ orientation: ImageOrientation) -> CameraIntrinsics {
        let center = orientation.turn(SIMD2(cx, cy), in: imageSize)
        let swaps = orientation.swapsAxes
        return CameraIntrinsics(
            fx: swaps ? fy : fx, fy: swaps ? fx : fy, cx: center.x, cy: center.y,
            imageSize: orientation.size(turning: imageSize))
    }

    /// The camera of a part of the picture.
    /// - Parameters:
    ///   - x: column of the part's left-most pixels.
    ///   - y: row of the part's top-most pixels.
    ///   - size: the part's size.
    public func cropped(x: Int, y: Int, size: PixelSize) -> CameraIntrinsics {
        CameraIntrinsics(fx: fx, fy: fy, cx: cx - Double(x), cy: cy - Double(y), imageSize: size)
    }
}

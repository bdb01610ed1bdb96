public import Diagnostics
import Platform
public import Imaging

/// A pinhole camera: where points in front of it appear in its image.
///
/// Camera frame: x right, y down, z forward, metres. Image frame: pixels, the centre of the top-left pixel at (0, 0).
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
    /// Size of the image that the other values belong to.
    public let imageSize: PixelSize

    /// Creates a camera from parameters known to be valid.
    /// - Precondition: all finite, focal lengths and sizes greater than 0. For numbers from outside use
    ///   `init(validatingFx:fy:cx:cy:imageSize:)`.
    public init(fx: Double, fy: Double, cx: Double, cy: Double, imageSize: PixelSize) {
        if let fault = Self.fault(fx: fx, fy: fy, cx: cx, cy: cy, imageSize: imageSize) {
            preconditionFailure(fault.description)
        }
        self.fx = fx
        self.fy = fy
        self.cx = cx
        self.cy = cy
        self.imageSize = imageSize
    }

    /// Creates a camera from numbers that come from outside, such as from a server's client.
    /// - Throws: `.badInput` that names the first invalid number and the values allowed.
    public init(
        validatingFx fx: Double, fy: Double, cx: Double, cy: Double, imageSize: PixelSize
    ) throws(FlatteningError) {
        if let fault = Self.fault(fx: fx, fy: fy, cx: cx, cy: cy, imageSize: imageSize) { throw fault }
        self.init(fx: fx, fy: fy, cx: cx, cy: cy, imageSize: imageSize)
    }

    /// Creates a camera from a matrix as AVFoundation and ARKit give it (`intrinsicMatrix`). Their principal point counts
    /// from the corner of the first pixel; here it counts from that pixel's centre.
    /// - Parameters:
    ///   - columns: the matrix by its columns: (fx, 0, 0), (0, fy, 0), (cx, cy, 1).
    ///   - referenceSize: the size of the image that the matrix is stated for (`intrinsicMatrixReferenceDimensions`), in
    ///     the sensor's orientation. Use `scaled(to:)` for an image of another size and `rotated(_:)` for a turned one.
    /// - Throws: `.badInput` for a matrix that is skewed or of another form, and for numbers that no camera has.
    public init(
        matrix columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>), referenceSize: PixelSize
    ) throws(FlatteningError) {
        let rest = [
            columns.0.y, columns.0.z, columns.1.x, columns.1.z, columns.2.z - 1,
        ]
        guard rest.allSatisfy({ $0 == 0 }) else {
            throw Self.fault(
                "the matrix is not a camera's", seen: "\(columns)",
                allowed: "columns (fx, 0, 0), (0, fy, 0), (cx, cy, 1)")
        }
        try self.init(
            validatingFx: Double(columns.0.x), fy: Double(columns.1.y), cx: Double(columns.2.x) - 0.5,
            cy: Double(columns.2.y) - 0.5, imageSize: referenceSize)
    }

    /// A camera that looks through the centre of its image with a given field of view along the longer side.
    /// - Precondition: the conditions of `init(validatingFieldOfView:imageSize:)` hold.
    /// - Parameters:
    ///   - imageSize: size of the image that the focal length belongs to.
    ///   - fieldOfView: full angle in radians, greater than 0 and less than pi.
    public init(fieldOfView: Double, imageSize: PixelSize) {
        do throws(FlatteningError) {
            try self.init(validatingFieldOfView: fieldOfView, imageSize: imageSize)
        } catch {
            preconditionFailure(error.description)
        }
    }

    /// A camera that looks through the centre of its image, with a field of view that comes from outside.
    /// - Parameters:
    ///   - imageSize: size of the image that the focal length belongs to.
    ///   - fieldOfView: full angle along the longer side in radians, greater than 0 and less than pi.
    /// - Throws: `.badInput` that names the invalid number and the values allowed.
    public init(
        validatingFieldOfView fieldOfView: Double, imageSize: PixelSize
    ) throws(FlatteningError) {
        let half = Double(max(imageSize.width, imageSize.height)) / 2
        let focal = half / tan(fieldOfView / 2)
        // For the smallest angles that a `Double` can hold, the focal length is infinite.
        guard fieldOfView > 0, fieldOfView < .pi, focal.isFinite else {
            throw Self.fault(
                "fieldOfView is not a camera's", seen: "\(fieldOfView)", allowed: "radians between 0 and pi")
        }
        try self.init(
            validatingFx: focal, fy: focal, cx: (Double(imageSize.width) - 1) / 2,
            cy: (Double(imageSize.height) - 1) / 2, imageSize: imageSize)
    }

    /// Returns what is wrong with a camera's numbers; nil if they are valid.
    private static func fault(
        fx: Double, fy: Double, cx: Double, cy: Double, imageSize: PixelSize
    ) -> FlatteningError? {
        guard imageSize.width > 0, imageSize.height > 0 else {
            return fault(
                "imageSize is not the size of a picture", seen: "\(imageSize)", allowed: "1 x 1 and more")
        }
        for (name, value) in [("fx", fx), ("fy", fy)] where !(value.isFinite && value > 0) {
            return fault(
                "\(name) is not a focal length", seen: "\(value)",
                allowed: "a finite number of pixels greater than 0")
        }
        for (name, value) in [("cx", cx), ("cy", cy)] where !value.isFinite {
            return fault(
                "\(name) is not a place in a picture", seen: "\(value)", allowed: "a finite number of pixels")
        }
        return nil
    }

    private static func fault(_ message: String, seen: String, allowed: String) -> FlatteningError {
        FlatteningError(.badInput, message, stage: .intrinsics, seen: seen, allowed: allowed)
    }

    /// The field of view assumed if nothing is known about the camera: about that of a phone's main camera.
    package static let assumedFieldOfView = 60 * Double.pi / 180

    /// The camera assumed for an image about which nothing is known.
    package static func assumed(imageSize: PixelSize) -> CameraIntrinsics {
        CameraIntrinsics(fieldOfView: assumedFieldOfView, imageSize: imageSize)
    }

    /// Full angle of view along the longer side, in radians.
    package var fieldOfView: Double {
        imageSize.width >= imageSize.height
            ? 2 * atan(Double(imageSize.width) / (2 * fx)) : 2 * atan(Double(imageSize.height) / (2 * fy))
    }

    /// Where a point of the camera frame falls in the image, in pixels. Meaningless unless z > 0.
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

    /// The same camera for its image at another size: f' = s f, c' = s (c + 0.5) - 0.5 along each axis.
    ///
    /// Scaling c without the half pixels would be off by half a pixel of the coarser image (0.4 depth pixels for a LiDAR
    /// map).
    public func scaled(to size: PixelSize) -> CameraIntrinsics {
        let sx = Double(size.width) / Double(imageSize.width)
        let sy = Double(size.height) / Double(imageSize.height)
        return CameraIntrinsics(
            fx: fx * sx, fy: fy * sy, cx: (cx + 0.5) * sx - 0.5, cy: (cy + 0.5) * sy - 0.5, imageSize: size)
    }

    /// The camera of the image turned upright.
    public func rotated(_ orientation: ImageOrientation) -> CameraIntrinsics {
        let center = orientation.turn(SIMD2(cx, cy), in: imageSize)
        let swaps = orientation.swapsAxes
        return CameraIntrinsics(
            fx: swaps ? fy : fx, fy: swaps ? fx : fy, cx: center.x, cy: center.y,
            imageSize: orientation.size(turning: imageSize))
    }

    /// The camera of a part of the image.
    /// - Parameters:
    ///   - x: column of the part's left-most pixels.
    ///   - y: row of the part's top-most pixels.
    ///   - size: the part's size.
    public func cropped(x: Int, y: Int, size: PixelSize) -> CameraIntrinsics {
        CameraIntrinsics(fx: fx, fy: fy, cx: cx - Double(x), cy: cy - Double(y), imageSize: size)
    }
}

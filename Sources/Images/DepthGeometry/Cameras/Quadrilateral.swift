public import Diagnostics
import Platform
import Imaging

/// The four corners of something rectangular in an image, in pixels, named by their place on the rectangle.
public struct Quadrilateral: Equatable, Sendable {
    /// The rectangle's (0, 0).
    package var topLeft: SIMD2<Double>
    /// The rectangle's (width, 0).
    package var topRight: SIMD2<Double>
    /// The rectangle's (width, height).
    package var bottomRight: SIMD2<Double>
    /// The rectangle's (0, height).
    package var bottomLeft: SIMD2<Double>

    /// A quadrilateral from its corners.
    public init(
        topLeft: SIMD2<Double>, topRight: SIMD2<Double>, bottomRight: SIMD2<Double>, bottomLeft: SIMD2<Double>
    ) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    /// The corners, clockwise in the image from the top left.
    package var corners: [SIMD2<Double>] { [topLeft, topRight, bottomRight, bottomLeft] }

    /// The area in square pixels; positive if the corners run clockwise in the image.
    package var area: Double { (bottomRight - topLeft).cross(bottomLeft - topRight) / 2 }

    /// The homography that takes a rectangle of the given size, with one corner at (0, 0), onto this quadrilateral.
    /// - Throws: `badInput` if three corners lie on a line or are not finite.
    /// - Precondition: both sides greater than 0.
    public func homography(width: Double, height: Double) throws(FlatteningError) -> Homography {
        precondition(width > 0 && height > 0, "a rectangle has sides")
        return try Homography(
            mapping: [.zero, SIMD2(width, 0), SIMD2(width, height), SIMD2(0, height)], onto: corners)
    }

    /// Finds where the rectangle lies in space, up to its unknown size; nil if no rectangle in front of the camera looks
    /// like this.
    ///
    /// Zhang & He, "Whiteboard scanning and image enhancement", Digital Signal Processing 17(2), 2007,
    /// DOI 10.1016/j.dsp.2006.05.006; applied to rays instead of pixels, so the principal point may lie anywhere.
    package func pose(camera: Camera) -> RectanglePose? {
        RectanglePose(rays: corners.map { camera.ray(through: $0) })
    }

    /// Where the rectangle lies in space for a camera without lens distortion; see `pose(camera:)`.
    package func pose(intrinsics: CameraIntrinsics) -> RectanglePose? {
        pose(camera: Camera(intrinsics: intrinsics))
    }
}

/// Where a rectangle lies in space, as far as an image of it tells: everything but its size.
///
/// Lengths are in units of the depth of the top-left corner. Multiply by that corner's true depth, or by the factor that
/// gives one side its true length, to get metres.
package struct RectanglePose: Equatable, Sendable {
    /// The corners in the camera frame, from the top left clockwise; the first has z = 1.
    package let corners: [SIMD3<Double>]
    /// Length of the top and bottom sides.
    package let width: Double
    /// Length of the left and right sides.
    package let height: Double
    /// The plane of the rectangle.
    package let plane: Plane
    /// How far the angle between the sides is from a right angle, in radians. A true rectangle seen by the assumed camera
    /// has 0; wrong intrinsics, bent paper and badly found corners make it larger.
    package let skew: Double

    /// Creates the pose from the rays (z = 1) through the corners, from the top left clockwise.
    init?(rays: [SIMD3<Double>]) {
        let (m1, m2, m4, m3) = (rays[0], rays[1], rays[2], rays[3])
        // Opposite sides of a parallelogram are equal vectors. If the first corner has depth 1, the others have the depths
        // k2, k3, and k4 = k2 + k3 - 1 (Zhang & He, equations 11 and 12).
        let k2 = m1.cross(m4).dot(m3) / m2.cross(m4).dot(m3)
        let k3 = m1.cross(m4).dot(m2) / m3.cross(m4).dot(m2)
        let k4 = k2 + k3 - 1
        guard k2 > 0, k3 > 0, k4 > 0, k2.isFinite, k3.isFinite else { return nil }
        let across = m2 * k2 - m1
        let down = m3 * k3 - m1
        let normal = across.cross(down)
        guard across.length > 0, down.length > 0, normal.length > 1e-9 * across.length * down.length else {
            return nil
        }
        corners = [m1, m2 * k2, m4 * k4, m3 * k3]
        width = across.length
        height = down.length
        plane = Plane(through: m1, normal: normal)
        skew = atan2(abs(across.dot(down)), normal.length)
    }
}

/// Rectangular coordinates on a plane: (s, t) in metres is the point origin + s · xAxis + t · yAxis.
///
/// Seen from the camera, x runs right and y down, as in an image: xAxis × yAxis points away from the camera.
package struct PlaneFrame: Equatable, Sendable {
    /// The point with the coordinates (0, 0), in the camera frame.
    package let origin: SIMD3<Double>
    /// Unit vector of the first coordinate, in the camera frame.
    package let xAxis: SIMD3<Double>
    /// Unit vector of the second coordinate, in the camera frame.
    package let yAxis: SIMD3<Double>

    /// Creates the frame on a plane whose x-axis follows the image's x-axis as closely as the plane allows.
    /// - Parameters:
    ///   - plane: the plane.
    ///   - origin: the point that becomes (0, 0), projected onto the plane.
    ///   - direction: the direction for xAxis to follow, in the camera frame; the camera's x-axis by default.
    package init(
        on plane: Plane, origin: SIMD3<Double>, along direction: SIMD3<Double> = SIMD3(1, 0, 0)
    ) {
        self.origin = plane.projection(of: origin)
        var along = direction - plane.normal * plane.normal.dot(direction)
        if along.length < 1e-9 * direction.length || direction.length == 0 {
            // The direction is at right angles to the plane: use any axis across the normal that differs from it (y or x).
            let other = abs(plane.normal.y) < 0.9 ? SIMD3<Double>(0, 1, 0) : SIMD3(1, 0, 0)
            along = other.cross(plane.normal)
        }
        xAxis = along.normalized
        // With the normal towards the camera, (x, y, -normal) is right-handed.
        yAxis = xAxis.cross(plane.normal)
    }

    /// The unit normal, towards the camera.
    package var normal: SIMD3<Double> { yAxis.cross(xAxis) }

    /// The point with given coordinates, in the camera frame.
    package func point(_ coordinates: SIMD2<Double>) -> SIMD3<Double> {
        origin + xAxis * coordinates.x + yAxis * coordinates.y
    }

    /// The coordinates of a point's projection onto the plane.
    package func coordinates(of point: SIMD3<Double>) -> SIMD2<Double> {
        SIMD2((point - origin).dot(xAxis), (point - origin).dot(yAxis))
    }
}

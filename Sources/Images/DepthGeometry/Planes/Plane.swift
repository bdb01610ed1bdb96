import Platform

/// A plane in the camera frame: all x with n · x + d = 0.
///
/// The unit normal n faces the camera: the camera's centre (the origin) lies on its positive side. So d >= 0 is the
/// distance of the centre, and n.z < 0 wherever the optical axis meets the plane in front of the camera. A plane through
/// the centre, which no camera sees, has n.z < 0 by convention.
public struct Plane: Equatable, Sendable {
    /// Unit normal, towards the camera.
    public let normal: SIMD3<Double>
    /// The camera centre's distance d, at least 0, in metres (or the cloud's unit).
    public let offset: Double

    /// The plane n · x + d = 0; scaling (n, d), or flipping its sign, gives the same plane.
    /// - Precondition: finite, and the normal not zero.
    public init(normal: SIMD3<Double>, offset: Double) {
        let length = normal.length
        precondition(
            length > 0 && length.isFinite && offset.isFinite, "a plane has a finite, non-zero normal")
        let faces = offset > 0 || (offset == 0 && normal.z <= 0)
        self.normal = normal / (faces ? length : -length)
        self.offset = abs(offset) / length
    }

    /// The plane through a point.
    /// - Precondition: finite, and the normal not zero.
    package init(through point: SIMD3<Double>, normal: SIMD3<Double>) {
        self.init(normal: normal, offset: -normal.dot(point))
    }

    /// The plane through three points; nil if they lie (nearly) on a line or are not finite.
    package init?(through a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) {
        let (ab, ac) = (b - a, c - a)
        let normal = ab.cross(ac)
        // The sine of the angle between the sides, compared with the precision of a `Double`.
        guard normal.isFinite, a.isFinite, normal.length > 1e-12 * ab.length * ac.length else { return nil }
        self.init(through: a, normal: normal)
    }

    /// How far a point lies above the plane: positive on the camera's side, negative behind. O(1).
    public func signedDistance(to point: SIMD3<Double>) -> Double { normal.dot(point) + offset }

    /// The nearest point of the plane. O(1).
    package func projection(of point: SIMD3<Double>) -> SIMD3<Double> {
        point - normal * signedDistance(to: point)
    }

    /// The point where a ray from the camera's centre meets the plane; nil if it lies behind the camera or does not exist.
    /// O(1).
    /// - Parameter direction: of any length; with z = 1 its scale factor is the depth of the point.
    package func intersection(along direction: SIMD3<Double>) -> SIMD3<Double>? {
        intersection(from: .zero, along: direction)
    }

    /// The point where a ray meets the plane; nil if it lies behind the ray's origin or does not exist. O(1).
    package func intersection(from origin: SIMD3<Double>, along direction: SIMD3<Double>) -> SIMD3<Double>? {
        let factor = -signedDistance(to: origin) / normal.dot(direction)
        guard factor > 0, factor.isFinite else { return nil }
        return origin + direction * factor
    }

    /// The angle between the normal and the optical axis in radians: 0 is seen face on, pi / 2 edge on.
    public var tilt: Double { acos(min(max(-normal.z, -1), 1)) }

    /// The angle between two planes in radians, 0 to pi / 2.
    public func angle(to other: Plane) -> Double {
        // atan2 keeps its precision at small angles, where acos loses half the digits.
        atan2(normal.cross(other.normal).length, abs(normal.dot(other.normal)))
    }
}

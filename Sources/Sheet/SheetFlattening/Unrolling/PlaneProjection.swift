import DepthGeometry

/// The exact mapping between a photograph and a plane: rays in one direction, projection in the other.
struct PlaneProjection: Sendable {
    let plane: Plane
    let intrinsics: CameraIntrinsics
    /// The frame of the flat coordinates.
    let frame: PlaneFrame

    init(plane: Plane, intrinsics: CameraIntrinsics, center: SIMD3<Double>) {
        self.plane = plane
        self.intrinsics = intrinsics
        frame = PlaneFrame(on: plane, origin: center)
    }

    /// Flat position of a pixel; nil if its ray misses the plane.
    func flatPosition(ofPixel pixel: SIMD2<Double>) -> SIMD2<Double>? {
        plane.intersection(along: intrinsics.ray(through: pixel)).map { frame.coordinates(of: $0) }
    }

    /// Pixel of a flat position; nil behind the camera.
    func pixel(ofFlat flat: SIMD2<Double>) -> SIMD2<Double>? {
        let point = frame.point(flat)
        return point.z > 0 ? intrinsics.project(point) : nil
    }
}

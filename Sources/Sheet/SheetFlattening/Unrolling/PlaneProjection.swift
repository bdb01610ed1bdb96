import DepthGeometry

/// The exact way between a photograph and a plane in it: rays one way, projection the other.
struct PlaneProjection: Sendable {
    let plane: Plane
    let intrinsics: CameraIntrinsics
    /// Flat coordinates are this frame's.
    let frame: PlaneFrame

    init(plane: Plane, intrinsics: CameraIntrinsics, center: SIMD3<Double>) {
        self.plane = plane
        self.intrinsics = intrinsics
        frame = PlaneFrame(on: plane, origin: center)
    }

    /// Flat position of a pixel; nil where its ray misses the plane.
    func flatPosition(ofPixel pixel: SIMD2<Double>) -> SIMD2<Double>? {
        plane.intersection(along: intrinsics.ray(through: pixel)).map { frame.coordinates(of: $0) }
    }

    /// Pixel of a flat position; nil behind the camera.
    func pixel(ofFlat flat: SIMD2<Double>) -> SIMD2<Double>? {
        let point = frame.point(flat)
        return point.z > 0 ? intrinsics.project(point) : nil
    }
}

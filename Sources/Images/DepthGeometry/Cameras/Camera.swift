package import Imaging

/// A real camera: a pinhole and, where known, the distortion of its lens.
///
/// Pixels are those of the photograph as taken (distorted); rays and points are undistorted. Scaling, turning and cropping
/// change both parts alike.
package struct Camera: Equatable, Sendable {
    /// The pinhole.
    package var intrinsics: CameraIntrinsics
    /// The lens; nil for an ideal one.
    package var distortion: LensDistortion?

    /// A camera from its parts; both belong to the same image.
    package init(intrinsics: CameraIntrinsics, distortion: LensDistortion? = nil) {
        self.intrinsics = intrinsics
        self.distortion = distortion
    }

    /// The direction seen at a pixel of the photograph, with z = 1; NaN where the lens model sees nothing.
    package func ray(through pixel: SIMD2<Double>) -> SIMD3<Double> {
        guard let distortion else { return intrinsics.ray(through: pixel) }
        return distortion.ray(through: pixel, intrinsics: intrinsics)
    }

    /// The point seen at a pixel of the photograph, `depth` metres along the optical axis.
    package func unproject(_ pixel: SIMD2<Double>, depth: Double) -> SIMD3<Double> {
        ray(through: pixel) * depth
    }

    /// The pixel of the photograph at which a point in front of the camera appears. Meaningless unless z > 0.
    package func project(_ point: SIMD3<Double>) -> SIMD2<Double> {
        guard let distortion else { return intrinsics.project(point) }
        return distortion.project(point, intrinsics: intrinsics)
    }

    /// Where the same camera with an ideal lens would see what the photograph shows at a pixel. Straight lines are straight
    /// there.
    package func ideal(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        distortion == nil ? pixel : intrinsics.project(ray(through: pixel))
    }

    /// Where the photograph shows what the same camera with an ideal lens would see at a pixel; NaN stays NaN.
    package func photographed(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        guard distortion != nil, pixel.x.isFinite, pixel.y.isFinite else { return pixel }
        return project(intrinsics.ray(through: pixel))
    }

    /// The same camera for its image at another size; see `CameraIntrinsics.scaled(to:)`.
    package func scaled(to size: PixelSize) -> Camera {
        Camera(
            intrinsics: intrinsics.scaled(to: size),
            distortion: distortion?.scaled(from: intrinsics.imageSize, to: size))
    }

    /// The camera of the image turned upright.
    package func rotated(_ orientation: ImageOrientation) -> Camera {
        Camera(
            intrinsics: intrinsics.rotated(orientation),
            distortion: distortion?.rotated(orientation, in: intrinsics.imageSize))
    }

    /// The camera of a part of the image; see `CameraIntrinsics.cropped(x:y:size:)`.
    package func cropped(x: Int, y: Int, size: PixelSize) -> Camera {
        Camera(
            intrinsics: intrinsics.cropped(x: x, y: y, size: size),
            distortion: distortion?.cropped(x: x, y: y))
    }
}

internal import DepthGeometry

/// The way between a photograph's pixels and those of the same camera with a lens that does not distort.
///
/// Geometry is done in ideal pixels, where straight lines are straight; what is found in the photograph is corrected on
/// the way in, the sampling map on the way out, so that the picture is still resampled only once.
struct LensCorrection: Sendable {
    private let intrinsics: CameraIntrinsics
    /// Nil where no distortion is known: both ways are then the identity.
    private let distortion: LensDistortion?

    init(intrinsics: CameraIntrinsics, distortion: LensDistortion?) {
        self.intrinsics = intrinsics
        self.distortion = distortion
    }

    /// Where the ideal camera sees what the photograph shows at `pixel`.
    func ideal(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        guard let distortion else { return pixel }
        return intrinsics.project(distortion.ray(through: pixel, intrinsics: intrinsics))
    }

    /// Where the photograph shows what the ideal camera sees at `pixel`; NaN stays NaN.
    func photographed(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        guard let distortion, pixel.x.isFinite, pixel.y.isFinite else { return pixel }
        return distortion.project(intrinsics.ray(through: pixel), intrinsics: intrinsics)
    }
}

package import Imaging

/// How a lens bends the image compared with a pinhole's.
public enum LensDistortion: Equatable, Sendable {
    /// Radial and tangential polynomials in ray coordinates, as OpenCV, ROS and RealSense give them.
    case brownConrady(BrownConrady)
    /// A table of radial magnifications in pixels, as Apple's `AVCameraCalibrationData` gives it.
    case radialTable(RadialDistortionTable)

    /// The direction seen at a pixel of the photograph, with z = 1; NaN where the model sees nothing.
    package func ray(through pixel: SIMD2<Double>, intrinsics: CameraIntrinsics) -> SIMD3<Double> {
        switch self {
        case .brownConrady(let model):
            let ray = intrinsics.ray(through: pixel)
            let ideal = model.undistort(SIMD2(ray.x, ray.y))
            return SIMD3(ideal.x, ideal.y, 1)
        case .radialTable(let table):
            return intrinsics.ray(through: table.undistort(pixel))
        }
    }

    /// The pixel of the photograph at which a point in front of the camera appears. Meaningless unless z > 0.
    package func project(_ point: SIMD3<Double>, intrinsics: CameraIntrinsics) -> SIMD2<Double> {
        switch self {
        case .brownConrady(let model):
            let bent = model.distort(SIMD2(point.x / point.z, point.y / point.z))
            return intrinsics.project(SIMD3(bent.x, bent.y, 1))
        case .radialTable(let table):
            return table.distort(intrinsics.project(point))
        }
    }

    /// The same lens for the image at another size.
    package func scaled(from size: PixelSize, to newSize: PixelSize) -> LensDistortion {
        switch self {
        case .brownConrady: self
        case .radialTable(let table): .radialTable(table.scaled(from: size, to: newSize))
        }
    }

    /// The same lens for the image turned upright.
    /// - Parameters:
    ///   - orientation: how the image is turned.
    ///   - size: the image's size before turning.
    package func rotated(_ orientation: ImageOrientation, in size: PixelSize) -> LensDistortion {
        switch self {
        case .brownConrady(let model): .brownConrady(model.rotated(orientation))
        case .radialTable(let table): .radialTable(table.rotated(orientation, in: size))
        }
    }

    /// The same lens for a part of the image whose top-left pixel is (x, y).
    package func cropped(x: Int, y: Int) -> LensDistortion {
        switch self {
        case .brownConrady: self
        case .radialTable(let table): .radialTable(table.cropped(x: x, y: y))
        }
    }
}

import DepthGeometry
import Foundation
import Imaging
import RobustStatistics

extension SplitMix64 {
    /// A point of a box.
    mutating func point(in low: SIMD3<Double>, _ high: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(
            Double.random(in: low.x...high.x, using: &self), Double.random(in: low.y...high.y, using: &self),
            Double.random(in: low.z...high.z, using: &self))
    }
}

/// A camera of a phone's kind with its axis off the middle, so that nothing cancels by symmetry.
func phoneIntrinsics(width: Int = 640, height: Int = 480) -> CameraIntrinsics {
    CameraIntrinsics(
        fx: 0.95 * Double(width), fy: 0.94 * Double(width), cx: 0.52 * Double(width),
        cy: 0.47 * Double(height),
        imageSize: PixelSize(width: width, height: height))
}

/// Depth made pixel by pixel; nil or NaN means no reading.
func depthMap(
    _ intrinsics: CameraIntrinsics, _ depth: (_ pixel: SIMD2<Double>, _ ray: SIMD3<Double>) -> Double?
) -> DepthMap {
    let size = intrinsics.imageSize
    var readings = Raster<Float>(width: size.width, height: size.height, filledWith: .nan)
    for y in 0..<size.height {
        for x in 0..<size.width {
            let pixel = SIMD2(Double(x), Double(y))
            readings[x: x, y: y] = Float(depth(pixel, intrinsics.ray(through: pixel)) ?? .nan)
        }
    }
    return DepthMap(readings: readings)
}

/// A plane tilted both ways, 0.3 m in front of the camera.
let tiltedPlane = Plane(through: SIMD3(0, 0, 0.3), normal: SIMD3(0.3, -0.2, -1))

func degrees(_ radians: Double) -> Double { radians * 180 / .pi }

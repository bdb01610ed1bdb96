package import Imaging

extension DepthMap {
    /// Converts radial depth to planar: lengths along the ray become distances along the optical axis.
    ///
    /// z = r / |ray(u, v)| with the ray's z = 1. O(pixels).
    /// - Parameters:
    ///   - radial: readings as distances from the camera's centre.
    ///   - intrinsics: of the image at any resolution of the same shape.
    ///   - distortion: the lens, for the same image as `intrinsics`; pixels where it sees nothing get no reading.
    package static func planar(
        fromRadial radial: DepthMap, intrinsics: CameraIntrinsics, distortion: LensDistortion? = nil
    ) -> DepthMap {
        scaled(radial, intrinsics: intrinsics, distortion: distortion) { reading, length in reading / length }
    }

    /// Converts planar depth to radial: r = z · |ray(u, v)|; the inverse of `planar(fromRadial:intrinsics:distortion:)`.
    package static func radial(
        fromPlanar planar: DepthMap, intrinsics: CameraIntrinsics, distortion: LensDistortion? = nil
    ) -> DepthMap {
        scaled(planar, intrinsics: intrinsics, distortion: distortion) { reading, length in reading * length }
    }

    private static func scaled(
        _ depth: DepthMap, intrinsics: CameraIntrinsics, distortion: LensDistortion?,
        _ combine: (_ reading: Float, _ length: Float) -> Float
    ) -> DepthMap {
        let rays = RayGrid(camera: Camera(intrinsics: intrinsics, distortion: distortion), size: depth.size)
        var readings = depth.values
        rays.forEachRow { y, ray in
            for x in 0..<depth.width {
                let (rayX, rayY) = (ray(x).x, ray(x).y)
                let length = (rayX * rayX + rayY * rayY + 1).squareRoot()
                let index = y * depth.width + x
                readings.elements[index] = combine(readings.elements[index], length)
            }
        }
        return DepthMap(readings: readings, scale: depth.scale)
    }

    /// How far each reading lies above a plane, positive towards the camera, in metres; NaN where there is no reading.
    ///
    /// n · P + d with P = z · ray(u, v). O(pixels).
    package func heights(
        above plane: Plane, intrinsics: CameraIntrinsics, distortion: LensDistortion? = nil
    ) -> Raster<Float> {
        let rays = RayGrid(camera: Camera(intrinsics: intrinsics, distortion: distortion), size: size)
        let normal = SIMD3<Float>(plane.normal)
        let offset = Float(plane.offset)
        return Raster(width: width, height: height) { heights in
            values.elements.withUnsafeBufferPointer { readings in
                rays.forEachRow { y, ray in
                    for x in 0..<width {
                        let slope = normal.x * ray(x).x + normal.y * ray(x).y + normal.z
                        let index = y * width + x
                        heights.initializeElement(at: index, to: readings[index] * slope + offset)
                    }
                }
            }
        }
    }
}

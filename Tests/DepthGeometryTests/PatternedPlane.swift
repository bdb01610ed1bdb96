import DepthGeometry
import Foundation
import Imaging

/// A patterned plane seen by a moved camera: picture and depth follow from equations, so that every error is the code's.
struct PatternedPlane {
    var camera = Camera(intrinsics: phoneIntrinsics(width: 80, height: 60))
    var plane = tiltedPlane

    /// The view from a camera whose frame `motion` leads to.
    func view(_ motion: RigidTransform, gain: Double = 1, patterned: Bool = true) -> RegistrationView {
        let back = motion.inverse
        let size = camera.intrinsics.imageSize
        var image = RGBImage(width: size.width, height: size.height, filledWith: .white)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let point = seen(SIMD2(Double(x), Double(y)), back)
                // Waves of 20 to 60 mm: several pixels long each, as the picture must show what moves.
                let waves =
                    sin(210 * point.x + 90 * point.y) + sin(130 * point.y - 250 * point.x)
                    + sin(300 * point.y)
                let luma = UInt8((gain * (120 + (patterned ? 35 * waves : 0))).rounded())
                image[x: x, y: y] = RGB(red: luma, green: luma, blue: luma)
            }
        }
        return RegistrationView(image: image, depth: depth(motion), camera: camera)
    }

    func depth(_ motion: RigidTransform, error: (Int, Int) -> Double = { _, _ in 0 }) -> DepthMap {
        let back = motion.inverse
        return depthMap(camera.intrinsics) { pixel, _ in
            motion.apply(seen(pixel, back)).z + error(Int(pixel.x), Int(pixel.y))
        }
    }

    /// What a pixel of the moved camera shows, in the first camera's frame.
    private func seen(_ pixel: SIMD2<Double>, _ back: RigidTransform) -> SIMD3<Double> {
        let direction = back.rotate(camera.ray(through: pixel))
        return plane.intersection(from: back.translation, along: direction) ?? SIMD3(0, 0, .nan)
    }
}

import DepthGeometry
import Foundation
import Imaging
import Testing

@Suite struct NormalsTests {
    @Test("A plane has one normal everywhere, towards the camera")
    func plane() {
        let intrinsics = phoneIntrinsics(width: 40, height: 30)
        let depth = depthMap(intrinsics) { _, ray in tiltedPlane.intersection(along: ray)?.z }
        let normals = PointCloud(unprojecting: depth, intrinsics: intrinsics).normals()
        for normal in normals {
            // Single-precision w of 3 over a window of 0.1: 2e-7 / 0.1 / 3, with a margin of ten.
            #expect((SIMD3<Double>(normal) - tiltedPlane.normal).length < 1e-5)
        }
    }

    @Test("A sphere's normals point away from its centre")
    func sphere() {
        let intrinsics = phoneIntrinsics(width: 160, height: 120)
        let (center, radius) = (SIMD3(0.02, -0.01, 0.5), 0.15)
        let depth = depthMap(intrinsics) { _, ray in
            let direction = ray / ray.length
            let along = direction.dot(center)
            let square = along * along - center.dot(center) + radius * radius
            return square > 0 ? (along - square.squareRoot()) * direction.z : nil
        }
        let cloud = PointCloud(unprojecting: depth, intrinsics: intrinsics)
        let normals = cloud.normals(radius: 1)
        var checked = 0
        for (point, normal) in zip(cloud.positions, normals) where !normal.x.isNaN {
            let outward = (SIMD3<Double>(point) - center) / radius
            // Near the silhouette a window is no plane any more.
            guard -outward.dot(SIMD3<Double>(point)) / SIMD3<Double>(point).length > 0.5 else { continue }
            checked += 1
            // The window's slope is the mean over 3 pixels of 2 to 5 mm on a radius of 150.
            #expect((SIMD3<Double>(normal) - outward).length < 0.02)
        }
        #expect(checked > 1000)
    }

    @Test("Another surface's points do not bend a normal, and lone points have none")
    func edges() {
        let intrinsics = phoneIntrinsics(width: 40, height: 30)
        let near = Plane(normal: tiltedPlane.normal, offset: tiltedPlane.offset - 0.1)
        let depth = depthMap(intrinsics) { pixel, ray in
            if pixel.x > 30 { return pixel.x == 35 && pixel.y == 10 ? 0.3 : nil }
            return (pixel.x < 15 ? near : tiltedPlane).intersection(along: ray)?.z
        }
        let cloud = PointCloud(unprojecting: depth, intrinsics: intrinsics)
        var farthest = 0.0
        for (normal, pixel) in zip(cloud.normals(), cloud.pixelIndices) {
            if pixel == 10 * 40 + 35 {
                #expect(normal.x.isNaN)
            } else {
                farthest = max(farthest, (SIMD3<Double>(normal) - tiltedPlane.normal).length)
            }
        }
        #expect(farthest < 2e-5)
    }
}

@Suite struct ColorsTests {
    @Test("A point has the colour of the pixel that it falls on")
    func colors() {
        // A picture four times as fine as the depth: a depth pixel's centre lies between fine pixels 4 x + 1 and 4 x + 2.
        let fine = phoneIntrinsics(width: 40, height: 24)
        let intrinsics = fine.scaled(to: PixelSize(width: 10, height: 6))
        let depth = depthMap(intrinsics) { pixel, _ in 0.3 + 0.01 * pixel.x }
        var image = RGBImage(width: 40, height: 24, filledWith: .white)
        for y in 0..<24 {
            for x in 0..<40 { image[x: x, y: y] = RGB(red: UInt8(x / 4), green: UInt8(y / 4), blue: 7) }
        }
        let cloud = PointCloud(unprojecting: depth, intrinsics: fine)
        for source in [fine, intrinsics] {
            let colors = cloud.colors(from: image, intrinsics: source)
            for (color, pixel) in zip(colors, cloud.pixelIndices) {
                #expect(color == RGB(red: UInt8(pixel % 10), green: UInt8(pixel / 10), blue: 7))
            }
        }
    }

    @Test("A point outside the picture has the colour for that")
    func outside() {
        let intrinsics = phoneIntrinsics(width: 10, height: 6)
        let depth = depthMap(intrinsics) { _, _ in 0.3 }
        let cloud = PointCloud(unprojecting: depth, intrinsics: intrinsics)
        let image = RGBImage(width: 5, height: 6, filledWith: RGB(red: 1, green: 2, blue: 3))
        let part = intrinsics.cropped(x: 0, y: 0, size: PixelSize(width: 5, height: 6))
        let red = RGB(red: 255, green: 0, blue: 0)
        for (color, pixel) in zip(
            cloud.colors(from: image, intrinsics: part, outside: red), cloud.pixelIndices)
        {
            #expect(color == (pixel % 10 < 5 ? RGB(red: 1, green: 2, blue: 3) : red))
        }
    }
}

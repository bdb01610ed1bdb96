import DepthGeometry
import Foundation
import Imaging
import Testing

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

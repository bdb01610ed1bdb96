import DepthGeometry
import Imaging
import Testing

@Suite struct RadialDepthTests {
    @Test("Lengths of rays to a plane become the plane's depths, with and without a lens")
    func planar() {
        let intrinsics = phoneIntrinsics(width: 40, height: 30)
        let lens = LensDistortion.brownConrady(BrownConradyTests.lenses[0])
        for distortion in [nil, lens] {
            let camera = Camera(intrinsics: intrinsics, distortion: distortion)
            let radial = depthMap(intrinsics) { pixel, _ in
                tiltedPlane.intersection(along: camera.ray(through: pixel))?.length
            }
            // The intrinsics of a larger picture serve as well.
            let large = intrinsics.scaled(to: PixelSize(width: 400, height: 300))
            let planar = DepthMap.planar(fromRadial: radial, intrinsics: large, distortion: distortion)
            for y in 0..<30 {
                for x in 0..<40 {
                    let ray = camera.ray(through: SIMD2(Double(x), Double(y)))
                    let z = tiltedPlane.intersection(along: ray)?.z ?? .nan
                    // Single precision at half a metre.
                    #expect(abs(Double(planar[x: x, y: y]) - z) < 1e-7)
                }
            }
            let back = DepthMap.radial(fromPlanar: planar, intrinsics: intrinsics, distortion: distortion)
            for (a, b) in zip(back.values.elements, radial.values.elements) { #expect(abs(a - b) < 1e-7) }
        }
    }

    @Test("Heights are the distances of the points from the plane, and NaN stays NaN")
    func heights() {
        let intrinsics = phoneIntrinsics(width: 40, height: 30)
        let depth = depthMap(intrinsics) { pixel, _ in pixel.x == 7 ? nil : 0.25 + 0.001 * pixel.y }
        let heights = depth.heights(above: tiltedPlane, intrinsics: intrinsics)
        let cloud = PointCloud(unprojecting: depth, intrinsics: intrinsics)
        for (point, pixel) in zip(cloud.positions, cloud.pixelIndices) {
            let expected = tiltedPlane.signedDistance(to: SIMD3<Double>(point))
            #expect(abs(Double(heights.elements[Int(pixel)]) - expected) < 2e-7)
        }
        #expect(heights[x: 7, y: 3].isNaN)
    }
}

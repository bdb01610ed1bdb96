import DepthGeometry
import Foundation
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

@Suite struct ConfidenceMapTests {
    private func raster(_ values: [UInt8]) -> Raster<UInt8> {
        Raster(width: values.count, height: 1, elements: values)
    }

    @Test("Levels of 0/1/2 and of 0/127/255 mean the same")
    func scales() throws {
        let levels = try ConfidenceMap(stored: raster([0, 1, 2, 2]))
        let bytes = try ConfidenceMap(stored: raster([0, 127, 255, 254]))
        #expect(levels == bytes)
        #expect(levels[x: 1, y: 0] == .medium)
        #expect(levels.fraction(atLeast: .medium) == 0.75)
        #expect(try ConfidenceMap(stored: raster([0, 255])).levels.elements == [0, 2])
        #expect(try ConfidenceMap(stored: raster([0, 0])).fraction(atLeast: .medium) == 0)
    }

    @Test("A scale that nobody uses is refused", arguments: [3, 100, 126] as [UInt8])
    func unknown(largest: UInt8) {
        #expect(throws: FlatteningError.self) { try ConfidenceMap(stored: raster([0, 1, largest])) }
    }

    @Test("Readings below a level are masked, also by a map of another size")
    func masking() throws {
        let depth = DepthMap(readings: Raster<Float>(width: 4, height: 2, filledWith: 0.5))
        let confidence = try ConfidenceMap(
            stored: Raster(width: 2, height: 1, elements: [0, 2]))
        let masked = depth.masked(by: confidence)
        for y in 0..<2 {
            #expect((0..<4).map { masked[x: $0, y: y].isNaN } == [true, true, false, false])
        }
        let turned = confidence.oriented(by: .right)
        #expect(turned.size == PixelSize(width: 1, height: 2))
        #expect(turned[x: 0, y: 1] == .high)
    }
}

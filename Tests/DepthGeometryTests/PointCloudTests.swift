import DepthGeometry
import Foundation
import Imaging
import Testing

@Suite struct PointCloudTests {
    @Test("Every reading becomes the point that projects back to its pixel")
    func projectUnproject() {
        let intrinsics = phoneIntrinsics(width: 64, height: 48)
        let depth = depthMap(intrinsics) { pixel, _ in
            Int(pixel.x + pixel.y) % 5 == 0 ? nil : 0.2 + 0.003 * pixel.x + 0.001 * pixel.y
        }
        let cloud = PointCloud(unprojecting: depth, intrinsics: intrinsics)
        #expect(cloud.count == depth.values.elements.filter { !$0.isNaN }.count)
        #expect(cloud.pixelIndices == cloud.pixelIndices.sorted())
        for (point, index) in zip(cloud.positions, cloud.pixelIndices) {
            let (x, y) = (Int(index) % 64, Int(index) / 64)
            #expect(point.z == depth[x: x, y: y])
            let pixel = intrinsics.project(SIMD3<Double>(point))
            // Two roundings to single precision of at most 1 times the focal length of 60 pixels.
            #expect((pixel - SIMD2(Double(x), Double(y))).length < 1e-5)
        }
    }

    @Test("A plane's depth gives points on the plane, at whatever size the intrinsics were given")
    func planar() {
        let full = phoneIntrinsics(width: 640, height: 480)
        let coarse = full.scaled(to: PixelSize(width: 80, height: 60))
        let depth = depthMap(coarse) { _, ray in tiltedPlane.intersection(along: ray)?.z }
        for intrinsics in [full, coarse] {
            let cloud = PointCloud(unprojecting: depth, intrinsics: intrinsics)
            #expect(cloud.count == 80 * 60)
            for point in cloud.positions {
                // Single precision at 0.4 m.
                #expect(abs(tiltedPlane.signedDistance(to: SIMD3<Double>(point))) < 1e-7)
            }
        }
    }

    @Test("A coarse pixel lies in the middle of the fine pixels that it covers")
    func halfPixel() {
        // Independent of any formula for c: the ray of a coarse pixel is the mean of the rays of its 4 x 4 fine ones.
        let fine = phoneIntrinsics(width: 64, height: 48)
        let coarse = fine.scaled(to: PixelSize(width: 16, height: 12))
        for y in 0..<12 {
            for x in 0..<16 {
                var mean = SIMD3<Double>.zero
                for row in 0..<4 {
                    for column in 0..<4 {
                        mean += fine.ray(through: SIMD2(Double(4 * x + column), Double(4 * y + row))) / 16
                    }
                }
                // Sixteen additions of numbers below 1.
                #expect((coarse.ray(through: SIMD2(Double(x), Double(y))) - mean).length < 1e-14)
            }
        }
    }

    @Test("Turning a picture turns what its camera sees", arguments: ImageOrientation.allCases)
    func orientations(orientation: ImageOrientation) throws {
        let intrinsics = phoneIntrinsics(width: 12, height: 8)
        let depth = depthMap(intrinsics) { pixel, _ in 0.2 + 0.01 * pixel.x + 0.13 * pixel.y }
        let before = PointCloud(unprojecting: depth, intrinsics: intrinsics)
        let after = PointCloud(
            unprojecting: depth.oriented(by: orientation), intrinsics: intrinsics.rotated(orientation))
        // The axes' own turn, from what happens to the picture's corners.
        let size = intrinsics.imageSize
        let right = orientation.turn(SIMD2(1, 0), in: size) - orientation.turn(.zero, in: size)
        let down = orientation.turn(SIMD2(0, 1), in: size) - orientation.turn(.zero, in: size)
        let turned = before.positions.map { point in
            SIMD3<Float>(
                point.x * Float(right.x) + point.y * Float(down.x),
                point.x * Float(right.y) + point.y * Float(down.y), point.z)
        }
        #expect(turned.count == after.count)
        for point in turned {
            // Depths are all different, so z finds the partner; the rest must then agree but for rounding.
            let partner = try #require(after.positions.first { $0.z == point.z })
            let difference = SIMD3<Double>(partner) - SIMD3<Double>(point)
            #expect(difference.length < 1e-6)
        }
    }

    @Test("No readings give no points, and absurd depths no infinite ones")
    func empty() {
        let intrinsics = phoneIntrinsics(width: 4, height: 3)
        let none = DepthMap(readings: Raster<Float>(width: 4, height: 3, filledWith: .nan))
        #expect(PointCloud(unprojecting: none, intrinsics: intrinsics).count == 0)
        let absurd = DepthMap(
            readings: Raster<Float>(width: 4, height: 3, filledWith: .greatestFiniteMagnitude))
        let cloud = PointCloud(unprojecting: absurd, intrinsics: intrinsics)
        #expect(cloud.positions.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite })
    }

    @Test("Masks and filters keep points and pixels together")
    func masks() {
        let intrinsics = phoneIntrinsics(width: 10, height: 6)
        let depth = depthMap(intrinsics) { pixel, _ in 1 + pixel.x }
        let cloud = PointCloud(unprojecting: depth, intrinsics: intrinsics)
        var mask = Raster(width: 10, height: 6, filledWith: false)
        mask[x: 3, y: 2] = true
        mask[x: 9, y: 5] = true
        let masked = cloud.masked(by: mask)
        #expect(masked.pixelIndices == [23, 59])
        #expect(masked.positions.map(\.z) == [4, 10])
        #expect(cloud.filtered { $0 == 59 }.pixelIndices == [59])
    }

    @Test("Points of a caller's own keep their order, each a pixel of one row")
    func ownPoints() {
        let points = [SIMD3<Float>(0.1, -0.2, 0.5), SIMD3(0, 0, 1), SIMD3(-3, 2, 0.25)]
        let cloud = PointCloud(positions: points)
        #expect(cloud.count == 3 && cloud.positions == points)
        #expect(cloud.pixelIndices == [0, 1, 2] && cloud.gridSize == PixelSize(width: 3, height: 1))
        #expect(cloud.filtered { $0 != 1 }.positions == [points[0], points[2]])
        #expect(PointCloud(positions: []).count == 0)
    }
}

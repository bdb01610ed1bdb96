import DepthGeometry
import Foundation
import Imaging
import RobustStatistics
import TestSupport
import Testing

@Suite struct DepthCleaningTests {
    private let intrinsics = phoneIntrinsics(width: 120, height: 90)

    /// A tilted board over a tilted table, its rim at a slant and mixed where a pixel sees both.
    /// - Returns: the depth and which pixels see both surfaces.
    private func steppedScene(
        mixedWidth: Double, lift: Double, noise: Double, seed: UInt64
    ) -> (depth: DepthMap, isMixed: Raster<Bool>) {
        var generator = SplitMix64(seed: seed)
        let table = Plane(through: SIMD3(0, 0, 0.4), normal: SIMD3(0.2, -0.4, -1))
        let board = Plane(normal: table.normal, offset: table.offset - lift)
        var isMixed = Raster(width: 120, height: 90, filledWith: false)
        let depth = depthMap(intrinsics) { pixel, ray in
            guard let far = table.intersection(along: ray)?.z, let near = board.intersection(along: ray)?.z
            else { return nil }
            // Distance in pixels from the rim, positive on the board.
            let inside = (pixel.x - 30.3) * 0.95 + (pixel.y - 45) * 0.31
            let share = min(max(inside / mixedWidth + 0.5, 0), 1)
            if share > 0.12 && share < 0.88 { isMixed[x: Int(pixel.x), y: Int(pixel.y)] = true }
            let z = far + (near - far) * share
            return z + noise * z * z * generator.normalByDoubleRandom()
        }
        return (depth, isMixed)
    }

    @Test(
        "Mixed readings on a step's edge go, and hardly anything else",
        arguments: [(1.2, 0.03, 0), (2.5, 0.03, 0), (1.2, 0.03, 0.002), (2.5, 0.05, 0.004)])
    func stepEdge(mixedWidth: Double, lift: Double, noise: Double) {
        let (depth, isMixed) = steppedScene(mixedWidth: mixedWidth, lift: lift, noise: noise, seed: 3)
        let cleaned = depth.cleaned(intrinsics: intrinsics).depth
        var (mixed, mixedLeft, clean, cleanLeft) = (0, 0, 0, 0)
        for index in depth.values.elements.indices {
            let isLeft = !cleaned.values.elements[index].isNaN
            if isMixed.elements[index] {
                mixed += 1
                mixedLeft += isLeft ? 1 : 0
            } else {
                clean += 1
                cleanLeft += isLeft ? 1 : 0
            }
        }
        #expect(mixed > 50)
        #expect(Double(mixedLeft) < 0.1 * Double(mixed), "\(mixedLeft) of \(mixed) mixed readings are left")
        // The barely mixed readings (shares up to 0.12) count as clean here and may go, a row or two of 120.
        #expect(
            Double(cleanLeft) > 0.97 * Double(clean), "\(clean - cleanLeft) of \(clean) clean ones are gone")
    }

    @Test("A tilted or curved surface keeps its readings", arguments: [0.0, 0.002, 0.006])
    func surfaces(noise: Double) {
        var generator = SplitMix64(seed: 8)
        let steep = Plane(through: SIMD3(0, 0, 0.5), normal: SIMD3(0.7, -0.5, -1))
        let tilted = depthMap(intrinsics) { _, ray in
            steep.intersection(along: ray).map {
                $0.z + noise * $0.z * $0.z * generator.normalByDoubleRandom()
            }
        }
        // A curl of 25 mm radius, seen from 0.3 m.
        let curled = depthMap(intrinsics) { _, ray in
            let x = min(max(ray.x * 0.3, -0.022), 0.022)
            let z = 0.325 - (0.025 * 0.025 - x * x).squareRoot()
            return z + noise * z * z * generator.normalByDoubleRandom()
        }
        for depth in [tilted, curled] {
            let cleaned = depth.cleaned(intrinsics: intrinsics)
            let kept = cleaned.depth.validFraction / depth.validFraction
            #expect(kept > 0.985, "\(cleaned.flyingCount) flying, \(cleaned.isolatedCount) isolated")
            // 80 % quantile of about ten thousand correlated differences: a few per cent; the curl's bend adds to it.
            if noise > 0 { #expect(abs(cleaned.inverseDepthNoise / noise - 1) < 0.15) }
        }
    }

    @Test("Single readings off a surface go with hardly a neighbour, in noise too", arguments: [0.0, 0.002])
    func spikes(noise: Double) {
        var generator = SplitMix64(seed: 8)
        let steep = Plane(through: SIMD3(0, 0, 0.5), normal: SIMD3(0.7, -0.5, -1))
        let surface = depthMap(intrinsics) { _, ray in
            steep.intersection(along: ray).map {
                $0.z + noise * $0.z * $0.z * generator.normalByDoubleRandom()
            }
        }
        var spiked = surface.values
        // No two near each other; 12 mm is some ten deviations of the noise, farther away four.
        let marked = Set(stride(from: 50, to: spiked.elements.count, by: 97))
        for index in marked { spiked.elements[index] += index % 2 == 0 ? 0.012 : -0.012 }
        let cleaned = DepthMap(readings: spiked).cleaned(intrinsics: intrinsics).depth.values.elements
        let left = marked.count { !cleaned[$0].isNaN }
        let lost = cleaned.indices.count { cleaned[$0].isNaN && !marked.contains($0) }
        #expect(left * 20 < marked.count, "\(left) of \(marked.count) spikes are left")
        // A spike spoils the predictions of what is beside it: at the map's rim, where one side has the say.
        #expect(lost * 100 < cleaned.count, "\(lost) of \(cleaned.count) other readings are gone")
    }

    @Test("Quantised readings are no noise and no edges")
    func quantised() {
        let exact = depthMap(intrinsics) { _, ray in tiltedPlane.intersection(along: ray)?.z }
        let steps = exact.mapReadings { _, _, depth in (depth * 1000).rounded() / 1000 }
        let cleaned = steps.cleaned(intrinsics: intrinsics)
        #expect(cleaned.depth.validFraction > 0.99)
    }

    @Test("Islands smaller than a surface go, and the rim of holes stays")
    func islands() {
        let depth = depthMap(intrinsics) { pixel, ray in
            let (x, y) = (Int(pixel.x), Int(pixel.y))
            if x >= 70 { return x % 20 < 3 && y % 20 < 3 ? 0.3 : nil }
            return x >= 20 && x < 30 && y >= 20 && y < 30 ? nil : tiltedPlane.intersection(along: ray)?.z
        }
        let cleaned = depth.cleaned(intrinsics: intrinsics)
        // Islands of 9 in two columns and five rows of them.
        #expect(cleaned.isolatedCount == 9 * 2 * 5)
        #expect(cleaned.flyingCount == 0)
        #expect(cleaned.depth[x: 19, y: 25] == depth[x: 19, y: 25])
        #expect(cleaned.depth[x: 80, y: 20].isNaN)
    }

    @Test("Maps too small to judge keep what they have, but for islands")
    func tiny() {
        let single = DepthMap(readings: Raster<Float>(width: 1, height: 1, filledWith: 0.5))
        let camera = phoneIntrinsics(width: 8, height: 8)
        #expect(single.cleaned(intrinsics: camera).isolatedCount == 1)
        let empty = DepthMap(readings: Raster<Float>(width: 0, height: 0, filledWith: 0.5))
        #expect(empty.validFraction == 0)
        let small = DepthMap(readings: Raster<Float>(width: 4, height: 4, filledWith: 0.5))
        #expect(small.cleaned(intrinsics: camera).depth == small)
    }
}

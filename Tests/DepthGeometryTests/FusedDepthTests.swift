import DepthGeometry
import Imaging
import RobustStatistics
import TestSupport
import Testing

@Suite struct FusedDepthTests {
    private func motions(_ count: Int, _ random: inout SplitMix64) -> [RigidTransform] {
        (0..<count).map { _ in
            RigidTransform(
                rotationVector: random.point(in: SIMD3(repeating: -0.01), SIMD3(repeating: 0.01)),
                translation: random.point(in: SIMD3(repeating: -0.004), SIMD3(repeating: 0.004)))
        }
    }

    private func frames(
        _ motions: [RigidTransform], of scene: PatternedPlane, error: (Int) -> Double
    ) -> [FusedDepth.Frame] {
        motions.enumerated().map { index, motion in
            FusedDepth.Frame(
                depth: scene.depth(motion) { _, _ in error(index) }, camera: scene.camera, transform: motion)
        }
    }

    @Test func withoutNoiseASlopeStaysTheSlope() throws {
        var random = SplitMix64(seed: 3)
        let scene = PatternedPlane()
        let truth = scene.depth(.identity)
        let fused = FusedDepth(
            reference: truth, camera: scene.camera,
            frames: frames(motions(4, &random), of: scene) { _ in 0 })
        for (depth, true_) in zip(fused.depth.values.elements, truth.values.elements) {
            // z is not linear in the pixel: between two pixels (1/76 rad) of a slope of 0.36 the chord departs by
            // 0.3 m (0.36 / 76)² / 4 = 2 µm, and the fixed point ends within some more.
            #expect(abs(depth - true_) < 1e-5)
        }
    }

    @Test func noiseShrinksByTheRootOfTheFrames() {
        let seed: UInt64 = 11
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        let scene = PatternedPlane()
        let truth = scene.depth(.identity)
        let motions = motions(9, &random)
        let single = scene.depth(.identity) { _, _ in 0.001 * random.normalByDoubleRandom() }
        let fused = FusedDepth(
            reference: single, camera: scene.camera,
            frames: motions.map { motion in
                FusedDepth.Frame(
                    depth: scene.depth(motion) { _, _ in 0.001 * random.normalByDoubleRandom() },
                    camera: scene.camera,
                    transform: motion)
            })
        func rms(_ map: DepthMap) -> Double {
            let errors = zip(map.values.elements, truth.values.elements).map { Double($0 - $1) }
                .filter(\.isFinite)
            return (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
        }
        // 1 / sqrt(10) = 0.32 for plain means; interpolation smooths a little more, the cut of outliers costs a little.
        let ratio = rms(fused.depth) / rms(single)
        #expect(ratio < 0.4, "\(ratio)")
        #expect(ratio > 0.2, "\(ratio)")
        // The spread is that of the readings, not of their mean.
        let spread = fused.spread.elements.filter(\.isFinite).map(Double.init)
        let mean = spread.reduce(0, +) / Double(spread.count)
        #expect(mean > 0.0005 && mean < 0.0012, "\(mean)")
        #expect((fused.counts.elements.max() ?? 0) == 10)
    }

    @Test func aFrameThatSeesSomethingElseStandsOut() throws {
        var random = SplitMix64(seed: 5)
        let scene = PatternedPlane()
        let fused = FusedDepth(
            reference: scene.depth(.identity), camera: scene.camera,
            frames: frames(motions(4, &random), of: scene) { $0 == 2 ? 0.03 : 0 })
        // 30 mm in 300 mm.
        #expect(try #require(fused.departures[2]) > 0.05)
        #expect(try #require(fused.departures[1]) < 1e-4)
        #expect(abs(fused.depth[x: 40, y: 30] - scene.depth(.identity)[x: 40, y: 30]) < 1e-5)
    }

    @Test func whatTheReferenceDoesNotSeeStaysUnknown() {
        let scene = PatternedPlane()
        let hole = scene.depth(.identity).mapReadings { x, _, depth in x == 20 ? .nan : depth }
        let fused = FusedDepth(
            reference: hole, camera: scene.camera,
            frames: [.init(depth: scene.depth(.identity), camera: scene.camera, transform: .identity)])
        #expect(fused.depth[x: 20, y: 30].isNaN)
        #expect(fused.counts[x: 20, y: 30] == 0)
        #expect(!fused.depth[x: 21, y: 30].isNaN)
    }
}

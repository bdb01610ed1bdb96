import DepthGeometry
import Foundation
import Imaging
import Testing

/// A patterned plane seen by a moved camera: picture and depth follow from equations, so that every error is the code's.
private struct PatternedPlane {
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

@Suite struct RigidTransformCompositionTests {
    @Test func aTransformAndItsInverseLeavePointsWhereTheyAre() {
        let moved = RigidTransform(rotationVector: SIMD3(0.3, -0.2, 0.5), translation: SIMD3(1, 2, 3))
        let point = SIMD3(0.4, -0.7, 2)
        #expect((moved.inverse.apply(moved.apply(point)) - point).length < 1e-14)
        #expect((moved.after(moved.inverse).apply(point) - point).length < 1e-14)
    }

    @Test func aQuarterTurnAboutZTurnsXToY() {
        let turn = RigidTransform(rotationVector: SIMD3(0, 0, .pi / 2), translation: .zero)
        #expect((turn.apply(SIMD3(1, 0, 0)) - SIMD3(0, 1, 0)).length < 1e-15)
    }
}

@Suite struct FrameRegistrationTests {
    private let motion = RigidTransform(
        rotationVector: SIMD3(0.004, -0.005, 0.008), translation: SIMD3(0.003, -0.002, 0.002))

    @Test func theMotionComesOutWhateverTheExposure() throws {
        let scene = PatternedPlane()
        let found = try #require(
            FrameRegistration(of: scene.view(motion, gain: 0.8), to: scene.view(.identity)))
        // Where points come to lie decides: a twentieth of a pixel (4 mm wide at 0.3 m) is 0.2 mm.
        for corner in [SIMD3(-0.1, -0.08, 0.3), SIMD3(0.1, 0.08, 0.3)] {
            let error = (found.transform.apply(corner) - motion.apply(corner)).length
            #expect(error < 0.0002, "\(error)")
        }
        #expect(found.correlation > 0.99)
        #expect(found.overlap > 0.85)
        #expect(found.relativeDepthError < 0.002)
    }

    @Test func withoutAPatternNoMotionIsClaimed() {
        let scene = PatternedPlane()
        let found = FrameRegistration(
            of: scene.view(motion, patterned: false), to: scene.view(.identity, patterned: false))
        #expect(found.map { $0.correlation < 0.7 || $0.relativeDepthError > 0.002 } ?? true)
    }
}

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
        let single = scene.depth(.identity) { _, _ in 0.001 * random.normal() }
        let fused = FusedDepth(
            reference: single, camera: scene.camera,
            frames: motions.map { motion in
                FusedDepth.Frame(
                    depth: scene.depth(motion) { _, _ in 0.001 * random.normal() }, camera: scene.camera,
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

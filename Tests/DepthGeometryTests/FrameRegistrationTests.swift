import DepthGeometry
import Testing

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

import DepthGeometry
import Testing

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

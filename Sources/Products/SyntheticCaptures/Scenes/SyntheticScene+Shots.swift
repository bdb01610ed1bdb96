public import DepthGeometry
import Foundation
public import RobustStatistics

extension SyntheticScene {
    /// Returns shots of the same still scene from a hand-held camera, over about a second.
    ///
    /// Each shot has its own noise; the first one has this scene's pose. The motion of the others is normally distributed,
    /// with a deviation of `shift` metres along each axis and `turn` radians about each.
    public func handHeldShots(
        _ count: Int, shift: Double = 0.003, turn: Double = 0.006, using generator: inout SeededGenerator
    ) -> [(scene: SyntheticScene, motion: RigidTransform)] {
        (0..<count).map { index in
            func drawn(_ deviation: Double) -> SIMD3<Double> {
                SIMD3(generator.normal(), generator.normal(), generator.normal()) * deviation
            }
            let motion =
                index == 0
                ? .identity : RigidTransform(rotationVector: drawn(turn), translation: drawn(shift))
            var shot = self
            shot.shot = UInt64(index + 1)
            shot.pose = pose.moved(by: motion)
            return (shot, motion)
        }
    }
}

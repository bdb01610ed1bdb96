public import DepthGeometry
import Foundation

extension SyntheticScene {
    /// The same still scene as a hand holds the camera over it for about a second.
    ///
    /// Shots have noise of their own; the first one stands where this scene's camera does. Each part of the others'
    /// motion is normal: `shift` metres along each axis, `turn` radians about each.
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

public import DepthGeometry
import Foundation

/// The camera's pose above the table.
///
/// Transforms a point from the table frame (`PaperSurface`) to the camera frame (x right, y down, z forward) as
/// x_in_camera = rotation · x_in_table + translation.
public struct CameraPose: Sendable, Equatable {
    /// Rows of the rotation.
    public let rotation: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)
    /// Translation in metres.
    public let translation: SIMD3<Double>

    /// Creates the pose of a camera that looks at the table.
    /// - Parameters:
    ///   - distance: z-depth of `target` in metres, greater than 0.
    ///   - tilt: angle between the optical axis and the table's normal in radians, less than pi / 2.
    ///   - tiltDirection: the direction of the tilt, as an angle on the table from x towards y; 0 leans towards +x.
    ///   - turn: the clockwise turn of the sheet in the image, in radians.
    ///   - target: the point of the table frame that the camera looks at.
    ///   - offset: the position of the target, as x / z and y / z; (0, 0) is the optical axis.
    public init(
        distance: Double, tilt: Double = 0, tiltDirection: Double = 0, turn: Double = 0,
        target: SIMD3<Double> = SIMD3(0, 0, 0), offset: SIMD2<Double> = SIMD2(0, 0)
    ) {
        precondition(distance > 0 && abs(tilt) < .pi / 2, "the camera looks at the table from above")
        // Rodrigues rotation about the horizontal axis perpendicular to the tilt's direction, then about the optical axis.
        let axis = SIMD2(-sin(tiltDirection), cos(tiltDirection))
        let c = cos(tilt)
        let s = sin(tilt)
        let tilted = (
            SIMD3(c + axis.x * axis.x * (1 - c), axis.x * axis.y * (1 - c), axis.y * s),
            SIMD3(axis.x * axis.y * (1 - c), c + axis.y * axis.y * (1 - c), -axis.x * s),
            SIMD3(-axis.y * s, axis.x * s, c)
        )
        let ct = cos(turn)
        let st = sin(turn)
        rotation = (tilted.0 * ct - tilted.1 * st, tilted.0 * st + tilted.1 * ct, tilted.2)
        let seen = SIMD3(
            (rotation.0 * target).sum(), (rotation.1 * target).sum(), (rotation.2 * target).sum())
        translation = SIMD3(offset.x * distance, offset.y * distance, distance) - seen
    }

    /// Returns the pose of the same camera moved; `motion` maps from this camera's frame to the moved one's.
    public func moved(by motion: RigidTransform) -> CameraPose {
        let columns = (motion.xAxis, motion.yAxis, motion.zAxis)
        func row(_ part: Int) -> SIMD3<Double> {
            rotation.0 * columns.0[part] + rotation.1 * columns.1[part] + rotation.2 * columns.2[part]
        }
        return CameraPose(
            rotation: (row(0), row(1), row(2)), translation: motion.apply(translation))
    }

    private init(
        rotation: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>), translation: SIMD3<Double>
    ) {
        self.rotation = rotation
        self.translation = translation
    }

    /// Transforms a point from the table frame to the camera frame.
    public func callAsFunction(_ point: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((rotation.0 * point).sum(), (rotation.1 * point).sum(), (rotation.2 * point).sum())
            + translation
    }

    /// Transforms a direction from the camera frame to the table frame, by the transposed rotation.
    public func directionInTable(_ direction: SIMD3<Double>) -> SIMD3<Double> {
        rotation.0 * direction.x + rotation.1 * direction.y + rotation.2 * direction.z
    }

    /// The camera's position in the table frame, in metres.
    public var position: SIMD3<Double> { directionInTable(-translation) }

    /// Whether two poses have the same position and orientation.
    public static func == (a: CameraPose, b: CameraPose) -> Bool {
        a.rotation == b.rotation && a.translation == b.translation
    }
}

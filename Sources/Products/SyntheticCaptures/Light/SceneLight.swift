import Foundation

/// The light above the table: one large lamp or window, and the ambient light of the room.
public struct SceneLight: Sendable, Equatable {
    /// The direction of the lamp, as an angle on the table from x towards y (down the sheet), in radians.
    public var azimuth: Double
    /// The elevation of the lamp in radians, greater than 0 and at most pi / 2.
    public var elevation: Double
    /// The lamp's radius as seen from the table, in radians; determines how soft shadows are.
    public var angularRadius: Double
    /// The share of ambient light on the open table, 0 to 1.
    public var ambientShare: Double
    /// The lamp's reflection in the table: linear light added to the table's own. 0 for a dull table, above 1 for glare.
    public var glare = 0.0
    /// A shadow across the table, if any.
    public var shadow: CastShadow?

    /// Creates a light; by default a window on the left.
    public init(
        azimuth: Double = -2.4, elevation: Double = 0.9, angularRadius: Double = 0.15,
        ambientShare: Double = 0.5
    ) {
        precondition(elevation > 0 && elevation <= .pi / 2, "a lamp stands above the table")
        precondition((0...1).contains(ambientShare), "a share lies between 0 and 1")
        self.azimuth = azimuth
        self.elevation = elevation
        self.angularRadius = angularRadius
        self.ambientShare = ambientShare
    }

    /// Returns a unit vector of the table frame towards a point of the sky.
    static func direction(azimuth: Double, elevation: Double) -> SIMD3<Double> {
        SIMD3(cos(elevation) * cos(azimuth), cos(elevation) * sin(azimuth), -sin(elevation))
    }

    /// Returns the lamp's reflection in the table along a ray of the camera. It is wider than the lamp, because no table is a
    /// perfect mirror.
    func mirrored(along ray: SIMD3<Double>) -> Float {
        guard glare > 0 else { return 0 }
        let reflected = SIMD3(ray.x, ray.y, -ray.z) / (ray * ray).sum().squareRoot()
        let cosine = (reflected * Self.direction(azimuth: azimuth, elevation: elevation)).sum()
        let width = angularRadius + 0.08
        return Float(glare * exp((cosine - 1) / (width * width)))
    }

    /// Returns evenly spread directions over the lamp's disc (Vogel's spiral).
    func lampDirections(count: Int) -> [SIMD3<Double>] {
        let center = Self.direction(azimuth: azimuth, elevation: elevation)
        let side = SIMD3(-sin(azimuth), cos(azimuth), 0)
        let up = SIMD3(
            center.y * side.z - center.z * side.y, center.z * side.x - center.x * side.z,
            center.x * side.y - center.y * side.x)
        return (0..<count).map { index in
            let radius = angularRadius * ((Double(index) + 0.5) / Double(count)).squareRoot()
            let angle = 2.399963 * Double(index)
            let direction = center + side * (radius * cos(angle)) + up * (radius * sin(angle))
            // A low lamp must not shine from below the table.
            let lifted = SIMD3(direction.x, direction.y, min(direction.z, -0.05))
            return lifted / (lifted * lifted).sum().squareRoot()
        }
    }

    /// Returns directions over the sky, evenly spread by solid angle (Vogel's spiral on the sphere).
    static func skyDirections(count: Int) -> [SIMD3<Double>] {
        (0..<count).map { index in
            let height = (Double(index) + 0.5) / Double(count)
            let radius = (1 - height * height).squareRoot()
            let angle = 2.399963 * Double(index)
            return SIMD3(radius * cos(angle), radius * sin(angle), -height)
        }
    }
}

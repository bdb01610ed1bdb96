/// The effort of rendering. Shape, ground truth and noise models do not depend on it.
public struct RenderingQuality: Sendable, Equatable {
    /// Distance between the points of the sheet's mesh in metres.
    public var meshSpacing: Double
    /// Samples per pixel along each axis.
    public var supersampling: Int
    /// Number of directions that represent the lamp.
    public var lampDirections: Int
    /// Number of directions that represent the room's light.
    public var skyDirections: Int

    /// Creates a custom quality.
    public init(meshSpacing: Double, supersampling: Int, lampDirections: Int, skyDirections: Int) {
        precondition(meshSpacing > 0 && supersampling >= 1, "a mesh has a spacing, a pixel has a sample")
        precondition(lampDirections >= 1 && skyDirections >= 1, "there is light")
        self.meshSpacing = meshSpacing
        self.supersampling = supersampling
        self.lampDirections = lampDirections
        self.skyDirections = skyDirections
    }

    /// For samples and measurements.
    public static let full = RenderingQuality(
        meshSpacing: 0.0005, supersampling: 2, lampDirections: 24, skyDirections: 40)
    /// For tests: coarser light and mesh.
    public static let draft = RenderingQuality(
        meshSpacing: 0.001, supersampling: 1, lampDirections: 5, skyDirections: 8)
}

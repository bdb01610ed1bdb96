public import DepthGeometry
import Imaging

/// A flattened sheet, and how it was flattened.
public struct FlattenedSheet: Sendable {
    /// The flat image, not yet rendered.
    public let picture: FlatImage
    /// The sheet's outline in the upright photograph; nil if none was found.
    public let outline: SheetOutline?
    /// The plane through the sheet in the camera's frame; nil without usable depth.
    public let plane: Plane?
    /// The surface that the sheet was unrolled from; nil without usable depth.
    public let surface: SheetSurface?
    /// The step of the ladder that was taken.
    public let method: FlatteningMethod
    /// The step's confidence in its own result, 0 to 1.
    public let confidence: Double
    /// Steps that were not taken, and why.
    public let refused: [RefusedStep]
}

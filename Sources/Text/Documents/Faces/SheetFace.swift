/// A face found on a sheet.
public struct SheetFace: Equatable, Sendable {
    /// Its frame in pixels of the flat image: four corners, clockwise; nil if the flat image does not show it.
    public internal(set) var corners: [SIMD2<Double>]?
    /// The same in pixels of the upright photograph.
    public internal(set) var photographCorners: [SIMD2<Double>]?
    /// The number of clockwise quarter turns, 0 to 3, by which the face is turned in the image it was found in.
    public let quarterTurns: Int
    /// The number of detector windows that agree, 8 or more; more means higher certainty.
    public let support: Int

    /// The face in a flat image `scale` times as large.
    package func scaled(by scale: Double) -> SheetFace {
        var face = self
        face.corners = corners?.map { ($0 + 0.5) * scale - 0.5 }
        return face
    }
}

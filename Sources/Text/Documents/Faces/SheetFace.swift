/// A face, found.
public struct SheetFace: Equatable, Sendable {
    /// Its frame in pixels of the flat picture: four corners, clockwise in the picture; nil where the flat picture does not
    /// show it.
    public internal(set) var corners: [SIMD2<Double>]?
    /// Its frame in pixels of the upright photograph, likewise.
    public internal(set) var photographCorners: [SIMD2<Double>]?
    /// By how many clockwise quarter turns the face stands turned in the picture that it was found in, 0 to 3.
    public let quarterTurns: Int
    /// Windows of the detector that agree, 8 or more; more is surer.
    public let support: Int

    /// The face in a flat picture `scale` times as large.
    package func scaled(by scale: Double) -> SheetFace {
        var face = self
        face.corners = corners?.map { ($0 + 0.5) * scale - 0.5 }
        return face
    }
}

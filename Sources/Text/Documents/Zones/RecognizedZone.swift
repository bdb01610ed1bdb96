/// A machine-readable zone that was found and read on a sheet.
public struct RecognizedZone: Equatable, Sendable {
    /// The zone's content.
    public let zone: MachineReadableZone
    /// Probability that every character is right, 0 to 1; at most 0.1 if a check digit is wrong.
    public let confidence: Double
    /// The corners around all characters, clockwise from the upper left of the first one, in pixels of the flat image.
    public let corners: [SIMD2<Double>]

    package init(zone: MachineReadableZone, confidence: Double, corners: [SIMD2<Double>]) {
        self.zone = zone
        self.confidence = confidence
        self.corners = corners
    }

    /// Returns the same zone with its corners mapped to another image.
    package func moved(_ place: (SIMD2<Double>) -> SIMD2<Double>) -> RecognizedZone {
        RecognizedZone(zone: zone, confidence: confidence, corners: corners.map(place))
    }
}

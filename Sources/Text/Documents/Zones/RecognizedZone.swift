/// A machine-readable zone that was found and read on a sheet.
public struct RecognizedZone: Equatable, Sendable {
    /// What it says.
    public let zone: MachineReadableZone
    /// How likely every character is right, 0 to 1; at most 0.1 where a check digit does not hold.
    public let confidence: Double
    /// Around all characters, clockwise from the first one's upper left, in pixels of the flat picture.
    public let corners: [SIMD2<Double>]

    package init(zone: MachineReadableZone, confidence: Double, corners: [SIMD2<Double>]) {
        self.zone = zone
        self.confidence = confidence
        self.corners = corners
    }

    /// The same with its corners taken to another picture.
    package func moved(_ place: (SIMD2<Double>) -> SIMD2<Double>) -> RecognizedZone {
        RecognizedZone(zone: zone, confidence: confidence, corners: corners.map(place))
    }
}

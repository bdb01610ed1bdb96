import Documents

extension FlatteningReport {
    /// A face; see `SheetFace`.
    package struct FaceSummary: Codable, Equatable, Sendable {
        /// By how many clockwise quarter turns it stands turned, 0 to 3.
        package var quarterTurns: Int
        /// Windows of the detector that agree.
        package var support: Int
        /// Its frame.
        package var polygon: Sighting

        init(_ face: SheetFace, pixelsPerMillimeter: Double?) {
            quarterTurns = face.quarterTurns
            support = face.support
            polygon = Sighting(
                flat: face.corners, photograph: face.photographCorners,
                pixelsPerMillimeter: pixelsPerMillimeter)
        }
    }
}

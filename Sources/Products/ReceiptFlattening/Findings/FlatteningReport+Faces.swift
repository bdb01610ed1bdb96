import Documents

extension FlatteningReport {
    /// A face; see `SheetFace`.
    package struct FaceSummary: Codable, Equatable, Sendable {
        /// Clockwise quarter turns of the face from upright, 0 to 3.
        package var quarterTurns: Int
        /// Number of detector windows that agree.
        package var support: Int
        /// The face's frame.
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

package import Platform
package import Imaging

/// Reads the machine-readable zone of a sheet: on its flat picture in any of four turns, or on the photograph where
/// the flat picture shows none that is sure: resampling takes from print of few pixels.
package struct ZoneReader {
    private let today: Date
    private let isStopped: @Sendable () -> Bool

    /// - Parameters:
    ///   - today: decides the century of dates.
    ///   - isStopped: asked now and then; once true, there is no zone.
    package init(today: Date, isStopped: @escaping @Sendable () -> Bool = { false }) {
        self.today = today
        self.isStopped = isStopped
    }

    /// The zone of a sheet with its place on the flat picture, which need not stand upright; nil if there is none.
    /// - Parameter isFramed: whether the flat picture shows a sheet between its sides, and so tells which way the rows run.
    package func zone(on flat: GrayImage, photograph: SheetPhotograph, isFramed: Bool) -> RecognizedZone? {
        let found = zone(in: flat, look: .alongSides)
        if let found, found.zone.holds, found.confidence >= Self.sure { return found }
        let look = isFramed ? ZoneLook(at: photograph) : .atAnySlant
        guard let look, let other = zone(in: photograph.image.gray(), look: look) else { return found }
        if let found {
            let isBetter =
                other.zone.holds != found.zone.holds ? other.zone.holds : other.confidence > found.confidence
            guard isBetter else { return found }
        }
        let corners = other.corners.compactMap { photograph.map.output(of: $0, tolerance: Self.beyondRim) }
        // A zone that the flat picture does not show is another sheet's.
        guard corners.count == other.corners.count else { return found }
        return RecognizedZone(zone: other.zone, confidence: other.confidence, corners: corners)
    }

    /// The zone in a picture; nil if there is none.
    package func zone(in picture: GrayImage, look: ZoneLook = .atAnySlant) -> RecognizedZone? {
        guard let network = CellNetwork.shared, min(picture.width, picture.height) >= Self.leastSide else {
            return nil
        }
        var finder = ZoneFinder(picture, network: network)
        finder.isStopped = isStopped
        guard let found = finder.zone(look) else { return nil }
        let length = found.format.lineLength
        let lines = (0..<found.format.lines).map {
            ZoneAlphabet.text(found.search.characters[$0 * length..<($0 + 1) * length])
        }
        guard let zone = MachineReadableZone(lines: lines, today: today) else { return nil }
        return RecognizedZone(
            zone: zone, confidence: found.search.posterior * (zone.holds ? 1 : Self.worthWithoutChecks),
            corners: found.corners)
    }

    /// Pixels of the flat picture by which a zone may reach over its rim.
    private static let beyondRim = 2.0
    /// From this confidence on the photograph is not asked.
    private static let sure = 0.9
    /// Smaller pictures hold no zone: two lines of five pixels a character, and what is around them.
    private static let leastSide = 48
    /// What a reading is worth whose check digits do not hold.
    private static let worthWithoutChecks = 0.1
}

extension RecognizedZone {
    /// Clockwise quarter turns, 0 to 3, after which the zone stands upright.
    package var quarterTurns: Int {
        guard corners.count == 4 else { return 0 }
        let along = corners[1] - corners[0] + corners[2] - corners[3]
        let turns = Int((-atan2(along.y, along.x) / (.pi / 2)).rounded())
        return (turns + 4) % 4
    }
}

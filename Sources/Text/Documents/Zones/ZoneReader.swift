package import Platform
package import Imaging

/// Reads the machine-readable zone of a sheet: in its flat image in any of four turns, or in the photograph if the flat image
/// shows no certain one. Resampling degrades print of few pixels.
package struct ZoneReader {
    private let today: Date
    private let isStopped: @Sendable () -> Bool

    /// - Parameters:
    ///   - today: decides the century of dates.
    ///   - isStopped: called now and then; once it returns true, no zone is returned.
    package init(today: Date, isStopped: @escaping @Sendable () -> Bool = { false }) {
        self.today = today
        self.isStopped = isStopped
    }

    /// Finds the zone of a sheet, with its place on the flat image, which may be turned; nil if there is none.
    /// - Parameter isFramed: whether the flat image shows a sheet between its sides, which tells the direction of the rows.
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
        // A zone outside the flat image belongs to another sheet.
        guard corners.count == other.corners.count else { return found }
        return RecognizedZone(zone: other.zone, confidence: other.confidence, corners: corners)
    }

    /// Finds the zone in an image; nil if there is none.
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

    /// How far, in pixels of the flat image, a zone may extend beyond its rim.
    private static let beyondRim = 2.0
    /// Confidence from which the photograph is not searched.
    private static let sure = 0.9
    /// Shortest side of an image, in pixels, that can hold a zone: two lines of five pixels per character, and their margins.
    private static let leastSide = 48
    /// Factor for the confidence of a reading with wrong check digits.
    private static let worthWithoutChecks = 0.1
}

extension RecognizedZone {
    /// The number of clockwise quarter turns, 0 to 3, that bring the zone upright.
    package var quarterTurns: Int {
        guard corners.count == 4 else { return 0 }
        let along = corners[1] - corners[0] + corners[2] - corners[3]
        let turns = Int((-atan2(along.y, along.x) / (.pi / 2)).rounded())
        return (turns + 4) % 4
    }
}

package import Foundation
package import Imaging

/// Reads the machine-readable zone of a sheet: on its flat picture in any of four turns, or on the photograph in any
/// direction where the flat picture shows none that is sure: resampling takes from print of few pixels.
package struct ZoneReader {
    private let today: Date
    private let isStopped: () -> Bool

    /// - Parameters:
    ///   - today: decides the century of dates.
    ///   - isStopped: asked now and then; once true, there is no zone.
    package init(today: Date, isStopped: @escaping () -> Bool = { false }) {
        self.today = today
        self.isStopped = isStopped
    }

    /// The zone of a sheet with its place on the flat picture, which need not stand upright; nil if there is none.
    /// - Parameter map: for each pixel of `flat` its source in the photograph.
    package func zone(on flat: GrayImage, photograph: RGBImage, map: SamplingMap) -> RecognizedZone? {
        let found = zone(in: flat)
        if let found, found.zone.holds, found.confidence >= Self.sure { return found }
        guard let other = zone(in: photograph.gray()) else { return found }
        if let found {
            let isBetter =
                other.zone.holds != found.zone.holds ? other.zone.holds : other.confidence > found.confidence
            guard isBetter else { return found }
        }
        let corners = other.corners.compactMap(map.place(ofSource:))
        // A zone that the flat picture does not show is another sheet's.
        guard corners.count == other.corners.count else { return found }
        return RecognizedZone(zone: other.zone, confidence: other.confidence, corners: corners)
    }

    /// The zone in a picture; nil if there is none.
    package func zone(in picture: GrayImage) -> RecognizedZone? {
        guard let network = CellNetwork.shared, min(picture.width, picture.height) >= Self.leastSide else {
            return nil
        }
        var finder = ZoneFinder(picture, network: network)
        finder.isStopped = isStopped
        guard let found = finder.zone() else { return nil }
        let length = found.format.lineLength
        let lines = (0..<found.format.lines).map {
            ZoneAlphabet.text(found.search.characters[$0 * length..<($0 + 1) * length])
        }
        guard let zone = MachineReadableZone(lines: lines, today: today) else { return nil }
        return RecognizedZone(
            zone: zone, confidence: found.search.posterior * (zone.holds ? 1 : Self.worthWithoutChecks),
            corners: found.corners)
    }

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

extension SamplingMap {
    /// The output place that shows a place of the input; nil if none does to within a pixel or two of the output.
    ///
    /// From the nearest node Newton's steps with differences over a pixel: sheets are smooth. O(nodes).
    fileprivate func place(ofSource wanted: SIMD2<Double>) -> SIMD2<Double>? {
        var nearest: (distance: Double, place: SIMD2<Double>)?
        for j in 0..<nodes.height {
            for i in 0..<nodes.width {
                let node = nodes.elements[j * nodes.width + i]
                let offset = SIMD2(Double(node.x), Double(node.y)) - wanted
                let distance = (offset * offset).sum()
                // NaN is not less.
                if distance < nearest?.distance ?? .infinity {
                    nearest = (distance, SIMD2(Double(i * spacing), Double(j * spacing)))
                }
            }
        }
        guard var place = nearest?.place else { return nil }
        let limit = SIMD2(Double(outputSize.width - 1), Double(outputSize.height - 1))
        for _ in 0..<8 {
            let here = source(of: place)
            let x = source(of: place + SIMD2(1, 0)) - here, y = source(of: place + SIMD2(0, 1)) - here
            let area = x.x * y.y - x.y * y.x
            guard abs(area) > 1e-9 else { return nil }
            let error = wanted - here
            let step = SIMD2(error.x * y.y - error.y * y.x, x.x * error.y - x.y * error.x) / area
            place += step
            guard place.x.isFinite, place.y.isFinite else { return nil }
            place = pointwiseMin(pointwiseMax(place, SIMD2(0, 0)), limit)
        }
        let error = source(of: place) - wanted
        let scale = source(of: place + SIMD2(1, 0)) - source(of: place)
        return (error * error).sum() <= 4 * max((scale * scale).sum(), 1e-9) ? place : nil
    }
}

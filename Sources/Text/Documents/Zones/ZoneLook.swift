import Imaging
import Platform

/// The directions of a zone's rows in an image, and the area to search.
package struct ZoneLook: Sendable {
    /// Angles of rows against the image's rows, in radians; one list is tried after the other until a zone is found.
    let angles: [[Double]]
    /// The part of the image that is searched; nil for all of it.
    let area: Box?

    /// Rows along the image's sides, as on a flat image.
    package static let alongSides = ZoneLook(angles: [[0, .pi / 2]], area: nil)

    /// Rows at any slant.
    package static let atAnySlant = ZoneLook(
        angles: alongSides.angles + [
            slants.indices.filter { !$0.isMultiple(of: slants.count / 2) }.map { slants[$0] }
        ],
        area: nil)

    /// So closely spaced that every row has a slope of at most 0.15 in one of them.
    private static let slants = (0..<12).map { Double($0) * .pi / 12 }

    private init(angles: [[Double]], area: Box?) {
        self.angles = angles
        self.area = area
    }

    /// Rows along the sides of a sheet in its photograph; nil where the photograph does not show it.
    package init?(at sheet: SheetPhotograph) {
        let size = sheet.map.outputSize
        let (width, height) = (Double(size.width - 1), Double(size.height - 1))
        var places: [SIMD2<Double>] = []
        var nearest: Set<Int> = []
        for row in 0...Self.places {
            for column in 0...Self.places {
                let share = SIMD2(Double(column), Double(row)) / Double(Self.places)
                let place = sheet.map.source(of: share * SIMD2(width, height))
                guard place.x.isFinite, place.y.isFinite else { continue }
                places.append(place)
                for next in [SIMD2(Self.step, 0), SIMD2(0, Self.step)] {
                    let inward = (share + next).max() <= 1 ? next : -next
                    let other = sheet.map.source(of: (share + inward) * SIMD2(width, height))
                    let way = other - place
                    guard way.x.isFinite, way.y.isFinite, way != .zero else { continue }
                    let steps = atan2(way.y, way.x) / .pi * Double(Self.slants.count)
                    nearest.insert((Int(steps.rounded()) + 2 * Self.slants.count) % Self.slants.count)
                }
            }
        }
        guard !places.isEmpty, !nearest.isEmpty else { return nil }
        // The area is limited to the photograph.
        let last = SIMD2(Double(sheet.image.width - 1), Double(sheet.image.height - 1))
        self.init(
            angles: [nearest.sorted().map { Self.slants[$0] }],
            area: Box(around: places.map { pointwiseMin(pointwiseMax($0, .zero), last) }))
    }

    /// Number of steps across the sheet; directions are sampled at their ends.
    private static let places = 4
    /// Distance over which a direction is sampled, as a share of the sheet's side.
    private static let step = 0.1
}

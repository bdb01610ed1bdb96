import Imaging
import Platform

/// Which way a zone's rows may run in a picture, and where they stand.
package struct ZoneLook: Sendable {
    /// Angles of rows against the picture's, in radians; one list after the other, until a zone is found.
    let angles: [[Double]]
    /// The part of the picture that is looked at; nil for all of it.
    let area: Box?

    /// Rows along the picture's sides, as on a flat picture.
    package static let alongSides = ZoneLook(angles: [[0, .pi / 2]], area: nil)

    /// Rows at any slant.
    package static let atAnySlant = ZoneLook(
        angles: alongSides.angles + [
            slants.indices.filter { !$0.isMultiple(of: slants.count / 2) }.map { slants[$0] }
        ],
        area: nil)

    /// So close that each row rises by 0.15 at most in one of them.
    private static let slants = (0..<12).map { Double($0) * .pi / 12 }

    private init(angles: [[Double]], area: Box?) {
        self.angles = angles
        self.area = area
    }

    /// Rows along the sides of a sheet on its photograph; nil where the photograph does not show it.
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
        // As far as the photograph shows it.
        let last = SIMD2(Double(sheet.image.width - 1), Double(sheet.image.height - 1))
        self.init(
            angles: [nearest.sorted().map { Self.slants[$0] }],
            area: Box(around: places.map { pointwiseMin(pointwiseMax($0, .zero), last) }))
    }

    /// Steps from one side of the sheet to the other, at whose ends its directions are looked up.
    private static let places = 4
    /// How far a direction is looked up, as a share of the sheet's side.
    private static let step = 0.1
}

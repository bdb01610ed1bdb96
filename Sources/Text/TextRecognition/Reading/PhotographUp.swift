import Platform

/// Which way is up according to the photograph, as seen from a page that was cut out of it at any angle.
///
/// Turns are counted in clockwise quarter turns of the page, 0 to 3.
package struct PhotographUp: Equatable, Sendable {
    /// Angle by which the page must be turned clockwise to stand as the photograph does, in radians.
    package let angle: Double
    /// Whether the camera recorded how it was held (EXIF's orientation), so that the photograph has been turned
    /// already.
    package let isStated: Bool

    /// The up of a photograph that differs from a page by an angle.
    package init(angle: Double = 0, isStated: Bool = false) {
        self.angle = angle
        self.isStated = isStated
    }

    /// The turn that brings the page nearest to the photograph's up: at most 45 degrees off it.
    package var quarterTurns: Int {
        let turns = Int((angle / (.pi / 2)).rounded()) % 4
        return turns < 0 ? turns + 4 : turns
    }

    /// How much farther from the photograph's up the page stands after a turn than after the nearest turn: 0 for
    /// equally near. Where the nearest turn is exact, 0.5 means lying on its side and 1 upside down.
    func detour(of turns: Int) -> Double {
        func nearness(_ turns: Int) -> Double { cos(angle - Double(turns) * .pi / 2) }
        return (nearness(quarterTurns) - nearness(turns)) / 2
    }
}

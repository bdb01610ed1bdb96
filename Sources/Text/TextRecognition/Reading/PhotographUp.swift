import Platform

/// Which way is up by a photograph's own word, as a page sees it that was cut out of the photograph at any angle.
///
/// Turns are counted in clockwise quarter turns of the page, 0 to 3.
package struct PhotographUp: Equatable, Sendable {
    /// By how much the page must be turned clockwise to stand as the photograph does, in radians.
    package let angle: Double
    /// Whether the camera said how it was held (EXIF's orientation), so that somebody has turned the photograph already.
    package let isStated: Bool

    /// The up of a photograph from which a page differs by an angle.
    package init(angle: Double = 0, isStated: Bool = false) {
        self.angle = angle
        self.isStated = isStated
    }

    /// The turn after which the page stands nearest to the photograph's up: at most 45 degrees off it.
    package var quarterTurns: Int {
        let turns = Int((angle / (.pi / 2)).rounded()) % 4
        return turns < 0 ? turns + 4 : turns
    }

    /// How much farther from the photograph's up the page stands after a turn than after the nearest one: 0 for as near,
    /// 0.5 for lying on its side and 1 for standing on its head, where the nearest one is exact.
    func detour(of turns: Int) -> Double {
        func nearness(_ turns: Int) -> Double { cos(angle - Double(turns) * .pi / 2) }
        return (nearness(quarterTurns) - nearness(turns)) / 2
    }
}

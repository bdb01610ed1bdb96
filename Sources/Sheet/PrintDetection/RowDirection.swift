import Platform

/// The direction of the rows, from each letter's nearest neighbours (O'Gorman, PAMI 15(11), 1993).
package struct RowDirection {
    package var isAlongX: Bool
    /// 0.5 where there are no letters, up to 1.
    package var confidence: Double
    package var letterCount: Int

    package init(of letters: [PrintedMark]) {
        let sorted = letters.sorted { $0.left < $1.left }
        // Letters are sorted by their left edges; wide letters before this one reach further than their left edge says.
        let reach = min(Double(letters.map(\.width).max() ?? 0) / 2, PrintTuning.Direction.widestMark)
        var (along, across) = (0.0, 0.0)
        for (index, letter) in sorted.enumerated() {
            var nearest = Double.infinity
            var isAlong = true
            func consider(_ other: PrintedMark) {
                let dy = abs(other.centerY - letter.centerY)
                guard dy < nearest else { return }
                let dx = abs(other.centerX - letter.centerX)
                let distance = (dx * dx + dy * dy).squareRoot()
                // Parts of one letter are no neighbours.
                guard distance < nearest,
                    distance > PrintTuning.Direction.nearest * Double(min(letter.height, letter.width))
                else {
                    return
                }
                nearest = distance
                isAlong = dx > dy
            }
            var next = index + 1
            while next < sorted.count, Double(sorted[next].left) - letter.centerX < nearest {
                consider(sorted[next])
                next += 1
            }
            var previous = index - 1
            while previous >= 0,
                letter.centerX - Double(sorted[previous].left) < nearest + reach
            {
                consider(sorted[previous])
                previous -= 1
            }
            guard nearest.isFinite else { continue }
            if isAlong { along += 1 } else { across += 1 }
        }
        letterCount = letters.count
        isAlongX = along >= across
        confidence =
            along + across == 0
            ? PrintTuning.Direction.none : (max(along, across) + 1) / (along + across + 2)
    }
}

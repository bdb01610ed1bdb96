import Platform

/// Whether rows stand upright, from the shape of their print.
///
/// Nearly all letters end on the base line, while at the top small letters and capitals end at different heights, so
/// the foot of a row is the sharper edge. Also, stops and commas stand low between letters; few signs stand as high
/// alone.
package struct UprightGuess {
    /// Evidence for upright (positive) or upside down (negative), in standard deviations of chance.
    package let evidence: Double

    /// Belief that the rows are upright, 0 to 1; 0.5 without evidence.
    package var upright: Double { 1 / (1 + exp(-evidence)) }
    /// Whether the shape alone is enough to tell.
    package var isSure: Bool { abs(evidence) >= Tuning.certainty }

    private typealias Tuning = PrintTuning.Upright

    package init(rows: [PrintedRow]) {
        evidence = Self.edges(of: rows) + Self.dots(in: rows)
    }

    /// Returns how much sharper the rows' feet are than their tops: Student's t over the rows.
    private static func edges(of rows: [PrintedRow]) -> Double {
        let votes: [Double] = rows.compactMap { row in
            // How tightly the letters' tops and feet each gather around their most usual place.
            let (tops, feet) = row.edges
            guard feet.count >= Tuning.lettersOfRow else { return nil }
            return row.gathered(feet) - row.gathered(tops)
        }
        guard votes.count >= Tuning.rows else { return 0 }
        let mean = votes.reduce(0, +) / Double(votes.count)
        let variance = votes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(votes.count - 1)
        return mean / (variance / Double(votes.count) + Tuning.leastVariance).squareRoot()
    }

    /// Returns how many more dots stand low than high, in standard deviations of a fair coin. Dots above or below a
    /// letter, as on an i, do not count.
    private static func dots(in rows: [PrintedRow]) -> Double {
        var (low, high) = (0.0, 0.0)
        for row in rows {
            let letters = row.marks.filter { Double($0.height) > Tuning.leastLetter * row.letterHeight }
            // For each number of letters from the left, how far right they reach; and how many letters begin before a
            // mark ends.
            var reach = [0]
            for letter in letters { reach.append(max(reach[reach.count - 1], letter.right)) }
            var before = 0
            for mark in row.marks
            where Double(mark.height) < Tuning.dotHeight * row.letterHeight
                && Double(mark.width) < Tuning.dotWidth * row.letterHeight
            {
                while before < letters.count, letters[before].left < mark.right { before += 1 }
                while before > 0, letters[before - 1].left >= mark.right { before -= 1 }
                guard reach[before] <= mark.left else { continue }
                let drop = (mark.centerY - row.middle(at: mark.centerX)) / row.letterHeight
                if Tuning.dotOffset.contains(drop) {
                    low += 1
                } else if Tuning.dotOffset.contains(-drop) {
                    high += 1
                }
            }
        }
        return (low - high) / (low + high + 1).squareRoot()
    }
}

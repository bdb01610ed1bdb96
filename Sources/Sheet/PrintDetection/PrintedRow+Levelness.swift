import Platform

extension PrintedRow {
    /// How well the row is set on a line: the share of its letters whose feet, or whose tops, are level, whichever is
    /// greater, reduced by what so few letters may show by chance (the lower bound of Wilson's interval, JASA 22,
    /// 1927).
    ///
    /// Rows of print have 0.5 and more; rows that a table's grain or cloth forms have 0.2 to 0.4. O(marks · log marks).
    package var levelness: Double {
        let (tops, feet) = edges
        guard !feet.isEmpty else { return 0 }
        let share = max(gathered(feet), gathered(tops))
        let (count, z) = (Double(feet.count), PrintTuning.Levelness.deviations)
        let spread = (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
        return max((share + z * z / (2 * count) - z * spread) / (1 + z * z / count), 0)
    }

    /// The tops and the feet of its letters, as heights relative to the row's line.
    var edges: (tops: [Double], feet: [Double]) {
        let letters = marks.filter { Double($0.height) > PrintTuning.Upright.leastLetter * letterHeight }
        return (
            letters.map { Double($0.top) - middle(at: $0.centerX) },
            letters.map { Double($0.bottom) - middle(at: $0.centerX) }
        )
    }

    /// Returns the largest share of places that count as level with one of them. O(n log n).
    func gathered(_ places: [Double]) -> Double {
        let tolerance = PrintTuning.Upright.tolerance * letterHeight + PrintTuning.Upright.rounding
        let sorted = places.sorted()
        var (most, first, end) = (0, 0, 0)
        for center in sorted {
            while center - sorted[first] > tolerance { first += 1 }
            while end < sorted.count, sorted[end] - center <= tolerance { end += 1 }
            most = max(most, end - first)
        }
        return Double(most) / Double(max(places.count, 1))
    }
}

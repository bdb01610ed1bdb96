/// Brings what two cameras took together by when they took it.
enum NearestInTime {
    /// Elements of the second list that are looked at for one of the first, on either side of it in time.
    private static let mostNeighbours = 32

    /// Pairs, the nearest first, each element of either list once.
    /// - Parameters:
    ///   - first: moments, in any order.
    ///   - second: moments on the same clock, in any order.
    ///   - longest: the longest time between the two of a pair.
    /// - Returns: indices into both lists, in no particular order.
    /// - Complexity: O(n log n), even where all were taken at one time.
    static func pairs(
        _ first: [Double], _ second: [Double], within longest: Double
    ) -> [(first: Int, second: Int)] {
        let order = second.indices.sorted { second[$0] < second[$1] }
        var candidates: [(difference: Double, first: Int, second: Int)] = []
        for (index, time) in first.enumerated() {
            var low = 0
            var high = order.count
            while low < high {
                let middle = (low + high) / 2
                if second[order[middle]] < time { low = middle + 1 } else { high = middle }
            }
            for place in max(low - mostNeighbours, 0)..<min(low + mostNeighbours, order.count) {
                let difference = abs(second[order[place]] - time)
                if difference <= longest { candidates.append((difference, index, order[place])) }
            }
        }
        candidates.sort { ($0.difference, $0.first, $0.second) < ($1.difference, $1.first, $1.second) }
        var usedFirst: Set<Int> = []
        var usedSecond: Set<Int> = []
        return candidates.compactMap { candidate in
            guard !usedFirst.contains(candidate.first), !usedSecond.contains(candidate.second) else {
                return nil
            }
            usedFirst.insert(candidate.first)
            usedSecond.insert(candidate.second)
            return (candidate.first, candidate.second)
        }
    }
}

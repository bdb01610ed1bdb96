/// Pairs the frames of two cameras by their times.
enum NearestInTime {
    /// For each element of the first list, the number of elements of the second list considered on either side of it in time.
    private static let mostNeighbours = 32

    /// Returns pairs, the nearest in time first; each element of either list is used at most once.
    /// - Parameters:
    ///   - first: times, in any order.
    ///   - second: times on the same clock, in any order.
    ///   - longest: the longest time difference within a pair.
    /// - Returns: indices into both lists, in no particular order.
    /// - Complexity: O(n log n), even if all times are equal.
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

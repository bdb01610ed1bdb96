/// Where the characters of a line stand along a strip: the likeliest places, about one pitch apart.
struct CellPlaces {
    /// Columns of the readings, one a character.
    let columns: [Int]
    /// How well the places fit: high if characters stand at all of them, and none one pitch before the first or behind the last.
    let score: Float
    /// Mean presence of two characters more, before the first or behind the last, whichever is greater: over 0 the line goes
    /// on.
    let presenceBeyond: Float

    /// A step of one quarter of a pitch more or less costs this much, in natural logarithms: print is even.
    private static let unevenness: Float = 1
    /// What a character just before or behind the line costs, as a share of its presence.
    private static let neighbour: Float = 0.5
    /// What lies outside the strip, or is paper, speaks no more for an end than this.
    private static let leastNeighbour: Float = -3

    /// The best places of `count` characters, by dynamic programming over columns. O(count · columns).
    /// - Parameter starts: columns in which the first character may stand; nil for all.
    init?(of count: Int, in readings: CellReadings, starts: ClosedRange<Int>? = nil) {
        let width = readings.count
        let pitch = CellNetwork.pitch / CellNetwork.step
        guard count >= 2, width > (count - 1) * (pitch - 1) else { return nil }
        let presence = readings.presence
        let never: Float = -1e9
        var best = [Float](repeating: never, count: width)
        for x in 0..<width where starts?.contains(x) ?? true {
            let before = x >= pitch ? presence[x - pitch] : Self.leastNeighbour
            best[x] = presence[x] - Self.neighbour * max(before, Self.leastNeighbour)
        }
        var steps: [[UInt8]] = []
        for _ in 1..<count {
            var next = [Float](repeating: never, count: width)
            var taken = [UInt8](repeating: 0, count: width)
            for step in [pitch, pitch - 1, pitch + 1] {
                let cost = step == pitch ? 0 : Self.unevenness
                for x in step..<max(width, step) {
                    let value = best[x - step] + presence[x] - cost
                    if value > next[x] {
                        next[x] = value
                        taken[x] = UInt8(step)
                    }
                }
            }
            best = next
            steps.append(taken)
        }
        for x in 0..<width {
            let behind = x + pitch < width ? presence[x + pitch] : Self.leastNeighbour
            best[x] -= Self.neighbour * max(behind, Self.leastNeighbour)
        }
        guard var last = best.indices.max(by: { best[$0] < best[$1] }), best[last] > never / 2 else {
            return nil
        }
        score = best[last] / Float(count)
        var places = [last]
        for taken in steps.reversed() {
            last -= Int(taken[last])
            places.append(last)
        }
        self.columns = places.reversed()
        func beyond(_ place: Int, _ step: Int) -> Float {
            let more = [place + step, place + 2 * step].map {
                presence.indices.contains($0) ? presence[$0] : -CellReadings.bound
            }
            return (more[0] + more[1]) / 2
        }
        presenceBeyond = max(beyond(columns[0], -pitch), beyond(columns[count - 1], pitch))
    }
}

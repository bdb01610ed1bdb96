/// The places of a line's characters along a strip: the likeliest ones, about one pitch apart.
struct CellPlaces {
    /// Columns of the readings, one per character.
    let columns: [Int]
    /// How well the places fit: high if there are characters at all of them, and none one pitch before the first or after the
    /// last.
    let score: Float
    /// Mean presence of two more characters before the first or after the last, whichever is greater: above 0 the line
    /// continues.
    let presenceBeyond: Float

    /// Cost, in natural logarithms, of a step that is a quarter pitch longer or shorter: print is evenly spaced.
    private static let unevenness: Float = 1
    /// Cost of a character just before or after the line, as a share of its presence.
    private static let neighbour: Float = 0.5
    /// Lower limit of a neighbour's presence: blank paper, or the area outside the strip, is no stronger evidence of a line's
    /// end than this.
    private static let leastNeighbour: Float = -3

    /// Finds the best places of `count` characters by dynamic programming over columns. O(count · columns).
    /// - Parameter starts: columns where the first character may be; nil for all.
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

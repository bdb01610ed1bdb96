import Platform
import Imaging
import SheetNetwork

// Sheets that overlap or touch form one region, in which the network sees the inner borders only faintly and with gaps. But
// sheets are convex: where two meet, their common outline is notched. So a notched region is split from notch to notch, along
// the path with the strongest border. It is split if its parts fill their convex hulls much better than it does, or if the
// border is sure and all parts are sheets.

extension SheetRegion {
    private enum Tuning {
        /// Tolerance, in cells, of simplifying the outline before notches are searched: staircase steps of the cells are less
        /// deep.
        static let tolerance = 2.0
        /// Least turn of a notch, in radians.
        static let leastTurn = 20 * Double.pi / 180
        /// Most notches, the sharpest ones, from which a path is searched: a region with more is no pile of sheets.
        static let mostNotches = 12
        /// Borders farther than this many cells from the region's outline count as inside it. Nearer ones are the region's own
        /// border, which is the surest, so a path would follow it all round.
        static let ownBorder = 2
        /// Least mean border probability along a path: without any border nothing is split. Values between 0.03 and 0.08 split
        /// the same receipts laid on tables.
        static let leastBorder: Float = 0.1
        /// Least gain in solidity, that is how much better the parts fill their convex hulls than the whole region. With 0.02,
        /// folds split one single page of 55; with 0.05, none.
        static let leastGain = 0.05
        /// Weight of the mean border probability relative to that gain.
        static let borderWeight = 0.2
    }

    /// The sheets that make up this region; only itself if it is one sheet. O(notches · cells + notches² · cells) at worst.
    func parted(in field: SheetField) -> [SheetRegion] {
        let notches = notches()
        guard notches.count > 1 else { return [self] }
        let inner = innerBorder(in: field)
        var best: (score: Double, parts: [SheetRegion])?
        for (index, start) in notches.enumerated() where index + 1 < notches.count {
            let ways = EasiestWays(from: start, within: mask, border: inner.map { max($0, 0) })
            for end in notches[(index + 1)...] {
                guard let way = ways.way(to: end) else { continue }
                let borders = way.map { inner[$0] }.filter { $0 >= 0 }
                let border = borders.reduce(0, +) / Float(max(borders.count, 1))
                guard border >= Tuning.leastBorder, let parts = parts(along: way, in: field) else { continue }
                let area = parts.reduce(0) { $0 + $1.areaShare }
                let gain = parts.reduce(0) { $0 + $1.solidity * $1.areaShare } / area - solidity
                let score = gain + Tuning.borderWeight * Double(border)
                let sheets = parts.count { $0.solidity >= Self.convex }
                let isFuller = solidity < Self.convex && gain >= Tuning.leastGain && sheets > 0
                let isSure = border >= Self.convexBorder && gain > 0 && sheets == parts.count
                if isFuller || isSure, score > best?.score ?? 0 { best = (score, parts) }
            }
        }
        return best.map { $0.parts.flatMap { $0.parted(in: field) } } ?? [self]
    }

    /// The probability of a border in each cell that lies far enough inside the region; -1 elsewhere.
    private func innerBorder(in field: SheetField) -> [Float] {
        var inner = mask
        for _ in 0..<Tuning.ownBorder { inner = inner.eroded() }
        return zip(inner.elements, field.border).map { $0 ? $1 : -1 }
    }

    /// The cells in the notches of the region, the sharpest notch first.
    private func notches() -> [Int] {
        guard let first = mask.elements.firstIndex(of: true) else { return [] }
        let line = mask.boundary(ofPartAt: first).simplified(tolerance: Tuning.tolerance).points
        let turns = line.indices.map { index -> Double in
            let ahead = line[(index + 1) % line.count] - line[index]
            let behind = line[index] - line[(index + line.count - 1) % line.count]
            return atan2(behind.cross(ahead), (behind * ahead).sum())
        }
        // The contour runs clockwise as seen, so a convex corner turns right: positive.
        return line.indices.filter { turns[$0] <= -Tuning.leastTurn }
            .sorted { (turns[$0], $0) < (turns[$1], $1) }
            .prefix(Tuning.mostNotches).compactMap { cell(at: line[$0]) }
    }

    /// The region's cell next to a position on the line around it.
    private func cell(at place: SIMD2<Double>) -> Int? {
        for y in [place.y.rounded(.down), place.y.rounded(.up)] {
            for x in [place.x.rounded(.down), place.x.rounded(.up)] {
                let (column, row) = (Int(x), Int(y))
                guard (0..<mask.width).contains(column), (0..<mask.height).contains(row) else { continue }
                if mask[x: column, y: row] { return row * mask.width + column }
            }
        }
        return nil
    }

    /// Splits the region along a path; each part takes the half of the path's cells nearest to it. Nil unless this gives two
    /// parts that are large enough to be sheets.
    private func parts(along way: [Int], in field: SheetField) -> [SheetRegion]? {
        var bare = mask
        for cell in way { bare.elements[cell] = false }
        let cores = bare.parts()
        let area = Double(mask.elements.count { $0 })
        let least = max(Self.leastArea * Double(mask.size.pixelCount), Self.leastPart * area)
        let seeds = Set(cores.list.filter { Double($0.area) >= least }.map(\.label))
        guard seeds.count == 2 else { return nil }
        let owners = Self.grown(from: cores.labels.map { seeds.contains($0) ? $0 : 0 }, within: mask)
        let parts = seeds.sorted().compactMap { seed in
            SheetRegion(cells: owners.map { $0 == seed }, in: field)
        }
        return parts.count == 2 ? parts : nil
    }
}

/// The paths through a region from one of its cells that follow borders best (Dijkstra 1959).
private struct EasiestWays {
    /// Cost of a straight and a diagonal step away from any border; it falls in proportion to the border's probability.
    private static let step = 40
    private static let diagonalStep = 57
    /// Least share of that cost, so that the shorter of two paths on a border is taken.
    private static let leastShare: Float = 0.05

    /// The previous cell of each cell on the path from the start; -1 if there is none.
    private let previous: [Int]
    private let start: Int

    init(from start: Int, within mask: Raster<Bool>, border: [Float]) {
        var previous = [Int](repeating: -1, count: mask.elements.count)
        var costs = [Int](repeating: .max, count: mask.elements.count)
        // Cells sorted by cost: no step costs more than the number of buckets.
        var buckets = [[Int]](repeating: [], count: Self.diagonalStep + 1)
        var waiting = 1
        var cost = 0
        costs[start] = 0
        buckets[0].append(start)
        while waiting > 0 {
            while let cell = buckets[cost % buckets.count].popLast() {
                waiting -= 1
                guard costs[cell] == cost else { continue }
                let (row, column) = cell.quotientAndRemainder(dividingBy: mask.width)
                for y in max(row - 1, 0)...min(row + 1, mask.height - 1) {
                    for x in max(column - 1, 0)...min(column + 1, mask.width - 1) {
                        let next = y * mask.width + x
                        guard next != cell, mask.elements[next] else { continue }
                        let length = x != column && y != row ? Self.diagonalStep : Self.step
                        let share = max(1 - (border[cell] + border[next]) / 2, Self.leastShare)
                        let total = cost + max(1, Int((Float(length) * share).rounded()))
                        guard total < costs[next] else { continue }
                        costs[next] = total
                        previous[next] = cell
                        buckets[total % buckets.count].append(next)
                        waiting += 1
                    }
                }
            }
            cost += 1
        }
        self.previous = previous
        self.start = start
    }

    /// The cells from the start to another; nil if they are not joined.
    func way(to end: Int) -> [Int]? {
        guard end != start, previous[end] >= 0 else { return nil }
        var way = [end]
        while let last = way.last, last != start { way.append(previous[last]) }
        return way
    }
}

import PrintDetection
import RobustStatistics

/// Rows formed from segments of print: each segment continues the one before along the slope that rows have there.
struct SegmentRows {
    /// The segments of a row from left to right, at least one, with the row's middle.
    struct Row {
        var segments: [PrintSegment]
        /// The row's middle; it bends at both ends of each segment.
        var line: RowLine
    }

    /// In no particular order.
    private(set) var rows: [Row] = []

    private typealias Tuning = ReadingTuning.Segments

    /// O(n²) in the number of segments.
    init(_ found: [PrintSegment]) {
        let long = found.filter { $0.slope != 0 }
        let slopes = RowSlopes(of: long)
        let segments = found.map { segment in
            guard segment.slope == 0 else { return segment }
            let middle = SIMD2((segment.left + segment.right) / 2, segment.intercept)
            return segment.falling(by: slopes.slope(at: middle))
        }
        // A median of slopes is never steeper than the steepest slope, so most pairs can be rejected without computing
        // it.
        let steepest = long.reduce(0) { max($0, abs($1.slope)) }
        // Pairs of neighbours, the likeliest first; each segment has at most one neighbour on either side.
        var pairs: [(left: Int, right: Int, cost: Double)] = []
        for (left, a) in segments.enumerated() {
            for (right, b) in segments.enumerated() where left != right {
                let height = min(a.height, b.height)
                let gap = b.left - a.right
                guard gap > -Tuning.mostOverlap * min(a.right - a.left, b.right - b.left),
                    a.left < b.left, a.right < b.right
                else { continue }
                let (end, start) = (a.middle(at: a.right), b.middle(at: b.left))
                guard abs(start - end) < Tuning.greatestStep * height + steepest * abs(gap) else { continue }
                let place = SIMD2((a.right + b.left) / 2, (end + start) / 2)
                let step = start - end - slopes.slope(at: place) * gap
                guard abs(step) < Tuning.greatestStep * height else { continue }
                pairs.append((left, right, (abs(step) + Tuning.costOfGap * max(gap, 0)) / height))
            }
        }
        var next = [Int?](repeating: nil, count: segments.count)
        var isFollower = [Bool](repeating: false, count: segments.count)
        for pair in pairs.sorted(by: { ($0.cost, $0.left, $0.right) < ($1.cost, $1.left, $1.right) })
        where next[pair.left] == nil && !isFollower[pair.right] {
            next[pair.left] = pair.right
            isFollower[pair.right] = true
        }
        for first in segments.indices where !isFollower[first] {
            var row = [segments[first]]
            var last = first
            while let follower = next[last] {
                row.append(segments[follower])
                last = follower
            }
            rows.append(Self.row(of: row))
        }
    }

    private static func row(of segments: [PrintSegment]) -> Row {
        let bends = segments.flatMap { segment in
            [segment.left, segment.right].map { SIMD2($0, segment.middle(at: $0)) }
        }.sorted { $0.x < $1.x }
        let (first, last) = (bends[0], bends[bends.count - 1])
        let slope = last.x > first.x ? (last.y - first.y) / (last.x - first.x) : 0
        return Row(
            segments: segments,
            line: RowLine(
                intercept: first.y - slope * first.x, slope: slope, bends: segments.count > 1 ? bends : []))
    }
}

/// The slopes of rows at the places of a page, from its long segments.
private struct RowSlopes {
    /// Ordered by their tops, the highest first.
    private let segments: [PrintSegment]
    private let tops: [Double]
    /// The greatest height from the top of a segment's middle line to its bottom.
    private let mostReach: Double

    private typealias Tuning = ReadingTuning.Segments

    init(of long: [PrintSegment]) {
        func ends(_ segment: PrintSegment) -> (top: Double, bottom: Double) {
            let (left, right) = (segment.middle(at: segment.left), segment.middle(at: segment.right))
            return (min(left, right), max(left, right))
        }
        segments = long.sorted { (ends($0).top, $0.left) < (ends($1).top, $1.left) }
        tops = segments.map { ends($0).top }
        mostReach = segments.map { ends($0).bottom - ends($0).top }.max() ?? 0
    }

    /// Returns the median slope of the segments nearest to a place, 0 where there are none. The search starts at the
    /// place's height and goes up and down until no other segment can be nearer.
    func slope(at place: SIMD2<Double>) -> Double {
        var near: [(distance: Double, slope: Double)] = []
        near.reserveCapacity(Tuning.neighbors + 1)
        var below = tops.partitioningIndex { $0 > place.y }
        var above = below - 1
        while true {
            let up = above >= 0 ? max(place.y - tops[above] - mostReach, 0) : .infinity
            let down = below < tops.count ? tops[below] - place.y : .infinity
            let least = min(up, down)
            guard least < .infinity,
                near.count < Tuning.neighbors || least * least < near[near.count - 1].distance
            else { break }
            let segment = segments[up <= down ? above : below]
            if up <= down { above -= 1 } else { below += 1 }
            let x = min(max(place.x, segment.left), segment.right)
            let away = SIMD2(Tuning.shareAcross * (x - place.x), segment.middle(at: x) - place.y)
            let distance = (away * away).sum()
            if near.count == Tuning.neighbors, distance >= near[near.count - 1].distance { continue }
            near.insert(
                (distance, segment.slope), at: near.firstIndex { distance < $0.distance } ?? near.count)
            if near.count > Tuning.neighbors { near.removeLast() }
        }
        return near.isEmpty ? 0 : near.map(\.slope).upperMedian()
    }
}

extension PrintSegment {
    /// The same segment, turned about its middle.
    fileprivate func falling(by slope: Double) -> PrintSegment {
        var turned = self
        turned.slope = slope
        turned.intercept = middle(at: (left + right) / 2) - slope * (left + right) / 2
        return turned
    }
}

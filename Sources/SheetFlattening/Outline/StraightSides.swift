import Foundation

/// Quadrilaterals whose sides run along edges of a small picture.
///
/// Where the table mirrors a lamp, is chequered, or lies half in the shade, no level of brightness or colour tells it from
/// the paper, but the sheet's sides are still there, long and straight: each is a line that many short edges agree on
/// (the Hough transform with the edges' own directions, Ballard 1981), however faint they are. Lines are put together by
/// fours; a good four has edges all along and nothing but calm paper just inside, where receipts have their blank margin.
struct StraightSides {
    private let picture: SmallPicture
    private let width: Int
    private let height: Int
    /// Directions told apart: one degree each.
    private static let directions = 180

    init(_ picture: SmallPicture) {
        self.picture = picture
        width = picture.field.width
        height = picture.field.height
    }

    /// The most likely quadrilaterals, clipped to the picture, clockwise as seen, best first.
    func quadrilaterals(most: Int) -> [Contour] {
        let edges = edgePixels()
        let lines = strongestLines(edges, most: 32).map { Line($0, in: self, edges: edges) }
        var rated: [(score: Double, corners: [SIMD2<Double>])] = []
        // Two that run roughly the same way, and two that run roughly across.
        var pairs: [(Int, Int)] = []
        for i in lines.indices {
            for j in lines.indices where j > i && lines[i].angle(to: lines[j]) < 0.6 { pairs.append((i, j)) }
        }
        for a in pairs.indices {
            for b in pairs.indices where b > a {
                let (i, j) = pairs[a]
                let (k, l) = pairs[b]
                guard lines[i].angle(to: lines[k]) > 0.7 else { continue }
                if let quadrilateral = rate([lines[i], lines[k], lines[j], lines[l]]) {
                    rated.append(quadrilateral)
                }
            }
        }
        rated.sort { $0.score > $1.score }
        var result: [Contour] = []
        for candidate in rated.prefix(most) {
            let clipped = clip(candidate.corners)
            guard clipped.count > 2 else { continue }
            let contour = Contour(clipped)
            let points = contour.resampled(count: max(60, Int(contour.perimeter)))
            result.append(points)
        }
        return result
    }

    // MARK: Edges

    /// A pixel that an edge runs through.
    private struct Edge {
        var x: Int
        var y: Int
        /// The direction across the edge, 0 to pi.
        var direction: Double
        var weight: Float
    }

    /// Where brightness (print left out) or tint change most across, with how clear that is against what is usual here.
    private func edgePixels() -> (list: [Edge], unrest: [Float]) {
        let change = picture.change
        let clear = picture.clearChange
        var list: [Edge] = []
        for y in 2..<(height - 2) {
            for x in 2..<(width - 2) {
                let i = y * width + x
                let size = change.size[i]
                // Less than 1 % is noise.
                guard size > 0.01 else { continue }
                let g = change.gradient[i]
                // Thinned: only where it is greatest across.
                let stepX = abs(g.x) > 0.4 * abs(g.y) ? (g.x > 0 ? 1 : -1) : 0
                let stepY = abs(g.y) > 0.4 * abs(g.x) ? (g.y > 0 ? 1 : -1) : 0
                let across = stepY * width + stepX
                guard size >= change.size[i + across], size > change.size[i - across] else { continue }
                var direction = Double(atan2(g.y, g.x))
                if direction < 0 { direction += .pi }
                list.append(Edge(x: x, y: y, direction: direction, weight: min(size / clear, 1)))
            }
        }
        return (list, change.size.map { min($0 / clear, 1) })
    }

    // MARK: Lines

    /// The lines that the most edges lie on: x cos d + y sin d = offset, from the picture's middle.
    private func strongestLines(
        _ edges: (list: [Edge], unrest: [Float]), most: Int
    ) -> [(direction: Double, offset: Double)] {
        let reach = Int((Double(width * width + height * height).squareRoot() / 2).rounded(.up)) + 2
        let columns = 2 * reach + 1
        var votes = [Float](repeating: 0, count: Self.directions * columns)
        let table = (0..<Self.directions).map { index -> SIMD2<Double> in
            let angle = Double(index) * .pi / Double(Self.directions)
            return SIMD2(cos(angle), sin(angle))
        }
        for edge in edges.list {
            let place = SIMD2(Double(edge.x) - Double(width - 1) / 2, Double(edge.y) - Double(height - 1) / 2)
            let middle = Int((edge.direction / .pi * Double(Self.directions)).rounded())
            // An edge over a few pixels knows its direction to about five degrees.
            for index in (middle - 5)...(middle + 5) {
                let direction = (index + Self.directions) % Self.directions
                let offset = (place * table[direction]).sum() + Double(reach)
                let low = Int(offset)
                let rest = Float(offset - Double(low))
                votes[direction * columns + low] += edge.weight * (1 - rest)
                votes[direction * columns + low + 1] += edge.weight * rest
            }
        }
        var result: [(direction: Double, offset: Double)] = []
        while result.count < most {
            guard let best = votes.indices.max(by: { votes[$0] < votes[$1] }) else { break }
            // Shorter than an eighth of the picture's shorter side is no side of a sheet that can be read.
            guard votes[best] > Float(min(width, height)) / 8 else { break }
            let direction = best / columns
            let offset = best % columns
            result.append((Double(direction) * .pi / Double(Self.directions), Double(offset - reach)))
            for turn in -3...3 {
                let wrapped = direction + turn
                let row = (wrapped + Self.directions) % Self.directions
                let center = wrapped == row ? offset : 2 * reach - offset
                for at in max(center - 2, 0)...min(center + 2, columns - 1) { votes[row * columns + at] = 0 }
            }
        }
        return result
    }

    /// A line across the picture with what is seen along it, summed up so that any stretch is looked up at once.
    private struct Line {
        let normal: SIMD2<Double>
        let offset: Double
        private let half: Int
        /// Sums from the line's start: edges on it; unrest beside it, on the side of the normal and on the other;
        /// places within the picture.
        private let edges: [Float]
        private let ahead: [Float]
        private let behind: [Float]
        private let seen: [Float]

        init(
            _ line: (direction: Double, offset: Double), in sides: StraightSides,
            edges found: (list: [Edge], unrest: [Float])
        ) {
            normal = SIMD2(cos(line.direction), sin(line.direction))
            offset = line.offset
            let along = SIMD2(-normal.y, normal.x)
            let width = sides.width
            let height = sides.height
            let middle = SIMD2(Double(width - 1), Double(height - 1)) / 2
            half = Int(Double(width * width + height * height).squareRoot()) / 2 + 1
            var onLine = [Float](repeating: 0, count: 2 * half + 1)
            for edge in found.list {
                let place = SIMD2(Double(edge.x), Double(edge.y)) - middle
                guard abs((place * normal).sum() - offset) < 1.5 else { continue }
                var turn = abs(edge.direction - line.direction)
                turn = min(turn, .pi - turn)
                guard turn < 0.3 else { continue }
                let at = Int(((place * along).sum()).rounded()) + half
                // Thinned edges skip a place here and there where they change rows.
                for near in max(at - 1, 0)...min(at + 1, 2 * half) {
                    onLine[near] = max(onLine[near], edge.weight)
                }
            }
            func unrest(_ place: SIMD2<Double>) -> Float {
                let x = Int(place.x.rounded())
                let y = Int(place.y.rounded())
                guard x >= 0, y >= 0, x < width, y < height else { return 0 }
                return found.unrest[y * width + x]
            }
            var edges: [Float] = [0]
            var ahead: [Float] = [0]
            var behind: [Float] = [0]
            var seen: [Float] = [0]
            for at in 0...(2 * half) {
                let place = middle + normal * offset + along * Double(at - half)
                let isSeen =
                    place.x > 1 && place.y > 1 && place.x < Double(width - 2) && place.y < Double(height - 2)
                edges.append((edges.last ?? 0) + (isSeen ? onLine[at] : 0))
                seen.append((seen.last ?? 0) + (isSeen ? 1 : 0))
                // Clear of the edge's own blur.
                let one = (unrest(place + normal * 4) + unrest(place + normal * 5.5)) / 2
                let other = (unrest(place - normal * 4) + unrest(place - normal * 5.5)) / 2
                ahead.append((ahead.last ?? 0) + (isSeen ? one : 0))
                behind.append((behind.last ?? 0) + (isSeen ? other : 0))
            }
            self.edges = edges
            self.ahead = ahead
            self.behind = behind
            self.seen = seen
        }

        /// The angle between two lines, 0 to pi / 2.
        func angle(to other: Line) -> Double {
            acos(min(abs((normal * other.normal).sum()), 1))
        }

        /// Where two lines cross, from the picture's middle.
        func crossing(_ other: Line) -> SIMD2<Double>? {
            let determinant = normal.x * other.normal.y - normal.y * other.normal.x
            guard abs(determinant) > 0.1 else { return nil }
            return SIMD2(
                offset * other.normal.y - other.offset * normal.y,
                other.offset * normal.x - offset * other.normal.x) / determinant
        }

        /// What is seen along the stretch between two of its points, the inside being where `inner` lies.
        func stretch(
            from a: SIMD2<Double>, to b: SIMD2<Double>, inner: SIMD2<Double>
        ) -> (length: Double, edges: Double, unrest: Double) {
            let along = SIMD2(-normal.y, normal.x)
            let ends = [(a * along).sum(), (b * along).sum()].sorted()
            // Rounded corners, and the other side's edges, are left out.
            let first = min(max(Int(ends[0]) + 3 + half, 0), 2 * half)
            let last = min(max(Int(ends[1]) - 3 + half, 0), 2 * half)
            guard last > first else { return (0, 0, 0) }
            let beside = (inner * normal).sum() > offset ? ahead : behind
            return (
                Double(seen[last] - seen[first]), Double(edges[last] - edges[first]),
                Double(beside[last] - beside[first])
            )
        }
    }

    // MARK: Fours

    /// How likely four lines, in order around, are a sheet's sides; nil where they cannot be.
    private func rate(_ lines: [Line]) -> (score: Double, corners: [SIMD2<Double>])? {
        var corners: [SIMD2<Double>] = []
        for index in 0..<4 {
            guard let corner = lines[(index + 3) % 4].crossing(lines[index]) else { return nil }
            corners.append(corner)
        }
        if Contour(corners).signedArea < 0 {
            return rateClockwise(lines.reversed(), corners: turned(corners))
        }
        return rateClockwise(lines, corners: corners)
    }

    /// The corners of four lines in reversed order, so that corner k still lies before side k.
    private func turned(_ corners: [SIMD2<Double>]) -> [SIMD2<Double>] {
        [corners[0], corners[3], corners[2], corners[1]]
    }

    private func rateClockwise(
        _ lines: [Line], corners: [SIMD2<Double>]
    ) -> (score: Double, corners: [SIMD2<Double>])? {
        let area = Contour(corners).signedArea / Double(width * height)
        guard area > 0.03, area < 1.5 else { return nil }
        let inner = corners.reduce(SIMD2<Double>(), +) / 4
        var weakest = 1.0
        var edges = 0.0
        var length = 0.0
        for side in 0..<4 {
            let a = corners[side]
            let b = corners[(side + 1) % 4]
            let next = corners[(side + 2) % 4]
            // Convex, and no sharper than perspective leaves a right angle.
            let turn = cross(a, b, next) / max(distance(a, b) * distance(b, next), 1e-9)
            guard turn > 0.6 else { return nil }
            let stretch = lines[side].stretch(from: a, to: b, inner: inner)
            guard stretch.length > 0.1 * Double(min(width, height)) else { return nil }
            let clear = (stretch.edges - stretch.unrest) / stretch.length
            weakest = min(weakest, clear)
            edges += max(clear, 0) * stretch.length
            length += stretch.length
        }
        guard weakest > 0.15 else { return nil }
        let mean = edges / length
        guard mean > 0.4 else { return nil }
        let middle = SIMD2(Double(width - 1), Double(height - 1)) / 2
        return (mean * (1 - exp(-area / 0.04)) + 0.1 * area, corners.map { $0 + middle })
    }

    /// A convex polygon's part within the picture (Sutherland & Hodgman 1974).
    private func clip(_ polygon: [SIMD2<Double>]) -> [SIMD2<Double>] {
        let limits: [(normal: SIMD2<Double>, offset: Double)] = [
            (SIMD2(1, 0), -0.5), (SIMD2(0, 1), -0.5), (SIMD2(-1, 0), 0.5 - Double(width)),
            (SIMD2(0, -1), 0.5 - Double(height)),
        ]
        return limits.reduce(polygon) { points, limit in
            var kept: [SIMD2<Double>] = []
            for index in points.indices {
                let a = points[index]
                let b = points[(index + 1) % points.count]
                let da = (a * limit.normal).sum() - limit.offset
                let db = (b * limit.normal).sum() - limit.offset
                if da >= 0 { kept.append(a) }
                if (da >= 0) != (db >= 0) { kept.append(a + (b - a) * (da / (da - db))) }
            }
            return kept
        }
    }
}

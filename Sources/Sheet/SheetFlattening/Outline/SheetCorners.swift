import Platform
import Imaging
import RobustStatistics

/// The four corners of a sheet, from the contour tracked around it.
///
/// The contour rounds corners off. They are found as the quadrilateral of largest area on the contour's hull. Each corner is
/// then moved to where its two sides meet: a parabola is fitted robustly to either side, near the corner but clear of the
/// rounding, and both are extended until they cross. A corner that is torn off or bent stays where it was tracked; a corner
/// slightly outside the image is found there.
struct SheetCorners {
    let contour: Contour
    let imageSize: PixelSize
    /// Mean distance between contour points, in pixels. On a small sheet it sets a lower limit where shares of a side get too
    /// short.
    private let spacing: Double

    init(contour: Contour, imageSize: PixelSize) {
        self.contour = contour
        self.imageSize = imageSize
        spacing = contour.perimeter / Double(max(contour.count, 1))
    }

    /// Lengths are shares of a side of the sheet unless stated otherwise.
    private enum Tuning {
        /// Most hull points among which the quadrilateral is searched: the cost grows with their cube.
        static let hullPoints = 60
        /// Accepted ratio of the contour's area to the quadrilateral's; outside it the sheet does not have four corners.
        static let areaRatios = 0.8...1.25
        /// The cosine of the angle at a corner stays below this: 40 to 140 degrees, the range to which perspective can turn a
        /// right angle in any photograph that can be read.
        static let greatestCosine = 0.766
        /// Greatest distance between the tracked and the refined corner; the second value is for a corner cut off by the image
        /// border.
        static let reach = 0.03
        static let reachOfCut = 0.08
        /// Distance from a corner within which the tracked line is not trusted.
        static let clearance = 0.02
        /// Tracking rounds a corner over this many contour points on either side, and moves it by at most as much, however
        /// small the sheet. Measured on a drawn receipt 90 pixels wide: its sides were right to 0.1 pixels, its corners 3
        /// inside.
        static let roundedPoints = 2.0
        /// How far the fitted stretch reaches from the corner; and the longest walk to find it, including along the image
        /// border.
        static let stretch = 0.16
        static let longestWalk = 0.6
        /// Most of the line that is dropped on either side of a corner.
        static let longestRounding = 0.3
        /// Fewest points that a parabola is fitted to, and the least sum of their weights.
        static let leastPoints = 6
        static let leastWeight = 3.0
        /// Number of fits; each uses weights from the residuals of the previous one.
        static let fits = 6
        /// The least spread of residuals, in pixels.
        static let leastSpread = 0.1
        /// Cost of the squared curvature per point: a slight preference for a straight line.
        static let straightness = 0.002
        /// Steps of Newton's method to find where two sides cross, and the least sine of their crossing angle.
        static let crossingSteps = 8
        static let leastSine = 0.3
    }

    /// Returns the contour with sharp corners, and their indices in it; nil if the sheet does not show four.
    func refined() -> (contour: Contour, corners: [Int]?) {
        guard let start = largestQuadrilateral() else { return (contour, nil) }
        let indices = start.sorted()
        let sides = (0..<4).map { sideLength(from: indices[$0], to: indices[($0 + 1) % 4]) }
        guard isSheetLike(indices.map { contour.points[$0] }) else { return (contour, nil) }
        var replaced: [Int: SIMD2<Double>] = [:]
        var dropped = [Bool](repeating: false, count: contour.count)
        for corner in 0..<4 {
            let index = indices[corner]
            let before = sides[(corner + 3) % 4]
            let after = sides[corner]
            // A corner cut off by the image border may lie well outside; the sides show where.
            let isCut = isOnRim(index)
            let reach = max(
                (isCut ? Tuning.reachOfCut : Tuning.reach) * min(before, after),
                Tuning.roundedPoints * spacing)
            guard
                let one = continued(from: index, direction: -1, side: before),
                let other = continued(from: index, direction: 1, side: after),
                let meeting = one.crossing(other), distance(meeting, contour.points[index]) < reach
            else {
                if isCut { return (contour, nil) }
                continue
            }
            replaced[index] = meeting
            // The points between the fitted stretches and the meeting point belong to the rounding.
            for direction in [-1, 1] {
                let gap = direction < 0 ? clearance(before) : clearance(after)
                var passed = 0.0
                var at = index
                while passed < gap || (isCut && isOnRim(at)) {
                    let next = step(at, direction)
                    passed += distance(contour.points[at], contour.points[next])
                    at = next
                    if passed < gap || (isCut && isOnRim(at)), !indices.contains(at) { dropped[at] = true }
                    if passed > Tuning.longestRounding * max(before, after) { break }
                }
            }
        }
        var points: [SIMD2<Double>] = []
        var corners: [Int] = []
        for index in contour.points.indices where !dropped[index] {
            if indices.contains(index) { corners.append(points.count) }
            points.append(replaced[index] ?? contour.points[index])
        }
        return (Contour(points), corners)
    }

    // MARK: Finding

    /// The indices of the four hull points that span the largest area. O(n + h³) for h hull points.
    private func largestQuadrilateral() -> [Int]? {
        var hull = contour.hullIndices()
        guard hull.count >= 4 else { return nil }
        if hull.count > Tuning.hullPoints {
            let stepping = Double(hull.count) / Double(Tuning.hullPoints)
            hull = (0..<Tuning.hullPoints).map { hull[Int(Double($0) * stepping)] }
        }
        let p = hull.map { contour.points[$0] }
        var best = 0.0
        var result: [Int]?
        for i in 0..<(p.count - 2) {
            for j in (i + 2)..<p.count {
                // The farthest points from the diagonal on either side.
                var one = (area: 0.0, at: -1)
                for k in (i + 1)..<j {
                    let area = abs(cross(p[i], p[j], p[k]))
                    if area > one.area { one = (area, k) }
                }
                var other = (area: 0.0, at: -1)
                for k in (j + 1)..<(p.count + i) {
                    let area = abs(cross(p[i], p[j], p[k % p.count]))
                    if area > other.area { other = (area, k % p.count) }
                }
                if one.at >= 0, other.at >= 0, one.area + other.area > best {
                    best = one.area + other.area
                    result = [hull[i], hull[one.at], hull[j], hull[other.at]]
                }
            }
        }
        return result
    }

    /// Whether four points can be a sheet's corners: no angle too flat or too sharp, and the contour's area close to the
    /// quadrilateral's.
    private func isSheetLike(_ corners: [SIMD2<Double>]) -> Bool {
        let quadrilateral = Contour(corners)
        let ratio = contour.signedArea / max(quadrilateral.signedArea, 1)
        guard ratio > Tuning.areaRatios.lowerBound, ratio < Tuning.areaRatios.upperBound else { return false }
        return (0..<4).allSatisfy { i in
            let a = corners[(i + 3) % 4] - corners[i]
            let b = corners[(i + 1) % 4] - corners[i]
            let cosine = (a.x * b.x + a.y * b.y) / max(distance(a, .zero) * distance(b, .zero), 1e-9)
            return abs(cosine) < Tuning.greatestCosine
        }
    }

    private func isOnRim(_ index: Int) -> Bool {
        PictureRim(of: imageSize).contains(contour.points[index])
    }

    // MARK: Refining

    private func clearance(_ side: Double) -> Double {
        max(Tuning.clearance * side, Tuning.roundedPoints * spacing)
    }

    private func step(_ index: Int, _ direction: Int) -> Int {
        (index + direction + contour.count) % contour.count
    }

    private func sideLength(from first: Int, to last: Int) -> Double {
        var length = 0.0
        var at = first
        while at != last {
            let next = step(at, 1)
            length += distance(contour.points[at], contour.points[next])
            at = next
        }
        return length
    }

    /// A side extended to its corner: a parabola over its chord, offset = a + b t + c t².
    struct SideCurve {
        var origin: SIMD2<Double>
        var along: SIMD2<Double>
        var coefficients: SIMD3<Double>

        func point(_ t: Double) -> SIMD2<Double> {
            let across = SIMD2(-along.y, along.x)
            return origin + along * t + across * (coefficients.x + t * (coefficients.y + t * coefficients.z))
        }

        func tangent(_ t: Double) -> SIMD2<Double> {
            along + SIMD2(-along.y, along.x) * (coefficients.y + 2 * t * coefficients.z)
        }

        /// Finds where two curves meet near their starts (Newton's method on both parameters); nil if they barely cross.
        func crossing(_ other: SideCurve) -> SIMD2<Double>? {
            var s = 0.0
            var t = 0.0
            for _ in 0..<Tuning.crossingSteps {
                let gap = other.point(t) - point(s)
                let a = tangent(s)
                let b = other.tangent(t)
                let determinant = a.x * -b.y + b.x * a.y
                let size = distance(a, .zero) * distance(b, .zero)
                guard abs(determinant) > Tuning.leastSine * size else { return nil }
                s += (gap.x * -b.y + b.x * gap.y) / determinant
                t += (a.x * gap.y - a.y * gap.x) / determinant
            }
            let meeting = point(s)
            return meeting.x.isFinite && meeting.y.isFinite ? meeting : nil
        }
    }

    /// Fits the side that leaves a corner in one direction, where the tracking can be trusted.
    private func continued(from index: Int, direction: Int, side: Double) -> SideCurve? {
        let near = clearance(side)
        let far = Tuning.stretch * side
        var points: [SIMD2<Double>] = []
        var at = index
        var passed = 0.0
        // A stretch along the image border is not the sheet's side.
        var onRim = 0.0
        while passed - onRim < far || points.count < Tuning.leastPoints, passed < Tuning.longestWalk * side {
            let next = step(at, direction)
            passed += distance(contour.points[at], contour.points[next])
            at = next
            if isOnRim(at) {
                onRim = passed
                points.removeAll()
            } else if passed - onRim >= near {
                points.append(contour.points[at])
            }
        }
        guard points.count >= Tuning.leastPoints, let first = points.first, let last = points.last else {
            return nil
        }
        let chord = distance(first, last)
        guard chord > 0 else { return nil }
        let along = (last - first) / chord
        let local = points.map { point -> SIMD2<Double> in
            let d = point - first
            return SIMD2(d.x * along.x + d.y * along.y, d.y * along.x - d.x * along.y)
        }
        var weights = [Double](repeating: 1, count: local.count)
        var fit = SIMD3<Double>()
        for _ in 0..<Tuning.fits {
            guard let solved = parabola(local, weights, length: chord) else { return nil }
            fit = solved
            let residuals = local.map { abs($0.y - (fit.x + $0.x * (fit.y + $0.x * fit.z))) }
            // Tukey's biweight at 4.7 times the spread, estimated from the median residual.
            let spread = max(residuals.robustDeviation(), Tuning.leastSpread)
            weights = residuals.map { RobustLoss.tukeyWeight($0 / (RobustLoss.tukey.cut * spread)) }
        }
        return SideCurve(origin: first, along: along, coefficients: fit)
    }

    /// Weighted least squares for y = a + b x + c x², with a slight preference for a straight line.
    private func parabola(_ points: [SIMD2<Double>], _ weights: [Double], length: Double) -> SIMD3<Double>? {
        var s = [Double](repeating: 0, count: 5)
        var r = SIMD3<Double>()
        for (point, weight) in zip(points, weights) {
            let x = point.x / length
            let x2 = x * x
            s[0] += weight
            s[1] += weight * x
            s[2] += weight * x2
            s[3] += weight * x2 * x
            s[4] += weight * x2 * x2
            r += weight * point.y * SIMD3(1, x, x2)
        }
        guard s[0] > Tuning.leastWeight else { return nil }
        s[4] += Tuning.straightness * s[0]
        let m = (s[2] * s[4] - s[3] * s[3], s[1] * s[4] - s[2] * s[3], s[1] * s[3] - s[2] * s[2])
        let determinant = s[0] * m.0 - s[1] * m.1 + s[2] * m.2
        guard abs(determinant) > 1e-12 else { return nil }
        let a = r.x * m.0 - s[1] * (r.y * s[4] - s[3] * r.z) + s[2] * (r.y * s[3] - s[2] * r.z)
        let b = s[0] * (r.y * s[4] - s[3] * r.z) - r.x * m.1 + s[2] * (s[1] * r.z - r.y * s[2])
        let c = s[0] * (s[2] * r.z - r.y * s[3]) - s[1] * (s[1] * r.z - r.y * s[2]) + r.x * m.2
        return SIMD3(a, b / length, c / (length * length)) / SIMD3(repeating: determinant)
    }
}

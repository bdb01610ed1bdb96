import DepthGeometry
import Platform
import LinearAlgebra

/// The sensor's slowly varying error on a sheet, estimated from the sheet's sides.
///
/// Sides are cut straight, opposite ones parallel and neighbouring ones at right angles. If a surface's depth is wrong by δz,
/// flattening it moves a point by δz times the tangential part of its ray. So the sides' deviations from straight and square
/// are linear in a smooth δz. δz is a polynomial of third degree over the sheet; each term is as large as the sensor's slow
/// error allows and no larger than the sides demand. The fit minimises Σ (side's offset / its raggedness)² + Σ (coefficient /
/// prior)² over the polynomial, the sheet's turn, and each side's position and skew (a cutter's error). There is no constant
/// term: the sides tell nothing about the sheet's distance.
struct SideCorrection {
    /// The sum of squares for the sheet as it lies, before this correction's last step.
    let cost: Double
    private var coefficients: [Double]
    /// The coefficients already applied to the surface from which the correction was estimated.
    private let previous: [Double]
    private let frame: Frame

    /// Degrees of the polynomial's terms; the constant term, the distance, is left out.
    private static let degrees = [1, 1, 2, 2, 2, 3, 3, 3, 3]
    /// Prior standard deviations of the terms by degree, in slow errors: errors that vary over the sheet's length tilt it more
    /// than they bend it.
    private static let priors = [0, 2, 1, 0.5]
    /// Standard deviation in radians of a cut edge's direction: for sides slit along a roll and a page's longer sides, and for
    /// ends cut off by a till or torn.
    private static let skewOfLongSides = 0.001
    private static let skewOfEnds = 0.006
    /// Ratio of shorter to longer sides above which a sheet counts as a page: A4 has 0.707, letter 0.773, and depth may err by
    /// 4 % of either; receipts are usually longer.
    private static let leastShareOfPageSide = 0.68
    /// Sides whose direction is farther from a right angle than this, in radians, do not belong to a rectangle.
    private static let greatestSkew = 0.35
    /// Number of independent points on a side: outlines have the same error over a fifth of a side.
    private static let independentPlaces = 5.0

    /// Coordinates in which the sheet reaches from about -1 to 1.
    private struct Frame {
        let middle: SIMD2<Double>
        let reach: Double

        func values(_ ray: SIMD3<Double>) -> [Double] {
            let (x, y) = ((ray.x - middle.x) / reach, (ray.y - middle.y) / reach)
            return [x, y, x * x, x * y, y * y, x * x * x, x * x * y, x * y * y, y * y * y]
        }
    }

    /// A point on a side of the flattened sheet.
    private struct Place {
        let ray: SIMD3<Double>
        let flat: SIMD2<Double>
        /// Movement on the flat sheet per metre of increase in depth.
        let motion: SIMD2<Double>
    }

    /// - Parameters:
    ///   - sides: polylines from corner to corner in photograph pixels, as seen.
    ///   - surface: the surface fitted to depth.
    ///   - unrolling: the same surface, flattened.
    ///   - slowError: standard deviation of the sensor's slow error at the sheet, in metres.
    ///   - previous: the correction that was already applied to depth before the surface was fitted, from the same sides.
    /// - Returns: nil if fewer than two sides can be judged. O(places).
    init?(
        of sides: [[SIMD2<Double>]], on surface: SheetSurface, unrolling: Unrolling,
        intrinsics: CameraIntrinsics, slowError: Double, previous: SideCorrection? = nil
    ) {
        let all = sides.map { side in
            SideEvidence.places(along: side).compactMap {
                Self.place(at: $0, on: surface, unrolling: unrolling, intrinsics: intrinsics)
            }
        }.filter { 2 * $0.count > SideEvidence.placesAlongSide && Self.raggedness(of: $0) != nil }
        guard all.count >= 2 else { return nil }
        let rays = all.joined().map { SIMD2($0.ray.x, $0.ray.y) }
        let middle = rays.reduce(SIMD2<Double>.zero, +) / Double(rays.count)
        // The previous coefficients belong to the previous frame.
        frame =
            previous?.frame ?? Frame(middle: middle, reach: rays.map { ($0 - middle).length }.max() ?? 1)
        self.previous = previous?.coefficients ?? Array(repeating: 0, count: Self.degrees.count)
        guard frame.reach > 0,
            let (solution, cost) = Self.solve(all, frame, slowError: slowError, previous: self.previous)
        else { return nil }
        coefficients = zip(self.previous, solution).map { $0 + $1 }
        self.cost = cost
    }

    /// The same correction with half of its last step: a linear model of small errors may overshoot on large ones.
    var halved: SideCorrection {
        var halved = self
        halved.coefficients = zip(previous, coefficients).map { ($0 + $1) / 2 }
        return halved
    }

    /// The amount by which depth along a ray should grow, in metres.
    func change(along ray: SIMD3<Double>) -> Double {
        zip(coefficients, frame.values(ray)).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// Root mean square of the depth change over the sheet, in metres.
    func size(on samples: SheetSamples) -> Double {
        let squares = samples.rays.reduce(0) { $0 + change(along: $1) * change(along: $1) }
        return (squares / Double(max(1, samples.count))).squareRoot()
    }

    /// The samples with their depths changed.
    func applied(to samples: SheetSamples) -> SheetSamples {
        var samples = samples
        for index in samples.rays.indices {
            let inverse = samples.inverseDepths[index]
            samples.inverseDepths[index] = inverse / (1 + change(along: samples.rays[index]) * inverse)
        }
        return samples
    }

    private static func place(
        at pixel: SIMD2<Double>, on surface: SheetSurface, unrolling: Unrolling, intrinsics: CameraIntrinsics
    ) -> Place? {
        let step = unrolling.gridStep
        func both(_ offset: SIMD2<Double>) -> (flat: SIMD2<Double>, point: SIMD3<Double>)? {
            guard let flat = unrolling.flatPosition(ofPixel: pixel + offset),
                let point = surface.point(seenAt: pixel + offset, intrinsics: intrinsics)
            else { return nil }
            return (flat, point)
        }
        guard let here = both(.zero), let left = both(SIMD2(-step.x, 0)), let right = both(SIMD2(step.x, 0)),
            let above = both(SIMD2(0, -step.y)), let below = both(SIMD2(0, step.y))
        else { return nil }
        let ray = intrinsics.ray(through: pixel)
        // The ray's tangential part, in the surface directions of neighbouring pixels.
        let (a, b) = (right.point - left.point, below.point - above.point)
        let (aa, ab, bb) = (a.dot(a), a.dot(b), b.dot(b))
        let determinant = aa * bb - ab * ab
        guard determinant > 0 else { return nil }
        let (ra, rb) = (ray.dot(a), ray.dot(b))
        let along = SIMD2(ra * bb - rb * ab, rb * aa - ra * ab) / determinant
        let motion = (right.flat - left.flat) * along.x + (below.flat - above.flat) * along.y
        return Place(ray: ray, flat: here.flat, motion: motion)
    }

    /// How ragged a side is, from its cut and its detection; nil if that cannot be told.
    private static func raggedness(of side: [Place]) -> Double? {
        let middle = side.reduce(SIMD2<Double>.zero) { $0 + $1.flat } / Double(side.count)
        let chord = side[side.count - 1].flat - side[0].flat
        guard chord.length > 0 else { return nil }
        let along = chord / chord.length
        let places = side.map { $0.flat - middle }
        return SideEvidence.raggedness(
            places.map { $0.dot(along) }, places.map { $0.dot(SIMD2(-along.y, along.x)) })
    }

    /// Least squares over the step of the polynomial's coefficients, the turn, and each side's position and skew. Also returns
    /// the sum of squares without that step.
    private static func solve(
        _ sides: [[Place]], _ frame: Frame, slowError: Double, previous: [Double]
    ) -> (step: [Double], cost: Double)? {
        let termCount = degrees.count
        let chords = sides.map { $0[$0.count - 1].flat - $0[0].flat }
        // Multiplied by four, angles that differ by quarter turns are equal.
        let fourfold = chords.reduce(SIMD2<Double>.zero) { sum, chord in
            let angle = 4 * atan2(chord.y, chord.x)
            return sum + SIMD2(cos(angle), sin(angle)) * chord.dot(chord)
        }
        let turn = atan2(fourfold.y, fourfold.x) / 4
        let longest = chords.map(\.length).max() ?? 0
        let count = termCount + 1 + 2 * sides.count
        var matrix = Matrix(rows: count, columns: count)
        var right = [Double](repeating: 0, count: count)
        var squares = 0.0
        for term in 0..<termCount {
            let prior = priors[degrees[term]] * slowError
            matrix[term, term] += 1 / (prior * prior)
            right[term] -= previous[term] / (prior * prior)
            squares += previous[term] * previous[term] / (prior * prior)
        }
        for (index, side) in sides.enumerated() {
            let angle = atan2(chords[index].y, chords[index].x)
            let direction = turn + ((angle - turn) / (.pi / 2)).rounded() * .pi / 2
            guard abs(angle - direction) < greatestSkew else { return nil }
            let along = SIMD2(cos(direction), sin(direction))
            let across = SIMD2(-along.y, along.x)
            let middle = side.reduce(SIMD2<Double>.zero) { $0 + $1.flat } / Double(side.count)
            guard let raggedness = raggedness(of: side) else { return nil }
            let lengths = side.map { ($0.flat - middle).dot(along) }
            let offsets = side.map { ($0.flat - middle).dot(across) }
            let weight =
                independentPlaces / Double(side.count)
                / (raggedness * raggedness + SideEvidence.leastRaggedness * SideEvidence.leastRaggedness)
            let first = termCount + 1 + 2 * index
            // Opposite sides of a receipt differ little in length; all sides of a page are cut alike.
            let skew = chords[index].length > leastShareOfPageSide * longest ? skewOfLongSides : skewOfEnds
            matrix[first + 1, first + 1] += 1 / (skew * skew)
            for (place, (length, offset)) in zip(side, zip(lengths, offsets)) {
                let shift = place.motion.dot(across)
                let row: [(Int, Double)] =
                    frame.values(place.ray).enumerated().map { ($0.offset, $0.element * shift) }
                    + [(termCount, -length), (first, -1), (first + 1, -length)]
                for (i, a) in row {
                    for (j, b) in row where j <= i { matrix[i, j] += weight * a * b }
                    right[i] -= weight * a * offset
                }
                squares += weight * offset * offset
            }
        }
        // Without the step, only the unknowns after the polynomial's are solved for.
        let rest = termCount..<count
        var without = Matrix(rows: rest.count, columns: rest.count)
        for i in rest {
            for j in rest.lowerBound...i { without[i - termCount, j - termCount] = matrix[i, j] }
        }
        let load = Array(right[rest])
        guard let solution = try? CholeskyFactorization(of: matrix).solve(right),
            let unmoved = try? CholeskyFactorization(of: without).solve(load)
        else { return nil }
        // The minimum of a sum of squares is its initial value minus the product of the solution and the right-hand side.
        return (
            Array(solution.prefix(termCount)), squares - zip(unmoved, load).reduce(0) { $0 + $1.0 * $1.1 }
        )
    }
}

import Diagnostics
import Platform
import Imaging
import RobustStatistics

/// The points used to try out planes: few enough to be visited hundreds of times.
struct PlaneSample: Sendable {
    /// The sample's mean, which all coordinates here are relative to.
    let reference: SIMD3<Double>
    /// Median distance along the optical axis.
    let medianDepth: Double
    /// The depth at which the noise law's factor is 1; nil for the uniform law.
    let lawDepth: Double?
    /// Distance within which a point supports a trial.
    let inlierDistance: Double

    /// The points, relative to `reference`.
    private let points: [SIMD3<Double>]
    /// The noise law's factor of each point.
    private let weights: [Double]
    /// The same, in columns of eight; the last column is filled up with earlier points.
    private let xs: [SIMD8<Float>]
    private let ys: [SIMD8<Float>]
    private let zs: [SIMD8<Float>]
    private let factors: [SIMD8<Float>]

    /// The three points of a trial count as collinear if the sine of the angle between two sides is below this.
    private static let leastSine = 0.01
    /// Change of the noise's scale, as a share of it, below which the scale has converged.
    private static let settledScale = 0.05
    /// Turn of the plane, in radians, below which it has converged: a thousandth of a degree.
    private static let settledTurn = 2e-5
    /// Shift of the plane, as a share of the noise's scale, below which it has converged.
    private static let settledShift = 0.02

    /// Takes one point from each of `sampleSize` equal stretches of the list, so that the sample covers the image evenly.
    init(
        of all: [SIMD3<Float>], options: Plane.FitOptions, using generator: inout some RandomNumberGenerator
    ) throws(FlatteningError) {
        let count = min(all.count, options.sampleSize)
        var chosen: [SIMD3<Double>] = []
        chosen.reserveCapacity(count)
        var sum = SIMD3<Double>.zero
        for index in 0..<count {
            let start = index * all.count / count
            let end = (index + 1) * all.count / count
            let point = SIMD3<Double>(all[Int.random(in: start..<end, using: &generator)])
            sum += point
            chosen.append(point)
        }
        let mean = sum / Double(count)
        guard mean.isFinite else { throw PlaneFitError.nonFinite }
        reference = mean

        var depths = chosen.map { Float(abs($0.z)) }
        let depth = Double(depths.selectRank(depths.count / 2))
        medianDepth = depth
        lawDepth = options.noise == .quadratic && depth > 0 ? depth : nil
        // A cloud may be given in a frame where depth has no meaning; then its extent sets the scale.
        let extent = chosen.reduce(0) { max($0, ($1 - mean).length) }
        inlierDistance =
            options.inlierDistance ?? options.relativeInlierDistance * (depth > 0 ? depth : extent)
        points = chosen.map { $0 - mean }

        let law = lawDepth
        func columns(_ value: (Int) -> Double) -> [SIMD8<Float>] {
            (0..<(count + 7) / 8).map { block in
                var column = SIMD8<Float>()
                for lane in 0..<8 { column[lane] = Float(value((block * 8 + lane) % count)) }
                return column
            }
        }
        let relative = points
        xs = columns { relative[$0].x }
        ys = columns { relative[$0].y }
        zs = columns { relative[$0].z }
        let lawFactors = chosen.map { point in
            guard let law else { return 1.0 }
            let ratio = law / point.z
            return ratio * ratio
        }
        weights = lawFactors
        factors = columns { lawFactors[$0] }
    }

    /// Finds the plane through three of the points that explains the sample best; returns it and the number of trials.
    func bestTrial(
        options: Plane.FitOptions, using generator: inout some RandomNumberGenerator
    ) throws(FlatteningError) -> (plane: Plane, trials: Int) {
        var best: (normal: SIMD3<Double>, distance: Double)?
        var bestCost = Float.infinity
        var needed = options.maximumTrials
        var trials = 0
        while trials < needed {
            trials += 1
            let (i, j, k) = (index(&generator), index(&generator), index(&generator))
            let (ab, ac) = (points[j] - points[i], points[k] - points[i])
            let normal = ab.cross(ac)
            // Three collinear points (or the same point twice) determine no plane.
            guard normal.length > Self.leastSine * ab.length * ac.length else { continue }
            let unit = normal.normalized
            let distance = -unit.dot(points[i])
            let (cost, support) = judge(unit, distance)
            guard cost < bestCost else { continue }
            bestCost = cost
            best = (unit, distance)
            let clean = pow(Double(support) / Double(xs.count * 8), 3)
            if clean > 0 {
                // log1p, because 1 - clean is 1 for a clean share below the rounding.
                let count = clean < 1 ? log(1 - options.confidence) / log1p(-clean) : 1
                needed = min(max(Int(min(count, 1e9)) + 1, options.minimumTrials), options.maximumTrials)
            }
        }
        guard let best else {
            var moments = PointMoments(about: .zero)
            for point in points { moments.add(point, relativeWeight: 1) }
            // Principal components tell in what way the points are degenerate, or find a plane that no triple of them
            // showed.
            let plane = try moments.plane().plane
            return (Plane(through: plane.projection(of: .zero) + reference, normal: plane.normal), trials)
        }
        return (Plane(through: reference - best.normal * best.distance, normal: best.normal), trials)
    }

    private func index(_ generator: inout some RandomNumberGenerator) -> Int {
        Int.random(in: 0..<points.count, using: &generator)
    }

    /// The truncated quadratic cost of a plane, in units of `inlierDistance`², and the number of points that support it.
    private func judge(_ normal: SIMD3<Double>, _ distance: Double) -> (cost: Float, support: Float) {
        let scale = 1 / inlierDistance
        let nx = SIMD8<Float>(repeating: Float(normal.x * scale))
        let ny = SIMD8<Float>(repeating: Float(normal.y * scale))
        let nz = SIMD8<Float>(repeating: Float(normal.z * scale))
        let d = SIMD8<Float>(repeating: Float(distance * scale))
        let one = SIMD8<Float>(repeating: 1)
        var costs = SIMD8<Float>.zero
        var supports = SIMD8<Float>.zero
        xs.withUnsafeBufferPointer { xs in
            ys.withUnsafeBufferPointer { ys in
                zs.withUnsafeBufferPointer { zs in
                    factors.withUnsafeBufferPointer { factors in
                        for block in xs.indices {
                            var residual = nx * xs[block] + d
                            residual += ny * ys[block]
                            residual += nz * zs[block]
                            residual *= factors[block]
                            let square = residual * residual
                            let isOutside = square .> one
                            costs += square.replacing(with: one, where: isOutside)
                            supports += one.replacing(with: 0, where: isOutside)
                        }
                    }
                }
            }
        }
        return (costs.sum(), supports.sum())
    }

    /// Refines a plane by Tukey's weights until it has converged; returns it and the noise's robust standard deviation.
    ///
    /// The scale is 1.4826 · median of the residuals within the cut-off of the last scale, repeated. It grows to the noise
    /// from below or shrinks to it from above, as long as the plane's points outnumber the clutter near it.
    func refine(_ start: Plane) throws(FlatteningError) -> (plane: Plane, scale: Double) {
        var plane = start
        // Residuals of a perfect plane that single-precision positions cause.
        let floor = 1e-6 * max(medianDepth, reference.length)
        let ceiling = max(2 * inlierDistance, floor)
        var scale = max(inlierDistance / 2, floor)
        var residuals = [Double](repeating: 0, count: points.count)
        var near: [Float] = []
        near.reserveCapacity(points.count)
        for _ in 0..<20 {
            let distance = plane.signedDistance(to: reference)
            for index in points.indices {
                residuals[index] = (plane.normal.dot(points[index]) + distance) * weights[index]
            }
            for _ in 0..<5 {
                let cut = RobustLoss.tukey.cut * scale
                near.removeAll(keepingCapacity: true)
                for residual in residuals where abs(residual) < cut { near.append(Float(abs(residual))) }
                guard !near.isEmpty else { break }
                let median = Double(near.selectRank(near.count / 2))
                let next = min(max(RobustScale.medianToDeviation * median, floor), ceiling)
                let change = abs(next - scale)
                scale = next
                if change < Self.settledScale * scale { break }
            }
            var moments = PointMoments(about: .zero)
            let perCut = 1 / (RobustLoss.tukey.cut * scale)
            for index in points.indices {
                let biweight = RobustLoss.tukeyWeight(residuals[index] * perCut)
                moments.add(points[index], relativeWeight: biweight * weights[index] * weights[index])
            }
            let local = try moments.plane().plane
            // Convert back to the camera's frame: the projection of the reference is the same point in both.
            let next = Plane(through: local.projection(of: .zero) + reference, normal: local.normal)
            let shift = abs(next.signedDistance(to: reference)) - abs(distance)
            let turn = next.angle(to: plane)
            plane = next
            // Two more steps over all points follow in `fit(to:options:)`.
            if turn < Self.settledTurn && abs(shift) < Self.settledShift * scale { break }
        }
        return (plane, scale)
    }
}

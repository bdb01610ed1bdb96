import Parallelism
public import Diagnostics
import RobustStatistics
import Dispatch
import Platform
import Imaging

extension Plane {
    /// How `fit(to:options:)` separates the plane's points from the others.
    public struct FitOptions: Equatable, Sendable {
        /// How a sensor's noise depends on distance; residuals are compared, and points weighted, accordingly.
        package enum NoiseLaw: Equatable, Sendable {
            /// The same everywhere.
            case uniform
            /// Growing with z², as in stereo, structured light and disparity.
            case quadratic
        }

        /// Distance from the plane within which a point supports a trial, in the points' unit, greater than 0. If nil, it
        /// is `relativeInlierDistance` times the points' median depth. The noise itself is estimated from the points, up to
        /// twice this distance.
        public var inlierDistance: Double?
        /// See `inlierDistance`; greater than 0. The default of 1 % is 3 mm at 0.3 m.
        package var relativeInlierDistance = 0.01
        /// How noise depends on distance.
        package var noise = NoiseLaw.uniform
        /// Number of points that trials are judged by, at least 3.
        package var sampleSize = 4096
        /// Fewest trials, at least 1.
        package var minimumTrials = 64
        /// Most trials, at least `minimumTrials`.
        package var maximumTrials = 1024
        /// Probability, less than 1, that at least one trial had no outliers; trials end when it is reached.
        package var confidence = 0.9999
        /// Seed of the random samples, when no generator is given.
        public var seed: UInt64 = 1

        /// The defaults.
        public init() {}

        /// Checks for programmer's mistakes only: options do not come from files.
        func validate() {
            precondition(
                inlierDistance.map { $0 > 0 && $0.isFinite } ?? true, "inlierDistance is greater than 0")
            precondition(relativeInlierDistance > 0, "relativeInlierDistance is greater than 0")
            precondition(sampleSize >= 3, "a plane needs a sample of 3")
            precondition(
                minimumTrials >= 1 && maximumTrials >= minimumTrials, "1 <= minimumTrials <= maximumTrials")
            precondition(confidence > 0 && confidence < 1, "0 < confidence < 1")
        }
    }

    /// Finds the plane that most points agree on, whatever the other points do.
    ///
    /// Runs trials through three random points, judged by a truncated quadratic cost on a sample (MSAC: Torr & Zisserman,
    /// CVIU 2000, DOI 10.1006/cviu.1999.0832). Then refines by Tukey's biweight (c = 4.685), first on the sample until the
    /// plane has converged, then in two steps over all points. Covariances are accumulated in Double, relative to the
    /// sample's mean, and decomposed by
    /// LAPACK. The same points, options and generator give the same plane, bit for bit, on however many cores.
    /// O(points + trials · sample).
    /// - Throws: `badInput` for fewer than 3 points, points on a line, NaN or infinity.
    public static func fit(
        to points: [SIMD3<Float>], options: FitOptions = FitOptions()
    ) throws(FlatteningError) -> RobustFit<Plane> {
        var generator = SplitMix64(seed: options.seed)
        return try fit(to: points, options: options, using: &generator)
    }

    /// Finds the plane that most points agree on, with the caller's random numbers; see `fit(to:options:)`.
    package static func fit(
        to points: [SIMD3<Float>], options: FitOptions = FitOptions(),
        using generator: inout some RandomNumberGenerator
    ) throws(FlatteningError) -> RobustFit<Plane> {
        options.validate()
        guard points.count >= 3 else { throw PlaneFitError.tooFew(points.count) }
        let sample = try PlaneSample(of: points, options: options, using: &generator)
        let start = try sample.bestTrial(options: options, using: &generator)
        let (coarse, scale) = try sample.refine(start.plane)

        // Two more steps over all points, at the sample's scale.
        var plane = coarse
        var spread = PrincipalSpread(variances: [0, 0, 0])
        for _ in 0..<2 {
            let pass = PlanePass(plane: plane, cut: RobustLoss.tukey.cut * scale, sample: sample)
            (plane, spread) = try pass.moments(of: points).plane()
        }
        let pass = PlanePass(plane: plane, cut: RobustLoss.tukey.cut * scale, sample: sample)
        let split = pass.split(points)
        return RobustFit(
            model: plane, inliers: split.inliers, inlierCount: split.count,
            rmsResidual: split.count > 0 ? (split.squares / Double(split.count)).squareRoot() : 0,
            scale: scale, trialCount: start.trials, spread: spread)
    }
}

extension RobustFit where Model == Plane {
    /// Judges the same points by another plane: which of them it explains, and how well.
    ///
    /// The inlier threshold stays the same, and the spread stays that of the points that the fit was made to. O(points).
    /// - Parameters:
    ///   - plane: a plane through nearly the same points, for instance the one that a surface stands on.
    ///   - points: those of the fit, which assumed uniform noise.
    package func judged(by plane: Plane, points: [SIMD3<Float>]) -> RobustFit {
        precondition(points.count == inliers.count, "the points are those of the fit")
        let pass = PlanePass(
            plane: plane, cut: RobustLoss.tukey.cut * scale, reference: plane.projection(of: .zero),
            lawDepth: nil)
        let split = pass.split(points)
        return RobustFit(
            model: plane, inliers: split.inliers, inlierCount: split.count,
            rmsResidual: split.count > 0 ? (split.squares / Double(split.count)).squareRoot() : 0,
            scale: scale, trialCount: trialCount, spread: spread)
    }
}

/// One pass over all points with a fixed plane and cut-off: their weights, moments and inliers.
private struct PlanePass: Sendable {
    /// Points whose scaled residual reaches this limit have no weight.
    let cut: Double
    /// The plane relative to the reference: n · (x - reference) + distance.
    let normal: SIMD3<Double>
    let distance: Double
    let reference: SIMD3<Double>
    /// The depth at which the noise law's factor is 1; nil for the uniform law.
    let lawDepth: Double?

    /// Points are processed in groups of this size whatever the number of cores, so that sums are the same everywhere.
    private static let groupSize = 16384

    init(plane: Plane, cut: Double, sample: PlaneSample) {
        self.init(plane: plane, cut: cut, reference: sample.reference, lawDepth: sample.lawDepth)
    }

    init(plane: Plane, cut: Double, reference: SIMD3<Double>, lawDepth: Double?) {
        self.cut = cut
        normal = plane.normal
        self.reference = reference
        distance = plane.signedDistance(to: reference)
        self.lawDepth = lawDepth
    }

    /// The Tukey-weighted moments of all points; NaN among the points makes them NaN.
    func moments(of points: [SIMD3<Float>]) -> PointMoments {
        let groups = Self.map(points) { group in
            if let lawDepth {
                moments(of: group) { depth in
                    let ratio = lawDepth / depth
                    return ratio * ratio
                }
            } else {
                moments(of: group) { _ in 1 }
            }
        }
        var sum = PointMoments(about: reference)
        for group in groups { sum.add(group) }
        return sum
    }

    @inline(__always)
    private func moments(
        of points: UnsafeBufferPointer<SIMD3<Float>>, law: (Double) -> Double
    ) -> PointMoments {
        var sum = PointMoments(about: reference)
        let perCut = 1 / cut
        for point in points {
            let position = SIMD3<Double>(point)
            let offset = position - reference
            let factor = law(position.z)
            let ratio = (normal.dot(offset) + distance) * factor * perCut
            // NaN propagates and is noticed in the sums.
            sum.add(offset, relativeWeight: RobustLoss.tukeyWeight(ratio) * factor * factor)
        }
        return sum
    }

    /// Which points the plane explains, how many, and the sum of their squared residuals.
    func split(_ points: [SIMD3<Float>]) -> (inliers: [Bool], count: Int, squares: Double) {
        var count = 0
        var squares = 0.0
        let inliers = [Bool](unsafeUninitializedCapacity: points.count) { inliers, initialized in
            let target = DisjointRows(inliers, rowLength: Self.groupSize)
            let groups = Self.map(
                points,
                numbered: { number, group in
                    var count = 0
                    var squares = 0.0
                    let target = target[number..<number + 1]
                    for (index, point) in group.enumerated() {
                        let position = SIMD3<Double>(point)
                        let residual = normal.dot(position - reference) + distance
                        var scaled = residual
                        if let lawDepth { scaled *= (lawDepth / position.z) * (lawDepth / position.z) }
                        let isInlier = abs(scaled) < cut
                        target.initializeElement(at: index, to: isInlier)
                        count &+= isInlier ? 1 : 0
                        squares += isInlier ? residual * residual : 0
                    }
                    return (count: count, squares: squares)
                })
            for group in groups {
                count += group.count
                squares += group.squares
            }
            initialized = points.count
        }
        return (inliers, count, squares)
    }

    private static func map<Result: Sendable>(
        _ points: [SIMD3<Float>], _ transform: @Sendable (UnsafeBufferPointer<SIMD3<Float>>) -> Result
    ) -> [Result] {
        map(points, numbered: { transform($1) })
    }

    /// Applies `transform` to each group on all cores; results are in order.
    private static func map<Result: Sendable>(
        _ points: [SIMD3<Float>],
        numbered transform: @Sendable (Int, UnsafeBufferPointer<SIMD3<Float>>) -> Result
    ) -> [Result] {
        let groups = (points.count + groupSize - 1) / groupSize
        return concurrentMap(Array(0..<groups)) { number in
            points.withUnsafeBufferPointer { points in
                let start = number * groupSize
                let end = min(start + groupSize, points.count)
                return transform(number, UnsafeBufferPointer(rebasing: points[start..<end]))
            }
        }
    }
}

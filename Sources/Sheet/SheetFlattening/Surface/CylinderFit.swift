import Diagnostics
import Parallelism
import DepthGeometry
import Platform
import Imaging
import RobustStatistics

/// Fits a general cylinder: the rulings' direction by search, the profile and the rulings' rise by robust least squares.
///
/// For a given direction, with heights h over the plane of the frame, h = f(t) + slope · s is linear in f's spline coefficients
/// and in slope. The fit minimises Σ ρ(r_i) + λ w ∫ |f'' - usual| dt. r are the residuals along the rays (the height's residual
/// divided by how fast it changes along the ray), ρ is Cauchy's loss, and w the sheet's width along the rulings, so that λ
/// means the same as for the free surface. |f'' - usual| lets deviations from the sheet's usual curvature gather in creases.
/// Both terms are re-weighted.
struct CylinderFit {
    /// Length of a profile cell in metres.
    static let cellLength = 0.0025
    /// How far past the samples the profile extends before it is continued straight, in metres.
    static let margin = 0.008
    /// Cauchy's cut, in deviations of the residuals: with it creases stay; 2.385 would treat them as wild readings.
    static let cut = 3.0

    let surface: CylinderSurface
    /// Depth residual of each sample in metres.
    let residuals: [Double]
    /// Root of the weighted mean square of the residuals in metres.
    let rms: Double
    /// Absolute mean curvature of the profile over four neighbouring cells (10 mm), in 1/metres.
    let curvatures: [Double]

    /// The readings in the frame of the plane.
    struct Problem: Sendable {
        let samples: SheetSamples
        let frame: PlaneFrame
        /// Coordinates on the plane and height above it, towards the camera.
        let x: [Double]
        let y: [Double]
        let height: [Double]
        /// The rays in the frame.
        let rays: [SIMD3<Double>]
        let penalty: Double

        init(samples: SheetSamples, plane: Plane) {
            self.samples = samples
            let points = samples.rays.indices.map { samples.rays[$0] / samples.inverseDepths[$0] }
            let center = points.reduce(SIMD3<Double>.zero, +) / Double(points.count)
            let frame = PlaneFrame(on: plane, origin: center)
            self.frame = frame
            let normal = frame.normal
            x = points.map { ($0 - frame.origin).dot(frame.xAxis) }
            y = points.map { ($0 - frame.origin).dot(frame.yAxis) }
            height = points.map { ($0 - frame.origin).dot(normal) }
            rays = samples.rays.map { SIMD3($0.dot(frame.xAxis), $0.dot(frame.yAxis), $0.dot(normal)) }
            penalty = FreeformFit.bendingLength * samples.noise * samples.noise * samples.density
        }
    }

    /// Finds the best cylinder: tries 24 directions on about 1500 samples, then halved steps around the best on twice as many,
    /// down to a quarter of a milliradian (which moves the end of a receipt by hundredths of a millimetre).
    /// - Parameter angle: a direction already known to within half a step of the search, which then replaces the 24.
    init(to samples: SheetSamples, plane: Plane, near angle: Double? = nil) throws(FlatteningError) {
        let problem = Problem(samples: samples, plane: plane)
        let step = Double.pi / 24
        let stride = max(1, samples.count / 1_500)
        let starts = angle.map { [$0] } ?? (0..<24).map { Double($0) * step }
        let directions = try concurrentMap(starts) { angle throws(FlatteningError) in
            let fit = try? CylinderFit(problem, angle: angle, sweeps: 4, stride: stride)
            return (angle: angle, rms: fit?.rms ?? .infinity)
        }
        guard var best = directions.min(by: { $0.rms < $1.rms }), best.rms < .infinity else {
            throw Self.undetermined("no direction of rulings fits")
        }
        var finer = step / 2
        best.rms = .infinity
        let half = max(1, stride / 2)
        for level in 0..<9 {
            let candidates =
                level == 0
                ? [best.angle - finer, best.angle, best.angle + finer]
                : [best.angle - finer, best.angle + finer]
            let fits = try concurrentMap(candidates) { angle throws(FlatteningError) in
                let fit = try? CylinderFit(problem, angle: angle, sweeps: 4, stride: half)
                return (angle: angle, rms: fit?.rms ?? .infinity)
            }
            for fit in fits where fit.rms < best.rms { best = fit }
            finer /= 2
        }
        try self.init(problem, angle: best.angle, sweeps: 10)
    }

    /// Fits the best profile for a given direction of the rulings.
    /// - Parameters:
    ///   - angle: from the frame's x-axis to the rulings, in radians.
    ///   - leftOut: samples of this fold are ignored.
    ///   - sweeps: number of re-weightings.
    ///   - stride: uses only every `stride`-th sample.
    init(
        _ problem: Problem, angle: Double, leftOut: UInt8? = nil, sweeps: Int, stride: Int = 1
    ) throws(FlatteningError) {
        let system = CylinderSystem(problem, angle: angle, leftOut: leftOut, stride: stride)
        var profile = CylinderSystem.Profile(coefficients: [], slope: 0)
        var rates = system.ratesOnPlane
        var bending = system.expectedBending
        let outcome = try Reweighting(
            loss: RobustLoss(.cauchy, cut: Self.cut), sweeps: sweeps, leastScale: problem.samples.noise
        ).run(
            prior: [Double](repeating: 1, count: system.count),
            isCounted: leftOut == nil ? nil : system.isCounted
        ) { weights throws(FlatteningError) in
            do {
                profile = try system.solve(weights: weights, rates: rates, bending: bending)
            } catch {
                throw Self.undetermined("\(error)")
            }
            let residuals = system.residuals(of: profile)
            rates = residuals.rates
            bending = system.bending(of: profile)
            return (residuals.depths, false)
        }
        guard let rms = system.rms(of: outcome.residuals, weights: outcome.weights), profile.slope.isFinite
        else { throw Self.undetermined("no readings") }
        self.rms = rms
        residuals = outcome.residuals
        curvatures = system.meanCurvatures(of: profile)
        surface = CylinderSurface(
            frame: problem.frame, angle: angle, slope: profile.slope, basis: system.basis,
            coefficients: profile.coefficients)
    }

    private static func undetermined(_ detail: String) -> FlatteningError {
        FlatteningError(
            .badInput, "the depth readings determine no cylinder", stage: .surface, detail: detail)
    }
}

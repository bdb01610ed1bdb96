import Diagnostics
import Parallelism
import DepthGeometry
import Platform
import Imaging
import RobustStatistics

/// Chooses the simplest kind of surface that the readings support: plane, then cylinder, then free form.
///
/// A richer kind must pass four tests, each against a different kind of error:
/// 1. It predicts left-out readings better, by more than noise can explain (`HeldOutGain`). The left-out fields (every other
///    one of a chessboard) are larger than the distance over which sensors correlate readings: leaving out single readings
///    would reward a surface for following correlated noise.
/// 2. The sheet's sides, seen in the photograph, do not become crooked (`SideEvidence`).
/// 3. It adds more to the shape than the sensor's slowly varying error, measured on the table around the sheet or, if no table
///    is seen, taken from what is usual for such sensors (`UsualSlowError`). Such an error extends across the fields, so they
///    cannot distinguish it from shape. Sides that become straight outweigh this test.
/// 4. It moves points of the flat sheet by a visible amount. False hills add false length, so a shape that does not matter is
///    better left out.
struct SurfaceLadder {
    var samples: SheetSamples
    var plane: InverseDepthPlane
    /// Standard deviation of slowly varying depth errors in metres, if the table shows them.
    let slowError: Double?
    /// The usual error of such sensors, used if no table shows it.
    var usualSlowError = UsualSlowError.none
    let intrinsics: CameraIntrinsics
    let outline: [SIMD2<Double>]
    /// The sheet's sides in the photograph, in its pixels; empty if unknown.
    var sides: [[SIMD2<Double>]] = []
    let options: SurfaceFit.Options

    /// Ratio of a step's error on left-out readings to the readings' noise below which no richer kind is tried: within a tenth,
    /// the two cannot be distinguished.
    private static let leastExcess = 1.1
    /// Slow error (m) above which the sheet's sides correct the depth; smaller errors are below what the sides can show.
    private static let leastCorrected = 0.0004
    /// Most corrections by the sides, and the share of the sum of squares that one must save for another to be tried: on drawn
    /// curved sheets before a LiDAR, the third saves a few percent.
    private static let mostCorrections = 3
    private static let leastGain = 0.2
    /// Share of the errors that is used, the smallest first: wild readings are no argument for a shape.
    private static let believedShare = 0.98

    /// A fitted kind of surface; lengths in metres.
    struct Step {
        var surface: SheetSurface
        var residual: Double
        var curvature: Double
        /// Depth residual of each sample from a fit that left out its field; empty if not requested.
        var heldOutResiduals: [Double] = []
        var refused: [SurfaceFit.Refusal] = []
        var heldOutErrors: [SurfaceMethod: Double] = [:]
        /// Whether the sheet's sides prove the shape that this surface adds to a simpler one.
        var isProvenBySides = false
        /// Root mean square change of depth by the sheet's sides before the surface was fitted; nil if there was none.
        var correctedBySides: Double?
        /// The surface, flattened over the outline, once a comparison needed it; nil also if it cannot be flattened.
        var unrolling: Unrolling?

        /// Replaces each sample's residual by that of the fit without its fold; the two fits run in parallel.
        mutating func leaveOut(
            of samples: SheetSamples, residualsWithout: @Sendable (UInt8) throws(FlatteningError) -> [Double]
        ) throws(FlatteningError) {
            let halves = try concurrentMap([0, 1], residualsWithout)
            for index in samples.fold.indices {
                heldOutResiduals[index] = halves[Int(samples.fold[index])][index]
            }
        }
    }

    /// The plane. It has only three unknowns, so its error on all readings serves as its error on left-out ones.
    func planeStep() -> Step {
        let square = samples.depth * samples.depth
        let residuals = samples.rays.indices.map {
            (plane.gradient.dot(samples.rays[$0]) - samples.inverseDepths[$0]) * square
        }
        return Step(
            surface: .plane(plane.plane), residual: plane.rms * square, curvature: 0,
            heldOutResiduals: residuals, heldOutErrors: [.plane: Self.trimmedRMS(residuals)])
    }

    /// The cylinder, with its error on left-out blocks if requested; if an angle is given, its rulings are searched near it.
    func cylinderStep(isTested: Bool, near angle: Double? = nil) throws(FlatteningError) -> Step {
        let fit = try CylinderFit(to: samples, plane: plane.plane, near: angle)
        var step = Step(
            surface: .cylinder(fit.surface), residual: fit.rms,
            curvature: fit.curvatures.quantile(0.95))
        if isTested {
            let problem = CylinderFit.Problem(samples: samples, plane: plane.plane)
            step.heldOutResiduals = fit.residuals
            try step.leaveOut(of: samples) { fold throws(FlatteningError) in
                try CylinderFit(problem, angle: fit.surface.angle, leftOut: fold, sweeps: 6).residuals
            }
            step.heldOutErrors[.cylinder] = Self.trimmedRMS(step.heldOutResiduals)
        }
        return step
    }

    /// The free form, with its error on left-out blocks if requested.
    func freeformStep(isTested: Bool) throws(FlatteningError) -> Step {
        let rays = outline.map { intrinsics.ray(through: $0) }
        let fit = try FreeformFit(to: samples, plane: plane.gradient, outline: rays)
        var step = Step(
            surface: .freeform(fit.surface), residual: Self.trimmedRMS(fit.residuals),
            curvature: fit.curvatures.quantile(0.95))
        if isTested {
            step.heldOutResiduals = fit.residuals
            try step.leaveOut(of: samples) { fold throws(FlatteningError) in
                try FreeformFit(
                    to: samples, plane: plane.gradient, outline: rays, leftOut: fold, start: fit, sweeps: 4
                ).residuals
            }
            step.heldOutErrors[.freeform] = Self.trimmedRMS(step.heldOutResiduals)
        }
        return step
    }

    /// The simplest kind that passes the tests.
    func climb() throws(FlatteningError) -> Step {
        var best = planeStep()
        var refused: [SurfaceFit.Refusal] = []
        var heldOutErrors = best.heldOutErrors
        for method in [SurfaceMethod.cylinder, .freeform] {
            if let reason = reasonToStay(at: best) {
                refused.append(.init(method: method, reason: reason))
                continue
            }
            var next: Step
            do {
                next =
                    try method == .cylinder
                    ? cylinderStep(isTested: true) : freeformStep(isTested: true)
            } catch {
                refused.append(.init(method: method, reason: error.message))
                continue
            }
            heldOutErrors.merge(next.heldOutErrors) { first, _ in first }
            if let reason = reasonToRefuse(&next, over: &best) {
                refused.append(.init(method: method, reason: reason))
            } else {
                best = next
            }
        }
        best = correctedBySides(best)
        best.refused = refused
        best.heldOutErrors = heldOutErrors
        return best
    }

    /// Fits the same kind of surface to readings without the slow error that the sheet's sides show, and repeats while the
    /// sides become straighter and squarer (Gauss-Newton with halved steps).
    private func correctedBySides(_ step: Step) -> Step {
        let slow = slowError ?? usualSlowError.deviation
        var best = step
        guard slow > Self.leastCorrected, !sides.isEmpty, let unrolling = unrolling(of: &best),
            var correction = sideCorrection(of: best, unrolling, slowError: slow)
        else { return step }
        for _ in 0..<Self.mostCorrections {
            guard
                let (next, left) = refitted(best, by: correction, slowError: slow)
                    ?? refitted(best, by: correction.halved, slowError: slow)
            else { break }
            let gain = 1 - left.cost / correction.cost
            (best, correction) = (next, left)
            if gain < Self.leastGain { break }
        }
        return best
    }

    private func sideCorrection(
        of step: Step, _ unrolling: Unrolling, slowError: Double, previous: SideCorrection? = nil
    ) -> SideCorrection? {
        SideCorrection(
            of: sides, on: step.surface, unrolling: unrolling, intrinsics: intrinsics, slowError: slowError,
            previous: previous)
    }

    /// Fits the step again to corrected readings, and returns it with the correction that its sides then require; nil if the
    /// sides are no better.
    private func refitted(
        _ step: Step, by correction: SideCorrection, slowError: Double
    ) -> (Step, SideCorrection)? {
        var ladder = self
        ladder.samples = correction.applied(to: samples)
        guard
            let plane = try? InverseDepthPlane.fit(
                rays: samples.rays, inverseDepths: ladder.samples.inverseDepths, prior: samples.weights)
        else { return nil }
        ladder.plane = plane
        let fitted: Step? =
            switch step.surface {
            case .plane: ladder.planeStep()
            case .cylinder(let cylinder):
                try? ladder.cylinderStep(isTested: false, near: cylinder.angle)
            case .freeform: try? ladder.freeformStep(isTested: false)
            }
        guard var fitted, let unrolling = unrolling(of: &fitted),
            let left = sideCorrection(of: fitted, unrolling, slowError: slowError, previous: correction),
            left.cost < correction.cost
        else { return nil }
        var next = step
        next.surface = fitted.surface
        next.unrolling = unrolling
        next.curvature = fitted.curvature
        next.residual = fitted.residual
        next.correctedBySides = correction.size(on: samples)
        return (next, left)
    }

    /// Returns why the simpler kind is as good as the sensor allows, if it is.
    private func reasonToStay(at step: Step) -> String? {
        let error = Self.trimmedRMS(step.heldOutResiduals)
        if error < Self.leastExcess * samples.noise {
            return "what is left, \(Self.millimeters(error)), is the sensor's noise"
        }
        if let slowError, error < slowError {
            return
                "what is left, \(Self.millimeters(error)), is less than the sensor's slow error of \(Self.millimeters(slowError))"
        }
        return nil
    }

    /// Returns why a richer kind is refused, if it is.
    private func reasonToRefuse(_ richer: inout Step, over simpler: inout Step) -> String? {
        let gain = HeldOutGain(
            simpler: simpler.heldOutResiduals, richer: richer.heldOutResiduals, blocks: samples.block,
            limit: simpler.heldOutResiduals.map { abs($0) }.quantile(Self.believedShare))
        guard gain.gain > options.leastSignificance * gain.deviation else {
            return
                "it predicts left-out readings to \(Self.millimeters(Self.trimmedRMS(richer.heldOutResiduals))), the "
                + "\(simpler.surface.method.rawValue) to \(Self.millimeters(Self.trimmedRMS(simpler.heldOutResiduals)))"
        }
        let added = Self.rms(zip(simpler.heldOutResiduals, richer.heldOutResiduals).map { $0 - $1 })
        let sides = sideEvidence(from: &simpler, to: &richer)
        if let sides, sides.isTelling {
            // The sides may contradict a richer surface only in favour of one that they confirm. Every fitted shape but a plane
            // contains some slow error, so a plane either makes the sides straight or is wrong.
            let isContradicted =
                simpler.surface.method == .plane
                ? sides.explained < options.flatBySides
                : simpler.isProvenBySides && sides.explained < options.leastExplainedBySides
            if isContradicted { return "the sheet's sides, straight in the photograph, would be bent by it" }
        }
        richer.isProvenBySides = sides.map { $0.isTelling && $0.explained > options.provenBySides } ?? false
        if !richer.isProvenBySides,
            added < options.leastShapeOfSlowError * (slowError ?? usualSlowError.inShape)
        {
            let error =
                slowError.map { "slow error of \(Self.millimeters($0))" }
                ?? "slow error, which no table shows and is \(Self.millimeters(usualSlowError.inShape)) as a rule"
            return "the shape that it adds, \(Self.millimeters(added)), may be the sensor's \(error)"
        }
        let moved = displacement(from: &simpler, to: &richer)
        guard moved >= options.leastDisplacement else {
            return "it would move the sheet by \(Self.millimeters(moved)) only"
        }
        return nil
    }

    /// The evidence of the sides on two surfaces; nil if no side is seen, or if one surface cannot be flattened.
    private func sideEvidence(from simpler: inout Step, to richer: inout Step) -> SideEvidence? {
        guard !sides.isEmpty, let a = unrolling(of: &simpler), let b = unrolling(of: &richer) else {
            return nil
        }
        return SideEvidence(of: sides, simpler: a, richer: b)
    }

    /// Root mean square difference, in metres, between the flat positions of two surfaces inside the outline, after the best
    /// rotation and shift. 0 if one of them cannot be flattened.
    private func displacement(from first: inout Step, to second: inout Step) -> Double {
        guard let a = unrolling(of: &first), let b = unrolling(of: &second) else { return 0 }
        var pairs: [(SIMD2<Double>, SIMD2<Double>)] = []
        for (index, ray) in samples.rays.enumerated() where index % 4 == 0 {
            let pixel = intrinsics.project(ray)
            if let p = a.flatPosition(ofPixel: pixel), let q = b.flatPosition(ofPixel: pixel) {
                pairs.append((p, q))
            }
        }
        guard !pairs.isEmpty else { return 0 }
        let count = Double(pairs.count)
        let centerP = pairs.reduce(SIMD2<Double>.zero) { $0 + $1.0 } / count
        let centerQ = pairs.reduce(SIMD2<Double>.zero) { $0 + $1.1 } / count
        var (dot, cross, sum) = (0.0, 0.0, 0.0)
        for (p, q) in pairs {
            let (u, v) = (p - centerP, q - centerQ)
            dot += u.dot(v)
            cross += u.cross(v)
            sum += u.dot(u) + v.dot(v)
        }
        return (max(0, sum - 2 * (dot * dot + cross * cross).squareRoot()) / count).squareRoot()
    }

    /// The flattened surface of a step, which the step stores.
    private func unrolling(of step: inout Step) -> Unrolling? {
        if step.unrolling == nil {
            step.unrolling = try? Unrolling(of: step.surface, intrinsics: intrinsics, outline: outline)
        }
        return step.unrolling
    }

    /// Root mean square of the errors that are used.
    private static func trimmedRMS(_ errors: [Double]) -> Double {
        let limit = errors.map { abs($0) }.quantile(Self.believedShare)
        return rms(errors.filter { abs($0) <= limit })
    }

    private static func rms(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
    }

    private static func millimeters(_ length: Double) -> String {
        "\((length * 1e6).rounded() / 1e3) mm"
    }
}

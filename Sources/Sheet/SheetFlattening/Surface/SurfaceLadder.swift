import Diagnostics
import Parallelism
import DepthGeometry
import Platform
import Imaging
import RobustStatistics

/// Chooses the simplest kind of surface that the readings support: plane, then cylinder, then free form.
///
/// A richer kind must pass four tests, each against a different way of being fooled:
/// 1. It predicts left-out readings better, by more than noise can do (`HeldOutGain`). The fields left out (every other one
///    of a chessboard) are larger than the distance over which sensors correlate neighbouring readings: single readings
///    left out would reward a surface for following such noise.
/// 2. The sheet's sides, which the photograph shows, do not become crooked by it (`SideEvidence`).
/// 3. What it adds to the shape is more than the sensor's slowly varying error, as the table around the sheet shows it or,
///    where no table is seen, as such sensors have it (`UsualSlowError`): such an error crosses the fields, so they cannot
///    tell it from shape. Sides that become straight by it outweigh this.
/// 4. It moves points of the flat sheet by more than can be overlooked. False hills bring false length, so a shape that
///    does not matter is better left out.
struct SurfaceLadder {
    var samples: SheetSamples
    var plane: InverseDepthPlane
    /// Standard deviation of slowly varying depth errors in metres, if the table shows it.
    let slowError: Double?
    /// The same where no table shows it, as such sensors have it.
    var usualSlowError = UsualSlowError.none
    let intrinsics: CameraIntrinsics
    let outline: [SIMD2<Double>]
    /// The sheet's sides as the photograph shows them, in its pixels; empty if they are not known.
    var sides: [[SIMD2<Double>]] = []
    let options: SurfaceFit.Options

    /// A step's error on left-out readings over the readings' noise below which nothing is left for a richer kind: within a
    /// tenth the two cannot be told apart.
    private static let leastExcess = 1.1
    /// The slow error in metres from which on sides are asked about it: what depth leaves is else below what they show.
    private static let leastCorrected = 0.0004
    /// The most corrections by the sides, and the share of the sum of squares that one must save for another to be tried: on
    /// drawn curved sheets before a LiDAR the third saves a few percent.
    private static let mostCorrections = 3
    private static let leastGain = 0.2
    /// The share of the errors that is believed, the smallest first: wild readings are no argument for a shape.
    private static let believedShare = 0.98

    /// A fitted kind; lengths in metres.
    struct Step {
        var surface: SheetSurface
        var residual: Double
        var curvature: Double
        /// Depth residual of each sample by a fit that its field was left out of; empty if that was not asked for.
        var heldOutResiduals: [Double] = []
        var refused: [SurfaceFit.Refusal] = []
        var heldOutErrors: [SurfaceMethod: Double] = [:]
        /// Whether the sheet's sides prove the shape that the surface adds to a simpler one.
        var isProvenBySides = false
        /// By how much the sheet's sides changed depth before the surface was fitted, root mean square; nil if not.
        var correctedBySides: Double?
        /// The surface laid flat over the outline, once a comparison took it; nil also if it cannot be.
        var unrolling: Unrolling?

        /// Replaces each sample's residual by that of the fit without its fold; the two are fitted at once.
        mutating func leaveOut(
            of samples: SheetSamples, residualsWithout: @Sendable (UInt8) throws(FlatteningError) -> [Double]
        ) throws(FlatteningError) {
            let halves = try concurrentMap([0, 1], residualsWithout)
            for index in samples.fold.indices {
                heldOutResiduals[index] = halves[Int(samples.fold[index])][index]
            }
        }
    }

    /// The plane; its three unknowns make the error on left-out readings the error on all of them.
    func planeStep() -> Step {
        let square = samples.depth * samples.depth
        let residuals = samples.rays.indices.map {
            (plane.gradient.dot(samples.rays[$0]) - samples.inverseDepths[$0]) * square
        }
        return Step(
            surface: .plane(plane.plane), residual: plane.rms * square, curvature: 0,
            heldOutResiduals: residuals, heldOutErrors: [.plane: Self.trimmedRMS(residuals)])
    }

    /// The cylinder, with its error on left-out blocks if wanted; its rulings near an angle that is known already.
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

    /// The free form, with its error on left-out blocks if wanted.
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

    /// The simplest kind that holds.
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

    /// The same kind of surface through readings that are rid of the slow error that the sheet's sides show, as long as that
    /// leaves the sides straighter and squarer (Gauss & Newton's method with halved steps).
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

    /// The step fitted again to corrected readings, with the correction that its sides then ask for; nil if they are no
    /// better for it.
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

    /// Why the simpler kind is as good as the sensor, if it is.
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

    /// Why a richer kind does not earn its place, if it does not.
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
            // The word of the sides is for a surface that they themselves bear out. None is free of the slow error but a
            // plane's shape, so that a plane is right for straight sides or not at all.
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

    /// What the sides say of two surfaces; nil if no side is seen, or if one of them cannot be laid flat.
    private func sideEvidence(from simpler: inout Step, to richer: inout Step) -> SideEvidence? {
        guard !sides.isEmpty, let a = unrolling(of: &simpler), let b = unrolling(of: &richer) else {
            return nil
        }
        return SideEvidence(of: sides, simpler: a, richer: b)
    }

    /// Root mean square in metres by which flat positions inside the outline differ between two surfaces, after the best
    /// rotation and shift. 0 if one of them cannot be laid flat.
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

    /// A step's surface laid flat, which the step carries from then on.
    private func unrolling(of step: inout Step) -> Unrolling? {
        if step.unrolling == nil {
            step.unrolling = try? Unrolling(of: step.surface, intrinsics: intrinsics, outline: outline)
        }
        return step.unrolling
    }

    /// Root mean square of the errors that are believed.
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

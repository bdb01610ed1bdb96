import DepthGeometry
import Foundation
import Imaging

/// Chooses the simplest kind of surface that the readings support: plane, then cylinder, then free form.
///
/// A richer kind must pass three tests, each against a different way of being fooled:
/// 1. It predicts left-out readings better, by a margin. The blocks left out (every other field of a chessboard) are
///    larger than the distance over which sensors correlate neighbouring readings: single readings left out would reward
///    a surface for following such noise.
/// 2. It moves points of the flat sheet by more than can be overlooked. False hills bring false length, so a shape that
///    does not matter is better left out.
/// 3. For the free form: what it explains beyond the simpler kind is more than the sensor's slowly varying error, as the
///    table around the sheet shows it.
struct SurfaceLadder {
    let samples: SheetSamples
    let plane: InverseDepthPlane
    /// Standard deviation of slowly varying depth errors in metres, if known.
    let slowError: Double?
    let intrinsics: CameraIntrinsics
    let outline: [SIMD2<Double>]
    let options: SurfaceFit.Options

    /// A fitted kind; lengths in metres.
    struct Step {
        var surface: SheetSurface
        var residual: Double
        var curvature: Double
        var refused: [SurfaceFit.Refusal] = []
        var heldOut: [SurfaceMethod: Double] = [:]
    }

    /// The plane; its three unknowns make the error on left-out readings the error on all of them.
    func planeStep() -> Step {
        let square = samples.depth * samples.depth
        let residuals = samples.rays.indices.map {
            (plane.gradient.dot(samples.rays[$0]) - samples.inverseDepths[$0]) * square
        }
        return Step(
            surface: .plane(plane.plane), residual: plane.rms * square, curvature: 0,
            heldOut: [.plane: Self.trimmedRMS(residuals)])
    }

    /// The cylinder, with its error on left-out blocks if wanted.
    func cylinderStep(isTested: Bool) throws(FlatteningError) -> Step {
        let fit = try CylinderFit(to: samples, plane: plane.plane)
        var step = Step(
            surface: .cylinder(fit.surface), residual: fit.rms,
            curvature: fit.curvatures.quantile(0.95))
        if isTested {
            let problem = CylinderFit.Problem(samples: samples, plane: plane.plane)
            var errors: [Double] = []
            for fold in [0, 1] as [UInt8] {
                let half = try CylinderFit(problem, angle: fit.surface.angle, leftOut: fold, sweeps: 6)
                for index in samples.fold.indices where samples.fold[index] == fold {
                    errors.append(half.residuals[index])
                }
            }
            step.heldOut[.cylinder] = Self.trimmedRMS(errors)
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
            var errors: [Double] = []
            for fold in [0, 1] as [UInt8] {
                let half = try FreeformFit(
                    to: samples, plane: plane.gradient, outline: rays, leftOut: fold, start: fit, sweeps: 4)
                for index in samples.fold.indices where samples.fold[index] == fold {
                    errors.append(half.residuals[index])
                }
            }
            step.heldOut[.freeform] = Self.trimmedRMS(errors)
        }
        return step
    }

    /// The simplest kind that holds.
    func climb() throws(FlatteningError) -> Step {
        var best = planeStep()
        var refused: [SurfaceFit.Refusal] = []
        var heldOut = best.heldOut
        for method in [SurfaceMethod.cylinder, .freeform] {
            let error = heldOut[best.surface.method] ?? .infinity
            if let reason = reasonToStay(error: error, method: method) {
                refused.append(.init(method: method, reason: reason))
                continue
            }
            let next: Step
            do {
                next =
                    try method == .cylinder
                    ? cylinderStep(isTested: true) : freeformStep(isTested: true)
            } catch {
                refused.append(.init(method: method, reason: error.message))
                continue
            }
            heldOut.merge(next.heldOut) { first, _ in first }
            let nextError = next.heldOut[method] ?? .infinity
            if nextError * nextError > (1 - options.leastGain) * error * error {
                refused.append(
                    .init(
                        method: method,
                        reason:
                            "it predicts left-out readings to \(Self.millimeters(nextError)), the \(best.surface.method.rawValue) to \(Self.millimeters(error))"
                    ))
                continue
            }
            if method == .cylinder {
                let moved = displacement(from: best.surface, to: next.surface)
                let least = max(
                    options.leastDisplacement, options.leastDisplacementOfSlowError * (slowError ?? 0))
                if moved < least {
                    refused.append(
                        .init(
                            method: method,
                            reason: "it would move the sheet by \(Self.millimeters(moved)) only"))
                    continue
                }
            }
            best = next
        }
        best.refused = refused
        best.heldOut = heldOut
        return best
    }

    /// Why the simpler kind is as good as the sensor, if it is.
    private func reasonToStay(error: Double, method: SurfaceMethod) -> String? {
        if error < 1.1 * samples.noise {
            return "what is left, \(Self.millimeters(error)), is the sensor's noise"
        }
        if method == .freeform, let slowError, error < slowError {
            return
                "what is left, \(Self.millimeters(error)), is less than the sensor's slow error of \(Self.millimeters(slowError))"
        }
        return nil
    }

    /// Root mean square in metres by which flat positions inside the outline differ between two surfaces, after the best
    /// rotation and shift. 0 if one of them cannot be laid flat.
    func displacement(from first: SheetSurface, to second: SheetSurface) -> Double {
        guard let a = try? Unrolling(of: first, intrinsics: intrinsics, outline: outline),
            let b = try? Unrolling(of: second, intrinsics: intrinsics, outline: outline)
        else { return 0 }
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

    /// Root mean square of the smaller 98 % of the errors: wild readings are no argument for a shape.
    private static func trimmedRMS(_ errors: [Double]) -> Double {
        let squares = errors.map { $0 * $0 }
        let limit = squares.quantile(0.98)
        var sum = 0.0
        var count = 0
        for square in squares where square <= limit {
            sum += square
            count += 1
        }
        return count > 0 ? (sum / Double(count)).squareRoot() : 0
    }

    private static func millimeters(_ length: Double) -> String {
        "\((length * 1e6).rounded() / 1e3) mm"
    }
}

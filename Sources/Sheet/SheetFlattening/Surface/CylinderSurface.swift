import DepthGeometry
import Platform

/// A general cylinder: a curve swept along parallel straight lines, its rulings.
///
/// In an orthonormal frame at `origin` with the axes `across`, `along` and `normal` (towards the camera), a surface point is t
/// · across + s · along + (f(t) + slope · s) · normal. The profile f is a cubic B-spline in metres, continued straight past its
/// ends. It unrolls exactly: one coordinate is the arc length of the section at right angles to the rulings, the other the
/// length along the rulings.
public struct CylinderSurface: Equatable, Sendable {
    /// A point near the middle of the sheet, in the camera frame, metres.
    let frame: PlaneFrame
    /// The angle from the frame's x-axis to `along`, clockwise as seen, in radians.
    let angle: Double
    /// Rise of the rulings towards the camera per metre of s.
    let slope: Double
    /// The profile's basis over t in metres.
    let basis: UniformCubicSpline
    /// The profile's coefficients in metres.
    let coefficients: [Double]
    /// Arc length of the section, in metres, at t = basis.origin + k · arcStep.
    private let arc: [Double]
    private let arcStep: Double
    private let across: SIMD3<Double>
    private let along: SIMD3<Double>
    private let normal: SIMD3<Double>

    /// Longest Newton step along a ray, as a share of the depth where the ray meets the frame's plane: longer steps would jump
    /// over a fold.
    private static let longestStep = 0.03
    /// Depths between which a ray may meet a sheet, as shares of the depth where it meets the frame's plane: no sheet lies
    /// farther from its own plane.
    private static let nearest = 0.2
    private static let farthest = 5.0

    init(frame: PlaneFrame, angle: Double, slope: Double, basis: UniformCubicSpline, coefficients: [Double]) {
        self.frame = frame
        self.angle = angle
        self.slope = slope
        self.basis = basis
        self.coefficients = coefficients
        along = frame.xAxis * cos(angle) + frame.yAxis * sin(angle)
        across = frame.yAxis * cos(angle) - frame.xAxis * sin(angle)
        normal = frame.normal
        // Sixteen chords per cell keep the error of the chords below a micrometre for any shape of paper.
        let count = basis.cellCount * 16
        let step = (basis.end - basis.origin) / Double(count)
        var arc = [0.0]
        arc.reserveCapacity(count + 1)
        let squared = 1 + slope * slope
        coefficients.withUnsafeBufferPointer { coefficients in
            for index in 0..<count {
                // In the section, the height is f divided by the secant of the rulings' rise.
                let middle = basis.value(of: coefficients, at: basis.origin + (Double(index) + 0.5) * step)
                arc.append(arc[index] + step * (1 + middle.slope * middle.slope / squared).squareRoot())
            }
        }
        self.arc = arc
        arcStep = step
    }

    /// Height and slope of the profile at t.
    func profile(at t: Double) -> (value: Double, slope: Double) {
        coefficients.withUnsafeBufferPointer { basis.value(of: $0, at: t) }
    }

    /// The point with the parameters t (across) and s (along the rulings), in the camera frame. O(1).
    func point(t: Double, s: Double) -> SIMD3<Double> {
        frame.origin + across * t + along * s + normal * (profile(at: t).value + slope * s)
    }

    /// The parameters t and s of a point on the surface.
    func parameters(of point: SIMD3<Double>) -> (t: Double, s: Double) {
        let offset = point - frame.origin
        return (offset.dot(across), offset.dot(along))
    }

    /// Depth and parameters where a ray (x, y, 1) meets the cylinder; nil if Newton's method finds no point in front of the
    /// camera. O(1).
    func intersection(along ray: SIMD3<Double>) -> (depth: Double, t: Double, s: Double)? {
        let (rt, rs, rn) = (ray.dot(across), ray.dot(along), ray.dot(normal))
        let (ot, os, on) = (
            -frame.origin.dot(across), -frame.origin.dot(along), -frame.origin.dot(normal)
        )
        // Starts on the plane of the frame.
        var depth = -on / rn
        guard depth > 0, depth.isFinite else { return nil }
        let middle = depth
        return coefficients.withUnsafeBufferPointer { coefficients in
            for _ in 0..<30 {
                let t = depth * rt + ot
                let s = depth * rs + os
                let profile = basis.value(of: coefficients, at: t)
                let error = depth * rn + on - profile.value - slope * s
                let derivative = rn - profile.slope * rt - slope * rs
                let wanted = error / derivative
                guard wanted.isFinite else { return nil }
                let step = min(max(wanted, -Self.longestStep * middle), Self.longestStep * middle)
                depth -= step
                if abs(step) < 1e-9 {
                    guard depth > Self.nearest * middle, depth < Self.farthest * middle, derivative < 0 else {
                        return nil
                    }
                    return (depth, depth * rt + ot, depth * rs + os)
                }
            }
            return nil
        }
    }

    /// 1/z along a ray (x, y, 1); 0 if the ray misses.
    func inverseDepth(along ray: SIMD3<Double>) -> Double {
        intersection(along: ray).map { 1 / $0.depth } ?? 0
    }

    /// Arc length of the section at t, from the basis's origin.
    private func arcLength(at t: Double) -> Double {
        let scaled = (t - basis.origin) / arcStep
        let index = min(max(Int(min(max(scaled, 0), Double(arc.count))), 0), arc.count - 2)
        return arc[index] + (arc[index + 1] - arc[index]) * (scaled - Double(index))
    }

    /// Flat position in metres of the point with the parameters t and s; keeps all lengths on the surface.
    ///
    /// Along the rulings the curve t -> t · across + f(t) · normal advances by f · slope / sqrt(1 + slope²).
    func flatPosition(t: Double, s: Double) -> SIMD2<Double> {
        let secant = (1 + slope * slope).squareRoot()
        let u = arcLength(at: t) - arcLength(at: 0)
        let v = s * secant + profile(at: t).value * slope / secant
        return SIMD2(cos(angle), sin(angle)) * v + SIMD2(-sin(angle), cos(angle)) * u
    }
}

import Foundation

/// A plane curve given by the angle of its tangent along its own length, so that its length is exact by construction.
///
/// a(t) = ∫ cos θ dt runs along the table, h(t) = ∫ sin θ dt away from it; both are zero at t = 0. The integrals are computed
/// once by Gauss-Legendre quadrature over steps of 0.1 mm and then interpolated by cubic Hermite polynomials, with the known
/// tangents. Beyond its ends the curve is straight.
public struct ProfileCurve: Sendable {
    /// Length of a step in metres.
    private static let step = 1e-4
    private let firstIndex: Int
    private let along: [Double]
    private let heights: [Double]
    private let angles: [Double]

    /// Creates a curve over -`halfLength` ... `halfLength`.
    /// - Parameters:
    ///   - halfLength: in metres, greater than 0.
    ///   - tangentAngle: θ(t) in radians, t in metres; twice differentiable, with bends no sharper than about 0.3 mm.
    public init(halfLength: Double, tangentAngle: (Double) -> Double) {
        precondition(halfLength > 0 && halfLength.isFinite, "a profile has a length")
        let count = Int((halfLength / Self.step).rounded(.up)) + 1
        firstIndex = -count
        let angles = (-count...count).map { tangentAngle(Double($0) * Self.step) }
        var along = Array(repeating: 0.0, count: angles.count)
        var heights = along

        // Three nodes are exact for polynomials of degree five.
        let offset = (0.6).squareRoot() / 2
        func integrate(from start: Double) -> (Double, Double) {
            let middle = start + Self.step / 2
            let inner = tangentAngle(middle)
            let before = tangentAngle(middle - offset * Self.step)
            let after = tangentAngle(middle + offset * Self.step)
            return (
                Self.step * (5 * cos(before) + 8 * cos(inner) + 5 * cos(after)) / 18,
                Self.step * (5 * sin(before) + 8 * sin(inner) + 5 * sin(after)) / 18
            )
        }
        for index in 0..<count {
            let (right, up) = integrate(from: Double(index) * Self.step)
            along[count + index + 1] = along[count + index] + right
            heights[count + index + 1] = heights[count + index] + up
            let (left, down) = integrate(from: Double(-index - 1) * Self.step)
            along[count - index - 1] = along[count - index] - left
            heights[count - index - 1] = heights[count - index] - down
        }
        self.along = along
        self.heights = heights
        self.angles = angles
    }

    /// Returns the point at arc length `t`, in metres along the table and away from it.
    public func point(at t: Double) -> (along: Double, height: Double) {
        let position = t / Self.step - Double(firstIndex)
        let last = angles.count - 1
        if position <= 0 { return straight(from: 0, by: position * Self.step) }
        if position >= Double(last) { return straight(from: last, by: (position - Double(last)) * Self.step) }

        let index = Int(position)
        let s = position - Double(index)
        let s2 = s * s
        let s3 = s2 * s
        let startWeight = 2 * s3 - 3 * s2 + 1
        let endWeight = 1 - startWeight
        let startSlope = (s3 - 2 * s2 + s) * Self.step
        let endSlope = (s3 - s2) * Self.step
        let from = angles[index]
        let to = angles[index + 1]
        return (
            startWeight * along[index] + endWeight * along[index + 1] + startSlope * cos(from) + endSlope
                * cos(to),
            startWeight * heights[index] + endWeight * heights[index + 1] + startSlope * sin(from)
                + endSlope * sin(to)
        )
    }

    private func straight(from index: Int, by length: Double) -> (along: Double, height: Double) {
        (along[index] + length * cos(angles[index]), heights[index] + length * sin(angles[index]))
    }
}

/// Returns 0 below 0, 1 above 1, and between them the quintic whose first two derivatives vanish at both ends.
public func smoothStep(_ x: Double) -> Double {
    let clamped = min(max(x, 0), 1)
    return clamped * clamped * clamped * (10 + clamped * (6 * clamped - 15))
}

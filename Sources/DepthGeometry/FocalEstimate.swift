import Foundation

/// A focal length found from a rectangle's perspective, and how far to trust it.
public struct FocalEstimate: Equatable, Sendable {
    /// Focal length in pixels, the same along both axes.
    public let focalLength: Double
    /// Relative standard deviation of the focal length if every corner coordinate is wrong by one pixel (standard deviation,
    /// independently). Above about 0.1 a guess from the usual field of view is better: a rectangle seen nearly face on,
    /// or with two sides parallel in the picture, says little or nothing.
    public let relativeDeviationPerPixel: Double
}

extension Quadrilateral {
    /// The focal length at which the corners become a rectangle's; nil if none does or it cannot be told.
    ///
    /// The sides n2, n3 in rays are at right angles: f² = -(n2.x n3.x + n2.y n3.y) / (n2.z n3.z), relative to the principal point
    /// (Zhang & He 2007, equation 21). Both pairs of sides must converge, for with n2.z or n3.z near 0 any focal length does.
    /// - Parameter principalPoint: in pixels; the picture's middle is the usual guess.
    public func estimatedFocalLength(principalPoint: SIMD2<Double>) -> FocalEstimate? {
        guard isConvex, let focal = Self.focalLength(corners, principalPoint) else { return nil }
        // The derivative of ln f by each coordinate, by differences of a hundredth of a pixel.
        let step = 0.01
        var variance = 0.0
        for corner in 0..<4 {
            for axis in 0..<2 {
                var (before, after) = (corners, corners)
                before[corner][axis] -= step
                after[corner][axis] += step
                guard let low = Self.focalLength(before, principalPoint),
                    let high = Self.focalLength(after, principalPoint)
                else { return nil }
                let slope = log(high / low) / (2 * step)
                variance += slope * slope
            }
        }
        guard variance.isFinite else { return nil }
        return FocalEstimate(focalLength: focal, relativeDeviationPerPixel: variance.squareRoot())
    }

    private static func focalLength(_ corners: [SIMD2<Double>], _ principal: SIMD2<Double>) -> Double? {
        let m = corners.map { SIMD3($0.x - principal.x, $0.y - principal.y, 1) }
        let (m1, m2, m4, m3) = (m[0], m[1], m[2], m[3])
        let k2 = m1.cross(m4).dot(m3) / m2.cross(m4).dot(m3)
        let k3 = m1.cross(m4).dot(m2) / m3.cross(m4).dot(m2)
        let n2 = m2 * k2 - m1
        let n3 = m3 * k3 - m1
        let square = -(n2.x * n3.x + n2.y * n3.y) / (n2.z * n3.z)
        guard square > 0, square.isFinite else { return nil }
        return square.squareRoot()
    }
}

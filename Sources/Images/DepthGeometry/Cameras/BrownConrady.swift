package import Imaging

/// The Brown-Conrady lens: radial and tangential polynomials in ray coordinates (x, y) = (X / Z, Y / Z).
///
/// With r² = x² + y² and g = 1 + k1 r² + k2 r⁴ + k3 r⁶:
/// x' = x g + 2 p1 x y + p2 (r² + 2 x²),  y' = y g + p1 (r² + 2 y²) + 2 p2 x y.
/// Brown, "Close-range camera calibration", Photogrammetric Engineering 37(8), 1971; order and signs as in OpenCV.
public struct BrownConrady: Equatable, Sendable {
    /// Radial, r².
    public let k1: Double
    /// Radial, r⁴.
    public let k2: Double
    /// Tangential.
    public let p1: Double
    /// Tangential.
    public let p2: Double
    /// Radial, r⁶.
    public let k3: Double

    /// A lens from its coefficients, in OpenCV's order.
    /// - Precondition: all finite.
    public init(k1: Double, k2: Double, p1: Double, p2: Double, k3: Double = 0) {
        precondition(
            k1.isFinite && k2.isFinite && p1.isFinite && p2.isFinite && k3.isFinite,
            "distortion coefficients are finite")
        self.k1 = k1
        self.k2 = k2
        self.p1 = p1
        self.p2 = p2
        self.k3 = k3
    }

    /// Where the lens moves an ideal direction, both in ray coordinates.
    package func distort(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let (x, y) = (point.x, point.y)
        let r2 = x * x + y * y
        let radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        return SIMD2(
            x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
            y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y)
    }

    /// Returns the ideal direction that the lens moves to `point`, both in ray coordinates; NaN if there is none.
    ///
    /// Newton's method, started at the distorted point. A polynomial lens folds back outside the field that it was
    /// calibrated for. Beyond the fold a point has no ideal direction, or only a false one on the far side; the result is
    /// then NaN.
    package func undistort(_ point: SIMD2<Double>) -> SIMD2<Double> {
        undistort(point, startingAt: point, until: 1e-9)
    }

    /// The same search from a start near the solution, such as a neighbouring pixel's: one or two steps instead of five.
    /// - Parameter tolerance: the step length that ends the search. After a step, Newton's error is of the order of the
    ///   step's square.
    func undistort(
        _ point: SIMD2<Double>, startingAt start: SIMD2<Double>, until tolerance: Double
    ) -> SIMD2<Double> {
        var guess = start
        for _ in 0..<20 {
            let (x, y) = (guess.x, guess.y)
            let r2 = x * x + y * y
            let radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
            // The derivative of `radial` by r².
            let slope = k1 + r2 * (2 * k2 + r2 * 3 * k3)
            let residualX = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x) - point.x
            let residualY = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y - point.y
            let xx = radial + 2 * x * x * slope + 2 * p1 * y + 6 * p2 * x
            let yy = radial + 2 * y * y * slope + 6 * p1 * y + 2 * p2 * x
            let xy = 2 * x * y * slope + 2 * p1 * x + 2 * p2 * y
            let determinant = xx * yy - xy * xy
            // Up to the fold the map keeps the plane's orientation and stretches every direction forwards (positive
            // determinant and trace).
            guard determinant > 0, xx + yy > 0 else { break }
            let stepX = (yy * residualX - xy * residualY) / determinant
            let stepY = (xx * residualY - xy * residualX) / determinant
            guess = SIMD2(x - stepX, y - stepY)
            if abs(stepX) + abs(stepY) < tolerance { return guess }
        }
        return SIMD2(.nan, .nan)
    }

    /// The same lens for the image turned upright.
    package func rotated(_ orientation: ImageOrientation) -> BrownConrady {
        // The tangential terms (p2, p1) form a vector that turns with the image; the radial terms have no direction.
        let size = PixelSize(width: 1, height: 1)
        let turned = orientation.turn(SIMD2(p2, p1), in: size) - orientation.turn(.zero, in: size)
        return BrownConrady(k1: k1, k2: k2, p1: turned.y, p2: turned.x, k3: k3)
    }
}

/// The vertical displacement of print from its straight position on a page: y = v + e(x, v), with e a bicubic spline over the
/// straightened page.
///
/// Like all maps here, it runs from output to input.
struct DisplacementField: Equatable, Sendable {
    let alongX: UniformCubicSpline
    let alongY: UniformCubicSpline
    /// Ordered with x fastest.
    let coefficients: [Double]

    /// e at a position of the straightened page, in pixels; extrapolated past the page's border. O(1).
    func shift(at place: SIMD2<Double>) -> Double {
        let (i, s) = alongX.cell(of: place.x)
        let (j, t) = alongY.cell(of: place.y)
        let (across, down) = (UniformCubicSpline.values(s), UniformCubicSpline.values(t))
        var sum = 0.0
        for row in 0..<4 {
            let start = (j + row) * alongX.count + i
            let four = SIMD4(
                coefficients[start], coefficients[start + 1], coefficients[start + 2], coefficients[start + 3]
            )
            sum += down[row] * (across * four).sum()
        }
        return sum
    }

    /// The straightened height v of a position (x, y) on the original page. O(1).
    ///
    /// Iterates the contraction v <- y - e(x, v), whose error shrinks by |e_v| per step.
    func straightHeight(of place: SIMD2<Double>) -> Double {
        var height = place.y
        for _ in 0..<Self.greatestSteps {
            let next = place.y - shift(at: SIMD2(place.x, height))
            let step = abs(next - height)
            height = next
            if step < Self.tolerance { break }
        }
        return height
    }

    /// A thousandth of a pixel. At the greatest accepted |e_v|, 0.7, it takes 25 steps to shrink an error of some pixels to it.
    private static let tolerance = 0.001
    private static let greatestSteps = 25

    /// The greatest shift, and the least relative height of any piece of the page, min(1 + e_v, 1 / (1 + e_v)), sampled at
    /// about four positions per cell.
    func extremes() -> (shift: Double, stretch: Double) {
        let step = SIMD2(alongX.spacing, alongY.spacing) / 2
        var (farthest, leastStretch) = (0.0, 1.0)
        for i in 0...2 * alongX.cellCount {
            var above: Double?
            for j in 0...2 * alongY.cellCount {
                let value = shift(
                    at: SIMD2(alongX.origin, alongY.origin) + step * SIMD2(Double(i), Double(j)))
                if let above {
                    let stretch = 1 + (value - above) / step.y
                    leastStretch = min(leastStretch, stretch, stretch > 0 ? 1 / stretch : 0)
                }
                above = value
                farthest = max(farthest, abs(value))
            }
        }
        return (farthest, leastStretch)
    }
}

import DepthGeometry

/// A free surface over the image: a plane in inverse depth plus a smooth relief.
///
/// For the ray (x, y, 1), 1/z = gradient · ray - relief(x · depth, y · depth) / depth², with the relief a bicubic tensor
/// B-spline in metres (positive away from the camera) over metres across the line of sight. (x, y, z) -> (x/z, y/z, 1/z) is a
/// projective map, under which planes stay planes and developable surfaces stay developable. So the second derivatives of the
/// relief alone express both what shapes paper can take and which it prefers.
public struct FreeformSurface: Equatable, Sendable {
    /// Inverse depth of the plane under the relief, per unit of the ray, in 1/metres.
    let gradient: SIMD3<Double>
    /// Middle depth of the sheet in metres; scales rays to metres.
    let depth: Double
    /// The relief's basis along the ray's x.
    let alongX: UniformCubicSpline
    /// The relief's basis along the ray's y.
    let alongY: UniformCubicSpline
    /// Coefficients of the relief in metres, `alongX.count` in a row.
    let coefficients: [Double]

    /// 1/z in 1/metres along a ray (x, y, 1). Far outside the readings it is limited so that the surface stays in front of the
    /// camera. O(1).
    func inverseDepth(along ray: SIMD3<Double>) -> Double {
        let plane = gradient.dot(ray)
        let inverse = plane - relief(atX: ray.x * depth, y: ray.y * depth) / (depth * depth)
        // The relief is continued straight past the readings; a steep rim would run through the camera or to infinity.
        return min(max(inverse, 0.4 / depth), 4 / depth)
    }

    /// The relief's height in metres at a position across the line of sight in metres.
    func relief(atX x: Double, y: Double) -> Double {
        let (column, s) = alongX.cell(of: x)
        let (row, t) = alongY.cell(of: y)
        let horizontal = UniformCubicSpline.values(s)
        let vertical = UniformCubicSpline.values(t)
        var sum = 0.0
        coefficients.withUnsafeBufferPointer { coefficients in
            for j in 0..<4 {
                let start = (row + j) * alongX.count + column
                let four = SIMD4(
                    coefficients[start], coefficients[start + 1], coefficients[start + 2],
                    coefficients[start + 3])
                sum += vertical[j] * (four * horizontal).sum()
            }
        }
        return sum
    }
}

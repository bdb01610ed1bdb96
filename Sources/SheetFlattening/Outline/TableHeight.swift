import DepthGeometry
package import Imaging
import RobustStatistics

/// How far each pixel of a small picture stands in front of the table, in units of the depth map's noise.
///
/// In inverse depth a plane is affine in the pixel, 1/z = a x + b y + c, whatever the camera: so the table's plane is fitted
/// there without intrinsics, by random triples and Tukey re-weighting, and what lies nearer than it by more than the noise
/// stands off it. Where the sheet lies flat this says nothing; it is for curled ends and for sheets held up.
package struct TableHeight: Sendable {
    /// Height over noise at each pixel of the small picture, row-major; NaN without a reading. Held between -20 and 20.
    package let values: [Float]
    /// The share of readings on the plane, 0 to 1.
    package let planeShare: Double

    /// The heights for a picture of `size`; nil where no plane holds a third of the readings.
    ///
    /// O(pixels · iterations).
    package init?(_ depth: DepthMap, size: PixelSize) {
        guard depth.width > 3, depth.height > 3, size.width > 3, size.height > 3 else { return nil }
        // One reading for each pixel of the small picture, from the middle of what it covers.
        var inverse = [Float](repeating: .nan, count: size.pixelCount)
        for y in 0..<size.height {
            let row = min(depth.height - 1, (2 * y + 1) * depth.height / (2 * size.height))
            for x in 0..<size.width {
                let column = min(depth.width - 1, (2 * x + 1) * depth.width / (2 * size.width))
                inverse[y * size.width + x] = 1 / depth[x: column, y: row]
            }
        }
        let readings = inverse.indices.filter { inverse[$0].isFinite }
        guard readings.count > size.pixelCount / 4 else { return nil }
        let places = readings.map { index in
            SIMD3(
                Double(index % size.width) / Double(size.width),
                Double(index / size.width) / Double(size.width), 1)
        }
        let depths = readings.map { Double(inverse[$0]) }
        var generator = MMIXGenerator(seed: 0x5EED)
        guard let plane = DominantPixelPlane(through: places, values: depths, using: &generator) else {
            return nil
        }
        var onPlane = 0
        var values = [Float](repeating: .nan, count: size.pixelCount)
        for (index, (place, value)) in zip(readings, zip(places, depths)) {
            let height = (value - (plane.coefficients * place).sum()) / plane.spread
            if abs(height) < 4 { onPlane += 1 }
            values[index] = Float(min(max(height, -20), 20))
        }
        planeShare = Double(onPlane) / Double(readings.count)
        guard planeShare > 1.0 / 3 else { return nil }
        self.values = values
    }
}

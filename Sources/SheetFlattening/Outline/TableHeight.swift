import Foundation
package import Imaging

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
        let width = size.width
        func place(_ index: Int) -> SIMD3<Double> {
            SIMD3(Double(index % width) / Double(width), Double(index / width) / Double(width), 1)
        }
        let magnitudes = readings.map { inverse[$0] }.sorted()
        let middle = Double(magnitudes[magnitudes.count / 2])
        guard middle > 0 else { return nil }

        // Random triples on a sample, each judged by how many readings lie within half a percent of it.
        var state: UInt64 = 0x5EED
        func random(below count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let sample = (0..<600).map { _ in readings[random(below: readings.count)] }
        let near = 0.005 * middle
        var best = SIMD3<Double>(0, 0, middle)
        var most = -1
        for _ in 0..<120 {
            let triple = (0..<3).map { _ in sample[random(below: sample.count)] }
            guard
                let plane = Self.solve(
                    triple.map { (place($0), Double(inverse[$0]), 1) }, ridge: 0)
            else { continue }
            let count = sample.count { abs(Double(inverse[$0]) - (plane * place($0)).sum()) < near }
            if count > most {
                most = count
                best = plane
            }
        }
        var plane = best
        var spread = near
        for _ in 0..<5 {
            let terms = readings.compactMap { index -> (SIMD3<Double>, Double, Double)? in
                let at = place(index)
                let value = Double(inverse[index])
                let u = (value - (plane * at).sum()) / (4.685 * spread)
                return abs(u) < 1 ? (at, value, (1 - u * u) * (1 - u * u)) : nil
            }
            guard terms.count > 30, let fitted = Self.solve(terms, ridge: 1e-9) else { return nil }
            plane = fitted
            let residuals = readings.map { abs(Double(inverse[$0]) - (plane * place($0)).sum()) }
            let inside = residuals.filter { $0 < near }.sorted()
            guard inside.count > 30 else { return nil }
            spread = max(1.4826 * inside[inside.count / 2], 1e-5 * middle)
        }
        var onPlane = 0
        var values = [Float](repeating: .nan, count: size.pixelCount)
        for index in readings {
            let height = (Double(inverse[index]) - (plane * place(index)).sum()) / spread
            if abs(height) < 4 { onPlane += 1 }
            values[index] = Float(min(max(height, -20), 20))
        }
        planeShare = Double(onPlane) / Double(readings.count)
        guard planeShare > 1.0 / 3 else { return nil }
        self.values = values
    }

    /// Weighted least squares for value = coefficients · place, by the normal equations and Cramer's rule.
    private static func solve(
        _ terms: [(place: SIMD3<Double>, value: Double, weight: Double)], ridge: Double
    ) -> SIMD3<Double>? {
        var xx = ridge
        var xy = 0.0
        var yy = ridge
        var sums = SIMD3<Double>()
        var r = SIMD3<Double>()
        for term in terms {
            xx += term.weight * term.place.x * term.place.x
            xy += term.weight * term.place.x * term.place.y
            yy += term.weight * term.place.y * term.place.y
            sums += term.weight * term.place
            r += term.weight * term.value * term.place
        }
        let a = SIMD3(xx, xy, sums.x)
        let b = SIMD3(xy, yy, sums.y)
        let c = sums
        func determinant(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Double {
            a.x * (b.y * c.z - b.z * c.y) - a.y * (b.x * c.z - b.z * c.x) + a.z * (b.x * c.y - b.y * c.x)
        }
        let whole = determinant(a, b, c)
        // The determinant of three random places is about 0.01 squared; far less means that they lie on a line.
        guard abs(whole) > 1e-9 else { return nil }
        // The matrix is symmetric, so its columns are a, b and c as well.
        return SIMD3(determinant(r, b, c), determinant(a, r, c), determinant(a, b, r)) / whole
    }
}

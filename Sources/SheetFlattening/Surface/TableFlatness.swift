import Foundation
import Imaging

/// How far from flat the table around a sheet looks to the sensor.
///
/// Tables are flat, so what remains of their depth after a plane, averaged over small cells to leave random noise behind,
/// is the sensor's own slowly varying error. The same error lies on the sheet, where nothing tells it from shape: a surface
/// that follows the readings more closely than this follows the sensor rather than the paper.
enum TableFlatness {
    /// Depth pixels around the outline that do not count, since they may belong to the sheet or to its shadow.
    static let gap = 6.0

    /// Robust standard deviation of the table's inverse depth about a plane, in 1/metres; nil if too little of a table is
    /// seen, or if what is seen is no table (more than 1.5 % of the distance off). O(depth pixels).
    static func deviation(in depth: DepthMap, around polygon: [SIMD2<Double>]) -> Double? {
        let cell = max(4, max(depth.width, depth.height) / 64)
        let columns = depth.width / cell
        let rows = depth.height / cell
        guard columns >= 4, rows >= 4, polygon.count >= 3 else { return nil }
        // In cells, so that the margin costs nothing.
        let scaled = polygon.map { ($0 + 0.5) / Double(cell) - 0.5 }
        let sheet = PolygonRegion(polygon: scaled, rimWidth: 0, width: columns, height: rows)
        let reach = 1 + Int((gap / Double(cell)).rounded(.up))
        func isNearSheet(_ x: Int, _ y: Int) -> Bool {
            for j in max(0, y - reach)...min(rows - 1, y + reach) {
                for i in max(0, x - reach)...min(columns - 1, x + reach) where sheet.contains(x: i, y: j) {
                    return true
                }
            }
            return false
        }
        var places: [SIMD2<Double>] = []
        var values: [Double] = []
        for y in 0..<rows {
            for x in 0..<columns where !isNearSheet(x, y) {
                var sum = 0.0
                var count = 0
                for j in y * cell..<(y + 1) * cell {
                    for i in x * cell..<(x + 1) * cell {
                        let reading = depth[x: i, y: j]
                        guard !reading.isNaN else { continue }
                        sum += 1 / Double(reading)
                        count += 1
                    }
                }
                guard 2 * count > cell * cell else { continue }
                places.append(SIMD2(Double(x), Double(y)))
                values.append(sum / Double(count))
            }
        }
        guard values.count >= 100 else { return nil }
        guard let scale = robustPlane(places, values)?.scale, scale < 0.015 * values.median() else {
            return nil
        }
        return scale
    }

    /// Residuals about the plane fitted with Cauchy's weights and their scale, 1.4826 median |r|; nil if the places lie on a
    /// line.
    static func robustPlane(
        _ places: [SIMD2<Double>], _ values: [Double]
    ) -> (scale: Double, residuals: [Double])? {
        let mean = places.reduce(SIMD2<Double>.zero, +) / Double(places.count)
        let level = values.median()
        var weights = [Double](repeating: 1, count: places.count)
        var scale = 0.0
        var residuals: [Double] = []
        for _ in 0..<15 {
            // Weighted normal equations of value = a + b x + c y, centred by their own weighted mean.
            var total = 0.0
            var center = SIMD2<Double>.zero
            var middle = 0.0
            for index in places.indices {
                total += weights[index]
                center += (places[index] - mean) * weights[index]
                middle += (values[index] - level) * weights[index]
            }
            center /= total
            middle /= total
            var (xx, xy, yy, xv, yv) = (0.0, 0.0, 0.0, 0.0, 0.0)
            for index in places.indices {
                let p = places[index] - mean - center
                let v = values[index] - level - middle
                xx += weights[index] * p.x * p.x
                xy += weights[index] * p.x * p.y
                yy += weights[index] * p.y * p.y
                xv += weights[index] * p.x * v
                yv += weights[index] * p.y * v
            }
            let determinant = xx * yy - xy * xy
            guard determinant > 1e-9 * xx * yy else { return nil }
            let slope = SIMD2(yy * xv - xy * yv, xx * yv - xy * xv) / determinant
            residuals = places.indices.map { index in
                let p = places[index] - mean - center
                return values[index] - level - middle - (p * slope).sum()
            }
            scale = 1.4826 * residuals.map { abs($0) }.median()
            guard scale > 0 else { break }
            for index in weights.indices {
                let relative = residuals[index] / (2.385 * scale)
                weights[index] = 1 / (1 + relative * relative)
            }
        }
        return (scale, residuals)
    }
}

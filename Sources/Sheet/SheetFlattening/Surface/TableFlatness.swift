import DepthGeometry
import Imaging
import RobustStatistics

/// How far from flat the table around a sheet appears to the sensor.
///
/// Tables are flat, so the deviation of their depth from a plane, averaged over small cells to remove random noise, is the
/// sensor's own slowly varying error. The same error lies on the sheet, where it cannot be distinguished from shape: a surface
/// that follows the readings more closely than this follows the sensor rather than the paper.
enum TableFlatness {
    /// Depth pixels around the outline that are ignored, because they may belong to the sheet or to its shadow.
    static let gap = 6.0

    /// Robust standard deviation of the table's inverse depth about a plane, in 1/metres; nil if too little of a table is seen,
    /// or if it is not a table (deviation of more than 1.5 % of the distance). O(depth pixels).
    static func deviation(in depth: DepthMap, around polygon: [SIMD2<Double>]) -> Double? {
        let cell = max(4, max(depth.width, depth.height) / 64)
        let columns = depth.width / cell
        let rows = depth.height / cell
        guard columns >= 4, rows >= 4, polygon.count >= 3 else { return nil }
        // Counted in cells, so that the margin costs nothing.
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
        guard let plane = PixelPlane(through: places, values: values),
            plane.scale < SlowErrorField.greatestDeviation * values.upperMedian()
        else { return nil }
        return plane.scale
    }
}

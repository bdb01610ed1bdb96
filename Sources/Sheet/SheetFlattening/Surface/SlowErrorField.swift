import DepthGeometry
import Platform
import Imaging
import RobustStatistics

/// A sensor's slowly varying error on the sheet, estimated from the table around it.
///
/// Tables are flat, so any deviation of the table's depth from a plane is the sensor's own error; being smooth, the error
/// continues across the sheet. Kriging carries it there: the error is a Gaussian process over the image whose covariance falls
/// with the squared distance, on top of an unknown plane (Matheron, "Principles of geostatistics", 1963; Rasmussen & Williams,
/// "Gaussian Processes for Machine Learning", 2006, 2.7). Its mean fades to zero far from the table, so an error that varies
/// over less than the sheet's width is left alone. Left-out blocks of the table choose how far it reaches and decide whether to
/// use it at all: an uneven table, a cloth's folds or white noise do not predict each other across such blocks.
struct SlowErrorField {
    /// Depth pixels around the outline that are ignored, because the sensor mixes the table with the sheet there.
    static let gap = 4
    /// Table cells along the map's longer side: this keeps the systems at a few hundred unknowns.
    static let cellsAlong = 24
    /// Greatest prediction error on left-out blocks, as a share of the table's deviation: half of the variance.
    static let greatestHeldOutShare = 0.7
    /// Reaches that are tried, as shares of the map's longer side.
    static let reaches = [0.04, 0.055, 0.08, 0.11, 0.16]
    /// Greatest deviation of the table, as a share of its distance: a less flat table tells about itself, not about the sensor.
    static let greatestDeviation = 0.015

    /// The error in inverse depth at nodes `spacing` depth pixels apart, row by row.
    private let nodes: [Double]
    private let columns: Int
    private let rows: Int
    private let origin: SIMD2<Double>
    private let spacing: Double
    /// Standard deviation of the error that remains on the sheet, in 1/metres.
    let remaining: Double

    /// The field inside a polygon in depth pixels; nil if no table is seen or if it does not predict itself. O(depth pixels +
    /// cells³), with a few hundred cells.
    init?(in depth: DepthMap, around outline: [SIMD2<Double>]) {
        let polygon = outline.filter { $0.x.isFinite && $0.y.isFinite }
        guard let (low, high) = Self.extent(of: polygon, in: depth.size) else { return nil }
        let cell = max(4, max(depth.width, depth.height) / Self.cellsAlong)
        var (places, values) = Self.table(in: depth, around: polygon, cell: cell)
        guard places.count >= 100, let plane = PixelPlane(through: places, values: values),
            plane.scale > 0, plane.scale < Self.greatestDeviation * values.upperMedian()
        else { return nil }
        // Objects on the table are neither table nor error.
        let kept = places.indices.filter { abs(plane.residuals[$0]) < 4 * plane.scale }
        places = kept.map { places[$0] }
        values = kept.map { plane.residuals[$0] / plane.scale }

        let block = max(Self.width(of: polygon) / 2, 2 * Double(cell))
        let folds = places.map { place in
            let index = (place / block).rounded(.down)
            return Int(index.x + index.y) & 1
        }
        let reaches = Self.reaches.map { $0 * Double(max(depth.width, depth.height)) }
        guard let best = Self.best(of: reaches, places, values, folds),
            best.error < Self.greatestHeldOutShare,
            let process = try? GaussianProcess(places, values, reach: best.reach)
        else { return nil }
        spacing = Double(cell) / 2
        origin = low - spacing
        let extent = ((high - low) / spacing).rounded(.up)
        columns = Int(extent.x) + 3
        rows = Int(extent.y) + 3
        nodes = (0..<columns * rows).map { [columns, origin, spacing] index in
            let place = origin + SIMD2(Double(index % columns), Double(index / columns)) * spacing
            return plane.scale * process.deviation(at: place)
        }
        // The sheet's middle is twice as far from the table as a left-out block's middle is from the other blocks.
        remaining = min(2 * best.error, 1) * plane.scale
    }

    /// The error in inverse depth at a position in depth pixels, to be subtracted from the reading. O(1).
    func error(x: Int, y: Int) -> Double {
        let place = (SIMD2(Double(x), Double(y)) - origin) / spacing
        return BilinearCell(continuing: place, columns: columns, rows: rows).stepped { nodes[$0] }
    }

    /// Mean inverse depth of the table's cells, from about a hundred readings each at most.
    private static func table(
        in depth: DepthMap, around polygon: [SIMD2<Double>], cell: Int
    ) -> (places: [SIMD2<Double>], values: [Double]) {
        let sheet = PolygonRegion(polygon: polygon, rimWidth: 0, width: depth.width, height: depth.height)
        let gap = max(Self.gap, max(depth.width, depth.height) / 64)
        let step = max(1, cell / 10)
        var places: [SIMD2<Double>] = []
        var values: [Double] = []
        for top in stride(from: 0, through: depth.height - cell, by: cell) {
            for left in stride(from: 0, through: depth.width - cell, by: cell) {
                var (sum, place, count, all) = (0.0, SIMD2<Double>.zero, 0, 0)
                for y in stride(from: top, to: top + cell, by: step) {
                    for x in stride(from: left, to: left + cell, by: step) {
                        all += 1
                        let reading = depth[x: x, y: y]
                        if reading.isNaN { continue }
                        var isNear = false
                        for dy in [-gap, 0, gap] {
                            for dx in [-gap, 0, gap] where sheet.contains(x: x + dx, y: y + dy) {
                                isNear = true
                            }
                        }
                        if isNear { continue }
                        sum += 1 / Double(reading)
                        place += SIMD2(Double(x), Double(y))
                        count += 1
                    }
                }
                guard 4 * count >= all else { continue }
                places.append(place / Double(count))
                values.append(sum / Double(count))
            }
        }
        return (places, values)
    }

    /// The first and last pixel of a polygon's box within a map; nil if there is none.
    private static func extent(
        of polygon: [SIMD2<Double>], in size: PixelSize
    ) -> (low: SIMD2<Double>, high: SIMD2<Double>)? {
        guard polygon.count >= 3 else { return nil }
        let end = SIMD2(Double(size.width), Double(size.height)) - 1
        let corners = polygon.map { pointwiseMin(pointwiseMax($0, SIMD2(0, 0)), end) }
        let (low, high) = corners.dropFirst().reduce((corners[0], corners[0])) {
            (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1))
        }
        return low.x < high.x && low.y < high.y ? (low, high) : nil
    }

    /// Area divided by length of a polygon: the width of a strip.
    private static func width(of polygon: [SIMD2<Double>]) -> Double {
        var area = 0.0
        var length = 0.0
        for index in polygon.indices {
            let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
            area += (a.x * b.y - a.y * b.x) / 2
            length = max(length, ((a - polygon[0]) * (a - polygon[0])).sum().squareRoot())
        }
        return abs(area) / max(length, 1)
    }

    /// The reach that predicts left-out blocks best, and its error there; nil if none can be tested.
    private static func best(
        of reaches: [Double], _ places: [SIMD2<Double>], _ values: [Double], _ folds: [Int]
    ) -> (reach: Double, error: Double)? {
        var best: (reach: Double, error: Double)?
        for reach in reaches {
            guard let error = heldOutError(places, values, folds, reach: reach) else { continue }
            if error < best?.error ?? .infinity { best = (reach, error) }
        }
        return best
    }

    /// Root mean square error on left-out blocks, each error limited to three deviations; nil if a fold is empty.
    private static func heldOutError(
        _ places: [SIMD2<Double>], _ values: [Double], _ folds: [Int], reach: Double
    ) -> Double? {
        var sum = 0.0
        for fold in 0...1 {
            let used = places.indices.filter { folds[$0] != fold }
            guard used.count >= 20, used.count < places.count,
                let process = try? GaussianProcess(
                    used.map { places[$0] }, used.map { values[$0] }, reach: reach)
            else { return nil }
            for index in places.indices where folds[index] == fold {
                let error = values[index] - process.value(at: places[index])
                sum += min(error * error, 9)
            }
        }
        return (sum / Double(places.count)).squareRoot()
    }
}

package import Imaging
import RobustStatistics

/// Finds readings that stick out of every line through them: flying pixels inside a surface.
///
/// In inverse depth q = 1/z a plane is affine in the pixel, so |q(-2) - 2 q(0) + q(+2)| is free of slope: it shows only
/// noise, bends and errors. The minimum over four directions is used, because a crease or an occluding edge beside a
/// reading leaves one direction smooth. A straight edge along a row, column or diagonal does the same: its mixed readings
/// follow each other and are not found here (see `DepthMap.cleaned(intrinsics:options:)`, and the rim that
/// `SurfaceReadings` leaves out).
package struct SpikeTest: Equatable, Sendable {
    /// Largest second difference on a surface, in 1/metres; infinite if there were too few readings to tell.
    package let limit: Double

    /// The directions in which neighbours are compared, in depth pixels.
    private static let directions: [(x: Int, y: Int)] = [(2, 0), (0, 2), (2, 2), (2, -2)]
    /// Multiple of the median that is allowed: about five standard deviations, which normal noise exceeds in fewer than one
    /// of a million readings. A flying pixel is centimetres off.
    private static let noiseMultiple = 8.0
    /// Lower bound of the limit as a share of inverse depth, for exact readings without noise; far below any flying pixel.
    private static let leastShare = 1e-3
    /// Approximate number of readings sampled to measure the noise.
    private static let sampleSize = 4096.0
    /// Fewest second differences that tell anything about noise.
    private static let leastSample = 16

    /// Creates a test matched to the noise of a map's readings.
    /// - Parameters:
    ///   - depth: the map.
    ///   - columns: of the readings sampled, within the map.
    ///   - rows: likewise.
    ///   - contains: whether to sample the reading at this column and row.
    /// - Complexity: O(readings sampled).
    package init(
        of depth: DepthMap, columns: Range<Int>, rows: Range<Int>,
        contains: (_ x: Int, _ y: Int) -> Bool = { _, _ in true }
    ) {
        var differences: [Double] = []
        var inverses: [Double] = []
        let area = Double(rows.count * columns.count)
        let step = max(1, Int((area / Self.sampleSize).squareRoot()))
        depth.values.elements.withUnsafeBufferPointer { values in
            for y in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
                for x in stride(from: columns.lowerBound, to: columns.upperBound, by: step)
                where contains(x, y) && !values[y * depth.width + x].isNaN {
                    inverses.append(1 / Double(values[y * depth.width + x]))
                    for direction in Self.directions.prefix(2) {
                        if let difference = Self.secondDifference(
                            values, width: depth.width, height: depth.height, x: x, y: y, along: direction)
                        {
                            differences.append(difference)
                        }
                    }
                }
            }
        }
        limit =
            differences.count < Self.leastSample
            ? .infinity
            : max(
                Self.noiseMultiple * differences.upperMedian(), Self.leastShare * inverses.upperMedian())
    }

    /// Whether a reading sticks out; false where no direction has neighbours on both sides.
    /// - Parameters:
    ///   - values: the map's readings, row by row.
    ///   - width: of the map.
    ///   - height: of the map.
    ///   - x: column of the reading.
    ///   - y: row of the reading.
    package func isSpike(
        _ values: UnsafeBufferPointer<Float>, width: Int, height: Int, x: Int, y: Int
    ) -> Bool {
        var least: Double?
        for direction in Self.directions {
            if let difference = Self.secondDifference(
                values, width: width, height: height, x: x, y: y, along: direction)
            {
                least = min(least ?? difference, difference)
            }
        }
        return least.map { $0 > limit } ?? false
    }

    /// |q(-2) - 2 q(0) + q(+2)| along a direction; nil where one of the readings is missing.
    @inline(__always)
    private static func secondDifference(
        _ values: UnsafeBufferPointer<Float>, width: Int, height: Int, x: Int, y: Int,
        along direction: (x: Int, y: Int)
    ) -> Double? {
        let (dx, dy) = direction
        guard x >= dx, x + dx < width, y - abs(dy) >= 0, y + abs(dy) < height else { return nil }
        let before = Double(values[(y - dy) * width + x - dx])
        let after = Double(values[(y + dy) * width + x + dx])
        let difference = abs(1 / before + 1 / after - 2 / Double(values[y * width + x]))
        return difference.isNaN ? nil : difference
    }
}

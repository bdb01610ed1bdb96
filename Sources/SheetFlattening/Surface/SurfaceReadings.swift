public import DepthGeometry
import Foundation
public import Imaging

/// The depth readings that lie on the sheet, where the photograph sees them.
///
/// Positions are photograph pixels (pixel-centre coordinates), so nothing below needs to know the depth map's own size.
/// Inverse depth q = 1/z is kept beside depth because a plane is affine in the pixel there, and because the noise of
/// triangulating sensors (sigma_z proportional to z²) is the same everywhere in q.
public struct SurfaceReadings: Sendable {
    /// Where each reading was taken, in photograph pixels.
    public internal(set) var pixels: [SIMD2<Double>]
    /// Depth along the optical axis in metres, one for each of `pixels`, less the sensor's slowly varying error where the
    /// table around the sheet tells it (`SlowErrorField`).
    public let depths: [Double]
    /// Size of one depth pixel in photograph pixels, along x and y.
    public let depthPixelSize: SIMD2<Double>
    /// Share of the depth pixels inside the eroded outline that hold a reading, 0 to 1.
    public let validFraction: Double
    /// How many readings were dropped as flying pixels.
    public let flyingCount: Int
    /// Standard deviation in inverse depth (1/metres) of the sensor's slowly varying errors that remain in `depths`, as far
    /// as the table around the sheet shows them by not being flat; nil where no table is seen.
    public let slowError: Double?
    /// Column and row of each reading in the depth map.
    let cells: [SIMD2<Int32>]

    /// Number of readings.
    public var count: Int { pixels.count }

    /// The readings of a depth map inside an outline.
    ///
    /// The outline is eroded by `rimWidth` depth pixels, since there the sensor mixes the sheet with what lies behind it.
    /// A reading whose second difference is far out of line in every direction is a flying pixel and is dropped.
    /// O(depth pixels inside the outline).
    /// - Parameters:
    ///   - depth: z-depth in metres, registered to the photograph; of any size and the photograph's shape.
    ///   - intrinsics: the photograph's camera; only its picture size is used here.
    ///   - polygon: the sheet's outline in photograph pixels.
    ///   - rimWidth: in depth pixels, at least 0.
    public init(
        depth: DepthMap, intrinsics: CameraIntrinsics, outline polygon: [SIMD2<Double>], rimWidth: Double = 2
    ) {
        precondition(rimWidth >= 0, "a rim is at least 0 wide")
        let size = SIMD2(
            Double(intrinsics.imageSize.width) / Double(max(depth.width, 1)),
            Double(intrinsics.imageSize.height) / Double(max(depth.height, 1)))
        depthPixelSize = size
        let inDepthPixels = polygon.map { ($0 + 0.5) / size - 0.5 }
        let region = PolygonRegion(
            polygon: inDepthPixels, rimWidth: rimWidth, width: depth.width, height: depth.height)

        var pixels: [SIMD2<Double>] = []
        var depths: [Double] = []
        var cells: [SIMD2<Int32>] = []
        var inside = 0
        var flying = 0
        let limit = Self.secondDifferenceLimit(in: depth, region: region)
        depth.values.elements.withUnsafeBufferPointer { values in
            for y in region.rows {
                for x in region.columns where region.contains(x: x, y: y) {
                    inside += 1
                    let z = values[y * depth.width + x]
                    guard !z.isNaN else { continue }
                    let difference = Self.leastSecondDifference(
                        values, width: depth.width, height: depth.height, x: x, y: y)
                    if let difference, difference > limit {
                        flying += 1
                        continue
                    }
                    pixels.append((SIMD2(Double(x), Double(y)) + 0.5) * size - 0.5)
                    depths.append(Double(z))
                    cells.append(SIMD2(Int32(x), Int32(y)))
                }
            }
        }
        self.pixels = pixels
        let field = SlowErrorField(in: depth, around: inDepthPixels)
        if let field {
            for index in depths.indices {
                let corrected =
                    1 / depths[index] - field.error(x: Int(cells[index].x), y: Int(cells[index].y))
                // The field is a small share of the distance; a reading next to infinity is none.
                if corrected > 0 { depths[index] = 1 / corrected }
            }
        }
        self.depths = depths
        self.cells = cells
        validFraction = inside == 0 ? 0 : Double(pixels.count + flying) / Double(inside)
        flyingCount = flying
        slowError = field?.remaining ?? TableFlatness.deviation(in: depth, around: inDepthPixels)
    }

    /// Readings that were not taken on a lattice, for instance in tests.
    /// - Precondition: as many depths as pixels, all finite and greater than 0.
    public init(pixels: [SIMD2<Double>], depths: [Double], depthPixelSize: SIMD2<Double> = SIMD2(1, 1)) {
        precondition(pixels.count == depths.count, "each reading has a position and a depth")
        precondition(depths.allSatisfy { $0.isFinite && $0 > 0 }, "depths are finite and greater than 0")
        self.pixels = pixels
        self.depths = depths
        self.depthPixelSize = depthPixelSize
        cells = pixels.map {
            let cell = (($0 + 0.5) / depthPixelSize - 0.5).rounded(.toNearestOrEven)
            return SIMD2(Int32(cell.x), Int32(cell.y))
        }
        validFraction = 1
        flyingCount = 0
        slowError = nil
    }

    /// The directions in which neighbours are compared, in depth pixels.
    private static let directions: [(x: Int, y: Int)] = [(2, 0), (0, 2), (2, 2), (2, -2)]

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

    /// The least second difference over all directions; nil where no direction has both neighbours.
    ///
    /// The best direction counts, so a crease or an occluding edge beside the reading is no reason to drop it.
    private static func leastSecondDifference(
        _ values: UnsafeBufferPointer<Float>, width: Int, height: Int, x: Int, y: Int
    ) -> Double? {
        var least: Double?
        for direction in directions {
            if let difference = secondDifference(
                values, width: width, height: height, x: x, y: y, along: direction)
            {
                least = min(least ?? difference, difference)
            }
        }
        return least
    }

    /// Eight times the median of the second differences along x and y, from a sample of the readings.
    ///
    /// Normal noise passes five of its deviations, which that is, in fewer than one of a million readings; a flying pixel
    /// is centimetres off. Where the readings are exact there is no noise to compare with: a thousandth of inverse
    /// depth is far below any flying pixel.
    private static func secondDifferenceLimit(in depth: DepthMap, region: PolygonRegion) -> Double {
        var differences: [Double] = []
        var inverses: [Double] = []
        let area = Double(region.rows.count * region.columns.count)
        let step = max(1, Int((area / 4096).squareRoot()))
        depth.values.elements.withUnsafeBufferPointer { values in
            for y in stride(from: region.rows.lowerBound, to: region.rows.upperBound, by: step) {
                for x in stride(from: region.columns.lowerBound, to: region.columns.upperBound, by: step)
                where region.contains(x: x, y: y) && !values[y * depth.width + x].isNaN {
                    inverses.append(1 / Double(values[y * depth.width + x]))
                    for direction in directions.prefix(2) {
                        if let difference = secondDifference(
                            values, width: depth.width, height: depth.height, x: x, y: y, along: direction)
                        {
                            differences.append(difference)
                        }
                    }
                }
            }
        }
        guard differences.count >= 16 else { return .infinity }
        return max(8 * differences.median(), 1e-3 * inverses.median())
    }
}

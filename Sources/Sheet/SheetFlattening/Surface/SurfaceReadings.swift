public import DepthGeometry
import Platform
public import Imaging

/// The depth readings on the sheet, at their positions in the photograph.
///
/// Positions are photograph pixels (pixel-centre coordinates), so later code does not need the depth map's own size. Inverse
/// depth q = 1/z is used beside depth because a plane is affine in the pixel there, and because the noise of triangulating
/// sensors (sigma_z proportional to z²) is the same everywhere in q.
public struct SurfaceReadings: Sendable {
    /// Position of each reading, in photograph pixels.
    public internal(set) var pixels: [SIMD2<Double>]
    /// Depth along the optical axis in metres, one for each of `pixels`.
    public internal(set) var depths: [Double]
    /// Size of one depth pixel in photograph pixels, along x and y.
    package let depthPixelSize: SIMD2<Double>
    /// Share of the depth pixels inside the eroded outline that hold a reading, 0 to 1.
    package let validFraction: Double
    /// Number of readings dropped as flying pixels.
    package let flyingCount: Int
    /// Standard deviation in inverse depth (1/metres) of the sensor's slowly varying errors that remain in `depths`, set by
    /// `correctingSlowError(in:around:)`; nil before that, and if no table is seen.
    package internal(set) var slowError: Double?
    /// Column and row of each reading in the depth map.
    let cells: [SIMD2<Int32>]

    /// Number of readings.
    package var count: Int { pixels.count }

    /// Takes the readings of a depth map inside an outline.
    ///
    /// The outline is eroded by `rimWidth` depth pixels, because the sensor mixes the sheet with its background there. A
    /// reading that sticks out in every direction is a flying pixel and is dropped (`SpikeTest`). O(depth pixels inside the
    /// outline).
    /// - Parameters:
    ///   - depth: z-depth in metres, registered to the photograph; any size, with the photograph's aspect ratio.
    ///   - intrinsics: the photograph's camera; only its image size is used here.
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
        let test = SpikeTest(
            of: depth, columns: region.columns, rows: region.rows, contains: region.contains(x:y:))
        depth.values.elements.withUnsafeBufferPointer { values in
            for y in region.rows {
                for x in region.columns where region.contains(x: x, y: y) {
                    inside += 1
                    let z = values[y * depth.width + x]
                    guard !z.isNaN else { continue }
                    if test.isSpike(values, width: depth.width, height: depth.height, x: x, y: y) {
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
        self.depths = depths
        self.cells = cells
        validFraction = inside == 0 ? 0 : Double(pixels.count + flying) / Double(inside)
        flyingCount = flying
        slowError = nil
    }

    /// Creates readings that were not taken on a lattice, for instance in tests.
    /// - Precondition: as many depths as pixels, all finite and greater than 0.
    package init(pixels: [SIMD2<Double>], depths: [Double], depthPixelSize: SIMD2<Double> = SIMD2(1, 1)) {
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
}

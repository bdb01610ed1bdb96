import DepthGeometry
import Platform
import RobustStatistics

/// Readings averaged over small square cells: fewer, less noisy, and as good for any shape that paper can take.
struct SheetSamples: Sendable {
    /// Mean ray (x, y, 1) of each sample.
    var rays: [SIMD3<Double>]
    /// Mean inverse depth in 1/metres.
    var inverseDepths: [Double]
    /// Share of the cell that held readings, 0 to 1.
    var weights: [Double]
    /// Number, from 0, of the leave-out chessboard field that the sample lies on.
    var block: [Int32]
    /// The colour of that field, 0 or 1: all fields of a colour are left out together.
    var fold: [UInt8]
    /// Middle depth in metres.
    let depth: Double
    /// Samples per square metre across the line of sight, where the sheet has readings everywhere.
    let density: Double
    /// Standard deviation of one sample's depth in metres, without slowly varying errors.
    let noise: Double
    /// The same for one reading's depth.
    let readingNoise: Double

    /// Number of samples.
    var count: Int { rays.count }

    /// Edge of a cell in metres on the sheet: finer than paper bends, coarse enough to save time.
    static let cellSize = 0.0012
    /// Edge of the chessboard's fields in metres: longer than the distance over which sensors correlate readings.
    static let blockSize = 0.016
    /// Least noise, in metres: no sensor is better. Prevents exact data from switching all penalties off.
    static let leastNoise = 0.00002
    /// Least share of a cell that must hold readings for a sample: with fewer, the mean is noisy and may come from the cell's
    /// edge.
    private static let leastShare = 0.3
    /// Least share of a cell that must hold readings to estimate noise: in an emptier cell the mean lies off the middle, where
    /// a slanted sheet has another depth.
    private static let fullShare = 0.9

    init(of readings: SurfaceReadings, intrinsics: CameraIntrinsics) {
        let some = Swift.stride(from: 0, to: readings.count, by: Self.stride(through: readings.count))
        let depth = some.map { readings.depths[$0] }.upperMedian()
        self.depth = depth
        let size = SIMD2(
            readings.depthPixelSize.x * depth / intrinsics.fx,
            readings.depthPixelSize.y * depth / intrinsics.fy)
        // Large sheets are sampled more coarsely, to bound the time.
        let coarser = max(
            1,
            (Double(readings.count) * size.x * size.y / (12_000 * Self.cellSize * Self.cellSize)).squareRoot()
        )
        let bin = max(1, Int((coarser * Self.cellSize / max(size.x, size.y)).rounded()))
        var low = SIMD2<Int32>(repeating: .max)
        var high = SIMD2<Int32>(repeating: .min)
        for cell in readings.cells {
            low = pointwiseMin(low, cell)
            high = pointwiseMax(high, cell)
        }
        let width = (Int(high.x) - Int(low.x)) / bin + 1
        let height = (Int(high.y) - Int(low.y)) / bin + 1
        var pixelSums = [SIMD2<Double>](repeating: .zero, count: width * height)
        var inverseSums = [Double](repeating: 0, count: width * height)
        var counts = [Int32](repeating: 0, count: width * height)
        // Short integers divide in a third of the time.
        let side = UInt32(bin)
        for index in readings.pixels.indices {
            let cell = readings.cells[index] &- low
            let (x, y) = (UInt32(bitPattern: cell.x) / side, UInt32(bitPattern: cell.y) / side)
            let place = Int(y) * width + Int(x)
            pixelSums[place] += readings.pixels[index]
            inverseSums[place] += 1 / readings.depths[index]
            counts[place] += 1
        }
        let full = Double(bin * bin)
        let blockSize = SIMD2(
            max(1, Int((Self.blockSize / (size.x * Double(bin))).rounded())),
            max(1, Int((Self.blockSize / (size.y * Double(bin))).rounded())))
        rays = []
        inverseDepths = []
        weights = []
        block = []
        fold = []
        let blocksAcross = (width - 1) / blockSize.x + 1
        var lattice = [Double](repeating: .nan, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let place = y * width + x
                let share = Double(counts[place]) / full
                guard share >= Self.leastShare else { continue }
                let pixel = pixelSums[place] / Double(counts[place])
                rays.append(intrinsics.ray(through: pixel))
                inverseDepths.append(inverseSums[place] / Double(counts[place]))
                weights.append(min(share, 1))
                let (i, j) = (x / blockSize.x, y / blockSize.y)
                block.append(Int32(j * blocksAcross + i))
                fold.append(UInt8((i + j) & 1))
                if share > Self.fullShare { lattice[place] = inverseSums[place] / Double(counts[place]) }
            }
        }
        density = 1 / (size.x * size.y * full)
        noise = max(Self.thirdDifferenceNoise(lattice, width: width) * depth * depth, Self.leastNoise)
        readingNoise = max(Self.readingNoise(of: readings) * depth * depth, Self.leastNoise)
    }

    /// Standard deviation of white noise on a lattice, from the median of its third differences, (1, -3, 3, -1): smooth shapes
    /// vanish in them, and creases are too few to move the median.
    private static func thirdDifferenceNoise(_ lattice: [Double], width: Int) -> Double {
        var differences: [Double] = []
        for place in lattice.indices where !lattice[place].isNaN {
            if place % width + 3 < width {
                let d = lattice[place] - lattice[place + 3] + 3 * (lattice[place + 2] - lattice[place + 1])
                if !d.isNaN { differences.append(abs(d)) }
            }
            if place + 3 * width < lattice.count {
                let d =
                    lattice[place] - lattice[place + 3 * width]
                    + 3 * (lattice[place + 2 * width] - lattice[place + width])
                if !d.isNaN { differences.append(abs(d)) }
            }
        }
        return differences.robustDeviation() / 20.0.squareRoot()
    }

    /// The step through the readings that keeps enough of them for a median accurate to a percent.
    private static func stride(through count: Int) -> Int { max(1, count / 40_000) }

    /// The same for single readings in a row, taken two apart because neighbours may share their noise.
    private static func readingNoise(of readings: SurfaceReadings) -> Double {
        var differences: [Double] = []
        for index in Swift.stride(
            from: 0, to: max(0, readings.count - 6), by: stride(through: readings.count))
        {
            guard readings.cells[index + 6] == readings.cells[index] &+ SIMD2(6, 0) else { continue }
            let z = readings.depths
            differences.append(
                abs(1 / z[index] - 1 / z[index + 6] + 3 * (1 / z[index + 4] - 1 / z[index + 2])))
        }
        return differences.robustDeviation() / 20.0.squareRoot()
    }
}

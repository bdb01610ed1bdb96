import Platform
import Imaging
import LinearAlgebra
import RobustStatistics

// Where each pixel of a reference image lies in another frame's image, to a fraction of a pixel.
//
// Problem: images have eight times the pixels a side of those that frames are registered with, and depth is off by
// millimetres. Together this leaves an error of some pixels, but letters can be joined from two images only if it is a
// fraction of a pixel.
//
// Model: a reference pixel p lies at q(p) + D(p). Here q follows from depth, cameras and the frames' registration, and D is
// a second-degree polynomial that describes the effect of motion error and slowly varying depth error on a small image.
// Print, as brightness minus the local mean, agrees up to a gain.
//
// Method: Gauss-Newton with Cauchy's weights from coarse to fine on the pixels where brightness changes most. Blocks of the
// image, each with its own displacement and gain, then measure how well the alignment holds.
//
// Known failures: reliefs that depth does not show, seen from places far apart. The blocks reveal them.

/// A second-degree polynomial over an image, in coordinates from -1 to 1.
struct QuadraticBasis: Sendable {
    /// The image's centre and half its longer side.
    private let middle: SIMD2<Double>
    private let reach: Double

    /// Number of terms.
    static let count = 6

    init(over size: PixelSize) {
        middle = (SIMD2(Double(size.width), Double(size.height)) - 1) / 2
        reach = Double(max(size.width, size.height)) / 2
    }

    /// The polynomial's terms at a pixel; the last two of the eight are 0.
    func values(at pixel: SIMD2<Double>) -> SIMD8<Double> {
        let p = (pixel - middle) / reach
        return SIMD8(1, p.x, p.y, p.x * p.x, p.x * p.y, p.y * p.y, 0, 0)
    }
}

/// An image to which others are aligned: its brightness from fine to coarse, and the points where it changes most.
struct AlignmentTarget: Sendable {
    /// A point by which images are aligned.
    struct Point: Sendable {
        /// In pixels.
        var pixel: SIMD2<Double>
        /// Brightness minus the local mean at each level, from fine to coarse.
        var relief: [Double]
    }

    let points: [Point]
    let basis: QuadraticBasis
    let size: PixelSize
    /// Number of levels that are compared.
    let levelCount: Int

    /// Cells along the longer side, with one point each: some 20,000 in all, which determine six terms to a hundredth of a
    /// pixel.
    private static let cells = 160
    /// The longest side of the coarsest level: there the error left by registration is a fraction of a pixel.
    private static let coarsestSide = 1024
    /// Smallest change from the pixel before to the pixel after, in grey levels, that is print and not noise.
    private static let leastChange: Int32 = 16

    init(_ image: RGBImage) {
        size = image.size
        basis = QuadraticBasis(over: size)
        let levels = BrightnessLevels(image.gray(), coarsestSide: Self.coarsestSide)
        levelCount = levels.count
        let luma = levels.full
        let cell = max(3, max(luma.width, luma.height) / Self.cells)
        var points: [Point] = []
        for top in stride(from: 1, to: luma.height - cell, by: cell) {
            for left in stride(from: 1, to: luma.width - cell, by: cell) {
                var best = (change: Int32(-1), x: left, y: top)
                for y in top..<top + cell {
                    for x in left..<left + cell {
                        let across = Int32(luma[x: x + 1, y: y]) - Int32(luma[x: x - 1, y: y])
                        let down = Int32(luma[x: x, y: y + 1]) - Int32(luma[x: x, y: y - 1])
                        let change = across * across + down * down
                        if change > best.change { best = (change, x, y) }
                    }
                }
                let pixel = SIMD2(Double(best.x), Double(best.y))
                guard best.change >= Self.leastChange * Self.leastChange,
                    levels.isTelling(at: pixel)
                else { continue }
                points.append(
                    Point(
                        pixel: pixel, relief: (0..<levelCount).map { levels.relief(at: pixel, level: $0) }))
            }
        }
        self.points = points
    }

    /// The levels at which another image is compared.
    func levels(of image: RGBImage) -> BrightnessLevels {
        BrightnessLevels(image.gray(), coarsestSide: Self.coarsestSide)
    }
}

/// An image's brightness at full size, at half size, and so on.
struct BrightnessLevels: Sendable {
    private let levels: [GrayImage]
    /// Number of levels that are compared; the levels after them serve as local means.
    let count: Int

    /// How many levels coarser the local mean is: 8 x 8 pixels, broader than strokes.
    private static let meanAfter = 3
    /// Usable grey levels: brightness outside is clipped or too dark.
    private static let telling: ClosedRange<Double> = 4...249

    init(_ gray: GrayImage, coarsestSide: Int) {
        var levels = [gray]
        while let last = levels.last, max(last.width, last.height) > coarsestSide {
            levels.append(last.halved())
        }
        count = levels.count
        for _ in 0..<Self.meanAfter {
            guard let last = levels.last, min(last.width, last.height) >= 2 else { break }
            levels.append(last.halved())
        }
        self.levels = levels
    }

    var full: GrayImage { levels[0] }

    /// Whether a position is neither clipped nor black.
    func isTelling(at pixel: SIMD2<Double>) -> Bool { Self.telling.contains(full.bilinear(at: pixel)) }

    /// Brightness minus the local mean. Positions are in pixels of the full image.
    func relief(at pixel: SIMD2<Double>, level: Int) -> Double {
        let mean = min(level + Self.meanAfter, levels.count - 1)
        return levels[level].bilinear(at: Self.atLevel(level, pixel))
            - levels[mean].bilinear(at: Self.atLevel(mean, pixel))
    }

    /// Relief and slopes of brightness at a position, in grey levels per full pixel; nil at the border and where brightness
    /// is unusable.
    func read(at pixel: SIMD2<Double>, level: Int) -> (value: Double, slope: SIMD2<Double>)? {
        let gray = levels[level]
        let at = Self.atLevel(level, pixel)
        guard at.x >= 1, at.y >= 1, at.x <= Double(gray.width - 2), at.y <= Double(gray.height - 2),
            isTelling(at: pixel)
        else { return nil }
        let (x, y) = (SIMD2(1.0, 0), SIMD2(0, 1.0))
        let slope = SIMD2(
            gray.bilinear(at: at + x) - gray.bilinear(at: at - x),
            gray.bilinear(at: at + y) - gray.bilinear(at: at - y))
        return (relief(at: pixel, level: level), slope / 2 / Double(1 << level))
    }

    /// Converts a pixel of the full image to a level.
    private static func atLevel(_ level: Int, _ pixel: SIMD2<Double>) -> SIMD2<Double> {
        (pixel + 0.5) / Double(1 << level) - 0.5
    }
}

/// The alignment of a frame's image with a reference image.
struct PictureAlignment: Sendable {
    /// Coefficients of the displacement along x and y, in pixels of the frame.
    private(set) var coefficients: (x: SIMD8<Double>, y: SIMD8<Double>) = (.zero, .zero)
    private let basis: QuadraticBasis

    /// Median over the blocks of the displacement left, in pixels.
    private(set) var residual = Double.infinity
    /// Median over the blocks of both images' correlation, -1 to 1.
    private(set) var correlation = 0.0

    /// Most iterations at a level; the last ones no longer move anything.
    private static let passes = 8
    /// Blocks along each side of the image that are judged separately.
    private static let blocks = 12
    /// Largest residual in standard deviations; beyond it one of the images shows something else: a reflection, a finger.
    private static let believed = 4.0
    /// Fewest points of a block, and (`leastContrast`) smallest deviation of their brightness in grey levels, for print
    /// instead of paper.
    private static let leastPoints = 16
    /// Fewest points for each unknown of the least squares: with fewer, one stain decides.
    private static let pointsByUnknown = 10
    /// Step in pixels that ends the iteration: too small to be visible.
    private static let leastStep = 0.01
    private static let leastContrast = 8.0
    /// Fewest blocks with print: fewer are not spread over a sheet.
    private static let leastBlocks = 6

    /// - Parameter position: where a pixel of the reference lies in the frame according to depth; not finite where unknown.
    /// - Returns: nil if the images determine no alignment.
    init?(
        of image: RGBImage, to target: AlignmentTarget, position: (SIMD2<Double>) -> SIMD2<Double>
    ) {
        basis = target.basis
        let levels = target.levels(of: image)
        let places = target.points.map { position($0.pixel) }
        let known = places.indices.filter { places[$0].x.isFinite && places[$0].y.isFinite }
        var scale = 0.0
        for level in (0..<min(target.levelCount, levels.count)).reversed() {
            guard let left = refine(target, places, known, levels, level) else { return nil }
            scale = left
        }
        guard judge(target, places, known, levels, scale: scale) else { return nil }
    }

    /// The displacement of a reference pixel in the frame, relative to its position according to depth.
    func displacement(at pixel: SIMD2<Double>) -> SIMD2<Double> {
        let values = basis.values(at: pixel)
        return SIMD2((coefficients.x * values).sum(), (coefficients.y * values).sum())
    }

    /// Runs Gauss-Newton at one level. Returns the residuals' deviation, in grey levels; nil if the images determine no
    /// alignment.
    private mutating func refine(
        _ target: AlignmentTarget, _ places: [SIMD2<Double>], _ known: [Int], _ levels: BrightnessLevels,
        _ level: Int
    ) -> Double? {
        // The unknowns are twelve coefficients and a gain.
        let count = 2 * QuadraticBasis.count + 1
        let loss = RobustLoss.cauchy
        var (gain, scale) = (1.0, Double.infinity)
        for _ in 0..<Self.passes {
            var matrix = Matrix(rows: count, columns: count)
            var right = [Double](repeating: 0, count: count)
            var residuals: [Double] = []
            residuals.reserveCapacity(known.count)
            var sums = [Double](repeating: 0, count: count * count)
            var row = [Double](repeating: 0, count: count)
            for index in known {
                let point = target.points[index]
                let place = places[index] + displacement(at: point.pixel)
                guard let (value, slope) = levels.read(at: place, level: level) else { continue }
                let residual = gain * value - point.relief[level]
                residuals.append(abs(residual))
                let weight = loss.weight(residual / (loss.cut * scale))
                let basis = basis.values(at: point.pixel)
                for term in 0..<QuadraticBasis.count {
                    row[term] = gain * slope.x * basis[term]
                    row[QuadraticBasis.count + term] = gain * slope.y * basis[term]
                }
                row[count - 1] = value
                for i in 0..<count {
                    let weighted = weight * row[i]
                    right[i] -= weighted * residual
                    for j in 0...i { sums[i * count + j] += weighted * row[j] }
                }
            }
            for i in 0..<count {
                for j in 0...i { matrix[i, j] = sums[i * count + j] }
            }
            guard residuals.count >= Self.pointsByUnknown * count,
                let step = try? CholeskyFactorization(of: matrix).solve(right)
            else { return nil }
            scale = max(residuals.robustDeviation(), 1)
            for term in 0..<QuadraticBasis.count {
                coefficients.x[term] += step[term]
                coefficients.y[term] += step[QuadraticBasis.count + term]
            }
            gain += step[count - 1]
            if step.prefix(count - 1).allSatisfy({ abs($0) < Self.leastStep }) { break }
        }
        return gain > 0 ? scale : nil
    }

    /// Fits a separate displacement and brightness to each block. False if too few blocks show print.
    private mutating func judge(
        _ target: AlignmentTarget, _ places: [SIMD2<Double>], _ known: [Int], _ levels: BrightnessLevels,
        scale: Double
    ) -> Bool {
        let extent = SIMD2(Double(target.size.width), Double(target.size.height))
        var blocks = [[(own: Double, value: Double, slope: SIMD2<Double>)]](
            repeating: [], count: Self.blocks * Self.blocks)
        for index in known {
            let point = target.points[index]
            let place = places[index] + displacement(at: point.pixel)
            guard let (value, slope) = levels.read(at: place, level: 0),
                abs(value - point.relief[0]) <= Self.believed * scale
            else { continue }
            let block = point.pixel / extent * Double(Self.blocks)
            blocks[Int(block.y) * Self.blocks + Int(block.x)].append((point.relief[0], value, slope))
        }
        var (lengths, correlations): ([Double], [Double]) = ([], [])
        for block in blocks where block.count >= Self.leastPoints {
            let count = Double(block.count)
            let own = block.reduce(0) { $0 + $1.own } / count
            let spread = block.reduce(0) { $0 + ($1.own - own) * ($1.own - own) } / count
            guard spread >= Self.leastContrast * Self.leastContrast else { continue }
            // own = a value + c slope.x + d slope.y + e: the displacement is (c, d) / a.
            var matrix = Matrix(rows: 4, columns: 4)
            var right = [Double](repeating: 0, count: 4)
            let mean = block.reduce(0) { $0 + $1.value } / count
            var (product, square) = (0.0, 0.0)
            for point in block {
                let row = [point.value - mean, point.slope.x, point.slope.y, 1]
                for i in 0..<4 {
                    for j in 0...i { matrix[i, j] += row[i] * row[j] }
                    right[i] += row[i] * (point.own - own)
                }
                product += (point.value - mean) * (point.own - own)
                square += (point.value - mean) * (point.value - mean)
            }
            let measured = square > 0 ? product / (square * spread * count).squareRoot() : 0
            correlations.append(measured)
            guard let fit = try? CholeskyFactorization(of: matrix).solve(right), fit[0] > 0 else {
                lengths.append(.infinity)
                continue
            }
            lengths.append((SIMD2(fit[1], fit[2]) / fit[0]).length)
        }
        guard lengths.count >= Self.leastBlocks else { return false }
        residual = lengths.upperMedian()
        correlation = correlations.upperMedian()
        return true
    }
}

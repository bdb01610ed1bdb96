package import Parallelism
import RobustStatistics

extension Raster where Element == RGB {
    /// The image with one bit a pixel: print, even faded print, is black and paper white.
    ///
    /// In even light (see `LocalPaper`) a pixel is print if it is darker than the mean of the square around it by a margin.
    /// The margin shrinks where the square has contrast, as beside letters, down to zero at the page's greatest contrast.
    /// So it is measured in the page's own contrast and noise, not in grey levels (after Sauvola and Pietikäinen, "Adaptive
    /// document image binarization", Pattern Recognition 33(2), 2000, who use a constant contrast). The inside of bars and
    /// logos has no contrast; it counts as print because it is darker than half the paper.
    ///
    /// O(pixels).
    package func inOneBit(threading: Threading = .allCores) -> BilevelImage {
        let gray = gray()
        guard !elements.isEmpty else { return BilevelImage(gray) }
        let even =
            grayOnPaper(threading: threading)
            ?? gray.evened(by: PaperLight(of: gray, threading: threading) { $0 }.grid, threading: threading)
        let contrast = LocalContrast(
            of: even, radius: LocalThreshold.radiusInCells * PaperLight.cellSide(of: gray.size))
        let threshold = LocalThreshold(of: contrast)
        return BilevelImage(
            GrayImage(width: width, height: height) { output in
                even.elements.withUnsafeBufferPointer { pixels in
                    contrast.forEachRow { y, means, deviations in
                        for x in 0..<width {
                            let isPrint = threshold.isPrint(
                                pixels[y * width + x], mean: means[x], deviation: deviations[x])
                            output.initializeElement(at: y * width + x, to: isPrint ? 0 : 255)
                        }
                    }
                }
            })
    }
}

/// Decides which pixels are enough darker than their surroundings to be print.
private struct LocalThreshold {
    /// Reach of the square, in cells of the light's grid each way: a thirteenth of the shorter side, about two rows.
    static let radiusInCells = 2

    /// The page's contrast: the standard deviation in squares at the page's most contrasty places.
    private let contrast: Float
    /// How much darker than the mean a pixel in a square without contrast must be.
    private let margin: Float

    /// The quantile of the deviations that is the page's contrast: above it are a few letters' cores, more than specks.
    private static let contrastQuantile = 0.995
    /// The quantile of the deviations that is the page's noise: a tenth of any receipt is bare.
    private static let noiseQuantile = 0.1
    /// The margin as a share of the contrast; the smallest margin in deviations of the noise; and, in the same unit, the
    /// contrast assumed for a page without print.
    private static let marginShare: Float = 0.4
    private static let marginOfNoise: Float = 4
    private static let contrastOfNoise: Float = 8
    /// The contrast assumed for a page with neither print nor noise, in grey levels: a twenty-fifth of white.
    private static let leastContrast: Float = 10
    /// Pixels darker than half the paper, which is 255, are print whatever is around them.
    private static let solid: UInt8 = 128

    init(of local: LocalContrast) {
        let deviations = local.sampledDeviations()
        func quantile(_ share: Double) -> Float {
            deviations.ranked(Int(share * Double(deviations.count - 1)))
        }
        let noise = quantile(Self.noiseQuantile)
        contrast = max(quantile(Self.contrastQuantile), Self.contrastOfNoise * noise, Self.leastContrast)
        margin = max(Self.marginShare * contrast, Self.marginOfNoise * noise)
    }

    @inline(__always)
    func isPrint(_ pixel: UInt8, mean: Float, deviation: Float) -> Bool {
        pixel < Self.solid || Float(pixel) < mean - margin * (1 - min(deviation / contrast, 1))
    }
}

/// Mean and standard deviation of the square around each pixel, cut off at the image's edge.
private struct LocalContrast {
    private let image: GrayImage
    private let radius: Int

    /// - Parameter radius: reach of the square each way, in pixels.
    init(of image: GrayImage, radius: Int) {
        self.image = image
        self.radius = radius
    }

    /// The deviations at every eighth pixel of every eighth row; at least one.
    func sampledDeviations() -> [Float] {
        var sampled: [Float] = []
        forEachRow { y, _, deviations in
            guard y % 8 == 0 else { return }
            for x in stride(from: 0, to: deviations.count, by: 8) { sampled.append(deviations[x]) }
        }
        return sampled
    }

    /// Calls `body` with means and deviations row by row. O(pixels): column sums are updated from row to row, and their sum
    /// from column to column.
    func forEachRow(_ body: (_ y: Int, _ means: [Float], _ deviations: [Float]) -> Void) {
        let (width, height) = (image.width, image.height)
        var (sums, squares) = ([Int](repeating: 0, count: width), [Int](repeating: 0, count: width))
        var (means, deviations) = ([Float](repeating: 0, count: width), [Float](repeating: 0, count: width))
        func add(_ y: Int, sign: Int) {
            for x in 0..<width {
                let value = Int(image.elements[y * width + x])
                sums[x] += sign * value
                squares[x] += sign * value * value
            }
        }
        for y in 0..<min(radius, height) { add(y, sign: 1) }
        for y in 0..<height {
            if y + radius < height { add(y + radius, sign: 1) }
            if y - radius - 1 >= 0 { add(y - radius - 1, sign: -1) }
            let rows = min(y + radius, height - 1) - max(y - radius, 0) + 1
            var (sum, square) = (0, 0)
            for x in 0..<min(radius, width) {
                sum += sums[x]
                square += squares[x]
            }
            for x in 0..<width {
                if x + radius < width {
                    sum += sums[x + radius]
                    square += squares[x + radius]
                }
                if x - radius - 1 >= 0 {
                    sum -= sums[x - radius - 1]
                    square -= squares[x - radius - 1]
                }
                let columns = min(x + radius, width - 1) - max(x - radius, 0) + 1
                let count = Float(rows * columns)
                means[x] = Float(sum) / count
                // The numbers are whole up to here, so the difference never comes from rounding.
                let spread = Float(square * rows * columns - sum * sum)
                deviations[x] = max(spread, 0).squareRoot() / count
            }
            body(y, means, deviations)
        }
    }
}

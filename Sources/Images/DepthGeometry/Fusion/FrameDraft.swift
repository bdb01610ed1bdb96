import Imaging
import Parallelism

/// A small version of a frame's image, seen from the reference's viewpoint, for comparisons before pixels are taken.
struct FrameDraft: Sendable {
    /// The mean colours of the blocks.
    var colors: RGBImage
    /// Amount of fine detail in each block: the mean of |Laplacian| in grey levels.
    let detail: Raster<Float>
    /// Whether the frame shows the block.
    let isSeen: Raster<Bool>

    /// The longest side of a draft. Faults are as large as fingers; at 512 a block is a millimetre or less of a receipt.
    private static let longestSide = 512

    /// Side of a block in pixels, for images of the given size.
    static func step(for size: PixelSize) -> Int {
        (max(size.width, size.height) + longestSide - 1) / longestSide
    }

    /// Creates the draft of an image already seen from the reference's viewpoint, where `isSeen` tells which pixels the
    /// frame shows.
    init(_ image: RGBImage, step: Int, isSeen: (SIMD2<Double>) -> Bool) {
        let colors = image.blockMeans(step)
        self.colors = colors
        let gray = image.gray()
        var detail = Raster<Float>(width: colors.width, height: colors.height, filledWith: 0)
        detail.elements.withUnsafeMutableBufferPointer { detail in
            let rows = DisjointRows(detail, rowLength: colors.width)
            forEachBand(of: 0..<colors.height, threading: .allCores) { band in
                gray.forEachLaplacian(
                    columns: 0..<gray.width, rows: band.lowerBound * step..<band.upperBound * step
                ) { x, y, value in
                    rows[y / step][x / step] += Float(abs(value))
                }
            }
        }
        let share = 1 / Float(step * step)
        self.detail = detail.map { $0 * share }
        self.isSeen = Raster(
            width: colors.width, height: colors.height,
            elements: (0..<colors.height).flatMap { y in
                (0..<colors.width).map { x in
                    isSeen((SIMD2(Double(x), Double(y)) + 0.5) * Double(step) - 0.5)
                }
            })
    }
}

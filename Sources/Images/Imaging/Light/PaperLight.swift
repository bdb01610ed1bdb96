import Parallelism
import RobustStatistics

/// The brightness that bare paper has, or would have, at each place of an image: the light that falls there, including
/// shadows.
///
/// A photograph's values are light times reflectance, both raised to the same power by gamma encoding, so paper under less
/// light is darker by one factor in all three channels.
///
/// 1. Takes the upper quartile of brightness in each cell of a coarse grid: paper, if there is any between the letters.
/// 2. Marks cells as unknown if they are darker than shade can make paper (a solid logo, the table).
/// 3. Applies a morphological closing: dark areas narrower than a fifth of the image are print (a bar of light letters on
///    dark, a bold line); a shadow is wider, or reaches the image's edge.
/// 4. Fills unknown cells with the light of their neighbours, and smooths the grid.
///
/// Known failures: narrower shadows stay; wider panels that are not black are taken for shadow.
struct PaperLight {
    /// Brightness of paper, 1 to 255.
    let grid: CellGrid

    /// Cells along the image's shorter side: on a receipt of 80 mm each is smaller than a letter.
    private static let cellsAlongShorterSide = 64
    /// Reach of the square that closes print, in cells each way: a fifth of the image's shorter side.
    private static let closingRadius = 6
    /// Smallest brightness of shaded paper relative to the best lit. A tenth of the light gives 0.1^(1/2.2) = 0.35; black
    /// print reflects less.
    private static let deepestShade: Float = 0.35

    /// The share of a cell's pixels that are darker than its paper: the upper quartile is paper if letters fill up to three
    /// quarters of a cell.
    private static let paperQuantile = 0.75

    /// Side of a cell in pixels of the image.
    static func cellSide(of size: PixelSize) -> Int {
        max(min(size.width, size.height) / cellsAlongShorterSide, 8)
    }

    /// O(pixels).
    /// - Parameter brightness: returns a pixel's brightness, 0 to 255.
    init<Pixel>(
        of picture: Raster<Pixel>, threading: Threading, brightness: @Sendable (Pixel) -> UInt8
    ) {
        let side = Self.cellSide(of: picture.size)
        var grid = CellGrid(
            of: picture, cell: side, quantile: Self.paperQuantile, threading: threading,
            brightness: brightness)
        let cells = grid.values.elements
        // The best lit paper: a highlight rarely covers a twentieth of a sheet.
        let brightest = cells.isEmpty ? 255 : max(cells.ranked((cells.count - 1) * 19 / 20), 1)
        let least = max(Self.deepestShade * brightest, 1)
        grid.values = grid.values.map { $0 >= least ? $0 : 0 }
        grid = grid.filtered(radius: Self.closingRadius, max).filtered(radius: Self.closingRadius, min)
        grid.values = Self.filled(grid.values)
        self.grid = grid.smoothed()
    }

    /// The cells, with unknown ones (0) filled from the known ones, ring by ring.
    private static func filled(_ cells: Raster<Float>) -> Raster<Float> {
        var cells = cells
        while cells.elements.contains(0) {
            let before = cells
            for y in 0..<cells.height {
                for x in 0..<cells.width where before[x: x, y: y] == 0 {
                    var (sum, count): (Float, Float) = (0, 0)
                    for j in max(y - 1, 0)...min(y + 1, cells.height - 1) {
                        for i in max(x - 1, 0)...min(x + 1, cells.width - 1) where before[x: i, y: j] > 0 {
                            sum += before[x: i, y: j]
                            count += 1
                        }
                    }
                    if count > 0 { cells[x: x, y: y] = sum / count }
                }
            }
            // A black image has no paper: nothing is brightened.
            guard cells != before else { return cells.map { _ in 255 } }
        }
        return cells
    }
}

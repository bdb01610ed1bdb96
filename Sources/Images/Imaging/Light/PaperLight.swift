import Parallelism
import RobustStatistics

/// How bright bare paper is, or would be, at each place of a picture: the light that falls there, shadows and all.
///
/// The photograph's values are light times reflectance, both raised to the same power by gamma encoding, so paper under
/// less light is darker by one factor in all three channels.
///
/// 1. In each cell of a coarse grid the upper quartile of brightness: paper, where there is any between the letters.
/// 2. What is darker than shade makes paper is no paper (a solid logo, the table): unknown.
/// 3. A morphological closing: what is dark and narrower than a fifth of the picture is print (a bar of light letters on
///    dark, a bold line); a shadow is wider, or runs off the picture.
/// 4. Unknown cells take the light of their neighbours, and the grid is smoothed.
///
/// Not seen: shadows narrower than that, which stay; panels wider than that and not black, which are taken for shadow.
struct PaperLight {
    /// Brightness of paper, 1 to 255.
    let grid: CellGrid

    /// Cells along the picture's shorter side: on a receipt of 80 mm each is smaller than a letter.
    private static let cellsAlongShorterSide = 64
    /// The square that closes print reaches this many cells each way: a fifth of the picture's shorter side.
    private static let closingRadius = 6
    /// The least brightness of shaded paper relative to the best lit. A tenth of the light gives 0.1^(1/2.2) = 0.35;
    /// black print reflects less than that.
    private static let deepestShade: Float = 0.35

    /// The share of a cell's pixels that are darker than its paper: the upper quartile is paper where letters fill up to three
    /// quarters of a cell.
    private static let paperQuantile = 0.75

    /// Side of a cell in pixels of a picture.
    static func cellSide(of size: PixelSize) -> Int {
        max(min(size.width, size.height) / cellsAlongShorterSide, 8)
    }

    /// O(pixels).
    /// - Parameter brightness: of a pixel, 0 to 255.
    init<Pixel>(
        of picture: Raster<Pixel>, threading: Threading, brightness: @Sendable (Pixel) -> UInt8
    ) {
        let side = Self.cellSide(of: picture.size)
        var grid = CellGrid(
            of: picture, cell: side, quantile: Self.paperQuantile, threading: threading,
            brightness: brightness)
        let cells = grid.values.elements
        // The best lit paper: hardly a highlight covers a twentieth of a sheet.
        let brightest = cells.isEmpty ? 255 : max(cells.ranked((cells.count - 1) * 19 / 20), 1)
        let least = max(Self.deepestShade * brightest, 1)
        grid.values = grid.values.map { $0 >= least ? $0 : 0 }
        grid = grid.filtered(radius: Self.closingRadius, max).filtered(radius: Self.closingRadius, min)
        grid.values = Self.filled(grid.values)
        self.grid = grid.smoothed()
    }

    /// The cells with the unknown ones (0) grown in from the known, ring by ring.
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
            // A black picture has no paper: nothing is made brighter.
            guard cells != before else { return cells.map { _ in 255 } }
        }
        return cells
    }
}

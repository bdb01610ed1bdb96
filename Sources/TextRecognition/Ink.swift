import Imaging

/// Where a page is printed: each pixel's difference from the paper around it, whatever the light and whichever of the
/// two is darker.
///
/// The paper's brightness is the median of a coarse cell, smoothed over the cells and interpolated between them, so
/// shading and stains of more than a few letters' size do not count as ink (local thresholding as in Sauvola & Pietikäinen
/// 2000, with a median in place of mean and deviation, which are already spoilt by the print).
struct Ink {
    /// 1 for print, 0 for paper; the page's size.
    let mask: Raster<UInt8>
    /// The least difference from the paper that counts as print, in grey levels.
    let threshold: Int

    /// Share of the page that is printed, 0 to 1.
    var share: Double {
        var count = 0
        for pixel in mask.elements { count += Int(pixel) }
        return mask.elements.isEmpty ? 0 : Double(count) / Double(mask.elements.count)
    }

    /// The print of a page.
    /// - Parameter cell: side of the cells in pixels; some letters wide.
    init(of page: GrayImage, cell: Int = 48) {
        let paper = Self.paper(of: page, cell: cell)
        // Print differs from its paper by much more than the paper's own grain does: Otsu's threshold on the differences,
        // which splits them in two groups, but never below what grain and JPEG blocks make.
        var histogram = [Int](repeating: 0, count: 256)
        page.elements.withUnsafeBufferPointer { pixels in
            for y in 0..<page.height {
                paper.forEachInRow(y) { x, level in
                    histogram[abs(Int(pixels[y * page.width + x]) - level)] += 1
                }
            }
        }
        let threshold = max(Self.otsu(histogram), 20)
        self.threshold = threshold
        mask = Raster(width: page.width, height: page.height) { out in
            page.elements.withUnsafeBufferPointer { pixels in
                for y in 0..<page.height {
                    let row = y * page.width
                    paper.forEachInRow(y) { x, level in
                        let difference = abs(Int(pixels[row + x]) - level)
                        out.initializeElement(at: row + x, to: difference > threshold ? 1 : 0)
                    }
                }
            }
        }
    }

    /// Otsu's threshold of a histogram (IEEE Trans. SMC 9(1), 1979).
    static func otsu(_ histogram: [Int]) -> Int {
        let total = Double(histogram.reduce(0, +))
        let sum = histogram.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.element) }
        var (best, bestValue) = (0, -1.0)
        var (below, sumBelow) = (0.0, 0.0)
        for (value, count) in histogram.enumerated() {
            below += Double(count)
            sumBelow += Double(value * count)
            guard below > 0, below < total else { continue }
            let distance = sumBelow / below - (sum - sumBelow) / (total - below)
            let between = below * (total - below) * distance * distance
            if between > bestValue { (best, bestValue) = (value, between) }
        }
        return best
    }

    /// The paper's brightness on a coarse grid.
    struct Paper {
        var levels: Raster<Float>
        var cell: Int
        var width: Int

        /// Calls `body` with each column of a row and the paper's brightness there.
        func forEachInRow(_ y: Int, _ body: (_ x: Int, _ level: Int) -> Void) {
            let scale = 1 / Float(cell)
            let v = min(max((Float(y) + 0.5) * scale - 0.5, 0), Float(levels.height - 1))
            let j = Int(v)
            let below = min(j + 1, levels.height - 1)
            let t = v - Float(j)
            levels.elements.withUnsafeBufferPointer { grid in
                func column(_ i: Int) -> Float {
                    let top = grid[j * levels.width + i]
                    return top + (grid[below * levels.width + i] - top) * t
                }
                for x in 0..<width {
                    let u = min(max((Float(x) + 0.5) * scale - 0.5, 0), Float(levels.width - 1))
                    let i = Int(u)
                    let left = column(i)
                    let level = left + (column(min(i + 1, levels.width - 1)) - left) * (u - Float(i))
                    body(x, Int(level + 0.5))
                }
            }
        }
    }

    private static func paper(of page: GrayImage, cell: Int) -> Paper {
        let columns = max((page.width + cell - 1) / cell, 1)
        let rows = max((page.height + cell - 1) / cell, 1)
        let medians: [Float] = page.elements.withUnsafeBufferPointer { pixels in
            (0..<rows * columns).map { index in
                let (j, i) = index.quotientAndRemainder(dividingBy: columns)
                var histogram = [Int](repeating: 0, count: 256)
                var count = 0
                for y in j * cell..<min((j + 1) * cell, page.height) {
                    for x in i * cell..<min((i + 1) * cell, page.width) {
                        histogram[Int(pixels[y * page.width + x])] += 1
                        count += 1
                    }
                }
                var seen = 0
                for (value, amount) in histogram.enumerated() {
                    seen += amount
                    if 2 * seen >= count { return Float(value) }
                }
                return 255
            }
        }
        // A cell that a picture or a bold title fills takes the brightness of its neighbours.
        var levels = Raster(width: columns, height: rows, elements: medians)
        for j in 0..<rows {
            for i in 0..<columns {
                var around: [Float] = []
                for y in max(j - 1, 0)...min(j + 1, rows - 1) {
                    for x in max(i - 1, 0)...min(i + 1, columns - 1) {
                        around.append(medians[y * columns + x])
                    }
                }
                around.sort()
                levels[x: i, y: j] = around[around.count / 2]
            }
        }
        return Paper(levels: levels, cell: cell, width: page.width)
    }
}

import Imaging

/// What is printed on a page: each pixel's difference from the paper around it, whatever the light and whichever of the
/// two is darker.
///
/// The paper's brightness is the median of a coarse cell, smoothed over the cells and interpolated between them, so
/// shading and stains of more than a few letters' size do not count as ink (local thresholding as in Sauvola & Pietikäinen
/// 2000, with a median in place of mean and deviation, which the print itself would spoil).
struct Ink {
    /// Brightness minus the paper's, -255 to 255: negative for dark print, positive for light print on dark paper.
    private(set) var relief: Raster<Int16>
    /// The least difference from the paper that counts as print, in grey levels.
    let threshold: Int

    /// Share of the page that is printed, 0 to 1.
    var share: Double {
        var count = 0
        for value in relief.elements where abs(Int(value)) > threshold { count += 1 }
        return relief.elements.isEmpty ? 0 : Double(count) / Double(relief.elements.count)
    }

    /// The print of a page.
    /// - Parameter cell: side of the cells in pixels; some letters wide.
    init(of page: GrayImage, cell: Int = 48) {
        let paper = Paper(of: page, cell: max(cell, 8))
        relief = Raster(width: page.width, height: page.height) { out in
            page.elements.withUnsafeBufferPointer { pixels in
                for y in 0..<page.height {
                    let row = y * page.width
                    paper.forEachInRow(y) { x, level in
                        out.initializeElement(at: row + x, to: Int16(Int(pixels[row + x]) - level))
                    }
                }
            }
        }
        var histogram = [Int](repeating: 0, count: 256)
        for value in relief.elements { histogram[min(abs(Int(value)), 255)] += 1 }
        // Otsu's threshold splits paper from print, but never below what grain and JPEG blocks make. Print that is pale
        // beside other print still counts: a third of the way is enough for its outline.
        threshold = max(Self.otsu(histogram), Self.leastContrast)
    }

    /// The same page with the print on coloured panels: inside each panel brightness is held against the panel's own.
    ///
    /// A panel, such as a dark bar behind a table's headings, is itself print to the paper around it, and hides what is
    /// printed on it.
    func enteringPanels(among marks: [PrintedMark], on page: GrayImage, letterHeight: Double) -> Ink {
        let panels = marks.filter {
            Double($0.height) > 1.3 * letterHeight && Double($0.width) > 3 * letterHeight
                && 10 * $0.area > 6 * $0.width * $0.height
        }
        guard !panels.isEmpty else { return self }
        var entered = self
        for panel in panels {
            var histogram = [Int](repeating: 0, count: 256)
            for y in panel.top..<panel.bottom {
                for x in panel.left..<panel.right { histogram[Int(page[x: x, y: y])] += 1 }
            }
            let half = panel.width * panel.height / 2
            var seen = 0
            let level = histogram.firstIndex {
                seen += $0
                return seen > half
            }
            guard let level else { continue }
            for y in panel.top..<panel.bottom {
                for x in panel.left..<panel.right {
                    let row = y * page.width
                    entered.relief.elements[row + x] = Int16(Int(page.elements[row + x]) - level)
                }
            }
        }
        return entered
    }

    /// Grey levels that paper's grain, sensor noise and JPEG blocks reach.
    static let leastContrast = 18

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
    private struct Paper {
        let levels: Raster<Float>
        let cell: Int
        let width: Int

        init(of page: GrayImage, cell: Int) {
            let columns = max((page.width + cell - 1) / cell, 1)
            let rows = max((page.height + cell - 1) / cell, 1)
            let medians: [Float] = page.elements.withUnsafeBufferPointer { pixels in
                var histogram = [Int](repeating: 0, count: 256)
                return (0..<rows * columns).map { index in
                    let (j, i) = index.quotientAndRemainder(dividingBy: columns)
                    for value in 0..<256 { histogram[value] = 0 }
                    var count = 0
                    for y in j * cell..<min((j + 1) * cell, page.height) {
                        for x in i * cell..<min((i + 1) * cell, page.width) {
                            histogram[Int(pixels[y * page.width + x])] += 1
                            count += 1
                        }
                    }
                    var seen = 0
                    for value in 0..<256 {
                        seen += histogram[value]
                        if 2 * seen >= count { return Float(value) }
                    }
                    return 255
                }
            }
            // A cell that a logo or a bold title fills takes the brightness of its neighbours.
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
            self.levels = levels
            self.cell = cell
            width = page.width
        }

        /// Calls `body` with each column of a row and the paper's brightness there.
        func forEachInRow(_ y: Int, _ body: (_ x: Int, _ level: Int) -> Void) {
            let scale = 1 / Float(cell)
            let v = min(max((Float(y) + 0.5) * scale - 0.5, 0), Float(levels.height - 1))
            let j = Int(v)
            let below = min(j + 1, levels.height - 1)
            let t = v - Float(j)
            let row = (0..<levels.width).map { i in
                let top = levels[x: i, y: j]
                return top + (levels[x: i, y: below] - top) * t
            }
            for x in 0..<width {
                let u = min(max((Float(x) + 0.5) * scale - 0.5, 0), Float(levels.width - 1))
                let i = Int(u)
                let level = row[i] + (row[min(i + 1, levels.width - 1)] - row[i]) * (u - Float(i))
                body(x, Int(level + 0.5))
            }
        }
    }
}

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
        relief = Strength(of: relief, cell: max(cell, 8)).evened(relief)
        var histogram = [Int](repeating: 0, count: 256)
        for value in relief.elements { histogram[min(abs(Int(value)), 255)] += 1 }
        // Otsu's threshold splits paper from print, but never below what grain and JPEG blocks make.
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

    /// How strong the print is on a coarse grid, so that pale print counts beside dark: orange letters between black bars,
    /// or print in a shadow.
    private struct Strength {
        private let grid: CoarseGrid
        /// Pale print is raised by this at most: more would make print of creases and stains.
        private static let greatestGain: Float = 2
        /// Fewer inked pixels than a small letter has say nothing of a cell.
        private static let leastInk = 20

        /// From the mean depth of all that is darker or lighter than the paper, cell by cell with its neighbours.
        init(of relief: Raster<Int16>, cell: Int) {
            let columns = max((relief.width + cell - 1) / cell, 1)
            let rows = max((relief.height + cell - 1) / cell, 1)
            var sums = [Int](repeating: 0, count: columns * rows)
            var counts = sums
            for y in 0..<relief.height {
                let row = y / cell * columns
                for x in 0..<relief.width {
                    let depth = abs(Int(relief.elements[y * relief.width + x]))
                    guard depth > Ink.leastContrast else { continue }
                    sums[row + x / cell] += depth
                    counts[row + x / cell] += 1
                }
            }
            let usual = Float(sums.reduce(0, +)) / Float(max(counts.reduce(0, +), 1))
            let gains = (0..<rows * columns).map { index in
                let (j, i) = index.quotientAndRemainder(dividingBy: columns)
                var (sum, count) = (0, 0)
                for y in max(j - 1, 0)...min(j + 1, rows - 1) {
                    for x in max(i - 1, 0)...min(i + 1, columns - 1) {
                        sum += sums[y * columns + x]
                        count += counts[y * columns + x]
                    }
                }
                guard count >= Self.leastInk else { return Float(1) }
                return min(max(usual * Float(count) / Float(sum), 1), Self.greatestGain)
            }
            grid = CoarseGrid(
                values: Raster(width: columns, height: rows, elements: gains), cell: cell, width: relief.width
            )
        }

        func evened(_ relief: Raster<Int16>) -> Raster<Int16> {
            Raster(width: relief.width, height: relief.height) { out in
                for y in 0..<relief.height {
                    let row = y * relief.width
                    grid.forEachInRow(y) { x, gain in
                        let value = (Float(relief.elements[row + x]) * gain).rounded()
                        out.initializeElement(at: row + x, to: Int16(min(max(value, -255), 255)))
                    }
                }
            }
        }
    }

    /// Values on a coarse grid, interpolated bilinearly between the cells' middles.
    private struct CoarseGrid {
        let values: Raster<Float>
        let cell: Int
        let width: Int

        /// Calls `body` with each column of a row and the value there.
        func forEachInRow(_ y: Int, _ body: (_ x: Int, _ value: Float) -> Void) {
            let scale = 1 / Float(cell)
            let v = min(max((Float(y) + 0.5) * scale - 0.5, 0), Float(values.height - 1))
            let j = Int(v)
            let below = min(j + 1, values.height - 1)
            let t = v - Float(j)
            let row = (0..<values.width).map { i in
                let top = values[x: i, y: j]
                return top + (values[x: i, y: below] - top) * t
            }
            for x in 0..<width {
                let u = min(max((Float(x) + 0.5) * scale - 0.5, 0), Float(values.width - 1))
                let i = Int(u)
                body(x, row[i] + (row[min(i + 1, values.width - 1)] - row[i]) * (u - Float(i)))
            }
        }
    }

    /// The paper's brightness on a coarse grid.
    private struct Paper {
        private let grid: CoarseGrid

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
            grid = CoarseGrid(values: levels, cell: cell, width: page.width)
        }

        /// Calls `body` with each column of a row and the paper's brightness there.
        func forEachInRow(_ y: Int, _ body: (_ x: Int, _ level: Int) -> Void) {
            grid.forEachInRow(y) { body($0, Int($1 + 0.5)) }
        }
    }
}

import Parallelism
package import Imaging
import RobustStatistics

/// The print of a page: each pixel's difference from the paper around it, whatever the light and whichever of the two
/// is darker.
///
/// The paper's brightness is the median of a coarse cell, smoothed over the cells and interpolated between them, so
/// shading and stains larger than a few letters do not count as ink (local thresholding as in Sauvola & Pietikäinen
/// 2000, but with a median instead of mean and deviation, which the print itself would spoil).
package struct Ink: Sendable {
    /// Brightness minus the paper's, -255 to 255: negative for dark print, positive for light print on dark paper.
    package private(set) var relief: Raster<Int16>
    /// The least difference from the paper that counts as print, in grey levels.
    package let threshold: Int

    private typealias Tuning = PrintTuning.Relief

    /// Share of the page that is printed, 0 to 1.
    package var share: Double {
        var count = 0
        for value in relief.elements where abs(Int(value)) > threshold { count += 1 }
        return relief.elements.isEmpty ? 0 : Double(count) / Double(relief.elements.count)
    }

    /// Finds the print of a page. O(pixels), on all cores.
    package init(of page: GrayImage) {
        let cell = Tuning.cell
        let paper = Self.paper(of: page, cell: cell)
        var relief = Raster<Int16>(width: page.width, height: page.height) { relief in
            Self.forEachRow(of: page.size, along: paper, in: relief) { y, levels, line in
                page.elements.withUnsafeBufferPointer { pixels in
                    for x in 0..<page.width {
                        line[x] = Int16(pixels[y * page.width + x]) &- Self.nearest(levels[x])
                    }
                }
            }
        }
        let gains = Self.gains(for: relief, cell: cell)
        relief.elements.withUnsafeMutableBufferPointer { relief in
            Self.forEachRow(of: page.size, along: gains, in: relief) { _, gains, line in
                for x in 0..<page.width {
                    line[x] = Self.nearest(min(max(Float(line[x]) * gains[x], -255), 255))
                }
            }
        }
        self.relief = relief
        let histogram = Self.histogram(of: relief)
        // Otsu's threshold separates paper from print, but must not fall below what grain and JPEG blocks reach. Black
        // rims and holes raise it until the strokes of grey letters fall apart, so the depth of the strokes limits it.
        let bound = Self.strokeDepth(of: relief, cell: cell).map { Int(Tuning.shareOfStroke * $0) } ?? 255
        threshold = max(min(Self.otsu(histogram), bound), Self.leastContrast)
    }

    /// Returns the ink with the print on coloured panels: inside each panel, brightness is compared with the panel's
    /// own.
    ///
    /// A panel, such as a dark bar behind a table's headings, counts as print on the paper around it, and so hides what
    /// is printed on it.
    package func enteringPanels(among marks: [PrintedMark], on page: GrayImage, letterHeight: Double) -> Ink {
        let panels = marks.filter {
            Double($0.height) > Tuning.panelHeight * letterHeight
                && Double($0.width) > Tuning.panelWidth * letterHeight
                && 10 * $0.area > Tuning.panelTenths * $0.width * $0.height
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

    /// Replaces the differences from the paper in a part of the page, row by row from a place on.
    package mutating func replace(_ part: Raster<Int16>, atColumn left: Int, row top: Int) {
        for y in 0..<part.height {
            let from = (top + y) * relief.width + left
            relief.elements.replaceSubrange(
                from..<from + part.width, with: part.elements[y * part.width..<(y + 1) * part.width])
        }
    }

    /// Grey levels that paper's grain, sensor noise and JPEG blocks reach.
    package static let leastContrast = 18

    /// Otsu's threshold of a histogram (IEEE Trans. SMC 9(1), 1979).
    package static func otsu(_ histogram: [Int]) -> Int {
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

    /// Counts the pixels for each difference from the paper in grey levels; the last entry counts those of 255 or more.
    private static func histogram(of relief: Raster<Int16>) -> [Int] {
        let stripes = stride(from: 0, to: relief.height, by: rowsOfStripe).map { $0 }
        let parts = concurrentMap(stripes) { first in
            var histogram = [Int](repeating: 0, count: 256)
            let end = min(first + rowsOfStripe, relief.height) * relief.width
            for value in relief.elements[first * relief.width..<end] {
                histogram[min(abs(Int(value)), 255)] += 1
            }
            return histogram
        }
        return parts.reduce(into: [Int](repeating: 0, count: 256)) { sum, part in
            for level in 0..<256 { sum[level] += part[level] }
        }
    }

    /// Rows that a thread counts in one piece: some 0.1 ms of work.
    private static let rowsOfStripe = 128

    /// Returns how far the strokes of the page's letters are below or above the paper, in grey levels: the median over
    /// all cells of the greatest depth in each, weighted by the print in the cell; nil for a page without print.
    private static func strokeDepth(of relief: Raster<Int16>, cell: Int) -> Float? {
        let (columns, rows) = (
            CellGrid.count(covering: relief.width, cell: cell),
            CellGrid.count(covering: relief.height, cell: cell)
        )
        let cells = gathered(columns: columns, rows: rows, of: relief, cell: cell) { sum, pixels in
            var (deepest, count) = (UInt16(0), Int32(0))
            for value in pixels {
                let depth = value.magnitude
                deepest = max(deepest, depth)
                count &+= depth > UInt16(Ink.leastContrast) ? 1 : 0
            }
            sum = (max(sum.0, Int32(deepest)), sum.1 + count)
        }
        // Letters cover a fifth of their cells; the edge of a rim or a picture must not count for more than they do.
        let most = Int32(cell * cell / Tuning.shareOfLetters)
        var histogram = [Int](repeating: 0, count: 256)
        for (depth, count) in cells where count >= Tuning.leastInk {
            histogram[min(Int(depth), 255)] += Int(min(count, most))
        }
        let half = histogram.reduce(0, +) / 2
        guard half > 0 else { return nil }
        var seen = 0
        return histogram.firstIndex {
            seen += $0
            return seen > half
        }.map(Float.init)
    }

    /// Returns the paper's brightness: the median of each cell, or of its neighbours where a logo or a bold title fills
    /// the cell.
    private static func paper(of page: GrayImage, cell: Int) -> CellGrid {
        let (columns, rows) = (
            CellGrid.count(covering: page.width, cell: cell),
            CellGrid.count(covering: page.height, cell: cell)
        )
        let medians = Raster<Float>(width: columns, height: rows) { medians in
            let medians = DisjointRows(medians, rowLength: columns)
            forEachBand(of: 0..<rows, threading: .allCores, minimumRows: 1) { band in
                page.elements.withUnsafeBufferPointer { pixels in
                    for j in band {
                        for i in 0..<columns {
                            medians[j].initializeElement(
                                at: i,
                                to: Self.median(
                                    of: pixels, width: page.width,
                                    rows: j * cell..<min((j + 1) * cell, page.height),
                                    columns: i * cell..<min((i + 1) * cell, page.width)))
                        }
                    }
                }
            }
        }
        var levels = medians
        for j in 0..<rows {
            for i in 0..<columns {
                var around: [Float] = []
                for y in max(j - 1, 0)...min(j + 1, rows - 1) {
                    for x in max(i - 1, 0)...min(i + 1, columns - 1) { around.append(medians[x: x, y: y]) }
                }
                levels[x: i, y: j] = around.upperMedian()
            }
        }
        return CellGrid(values: levels, cell: cell)
    }

    private static func median(
        of pixels: UnsafeBufferPointer<UInt8>, width: Int, rows: Range<Int>, columns: Range<Int>
    ) -> Float {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 256) { histogram in
            histogram.initialize(repeating: 0)
            for y in rows {
                for x in columns { histogram[Int(pixels[y * width + x])] &+= 1 }
            }
            var seen = 0
            for value in 0..<256 {
                seen += Int(histogram[value])
                if 2 * seen >= rows.count * columns.count { return Float(value) }
            }
            return 255
        }
    }

    /// Returns by how much each cell's print is raised, so that pale print counts beside dark print: orange letters
    /// between black bars, or print in a shadow. It follows from the mean depth of all that is darker or lighter than
    /// the paper, over each cell and its neighbours.
    private static func gains(for relief: Raster<Int16>, cell: Int) -> CellGrid {
        let (columns, rows) = (
            CellGrid.count(covering: relief.width, cell: cell),
            CellGrid.count(covering: relief.height, cell: cell)
        )
        let cells = gathered(columns: columns, rows: rows, of: relief, cell: cell) { total, pixels in
            var (sum, count) = (Int32(0), Int32(0))
            for value in pixels {
                let depth = Int32(value.magnitude)
                let isInk = depth > Int32(Ink.leastContrast)
                sum &+= isInk ? depth : 0
                count &+= isInk ? 1 : 0
            }
            total = (total.0 + sum, total.1 + count)
        }
        let (sums, counts) = (cells.map(\.0), cells.map(\.1))
        let usual = Float(sums.reduce(0, +)) / Float(max(counts.reduce(0, +), 1))
        let gains = (0..<rows * columns).map { index in
            let (j, i) = index.quotientAndRemainder(dividingBy: columns)
            var (sum, count) = (Int32(0), Int32(0))
            for y in max(j - 1, 0)...min(j + 1, rows - 1) {
                for x in max(i - 1, 0)...min(i + 1, columns - 1) {
                    sum += sums[y * columns + x]
                    count += counts[y * columns + x]
                }
            }
            guard count >= Tuning.leastInk else { return Float(1) }
            return min(max(usual * Float(count) / Float(sum), 1), Tuning.greatestGain)
        }
        return CellGrid(values: Raster(width: columns, height: rows, elements: gains), cell: cell)
    }

    /// Gathers two numbers for each cell of a relief, from 0 on: `add` receives them with each row of the cell's
    /// pixels. On all cores.
    @inline(__always)
    private static func gathered(
        columns: Int, rows: Int, of relief: Raster<Int16>, cell: Int,
        _ add: @Sendable (inout (Int32, Int32), UnsafeBufferPointer<Int16>) -> Void
    ) -> [(Int32, Int32)] {
        let (width, height) = (relief.width, relief.height)
        return [(Int32, Int32)](unsafeUninitializedCapacity: columns * rows) { memory, initialized in
            memory.initialize(repeating: (0, 0))
            let cells = DisjointRows(memory, rowLength: columns)
            forEachBand(of: 0..<rows, threading: .allCores, minimumRows: 2) { band in
                relief.elements.withUnsafeBufferPointer { pixels in
                    for j in band {
                        let line = cells[j]
                        for y in j * cell..<min((j + 1) * cell, height) {
                            for i in 0..<columns {
                                let row = y * width + i * cell..<y * width + min((i + 1) * cell, width)
                                add(&line[i], UnsafeBufferPointer(rebasing: pixels[row]))
                            }
                        }
                    }
                }
            }
            initialized = columns * rows
        }
    }

    /// Calls `body` with each row of an image: its number, the grid's values along it, and its pixels.
    private static func forEachRow(
        of size: PixelSize, along grid: CellGrid, in pixels: UnsafeMutableBufferPointer<Int16>,
        _ body: @Sendable (Int, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Int16>) -> Void
    ) {
        let pixels = DisjointRows(pixels, rowLength: size.width)
        forEachBand(of: 0..<size.height, threading: .allCores, minimumRows: 64) { band in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: size.width) { row in
                guard let values = row.baseAddress else { return }
                for y in band {
                    grid.writeRow(y, into: row)
                    if let line = pixels[y].baseAddress { body(y, values, line) }
                }
            }
        }
    }

    /// Returns the whole number nearest to a value between -2^15 and 2^15, by the bits of a float. A conversion checks
    /// its range, and the compiler does not vectorise a loop with such a check.
    @inline(__always)
    private static func nearest(_ value: Float) -> Int16 {
        Int16(truncatingIfNeeded: Int32(bitPattern: (value + 12_582_912).bitPattern))
    }
}

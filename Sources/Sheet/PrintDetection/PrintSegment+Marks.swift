package import Imaging

extension PrintSegment {
    private typealias Tuning = PrintTuning.Segments

    /// Returns the marks of the segment's print, and the depth of that print: its difference from the ground in grey
    /// levels. Print is what differs from the ground by a share of the segment's strongest print.
    ///
    /// Where most of a segment is not paper by the page's ink, its letters may be wider than what the ink takes for
    /// paper, as in a logo. There the ink is changed to the difference from the brightness above and below the segment.
    /// - Parameter page: the image that the ink was made from.
    package func print(in ink: inout Ink, of page: GrayImage) -> (marks: [PrintedMark], depth: Int) {
        guard let band = Band(of: self, in: page.size) else { return ([], 0) }
        var part = band.part { x, y, _ in ink.relief[x: x, y: y] }
        if isHeavy(in: ink, of: page) {
            let paper = Int16(surroundings(on: page))
            part = band.part { x, y, _ in Int16(page[x: x, y: y]) - paper }
            ink.replace(part, atColumn: band.columns.lowerBound, row: band.rows.lowerBound)
        }
        return marks(in: part, of: band)
    }

    /// Returns the marks in a part of the ink, and their depth.
    private func marks(in part: Raster<Int16>, of band: Band) -> (marks: [PrintedMark], depth: Int) {
        let levels = Levels(band.values(of: part))
        let depth = max(-levels.level(atLeast: Tuning.deepest), levels.level(atLeast: 1 - Tuning.deepest))
        let threshold = max(Int(Tuning.shareOfDepth * Double(depth)), Tuning.leastContrast)
        let marks = PrintedMark.marks(in: part, threshold: threshold).compactMap { mark -> PrintedMark? in
            var mark = mark
            mark.left += band.columns.lowerBound
            mark.right += band.columns.lowerBound
            mark.top += band.rows.lowerBound
            mark.bottom += band.rows.lowerBound
            let offset = mark.centerY - middle(at: mark.centerX)
            return abs(offset) < Tuning.band * height / 2 ? mark : nil
        }
        return (marks, depth)
    }

    /// Whether most of the segment is not paper, by the page's ink or by the brightness around it: print on a panel, or
    /// a logo whose strokes are so wide that the ink may take them for paper.
    /// - Parameter page: the image that the ink was made from.
    package func isHeavy(in ink: Ink, of page: GrayImage) -> Bool {
        guard let band = Band(of: self, in: page.size) else { return false }
        var (relief, brightness) = (Levels(), Levels())
        band.forEach { x, y, _ in
            relief.add(min(max(ink.relief[x: x, y: y], -255), 255))
            brightness.add(Int16(page[x: x, y: y]))
        }
        return abs(relief.median) > Ink.leastContrast
            || (height >= Double(PrintTuning.Relief.cell)
                && abs(brightness.median - surroundings(on: page)) > Ink.leastContrast)
    }

    /// Returns the usual brightness above and below the segment.
    private func surroundings(on page: GrayImage) -> Int {
        var wider = self
        wider.height *= 1 + 2 * Tuning.surroundings
        let edge = max(Int(Tuning.surroundings * height), 1)
        var around = Levels()
        if let band = Band(of: wider, in: page.size) {
            band.forEach { x, y, line in
                if line < edge || line >= band.lineCount - edge { around.add(Int16(page[x: x, y: y])) }
            }
        }
        return around.median
    }

    /// Returns the segment without the print beside a part of it that is much paler: it shows through from the sheet's
    /// other side.
    func cut(to part: PrintSegment, on page: GrayImage) -> PrintSegment {
        guard let band = Band(of: self, in: page.size) else { return self }
        let paper = surroundings(on: page)
        /// Returns how far the print between two columns is from the ground.
        func depth(_ left: Double, _ right: Double) -> Double {
            var piece = self
            (piece.left, piece.right) = (left, right)
            guard left < right, let band = Band(of: piece, in: page.size) else { return .infinity }
            return Double(Self.depth(of: page, in: band, from: paper))
        }
        let (from, to) = (max(left, part.left), min(right, part.right))
        let least = Tuning.shareOfPale * depth(from, to)
        var kept = self
        if depth(left, from) < least { kept.left = from }
        if depth(to, right) < least { kept.right = to }
        return kept
    }

    /// Returns how far a band's strongest print is from a brightness.
    private static func depth(of page: GrayImage, in band: Band, from paper: Int) -> Int {
        var distances = Levels()
        band.forEach { x, y, _ in distances.add(abs(Int16(page[x: x, y: y]) - Int16(paper))) }
        return distances.level(atLeast: 1 - Tuning.deepest)
    }

    /// Changes the ink to what is printed on the segment if it is a panel hardly higher than its letters. Inside the
    /// panel, whatever differs from its usual brightness becomes dark, like the print beside the panel; around it, the
    /// ink becomes empty.
    /// - Parameter page: the image that the ink was made from.
    /// - Returns: the marks of that print; nil if there is no panel.
    package func enterPanel(in ink: inout Ink, of page: GrayImage) -> [PrintedMark]? {
        guard let band = Band(of: self, in: page.size) else { return nil }
        let paper = surroundings(on: page)
        let depth = Self.depth(of: page, in: band, from: paper)
        let least = max(Int(Tuning.shareOfDepth * Double(depth)), Tuning.leastContrast)
        /// How many pixels of each column, and of each line, are off the paper: on a panel more than half.
        var columns = [Int](repeating: 0, count: band.columns.count)
        var lines = [Int](repeating: 0, count: band.lineCount)
        var levels = Levels()
        band.forEach { x, y, line in
            guard abs(Int(page[x: x, y: y]) - paper) > least else { return }
            columns[x - band.columns.lowerBound] += 1
            lines[line] += 1
            levels.add(Int16(page[x: x, y: y]))
        }
        guard let left = columns.firstIndex(where: { 2 * $0 > lines.count }),
            let right = columns.lastIndex(where: { 2 * $0 > lines.count }),
            let top = lines.firstIndex(where: { 2 * $0 > columns.count }),
            let bottom = lines.lastIndex(where: { 2 * $0 > columns.count })
        else { return nil }
        // The panel's edges are neither panel nor paper.
        let rim = Tuning.rimOfPanel
        let level = Int16(levels.median)
        let part = band.part { x, y, line in
            let column = x - band.columns.lowerBound
            guard column >= left + rim, column <= right - rim, line >= top + rim, line <= bottom - rim else {
                return 0
            }
            return -abs(Int16(page[x: x, y: y]) - level)
        }
        ink.replace(part, atColumn: band.columns.lowerBound, row: band.rows.lowerBound)
        return marks(in: part, of: band).marks
    }

    /// The pixels of a segment: in each column those around the segment's middle.
    private struct Band {
        let columns: Range<Int>
        let rows: Range<Int>
        /// Number of lines along the segment, which is its height.
        let lineCount: Int
        private let segment: PrintSegment

        /// nil if no part of the segment is on the page.
        init?(of segment: PrintSegment, in page: PixelSize) {
            let half = segment.height / 2
            let ends = [segment.middle(at: segment.left), segment.middle(at: segment.right)]
            let left = max(Int(segment.left.rounded(.down)), 0)
            let right = min(Int(segment.right.rounded(.up)), page.width)
            let top = max(Int((min(ends[0], ends[1]) - half).rounded(.down)), 0)
            let bottom = min(Int((max(ends[0], ends[1]) + half).rounded(.up)), page.height)
            guard left < right, top < bottom else { return nil }
            (columns, rows) = (left..<right, top..<bottom)
            lineCount = Int(segment.height.rounded(.up)) + 1
            self.segment = segment
        }

        /// Calls `body` with each pixel and the number of its line.
        func forEach(_ body: (_ x: Int, _ y: Int, _ line: Int) -> Void) {
            let half = segment.height / 2
            for x in columns {
                let center = segment.middle(at: Double(x) + 0.5)
                let first = Int((center - half).rounded())
                let from = min(max(first, rows.lowerBound), rows.upperBound)
                let end = max(min(Int((center + half).rounded()), rows.upperBound), from)
                for y in from..<end { body(x, y, min(y - first, lineCount - 1)) }
            }
        }

        /// Returns numbers of the band's pixels in the box around the band, with 0 beside the band.
        func part(_ value: (_ x: Int, _ y: Int, _ line: Int) -> Int16) -> Raster<Int16> {
            var part = Raster<Int16>(width: columns.count, height: rows.count, filledWith: 0)
            forEach { x, y, line in
                // Numbers outside this range cannot be counted.
                part[x: x - columns.lowerBound, y: y - rows.lowerBound] = min(
                    max(value(x, y, line), -255), 255)
            }
            return part
        }

        /// Returns the numbers of the band's pixels.
        func values(of part: Raster<Int16>) -> [Int16] {
            var values: [Int16] = []
            values.reserveCapacity(part.elements.count)
            forEach { x, y, _ in values.append(part[x: x - columns.lowerBound, y: y - rows.lowerBound]) }
            return values
        }
    }

    /// The frequency of each of the numbers from -255 to 255.
    private struct Levels {
        private var counts = [Int](repeating: 0, count: 511)
        private var total = 0

        init(_ values: some Sequence<Int16> = []) {
            for value in values { add(value) }
        }

        mutating func add(_ value: Int16) {
            counts[Int(value) + 255] += 1
            total += 1
        }

        var median: Int { level(atLeast: 0.5) }

        /// Returns the least number that, together with all below it, makes up a share of all; 0 where there are none.
        func level(atLeast share: Double) -> Int {
            var seen = 0
            return
                (counts.firstIndex {
                    seen += $0
                    return seen > 0 && Double(seen) >= share * Double(total)
                } ?? 255) - 255
        }
    }
}

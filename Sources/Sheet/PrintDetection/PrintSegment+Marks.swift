package import Imaging

extension PrintSegment {
    private typealias Tuning = PrintTuning.Segments

    /// The marks of its print, and how far that is from its ground in grey levels: what differs from the ground by a share of the
    /// segment's strongest print.
    ///
    /// Where most of a segment is not paper by the page's ink, it lies on a panel of another brightness, or its letters are wider
    /// than what that takes for paper, as in a logo. The ink is changed there to differ from the segment's own ground.
    /// - Parameter page: the picture that the ink is of.
    package func print(in ink: inout Ink, of page: GrayImage) -> (marks: [PrintedMark], depth: Int) {
        guard let band = Band(of: self, in: page.size) else { return ([], 0) }
        var part = band.part { ink.relief[x: $0, y: $1] }
        if isHeavy(in: ink, of: page) {
            let ground = ground(of: page, in: band)
            part = band.part { Int16(page[x: $0, y: $1]) - Int16(ground) }
            ink.replace(part, atColumn: band.columns.lowerBound, row: band.rows.lowerBound)
        }
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

    /// Whether most of it is no paper, by the page's ink or by the brightness around it: print on a panel, or a logo whose strokes
    /// are so wide that the ink may take them for paper.
    /// - Parameter page: the picture that the ink is of.
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

    /// The usual brightness above and below it.
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

    /// The same without what lies beside a part of it and is much paler: print that shows through from the sheet's other side.
    func cut(to part: PrintSegment, on page: GrayImage) -> PrintSegment {
        guard let band = Band(of: self, in: page.size) else { return self }
        let ground = Int16(ground(of: page, in: band))
        /// How far the print between two columns is from the ground.
        func depth(_ left: Double, _ right: Double) -> Double {
            var piece = self
            (piece.left, piece.right) = (left, right)
            guard left < right, let band = Band(of: piece, in: page.size) else { return .infinity }
            let distances = band.lines(of: page).joined().lazy.map { abs($0 - ground) }
            return Double(Levels(distances).level(atLeast: 1 - Tuning.deepest))
        }
        let (from, to) = (max(left, part.left), min(right, part.right))
        let least = Tuning.shareOfPale * depth(from, to)
        var kept = self
        if depth(left, from) < least { kept.left = from }
        if depth(to, right) < least { kept.right = to }
        return kept
    }

    /// The brightness that the segment is printed on: that above and below it, or inside a panel that is hardly higher than its
    /// letters, the most frequent.
    private func ground(of page: GrayImage, in band: Band) -> Int {
        let paper = surroundings(on: page)
        let lines = band.lines(of: page)
        let distances = Levels(lines.joined().lazy.map { abs($0 - Int16(paper)) })
        let leastDistance = max(
            Int(Tuning.shareOfDepth * Double(distances.level(atLeast: 1 - Tuning.deepest))),
            Tuning.leastContrast)
        /// Whether a line is off the paper all along, as a panel's margin is and no letters are.
        func isMargin(_ line: [Int16]) -> Bool {
            let off = line.count { abs(Int($0) - paper) > leastDistance }
            return Double(off) > Tuning.shareOfMargin * Double(line.count)
        }
        let third = lines.count / 3
        let isPanel =
            lines.prefix(third).contains(where: isMargin) && lines.suffix(third).contains(where: isMargin)
        return isPanel ? Levels(lines.joined()).median : paper
    }

    /// The pixels of a segment: in each column those around its middle.
    private struct Band {
        let columns: Range<Int>
        let rows: Range<Int>
        /// Lines along the segment that it is high.
        let lineCount: Int
        private let segment: PrintSegment

        /// nil where none of it is on the page.
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

        /// The brightness along each line, from its upper edge to its lower one; empty beyond the page.
        func lines(of page: GrayImage) -> [[Int16]] {
            var lines = [[Int16]](repeating: [], count: lineCount)
            forEach { x, y, line in lines[line].append(Int16(page[x: x, y: y])) }
            return lines
        }

        /// Numbers of its pixels in a box around it, 0 beside it.
        func part(_ value: (_ x: Int, _ y: Int) -> Int16) -> Raster<Int16> {
            var part = Raster<Int16>(width: columns.count, height: rows.count, filledWith: 0)
            forEach { x, y, _ in
                // Beyond this range another segment's count would be lost.
                part[x: x - columns.lowerBound, y: y - rows.lowerBound] = min(max(value(x, y), -255), 255)
            }
            return part
        }

        /// The numbers of its pixels.
        func values(of part: Raster<Int16>) -> [Int16] {
            var values: [Int16] = []
            values.reserveCapacity(part.elements.count)
            forEach { x, y, _ in values.append(part[x: x - columns.lowerBound, y: y - rows.lowerBound]) }
            return values
        }
    }

    /// How frequent each of the numbers from -255 to 255 is.
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

        /// The least number that, with all below it, makes up a share of all; 0 where there are none.
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

import Diagnostics
import Imaging
import PrintDetection
import RobustStatistics

extension PageRows {
    /// The rows of a page where a network finds print, their marks by the light and the contrast of each.
    /// - Throws: `.shortage` where memory is short.
    init(found page: TextPage) throws(FlatteningError) {
        var ink = page.marks.ink
        // The rows that ink alone forms tell how high letters are.
        let letterHeight = PageRows(on: page).letterHeight
        let segments = try PrintSegment.segments(
            on: page.picture, letterHeight: max(letterHeight, 1))
        let found = SegmentRows(segments).rows.map { row in
            let parts = row.segments.map { Self.print(of: $0, in: &ink) }
            let depth = parts.map(\.depth).max() ?? 0
            // What shows through from the sheet's other side is paler than what is printed beside it.
            let own = parts.filter { Double($0.depth) >= Tuning.shareOfFaint * Double(depth) }
            return (line: row.line, marks: Set(own.flatMap(\.marks)), depth: depth)
        }
        let usualDepth = found.map { Double($0.depth) }.upperMedian()
        let all = found.flatMap(\.marks)
        let onSheet = Set(page.rim?.print(among: all) ?? all)
        var rows = found.compactMap {
            // In one order in every process, also of those that begin at one place.
            PrintedRow(
                marks: $0.marks.intersection(onSheet).sorted {
                    ($0.right, $0.bottom) < ($1.right, $1.bottom)
                },
                line: $0.line)
        }
        let letters = page.marks.marks
        Self.add(letters: page.rim?.print(among: letters) ?? letters, to: &rows)
        let finder = PrintedRowFinder(marks: rows.flatMap(\.marks))
        self.init(rows.sorted(by: PrintedRowFinder.isAbove), ink: ink, finder: finder, page: page)
        faint = found.filter { Double($0.depth) < Tuning.shareOfFaint * usualDepth }
            .compactMap { Box.enclosing($0.marks.lazy.map(\.box)) }
    }

    /// Gives letters that stand alone beside a row, or in a gap of it, to that row: of a count before an item the network sees
    /// nothing.
    private static func add(letters: [PrintedMark], to rows: inout [PrintedRow]) {
        guard let height = rows.map(\.letterHeight).max(), height > 0 else { return }
        var shelves = Shelves(height: height)
        for (index, row) in rows.enumerated() { shelves.add(index, from: row.box.top, to: row.box.bottom) }
        var added: [Int: [PrintedMark]] = [:]
        for letter in letters {
            let nearest = nearestRow(of: letter, among: rows, shelves)
            if let nearest { added[nearest, default: []].append(letter) }
        }
        for (index, marks) in added {
            if let row = PrintedRow(marks: rows[index].marks + marks, line: rows[index].line) {
                rows[index] = row
            }
        }
    }

    /// The row on whose line a letter stands alone; nil where there is none, and where a row has print already.
    private static func nearestRow(
        of letter: PrintedMark, among rows: [PrintedRow], _ shelves: Shelves
    ) -> Int? {
        var best: Int?
        var bestOffset = Double.infinity
        var isKnown = false
        shelves.forEachShelf(from: letter.box.top, to: letter.box.bottom) { near in
            for index in near where !isKnown {
                let row = rows[index]
                let height = row.letterHeight
                if row.marks.contains(where: { $0.box.commonArea(with: letter.box) > 0 }) { isKnown = true }
                let offset = abs(letter.centerY - row.middle(at: letter.centerX)) / height
                let gap = max(row.box.left - letter.box.right, letter.box.left - row.box.right)
                guard offset < min(Tuning.farthestOff, bestOffset), gap < Tuning.farthestLetter * height,
                    Tuning.heightOfLetter.contains(Double(letter.height) / height),
                    Double(letter.width) < Tuning.widestLetter * height
                else { continue }
                (best, bestOffset) = (index, offset)
            }
        }
        return isKnown ? nil : best
    }

    private typealias Tuning = ReadingTuning.Segments

    /// The marks of a segment, and how far its print is from the paper in grey levels: what differs from the most of it by a share of its strongest print.
    ///
    /// On a panel of another brightness the ink is changed to differ from the panel and not from the paper.
    private static func print(
        of segment: PrintSegment, in ink: inout Ink
    ) -> (marks: [PrintedMark], depth: Int) {
        let (width, height) = (ink.relief.width, ink.relief.height)
        let left = max(Int(segment.left.rounded(.down)), 0)
        let right = min(Int(segment.right.rounded(.up)), width)
        let half = segment.height / 2
        let ends = [segment.middle(at: segment.left), segment.middle(at: segment.right)]
        let top = max(Int((min(ends[0], ends[1]) - half).rounded(.down)), 0)
        let bottom = min(Int((max(ends[0], ends[1]) + half).rounded(.up)), height)
        guard left < right, top < bottom else { return ([], 0) }
        /// The rows of the band at a column.
        func band(_ x: Int) -> Range<Int> {
            let middle = segment.middle(at: Double(x) + 0.5)
            let from = min(max(Int((middle - half).rounded()), top), bottom)
            return from..<max(min(Int((middle + half).rounded()), bottom), from)
        }
        var histogram = [Int](repeating: 0, count: 511)
        for x in left..<right {
            for y in band(x) { histogram[Int(ink.relief[x: x, y: y]) + 255] += 1 }
        }
        let total = histogram.reduce(0, +)
        func level(atLeast share: Double) -> Int {
            var seen = 0
            return
                (histogram.firstIndex {
                    seen += $0
                    return Double(seen) >= share * Double(total)
                } ?? 255) - 255
        }
        let ground = level(atLeast: 0.5)
        let isPanel = abs(ground) > Ink.leastContrast
        let base = isPanel ? ground : 0
        let depth = max(base - level(atLeast: Tuning.deepest), level(atLeast: 1 - Tuning.deepest) - base)
        let threshold = max(Int(Tuning.shareOfDepth * Double(depth)), Tuning.leastContrast)
        var part = Raster<Int16>(width: right - left, height: bottom - top, filledWith: 0)
        for x in left..<right {
            for y in band(x) { part[x: x - left, y: y - top] = ink.relief[x: x, y: y] - Int16(base) }
        }
        if isPanel { ink.replace(part, atColumn: left, row: top) }
        let marks = PrintedMark.marks(in: part, threshold: threshold).compactMap { mark -> PrintedMark? in
            var mark = mark
            mark.left += left
            mark.right += left
            mark.top += top
            mark.bottom += top
            let offset = mark.centerY - segment.middle(at: mark.centerX)
            return abs(offset) < Tuning.band * half ? mark : nil
        }
        return (marks, depth)
    }
}

extension Box {
    fileprivate func commonArea(with other: Box) -> Double {
        max(0, min(right, other.right) - max(left, other.left))
            * max(0, min(bottom, other.bottom) - max(top, other.top))
    }
}

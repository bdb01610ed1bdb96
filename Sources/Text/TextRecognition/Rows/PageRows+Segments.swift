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
            let parts = row.segments.map { $0.print(in: &ink) }
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
}

extension Box {
    fileprivate func commonArea(with other: Box) -> Double {
        max(0, min(right, other.right) - max(left, other.left))
            * max(0, min(bottom, other.bottom) - max(top, other.top))
    }
}

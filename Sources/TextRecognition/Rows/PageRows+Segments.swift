import Imaging
import PrintDetection
import RobustStatistics

extension PageRows {
    /// The rows of a page where a network finds print, their marks by the light and the contrast of each.
    init(found page: TextPage) {
        var ink = page.marks.ink
        // The rows that ink alone forms tell how high letters are.
        let letterHeight = PageRows(on: page).letterHeight
        let segments = PrintSegment.segments(on: page.picture, letterHeight: max(letterHeight, 1))
        let found = SegmentRows(segments).rows.map { row in
            (line: row.line, marks: Set(row.segments.flatMap { Self.marks(of: $0, in: &ink) }))
        }
        let all = found.flatMap(\.marks)
        let onSheet = Set(page.rim?.print(among: all) ?? all)
        let rows = found.compactMap {
            PrintedRow(marks: Array($0.marks.intersection(onSheet)), line: $0.line)
        }
        let finder = PrintedRowFinder(marks: rows.flatMap(\.marks))
        self.init(rows.sorted(by: PrintedRowFinder.isAbove), ink: ink, finder: finder, page: page)
    }

    private typealias Tuning = ReadingTuning.Segments

    /// The marks of a segment: what differs from the most of it by a share of its strongest print.
    ///
    /// On a panel of another brightness the ink is changed to differ from the panel and not from the paper.
    private static func marks(of segment: PrintSegment, in ink: inout Ink) -> [PrintedMark] {
        let (width, height) = (ink.relief.width, ink.relief.height)
        let left = max(Int(segment.left.rounded(.down)), 0)
        let right = min(Int(segment.right.rounded(.up)), width)
        let half = segment.height / 2
        let ends = [segment.middle(at: segment.left), segment.middle(at: segment.right)]
        let top = max(Int((min(ends[0], ends[1]) - half).rounded(.down)), 0)
        let bottom = min(Int((max(ends[0], ends[1]) + half).rounded(.up)), height)
        guard left < right, top < bottom else { return [] }
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
        return PrintedMark.marks(in: part, threshold: threshold).compactMap { mark in
            var mark = mark
            mark.left += left
            mark.right += left
            mark.top += top
            mark.bottom += top
            let offset = mark.centerY - segment.middle(at: mark.centerX)
            return abs(offset) < Tuning.band * half ? mark : nil
        }
    }
}

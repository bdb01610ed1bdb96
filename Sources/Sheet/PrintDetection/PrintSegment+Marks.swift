import Imaging

extension PrintSegment {
    private typealias Tuning = PrintTuning.Segments

    /// The marks of its print, and how far that is from the paper in grey levels: what differs from the most of the segment by a
    /// share of its strongest print.
    ///
    /// On a panel of another brightness the ink is changed to differ from the panel and not from the paper.
    package func print(in ink: inout Ink) -> (marks: [PrintedMark], depth: Int) {
        let half = height / 2
        let ends = [middle(at: self.left), middle(at: self.right)]
        let left = max(Int(self.left.rounded(.down)), 0)
        let right = min(Int(self.right.rounded(.up)), ink.relief.width)
        let top = max(Int((min(ends[0], ends[1]) - half).rounded(.down)), 0)
        let bottom = min(Int((max(ends[0], ends[1]) + half).rounded(.up)), ink.relief.height)
        guard left < right, top < bottom else { return ([], 0) }
        /// The rows of the band at a column.
        func band(_ x: Int) -> Range<Int> {
            let center = middle(at: Double(x) + 0.5)
            let from = min(max(Int((center - half).rounded()), top), bottom)
            return from..<max(min(Int((center + half).rounded()), bottom), from)
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
            for y in band(x) {
                // On a panel twice as far as any ink: beyond its range another segment's count would be lost.
                part[x: x - left, y: y - top] = min(max(ink.relief[x: x, y: y] - Int16(base), -255), 255)
            }
        }
        if isPanel { ink.replace(part, atColumn: left, row: top) }
        let marks = PrintedMark.marks(in: part, threshold: threshold).compactMap { mark -> PrintedMark? in
            var mark = mark
            mark.left += left
            mark.right += left
            mark.top += top
            mark.bottom += top
            let offset = mark.centerY - middle(at: mark.centerX)
            return abs(offset) < Tuning.band * half ? mark : nil
        }
        return (marks, depth)
    }
}

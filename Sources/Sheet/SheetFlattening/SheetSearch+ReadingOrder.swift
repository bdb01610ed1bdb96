extension SheetSearch {
    /// The outlines of all visible sheets in reading order: rows from top to bottom, and from left to right in a row; empty if
    /// no sheet was found.
    ///
    /// Sheets belong to one row if they share more than half of the lower one's height, directly or through others; so they may
    /// be tilted, and their ends may overlap. A row is split into columns by the same rule, and each column is ordered in the
    /// same way: a long sheet beside two short ones comes before or after both. This is a recursive X-Y cut (Nagy and Seth,
    /// "Hierarchical representation of optically scanned documents", ICPR 1984) with overlaps in place of gaps. Sheets that
    /// neither cut splits are ordered by the height of their middles.
    ///
    /// The order depends only on where the sheets lie, not on the order in which they were found. O(n³).
    package var inReadingOrder: [SheetOutline] {
        let boxes = outlines.map(OutlineBox.init)
        return Self.ordered(Array(boxes.indices), of: boxes).map { outlines[$0] }
    }

    /// One search per sheet, in reading order; if none was found, or the image is the sheet, only this search.
    package var eachInReadingOrder: [SheetSearch] {
        guard case .found = self else { return [self] }
        return inReadingOrder.map { .found([$0]) }
    }

    /// The box around an outline.
    private struct OutlineBox {
        let columns: ClosedRange<Double>
        let rows: ClosedRange<Double>

        init(_ outline: SheetOutline) {
            func extent(_ places: [Double]) -> ClosedRange<Double> {
                (places.min() ?? 0)...(places.max() ?? 0)
            }
            columns = extent(outline.polygon.map(\.x))
            rows = extent(outline.polygon.map(\.y))
        }
    }

    private static func ordered(_ indices: [Int], of boxes: [OutlineBox]) -> [Int] {
        guard indices.count > 1 else { return indices }
        for side in [\OutlineBox.rows, \OutlineBox.columns] {
            let parts = parted(indices) { boxes[$0][keyPath: side] }
            if parts.count > 1 { return parts.flatMap { ordered($0, of: boxes) } }
        }
        return indices.sorted { one, other in
            let (a, b) = (boxes[one], boxes[other])
            return (a.rows.middle, a.columns.middle) < (b.rows.middle, b.columns.middle)
        }
    }

    /// Groups indices whose extents share more than half, directly or through others, ordered by where the groups begin.
    private static func parted(_ indices: [Int], extent: (Int) -> ClosedRange<Double>) -> [[Int]] {
        var left = indices.sorted { extent($0).lowerBound < extent($1).lowerBound }
        var parts: [[Int]] = []
        while !left.isEmpty {
            var part = [left.removeFirst()]
            var next = 0
            while next < part.count {
                let met = extent(part[next])
                part += left.filter { extent($0).sharesHalf(of: met) }
                left.removeAll { extent($0).sharesHalf(of: met) }
                next += 1
            }
            parts.append(part)
        }
        return parts
    }
}

extension ClosedRange<Double> {
    fileprivate var middle: Double { (lowerBound + upperBound) / 2 }

    /// Whether the two ranges share more than half of the shorter one.
    fileprivate func sharesHalf(of other: Self) -> Bool {
        let shared = Swift.min(upperBound, other.upperBound) - Swift.max(lowerBound, other.lowerBound)
        let shorter = Swift.min(upperBound - lowerBound, other.upperBound - other.lowerBound)
        return 2 * shared > shorter
    }
}

import Diagnostics
import Imaging
import PrintDetection
import RobustStatistics

extension PageRows {
    /// Finds the rows of a page where a network finds print. The marks of each row are found by its own light and
    /// contrast.
    /// - Parameter looksClosely: whether to look at small print in parts, and at large and heavy print once more from
    ///   near.
    /// - Throws: `.shortage` where memory is short.
    init(found page: TextPage, looksClosely: Bool = true) throws(FlatteningError) {
        var ink = page.marks.ink
        let segments = try Self.segments(of: page, looksClosely: looksClosely)
        let heavy = segments.filter { $0.isHeavy(in: page.marks.ink, of: page.marks.page) }
        let found = SegmentRows(segments).rows.map { row in
            let parts = row.segments.map { $0.print(in: &ink, of: page.marks.page) }
            let depth = parts.map(\.depth).max() ?? 0
            // Print that shows through from the sheet's other side is paler than the print beside it.
            let own = parts.filter { Double($0.depth) >= Tuning.shareOfFaint * Double(depth) }
            return (
                line: row.line, marks: Set(own.flatMap(\.marks)), depth: depth,
                // Height of the row's longest segment: pieces of letters may have segments of their own.
                height: row.segments.max { $0.right - $0.left < $1.right - $1.left }?.height ?? 0
            )
        }
        let usualDepth = found.map { Double($0.depth) }.upperMedian()
        let all = found.flatMap(\.marks)
        let onSheet = Set(page.rim?.print(among: all) ?? all)
        let measured = found.compactMap { found -> (row: PrintedRow, height: Double)? in
            // In the same order in every process, also marks that begin at one place.
            PrintedRow(
                marks: found.marks.intersection(onSheet).sorted {
                    ($0.right, $0.bottom) < ($1.right, $1.bottom)
                },
                line: found.line
            ).map { ($0, found.height) }
        }
        var rows = Self.withLettersAsHigh(as: measured)
        let letters = page.marks.marks
        Self.add(letters: page.rim?.print(among: letters) ?? letters, to: &rows)
        let finder = PrintedRowFinder(marks: rows.flatMap(\.marks))
        self.init(rows.sorted(by: PrintedRowFinder.isAbove), ink: ink, finder: finder, page: page)
        if !heavy.isEmpty {
            var panels = ink
            let entered = heavy.compactMap { segment in
                segment.enterPanel(in: &panels, of: page.marks.page).map { (segment, $0) }
            }
            onPanels = (
                panels, entered.map { .init(middle: $0.middle, left: $0.left, right: $0.right, marks: $1) }
            )
        }
        faint = found.filter { Double($0.depth) < Tuning.shareOfFaint * usualDepth }
            .compactMap { Box.enclosing($0.marks.lazy.map(\.box)) }
    }

    /// Returns the segments where a network finds print, with a closer look at large and heavy print.
    private static func segments(
        of page: TextPage, looksClosely: Bool
    ) throws(FlatteningError) -> [PrintSegment] {
        // The rows that ink alone forms show how high letters are.
        let letterHeight = max(PageRows(on: page).letterHeight, 1)
        var segments = try PrintSegment.segments(
            on: page.picture, letterHeight: letterHeight, inBands: looksClosely)
        guard looksClosely else { return segments }
        let usual = segments.map(\.height).upperMedian()
        if let bottom = PrintedHead.bottom(above: segments, usualHeight: usual) {
            let seen = try PrintSegment.segments(on: page.picture, above: bottom, letterHeight: letterHeight)
            segments = PrintedHead.joining(segments, seen, above: bottom, usualHeight: usual)
        }
        let marks = page.marks
        // A page that was enlarged shows nothing more from near.
        let leastHeight = Tuning.leastHeight * page.enlargement
        let leastHeavyHeight = Tuning.leastHeavyHeight * page.enlargement
        let large = segments.filter {
            ($0.height > max(Tuning.largePrint * usual, leastHeight))
                || ($0.height > max(Tuning.leastHeavyPrint * usual, leastHeavyHeight)
                    && $0.isHeavy(in: marks.ink, of: marks.page))
        }
        for segment in large.sorted(by: { ($0.area, $0.left) > ($1.area, $1.left) }).prefix(Tuning.mostClose)
        where segments.contains(segment) {
            let found = try segment.lookedAtClosely(on: page.picture, letterHeight: letterHeight)
            // If the closer look finds only pieces, the first segments stay. Small print stays too, unless the first
            // look lost letters of it.
            let leastWidth =
                (segment.height < leastHeight ? Tuning.leastGrowth : Tuning.leastOfClose)
                * (segment.right - segment.left)
            guard
                found.contains(where: {
                    $0.height > Tuning.leastOfClose * segment.height && $0.right - $0.left > leastWidth
                })
            else { continue }
            segments.removeAll { old in old == segment || found.contains { $0.holdsMiddle(of: old) } }
            segments += found
        }
        return segments
    }

    /// Corrects the letter height of rows whose marks disagree with the network's segments: the marks of dot matrix,
    /// and of a logo whose strokes are wider than what counts as paper, are pieces of letters.
    private static func withLettersAsHigh(as found: [(row: PrintedRow, height: Double)]) -> [PrintedRow] {
        let many = found.filter { $0.row.marks.count >= ReadingTuning.Passes.leastMarks }
        guard !many.isEmpty else { return found.map(\.row) }
        // The share that a segment has beside its letters is about the same in all rows of a page.
        let share = many.map { $0.row.letterHeight / $0.height }.upperMedian()
        let usual = many.map(\.height).upperMedian()
        return found.map { found in
            var row = found.row
            let expected = share * found.height
            if found.height > Tuning.largeRow * usual {
                // A segment leaves out parts of large letters, but all of the row's print must be seen.
                row.letterHeight = max(expected, row.extent / Tuning.extentOfLetters)
            } else if !Tuning.heightOfMarks.contains(row.letterHeight / expected) {
                row.letterHeight = expected
            }
            return row
        }
    }

    /// Gives letters that stand alone beside a row, or in a gap of it, to that row: the network does not see a count
    /// before an item.
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
            if var row = PrintedRow(marks: rows[index].marks + marks, line: rows[index].line) {
                row.letterHeight = rows[index].letterHeight
                rows[index] = row
            }
        }
    }

    /// Returns the row on whose line a letter stands alone; nil if there is none, or if the letter is already part of a
    /// row.
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

/// The head of a page, looked at by itself: in a look at the whole page logos are overlooked, or seen in pieces.
enum PrintedHead {
    private typealias Tuning = ReadingTuning.Segments

    /// Returns the lower end of the part that is looked at by itself; nil where nothing stands above the first row.
    static func bottom(above found: [PrintSegment], usualHeight: Double) -> Double? {
        func top(_ segment: PrintSegment) -> Double {
            min(segment.middle(at: segment.left), segment.middle(at: segment.right)) - segment.height / 2
        }
        let first = found.filter { $0.height > Tuning.leastRowOfHead * usualHeight }.map(top).min() ?? 0
        return first > Tuning.leastHead * usualHeight ? first + Tuning.besideHead * usualHeight : nil
    }

    /// Returns a page's segments with the large print seen in that part, in place of pieces of it. Print that the first
    /// look saw whole stays.
    static func joining(
        _ found: [PrintSegment], _ seen: [PrintSegment], above bottom: Double, usualHeight: Double
    ) -> [PrintSegment] {
        let large = seen.filter { segment in
            let known = found.filter(segment.holdsMiddle).reduce(0) { $0 + $1.right - $1.left }
            return segment.height > Tuning.largePrint * usualHeight
                && segment.middle.y + segment.height / 2 < bottom
                && known < Tuning.leastOfClose * (segment.right - segment.left)
        }
        return found.filter { old in !large.contains { $0.holdsMiddle(of: old) } } + large
    }
}

extension PrintSegment {
    fileprivate var middle: SIMD2<Double> {
        let x = (left + right) / 2
        return SIMD2(x, middle(at: x))
    }

    fileprivate var area: Double { (right - left) * height }

    fileprivate func holdsMiddle(of other: PrintSegment) -> Bool {
        let x = (other.left + other.right) / 2
        return left < x && x < right && abs(other.middle(at: x) - middle(at: x)) < height / 2
    }
}

extension PrintedRow {
    /// How far the row's print reaches above and below its middle, added up.
    fileprivate var extent: Double {
        let offsets = marks.flatMap { mark in
            [Double(mark.top), Double(mark.bottom)].map { $0 - middle(at: mark.centerX) }
        }
        return (offsets.max() ?? 0) - (offsets.min() ?? 0)
    }
}

extension Box {
    fileprivate func commonArea(with other: Box) -> Double {
        max(0, min(right, other.right) - max(left, other.left))
            * max(0, min(bottom, other.bottom) - max(top, other.top))
    }
}

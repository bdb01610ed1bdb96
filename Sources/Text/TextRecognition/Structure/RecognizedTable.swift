public import Imaging
import Platform
import RobustStatistics

/// Rows of a page whose words stand in columns: items and their amounts, labels and values, a table with or without rules.
public struct RecognizedTable: Codable, Hashable, Sendable {
    /// The content of one row in one column.
    public struct Cell: Codable, Hashable, Sendable {
        /// Its words from left to right; none in an empty cell.
        public var words: [RecognizedWord]

        /// The words with one space between each two; "" in an empty cell.
        public var text: String { words.map(\.text).joined(separator: " ") }
    }

    /// The cells of each row from the top, as many in each as there are columns.
    public var rows: [[Cell]]
    /// The range of `RecognizedText.lines` that the table takes up; each line is a row.
    package let lines: Range<Int>
    /// The box around its words.
    public let box: Box
}

extension RecognizedText {
    /// The tables of the page from the top; no row belongs to two. O(words · columns).
    ///
    /// A table is a run of rows whose words leave upright strips of paper blank; at least two rows have words on both
    /// sides of a strip (like the blank columns of Nagy, Seth and Viswanathan, Computer 25(7), 1992, but searched among
    /// rows that are known).
    public var tables: [RecognizedTable] {
        let lines = lines
        var tables: [RecognizedTable] = []
        var start = 0
        while start < lines.count {
            var run = ColumnRun(lines[start])
            var end = start + 1
            while end < lines.count,
                run.take(
                    lines[end], after: lines[end - 1], before: end + 1 < lines.count ? lines[end + 1] : nil)
            { end += 1 }
            // Rows of one column at the end stand below the table, not in it.
            if let last = run.hasColumns.lastIndex(of: true),
                let table = RecognizedTable(lines, start..<start + last + 1, strips: run.strips)
            {
                tables.append(table)
                start += last + 1
            } else {
                start += 1
            }
        }
        return tables
    }

}

extension RecognizedTable {
    /// Fewest rows with several filled cells that make a table, and fewest rows if all of their cells are filled.
    private static let leastRows = 3
    private static let leastFullRows = 2
    /// A column filled in a smaller share of the rows does not count: a tax letter that was read twice, or a word far
    /// from its neighbours.
    private static let leastFilled = 0.15

    /// Puts the words of some lines into the columns that the strips separate.
    /// - Returns: nil if too few rows have several cells.
    fileprivate init?(_ lines: [RecognizedLine], _ range: Range<Int>, strips: [ClosedRange<Double>]) {
        let bounds = strips.map { ($0.lowerBound + $0.upperBound) / 2 }
        var rows = lines[range].map { line in
            var cells = [RecognizedTable.Cell](repeating: .init(words: []), count: bounds.count + 1)
            for word in line.words {
                cells[bounds.count { $0 < (word.box.left + word.box.right) / 2 }].words.append(word)
            }
            return cells
        }
        for column in (0...bounds.count).reversed() where rows[0].count > 1 {
            let filled = rows.count { !$0[column].words.isEmpty }
            guard Double(filled) < Self.leastFilled * Double(rows.count) else { continue }
            for row in rows.indices {
                let words = rows[row].remove(at: column).words
                if column > 0 {
                    rows[row][column - 1].words += words
                } else {
                    rows[row][0].words = words + rows[row][0].words
                }
            }
        }
        let several = rows.count { $0.count { !$0.words.isEmpty } > 1 }
        let full = rows.count { $0.allSatisfy { !$0.words.isEmpty } }
        guard rows[0].count > 1,
            several >= Self.leastRows || full >= Self.leastFullRows && full == rows.count
        else { return nil }
        let boxes = lines[range].map(\.box)
        self.init(rows: rows, lines: range, box: boxes.dropFirst().reduce(boxes[0]) { $0.union($1) })
    }
}

/// Rows one below the other, with the strips that all of them leave blank.
private struct ColumnRun {
    /// The strips, from left to right.
    private(set) var strips: [ClosedRange<Double>]
    /// For each row, whether it has words on both sides of a strip.
    private(set) var hasColumns: [Bool]
    private var pitches: [Double] = []

    /// Fewest rows with words on both sides of a strip that make the columns certain.
    private static let leastRows = 2
    /// Most rows of one column in succession within a table: the further lines of a description.
    private static let mostPlainRows = 3
    /// Words nearer than this belong to one cell, in heights of their row. Blanks between words are .3 to .5 in
    /// proportional type and .6 to .9 in the fixed type of tills; two such blanks are 1.3.
    private static let widestBlank = 1.1
    /// The narrowest strip, in row heights: what remains of a gap if one row has a long word that narrows it.
    private static let narrowestStrip = 0.7
    /// Greatest distance of a row from the row above, relative to the usual distance: one row may be empty between two
    /// parts of a table.
    private static let widestPitch = 2.6

    init(_ line: RecognizedLine) {
        strips = Self.gaps(in: line)
        hasColumns = [!strips.isEmpty]
    }

    /// Takes the next row, if the strips that it leaves blank keep the columns of the rows before, and if it and the
    /// row after it do not share a column that those rows lack.
    /// - Returns: whether it is part of the run.
    mutating func take(
        _ line: RecognizedLine, after last: RecognizedLine, before next: RecognizedLine?
    ) -> Bool {
        guard !strips.isEmpty, hasColumns.suffix(Self.mostPlainRows).contains(true) else { return false }
        let height = Self.height(of: line)
        let pitch = line.box.centerY - last.box.centerY
        let usual = pitches.isEmpty ? 1.5 * max(height, Self.height(of: last)) : pitches.upperMedian()
        guard pitch <= Self.widestPitch * usual else { return false }
        let cells = Self.cells(of: line)
        let left = strips.map { strip in
            Self.blank(in: strip, beside: cells, atLeast: Self.narrowestStrip * height)
        }
        // A row that covers one of the columns runs across, so what stands below it is another table. The columns are
        // not certain until two rows have them.
        let lost = left.count(where: \.isEmpty)
        let isSure = hasColumns.count(where: \.self) >= Self.leastRows
        guard lost == 0 || !isSure && lost < strips.count else { return false }
        let gaps = Self.gaps(in: line)
        if isSure, let next {
            let others = Self.gaps(in: next)
            let isForeign = gaps.contains { gap in
                !strips.contains { $0.overlaps(gap) } && others.contains { $0.overlaps(gap) }
            }
            guard !isForeign else { return false }
        }
        strips = left.flatMap(\.self)
        // A row may begin left of the others or end right of them, with gaps of its own there.
        if !isSure, let first = strips.first, let last = strips.last {
            strips += gaps.filter {
                $0.upperBound < first.lowerBound || $0.lowerBound > last.upperBound
            }
            strips.sort { $0.lowerBound < $1.lowerBound }
        }
        hasColumns.append(
            strips.contains { strip in
                cells.contains { $0.upperBound <= strip.lowerBound + 1 }
                    && cells.contains { $0.lowerBound >= strip.upperBound - 1 }
            })
        pitches.append(pitch)
        return true
    }

    private static func height(of line: RecognizedLine) -> Double {
        max(line.words.map(\.box.height).upperMedian(), 1)
    }

    /// Returns the extents of groups of words that stand near each other.
    private static func cells(of line: RecognizedLine) -> [ClosedRange<Double>] {
        let widest = widestBlank * height(of: line)
        var cells: [ClosedRange<Double>] = []
        for word in line.words where word.box.left.isFinite && word.box.right.isFinite {
            let (from, to) = (min(word.box.left, word.box.right), max(word.box.left, word.box.right))
            if let last = cells.last, from - last.upperBound < widest {
                cells[cells.count - 1] = min(last.lowerBound, from)...max(last.upperBound, to)
            } else {
                cells.append(from...to)
            }
        }
        return cells
    }

    private static func gaps(in line: RecognizedLine) -> [ClosedRange<Double>] {
        let cells = cells(of: line)
        return zip(cells, cells.dropFirst()).compactMap {
            $0.upperBound < $1.lowerBound ? $0.upperBound...$1.lowerBound : nil
        }
    }

    /// Returns the pieces of a strip that the cells leave blank and that are wide enough.
    private static func blank(
        in strip: ClosedRange<Double>, beside cells: [ClosedRange<Double>], atLeast width: Double
    ) -> [ClosedRange<Double>] {
        var pieces: [ClosedRange<Double>] = []
        var from = strip.lowerBound
        for cell in cells where cell.upperBound > strip.lowerBound && cell.lowerBound < strip.upperBound {
            if cell.lowerBound - from >= width { pieces.append(from...cell.lowerBound) }
            from = max(from, cell.upperBound)
        }
        if strip.upperBound - from >= width { pieces.append(from...strip.upperBound) }
        return pieces
    }
}

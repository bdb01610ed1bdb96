import Diagnostics
import PrintDetection

/// Decides which rows of a page are read, and in which order, so that reading ends soon whatever the page shows.
///
/// Grain, cloth, a notebook's squares and halftone break into more rows than any page of print has, each many times as
/// long relative to the height of its letters. Rows are read in portions, those that look most like print first
/// (`PrintedRow.levelness`). Reading stops once a portion yields no text, or the page's budget is spent. The budget
/// counts work and not time, so every machine reads the same rows.
struct ReadingBudget {
    /// Total length of the rows that may still be read, in letter heights: readers get all letters in one height, and
    /// take time in proportion to the width that rows then have.
    private(set) var rest: Double

    private typealias Tuning = ReadingTuning.Budget

    /// A budget of this many letter heights of rows.
    init(letterHeights: Double) { rest = letterHeights }

    /// The budget for a page of this many pixels; one portion where only the presence of text is asked for.
    init(pixels: Int, context: ReadingContext = ReadingContext()) {
        rest = context.isCursory ? Tuning.portion : Tuning.ofPage + Tuning.ofMegapixel * Double(pixels) / 1e6
    }

    /// Reads rows of a page once, the likeliest print first.
    /// - Parameters:
    ///   - rows: the indices of the rows, ascending.
    ///   - read: reads some of these rows, ascending too, and returns by how many characters the surely read ones
    ///     exceed the others. It also receives the share of this reading that will be done after the call.
    /// - Returns: the rows that were not read.
    mutating func spend(
        on rows: [Int], of page: PageRows,
        read: (_ rows: [Int], _ shareDone: Double) throws(FlatteningError) -> Double
    ) throws(FlatteningError) -> [Int] {
        let whole = min(Self.length(of: rows, on: page), rest)
        let isOnePortion = whole < rest && whole <= Tuning.portion
        var waiting = isOnePortion ? rows[...] : Self.likeliestFirst(rows, of: page)[...]
        var done = 0.0
        while let first = waiting.first {
            var portion = Self.fitting(waiting, of: page, length: min(Tuning.portion, rest))
            // A row longer than a portion is a portion of its own.
            if portion.isEmpty, Self.length(of: [first], on: page) <= rest { portion = [first] }
            guard !portion.isEmpty else { break }
            waiting = waiting.dropFirst(portion.count)
            let length = Self.length(of: portion, on: page)
            rest -= length
            done += length
            let lead = try read(portion.sorted(), waiting.isEmpty ? 1 : min(done / whole, 1))
            guard lead > 0 else { break }
        }
        return waiting.sorted()
    }

    /// Takes the cost of reading some rows again from the budget.
    /// - Parameter times: how often each of them is to be read.
    /// - Returns: the rows that can be read, ascending; if there are too many, those likeliest to be print.
    mutating func take(_ rows: [Int], of page: PageRows, times: Int = 1) -> [Int] {
        guard times > 0 else { return [] }
        let affordable = rest / Double(times)
        let taken =
            Self.length(of: rows, on: page) <= affordable
            ? rows
            : Self.fitting(Self.likeliestFirst(rows, of: page)[...], of: page, length: affordable).sorted()
        rest -= Double(times) * Self.length(of: taken, on: page)
        return taken
    }

    /// Takes the cost of reading all rows of a page again; returns false and takes nothing if the budget is too small.
    mutating func takeAll(of page: PageRows) -> Bool {
        let length = Self.length(of: Array(page.rows.indices), on: page)
        guard length <= rest else { return false }
        rest -= length
        return true
    }

    private static func likeliestFirst(_ rows: [Int], of page: PageRows) -> [Int] {
        rows.map { (row: $0, levelness: page.rows[$0].levelness) }
            .sorted { ($1.levelness, $0.row) < ($0.levelness, $1.row) }.map(\.row)
    }

    /// Returns as many of the first rows as fit into a length together.
    private static func fitting(_ rows: ArraySlice<Int>, of page: PageRows, length: Double) -> [Int] {
        var sum = 0.0
        return Array(
            rows.prefix { row in
                sum += Self.length(of: [row], on: page)
                return sum <= length
            })
    }

    /// Returns the total length of rows as they are drawn for a reader, in heights of their letters: with a margin, and
    /// with long blanks shortened, so that a table of short numbers costs only what its numbers do.
    static func length(of rows: [Int], on page: PageRows) -> Double {
        rows.reduce(0) { sum, index in
            let row = page.rows[index]
            let height = max(row.letterHeight, 1)
            let print = row.length(longestBlank: ReadingTuning.Drawing.longestBlank * height) / height
            return sum + print + 2 * ReadingTuning.Drawing.margin
        }
    }
}

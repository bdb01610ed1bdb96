import Diagnostics
import PrintDetection

/// Which rows of a page are read, and in which order, so that reading ends soon whatever the page shows.
///
/// Grain, cloth, a notebook's squares and halftone break into more rows than any page of print has, each many times as long
/// in the height of its letters. Rows are read in portions, those first that look most like print (`PrintedRow.levelness`),
/// and no more of them once a portion comes to no text, or the page's budget is spent. What is counted is work and not time,
/// so the same is read on every machine.
struct ReadingBudget {
    /// Letter heights of rows that may still be read: readers are shown all letters in one height, and take as long as rows
    /// are then wide.
    private(set) var rest: Double

    private typealias Tuning = ReadingTuning.Budget

    /// So many letter heights of rows.
    init(letterHeights: Double) { rest = letterHeights }

    /// What reading a page of so many pixels may come to; one portion where it is only to be told whether there is text.
    init(pixels: Int, context: ReadingContext = ReadingContext()) {
        rest = context.isCursory ? Tuning.portion : Tuning.ofPage + Tuning.ofMegapixel * Double(pixels) / 1e6
    }

    /// Reads rows of a page once, the likeliest print first.
    /// - Parameters:
    ///   - rows: their indices, ascending.
    ///   - read: reads some of these, ascending too, and tells by how many characters what was surely read is ahead of what was
    ///     not. It is also told which share of this reading is done with it.
    /// - Returns: those that were not read.
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
            // A row that is longer than a portion is one.
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

    /// Takes what it comes to to read some rows again.
    /// - Parameter times: how often each of them is to be read.
    /// - Returns: those that can be read, the likeliest print of all if there are too many; ascending.
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

    /// Takes what it comes to to read all rows of a page again; false, and nothing, if that is too much.
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

    /// The first of some rows, as long as they are not longer than this together.
    private static func fitting(_ rows: ArraySlice<Int>, of page: PageRows, length: Double) -> [Int] {
        var sum = 0.0
        return Array(
            rows.prefix { row in
                sum += Self.length(of: [row], on: page)
                return sum <= length
            })
    }

    /// How long rows are together as they are drawn for a reader, in heights of their letters: with a margin, and long blanks
    /// shortened, so that a table of short numbers costs what its numbers do.
    static func length(of rows: [Int], on page: PageRows) -> Double {
        rows.reduce(0) { sum, index in
            let row = page.rows[index]
            let height = max(row.letterHeight, 1)
            let print = row.length(longestBlank: ReadingTuning.Drawing.longestBlank * height) / height
            return sum + print + 2 * ReadingTuning.Drawing.margin
        }
    }
}

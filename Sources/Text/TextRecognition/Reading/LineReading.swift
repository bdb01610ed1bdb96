import Diagnostics
import Imaging
import PrintDetection

/// Reads a page with a line recogniser, row by row where a network finds print.
///
/// Rows formed from ink by one threshold are lost where a shadow's edge joins two of them, or where print is pale;
/// grain, cloth and folds form false ones. On seven photographs of receipts such rows led to 6.6 % wrong characters,
/// the network's rows to 1.3 %; on 17 scans to 3.9 % and 3.1 %. Rows that only the ink forms are no print: reading them
/// too added wrong characters on both.
enum LineReading {
    /// Reads the rows of a page.
    /// - Parameter read: reads some rows of a page, given their indices.
    static func lines(
        on page: TextPage, context: ReadingContext,
        read readRows: (PageRows, [Int], ReadingContext) throws(FlatteningError) -> [RecognizedLine]
    ) throws(FlatteningError) -> [RecognizedLine] {
        let rows = try PageRows(found: page, looksClosely: !context.isCursory)
        var budget = ReadingBudget(pixels: page.picture.size.pixelCount, context: context)
        var lines: [RecognizedLine] = []
        var done = 0.0
        let all = Array(rows.rows.indices)
        let unread = try budget.spend(on: all, of: rows) { portion, share throws(FlatteningError) in
            defer { done = share }
            var read = try readRows(
                rows, portion.filter { !rows.isHeavy($0) }, part(done..<share, of: context))
            for row in portion where rows.isHeavy(row) {
                read += try Self.read(heavy: row, of: rows, context: context, by: readRows)
            }
            read = read.filter { line in
                line.confidence > ReadingTuning.Segments.sureFaint
                    || !rows.faint.contains { $0.holds(line.box) }
            }
            lines += read
            return read.reduce(0) { $0 + worth($1.words) }
        }
        if !unread.isEmpty { context.onUnread?(UnreadRows(count: unread.count, found: all.count)) }
        return RowLayout.join(lines).filter(\.isPrint)
    }

    /// Reads a row of heavy print as letters on paper and, if that is not sure, also as letters on panels; keeps the
    /// one worth more.
    private static func read(
        heavy row: Int, of rows: PageRows, context: ReadingContext,
        by read: (PageRows, [Int], ReadingContext) throws(FlatteningError) -> [RecognizedLine]
    ) throws(FlatteningError) -> [RecognizedLine] {
        let plain = try read(rows, [row], context.reporting(to: nil))
        let isSure = plain.contains { $0.confidence > ReadingTuning.Segments.sureHeavy }
        guard !isSure, !context.isCursory, let panels = rows.asPanels(row) else { return plain }
        let inverted = try read(panels, [row], context.reporting(to: nil))
        return worth(inverted.flatMap(\.words)) > worth(plain.flatMap(\.words)) ? inverted : plain
    }

    /// Returns how much words are worth: surely read characters add to it, doubtful ones subtract from it.
    private static func worth(_ words: [RecognizedWord]) -> Double {
        words.reduce(0) { $0 + Double($1.text.count) * ($1.confidence - ReadingTuning.Budget.evenConfidence) }
    }

    /// Returns a context for one part of the reading, which reports the part's progress as a share of the whole.
    private static func part(_ shares: Range<Double>, of context: ReadingContext) -> ReadingContext {
        guard let tell = context.onProgress else { return context }
        return context.reporting { share in
            tell(shares.lowerBound + (shares.upperBound - shares.lowerBound) * share)
        }
    }
}

extension Box {
    /// Whether the middle of another box lies in this one.
    fileprivate func holds(_ other: Box) -> Bool {
        let (x, y) = ((other.left + other.right) / 2, (other.top + other.bottom) / 2)
        return x > left && x < right && y > top && y < bottom
    }
}

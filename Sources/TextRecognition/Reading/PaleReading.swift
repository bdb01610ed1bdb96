import Diagnostics
import Imaging
import PrintDetection

/// Reads a page by a recogniser of lines, and again, as paler print, what was not surely read.
///
/// One threshold does not part print from paper on a whole page: where it takes the letters of one row whole, those of a paler
/// one fall to pieces, and where it takes the paler ones, dark ones run together and the paper's flaws become marks. tesseract
/// gains nothing by it: on 101 scans of receipts 7.8 % of its characters are then wrong, 7.6 % without.
enum PaleReading {
    private typealias Tuning = ReadingTuning.Pale

    /// The rows of a page as read.
    /// - Parameter read: reads some rows of a page, by their index.
    static func lines(
        on page: TextPage, context: ReadingContext,
        read: (PageRows, [Int], ReadingContext) throws(FlatteningError) -> [RecognizedLine]
    ) throws(FlatteningError) -> [RecognizedLine] {
        var budget = ReadingBudget(pixels: page.picture.size.pixelCount)
        /// Reads rows in portions; `shares` of the whole reading lie in it.
        func readAll(
            _ indices: [Int], of rows: PageRows, _ shares: Range<Double>
        ) throws(FlatteningError) -> (lines: [RecognizedLine], unread: [Int]) {
            var lines: [RecognizedLine] = []
            var done = shares.lowerBound
            let unread = try budget.spend(on: indices, of: rows) { portion, share throws(FlatteningError) in
                let end = shares.lowerBound + (shares.upperBound - shares.lowerBound) * share
                defer { done = end }
                let read = try read(rows, portion, part(done..<end, of: context))
                lines += read
                return read.reduce(0) { $0 + worth($1.words, even: ReadingTuning.Budget.evenConfidence) }
            }
            return (lines, unread)
        }
        let usual = PageRows(on: page)
        let first = try readAll(Array(usual.rows.indices), of: usual, 0..<Tuning.shareOfUsual)
        let sure = first.lines.filter { $0.confidence > Tuning.sureRow }
        let pale = PageRows(on: page, isPale: true)
        let unsure = pale.rows.indices.filter { index in
            !sure.contains { covers($0.box, pale.rows[index].box) }
        }
        let second = try readAll(unsure, of: pale, Tuning.shareOfUsual..<1)
        let unread = [(first.unread, usual), (second.unread, pale)].map {
            UnreadRows(count: $0.0.count, found: $0.1.rows.count)
        }
        if let most = unread.max(by: { $0.count < $1.count }), most.count > 0 { context.onUnread?(most) }
        let best = ReadingChoice.better(first.lines, second.lines) { worth($0) }
        return RowLayout.join(best).filter(\.isPrint)
    }

    /// How much words are worth: characters that are surely read count for them, doubtful ones against them.
    private static func worth(_ words: [RecognizedWord], even: Double = Tuning.evenConfidence) -> Double {
        words.reduce(0) { $0 + Double($1.text.count) * ($1.confidence - even) }
    }

    /// The context of a part of the reading: what that part has done, it tells as a share of the whole.
    private static func part(_ shares: Range<Double>, of context: ReadingContext) -> ReadingContext {
        guard let tell = context.onProgress else { return context }
        return context.reporting { share in
            tell(shares.lowerBound + (shares.upperBound - shares.lowerBound) * share)
        }
    }

    /// Whether what was read in a box is all of a row.
    private static func covers(_ read: Box, _ row: Box) -> Bool {
        let width = min(read.right, row.right) - max(read.left, row.left)
        let height = min(read.bottom, row.bottom) - max(read.top, row.top)
        return width > Tuning.knownWidth * row.width
            && height > Tuning.knownHeight * min(read.height, row.height)
    }
}

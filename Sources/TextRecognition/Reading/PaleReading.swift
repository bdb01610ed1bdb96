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
        let usual = PageRows(on: page)
        let first = try read(usual, Array(usual.rows.indices), part(0..<Tuning.shareOfUsual, of: context))
        let sure = first.filter { $0.confidence > Tuning.sureRow }
        let pale = PageRows(on: page, isPale: true)
        let unsure = pale.rows.indices.filter { index in
            !sure.contains { covers($0.box, pale.rows[index].box) }
        }
        let second = try read(pale, unsure, part(Tuning.shareOfUsual..<1, of: context))
        let best = ReadingChoice.better(first, second) { words in
            words.reduce(0) { $0 + Double($1.text.count) * ($1.confidence - Tuning.evenConfidence) }
        }
        return RowLayout.join(best).filter(\.isPrint)
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

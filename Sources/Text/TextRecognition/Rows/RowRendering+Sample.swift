import Imaging
import PrintDetection

extension RowRendering {
    /// Draws a few rows as tesseract reads them best, to see how well they can be read.
    /// - Parameters:
    ///   - rows: the rows of a page.
    ///   - ink: the page's ink.
    ///   - places: which rows, counted from the one with most letters.
    /// - Returns: nil where no row has enough letters.
    static func sample(of rows: [PrintedRow], ink: Ink, places: Range<Int>) -> GrayImage? {
        let chosen = rows.indices.filter { rows[$0].marks.count >= Tuning.leastMarks }
            .sorted { rows[$0].marks.count > rows[$1].marks.count }
            .dropFirst(places.lowerBound).prefix(places.count).sorted()
        guard !chosen.isEmpty else { return nil }
        var parts = rows
        for index in chosen {
            parts[index] = rows[index].prefix(
                Tuning.marksOfRow, longest: Tuning.longestRow * rows[index].letterHeight,
                longestBlank: ReadingTuning.Drawing.longestBlank * rows[index].letterHeight)
        }
        return RowRendering(
            rows: parts, indices: chosen, ink: ink, style: Tuning.style,
            pitches: Array(repeating: nil, count: rows.count)
        ).page
    }

    private typealias Tuning = ReadingTuning.Upright
}

import Diagnostics
import Foundation
import Imaging
import PrintDetection

/// Reads receipts: rows and pitch found by geometry, each row drawn at the size and width that tesseract reads best, read
/// more than once, and the readings reconciled cell by cell.
///
/// Receipt printers set characters wide apart, and tesseract, trained on books, takes the blank for spaces and the letters
/// for others ("13.70" becomes "13}, 7/0)"). Here letters are narrowed and moved together until their pitch is that of
/// book type. On fixed-width type a space is what has an empty cell, never what tesseract makes of a wide gap.
struct ReceiptReader {
    let page: PageRows
    let pool: TesseractPool
    let context: ReadingContext
    private let parts: ReadingParts?

    init(page: PageRows, pool: TesseractPool, context: ReadingContext) {
        self.page = page
        self.pool = pool
        self.context = context
        parts = context.onProgress.map(ReadingParts.init)
    }

    private typealias Tuning = ReadingTuning.Passes

    private var rows: [PrintedRow] { page.rows }

    /// The rows as read.
    func lines() throws(FlatteningError) -> [RecognizedLine] {
        guard !rows.isEmpty else { return [] }
        let lines = page.isFixedWidth ? try readFixedWidth() : try readProportional()
        return lines.filter { !$0.isRule }
    }

    /// A way of drawing a row.
    private struct DrawnType {
        /// Height of the letters in drawn pixels.
        var letterHeight: Double
        /// Distance of the characters in letter heights.
        var pitch: Double
        /// How much of the blank between letters remains.
        var gap: Double
    }

    /// What all rows are read in. Of perfectly flat receipts of 36 to 42 columns tesseract misread 1.5 % at 6 px/mm squeezed
    /// to 0.8 of the width, and 6.5 % at 10 px/mm as printed: size and width relative to book type matter, not dpi.
    private static let firstStyles = [
        DrawnType(letterHeight: 20, pitch: 0.56, gap: 0.6),
        DrawnType(letterHeight: 24, pitch: 0.66, gap: 0.6),
    ]
    /// What doubtful rows are read in again: as unlike the first as can be read.
    private static let moreStyles = [
        DrawnType(letterHeight: 30, pitch: 0.6, gap: 1), DrawnType(letterHeight: 22, pitch: 0.6, gap: 0.2),
    ]
    /// What rows of proportional type are read in.
    private static let proportionalStyle = RowRendering.Style(letterHeight: 26, widthFactor: 1)

    private func style(_ type: DrawnType) -> RowRendering.Style {
        let ratio = (page.pitch ?? Tuning.usualPitch * page.letterHeight) / page.letterHeight
        return .init(
            letterHeight: type.letterHeight,
            widthFactor: min(max(type.pitch / ratio, Tuning.leastWidth), Tuning.greatestWidth),
            gapFactor: type.gap)
    }

    private func readFixedWidth() throws(FlatteningError) -> [RecognizedLine] {
        var votes: [CellVotes?] = zip(rows, page.pitches).map { row, pitch in
            pitch.map { CellVotes(cells: PrintedCells(row: row, pitch: $0)) }
        }
        var best = [[RecognizedWord]](repeating: [], count: rows.count)
        func add(_ passes: [[Int: RowReading]]) {
            for readings in passes {
                for (row, reading) in readings {
                    votes[row]?.add(reading)
                    if Self.worth(reading.words) > Self.worth(best[row]) { best[row] = reading.words }
                }
            }
        }
        let all = Array(rows.indices)
        parts?.begin(rows: all.count * Self.firstStyles.count, upTo: Tuning.shareOfFirst)
        add(try passes(Self.firstStyles.map { (style($0), all) }))
        let doubtful = all.filter { votes[$0].map { !$0.isSettled } ?? false }
        parts?.begin(rows: doubtful.count * Self.moreStyles.count, upTo: Tuning.shareOfAll)
        if !doubtful.isEmpty {
            add(try passes(Self.moreStyles.map { (style($0), doubtful) }))
        }
        parts?.begin(rows: 0, upTo: 1)
        for row in votes.indices where votes[row]?.cells.isRegular == true {
            if var own = votes[row] {
                PeriodOrComma.settle(&own, letterHeight: rows[row].letterHeight)
                votes[row] = own
            }
        }
        GlyphComparison.settle(&votes, rows: rows, ink: page.ink)
        var lines = votes.indices.compactMap { row -> RecognizedLine? in
            // Where letters do not stand in cells, as in a logo or a line of other type, tesseract's own words count.
            let isRegular = votes[row]?.cells.isRegular ?? false
            let words = isRegular ? votes[row]?.words() ?? [] : best[row]
            return words.isEmpty ? nil : RecognizedLine(words: words)
        }
        AmountColumn.unifyDecimalMarks(
            in: &lines, tolerance: Tuning.columnTolerance * (page.pitch ?? page.letterHeight))
        return lines
    }

    /// One plain pass over the page, which knows columns, and one row by row, which knows sizes.
    private func readProportional() throws(FlatteningError) -> [RecognizedLine] {
        let drawn = RowRendering(
            rows: rows, indices: Array(rows.indices), ink: page.ink,
            style: Self.proportionalStyle, pitches: page.pitches)
        let pictures: [(page: GrayImage, segmentation: TesseractHandle.Segmentation)] = [
            (page.picture, .automatic), (drawn.page, .block),
        ]
        parts?.begin(rows: rows.count * pictures.count, upTo: 1)
        let words = try pool.read(
            pictures.map {
                .init(
                    page: $0.page, segmentation: $0.segmentation,
                    onProgress: parts?.listener(rows: rows.count))
            }, context: context)
        let byRow = RowReading.readings(of: words[1], in: drawn)
        var byPage = [[RecognizedWord]](repeating: [], count: rows.count)
        var elsewhere: [ReadWord] = []
        for word in words[0] where page.rim?.bears(word.box) ?? true {
            if let row = rowIndex(of: word.box) {
                byPage[row].append(.init(text: word.text, confidence: word.confidence, box: word.box))
            } else {
                var alone = word
                // The words of one line that lie outside the rows found stay one line.
                alone.startsLine = word.startsLine || elsewhere.isEmpty
                elsewhere.append(alone)
            }
        }
        let lines = rows.indices.compactMap { row -> RecognizedLine? in
            let own = byRow[row]?.words ?? []
            let chosen = Self.worth(own) > Self.worth(byPage[row]) ? own : byPage[row]
            return chosen.isEmpty
                ? nil : RecognizedLine(words: chosen.sorted { $0.box.left < $1.box.left })
        }
        return RowLayout.join(lines + RowLayout.rows(of: elsewhere))
    }

    /// The row that a word read elsewhere on the page belongs to.
    private func rowIndex(of box: Box) -> Int? {
        let x = (box.left + box.right) / 2
        let y = (box.top + box.bottom) / 2
        return rows.indices.filter { index in
            let row = rows[index]
            return x > row.box.left - page.letterHeight && x < row.box.right + page.letterHeight
                && abs(row.middle(at: x) - y) < Tuning.bandOfRow
                    * max(row.letterHeight, Tuning.shareOfWord * box.height)
                && box.height < Tuning.tallestWord * row.letterHeight
        }.min { abs(rows[$0].middle(at: x) - y) < abs(rows[$1].middle(at: x) - y) }
    }

    /// How much a reading of a row is worth: characters that are surely read count for it, doubtful ones against it.
    private static func worth(_ words: [RecognizedWord]) -> Double {
        words.reduce(0) { $0 + Double($1.text.count) * ($1.confidence - Tuning.evenConfidence) }
    }

    /// Draws and reads several styles at once.
    private func passes(
        _ passes: [(style: RowRendering.Style, rows: [Int])]
    ) throws(FlatteningError) -> [[Int: RowReading]] {
        let drawn = passes.map {
            RowRendering(
                rows: rows, indices: $0.rows, ink: page.ink, style: $0.style, pitches: page.pitches)
        }
        let words = try pool.read(
            drawn.map {
                .init(
                    page: $0.page, segmentation: .block,
                    onProgress: parts?.listener(rows: $0.strips.count))
            }, context: context)
        return zip(words, drawn).map { RowReading.readings(of: $0, in: $1) }
    }
}

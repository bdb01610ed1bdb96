import Diagnostics
import Platform
import Imaging
import PrintDetection

/// Reads receipts. Rows and pitch are found by geometry, and each row is drawn at the size and width that tesseract
/// reads best. Doubtful rows are read again in other ways, and the readings are reconciled cell by cell.
///
/// Receipt printers set characters wide apart. tesseract, trained on books, takes the gaps for spaces and misreads the
/// letters ("13.70" becomes "13}, 7/0)"). Here letters are narrowed and moved together until their pitch is that of
/// book type. On fixed-width type a space is an empty cell, never what tesseract makes of a wide gap.
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

    /// Reads the rows.
    func lines() throws(FlatteningError) -> [RecognizedLine] {
        guard !rows.isEmpty else { return [] }
        var budget = ReadingBudget(pixels: page.picture.size.pixelCount, context: context)
        let lines = page.isFixedWidth ? try readFixedWidth(&budget) : try readProportional(&budget)
        return lines.filter(\.isPrint)
    }

    /// A way of drawing a row.
    private struct DrawnType {
        /// Height of the letters in drawn pixels.
        var letterHeight: Double
        /// Distance between characters, in letter heights.
        var pitch: Double
        /// Share of the blank between letters that remains.
        var gap: Double
    }

    /// The style in which all rows are read first. On perfectly flat receipts of 36 to 42 columns tesseract misread 1.5
    /// % at 6 px/mm squeezed to 0.8 of the width, and 6.5 % at 10 px/mm as printed: size and width relative to book
    /// type matter, not dpi.
    private static let firstStyle = DrawnType(letterHeight: 24, pitch: 0.66, gap: 0.6)
    /// The style for rows that one reading leaves unsure.
    private static let secondStyle = DrawnType(letterHeight: 20, pitch: 0.56, gap: 0.6)
    /// The styles in which doubtful rows are read again: as different from the first as can be read.
    private static let moreStyles = [
        DrawnType(letterHeight: 30, pitch: 0.6, gap: 1), DrawnType(letterHeight: 22, pitch: 0.6, gap: 0.2),
    ]
    /// The style for rows of proportional type. On 25 scans of receipts in such type, one reading of each row had 11.2
    /// % of the characters wrong at the letters' own width, 10.5 % at 1.15 times it, 9.7 % with half the margin, and
    /// 10.7 % with more contrast.
    private static let proportionalStyle = style(letterHeight: 22, widthFactor: 1.15)
    /// The style in which doubtful rows of proportional type are read again.
    private static let secondProportionalStyle = style(letterHeight: 18, widthFactor: 1)

    /// Returns a style with the settings that all have in common.
    private static func style(
        letterHeight: Double, widthFactor: Double, gapFactor: Double = 1
    ) -> RowRendering.Style {
        .init(
            letterHeight: letterHeight, widthFactor: widthFactor, gapFactor: gapFactor, margin: Tuning.margin,
            longestBlank: Tuning.longestBlank, contrast: Tuning.contrast, isSmoothed: true)
    }

    private func style(_ type: DrawnType) -> RowRendering.Style {
        let ratio = (page.pitch ?? Tuning.usualPitch * page.letterHeight) / page.letterHeight
        return Self.style(
            letterHeight: type.letterHeight,
            widthFactor: min(max(type.pitch / ratio, Tuning.leastWidth), Tuning.greatestWidth),
            gapFactor: type.gap)
    }

    private func readFixedWidth(
        _ budget: inout ReadingBudget
    ) throws(FlatteningError) -> [RecognizedLine] {
        var votes: [CellVotes?] = zip(rows, page.pitches).map { row, pitch in
            pitch.map { CellVotes(cells: PrintedCells(row: row, pitch: $0)) }
        }
        var best = [[RecognizedWord]](repeating: [], count: rows.count)
        /// - Returns: how much the result is worth.
        @discardableResult func read(
            _ rows: [Int], in types: [DrawnType], isAgain: Bool = false, upTo share: Double
        ) throws(FlatteningError) -> Double {
            parts?.begin(rows: rows.count * types.count, upTo: share)
            guard !rows.isEmpty else { return 0 }
            for readings in try passes(types.map { (style($0), rows) }, isAgain: isAgain).rows {
                for (row, reading) in readings {
                    votes[row]?.add(reading)
                    if Self.worth(reading.words) > Self.worth(best[row]) { best[row] = reading.words }
                }
            }
            return rows.reduce(0) { $0 + Self.worth(best[$1], even: ReadingTuning.Budget.evenConfidence) }
        }
        let known = try readOnce(&budget) { rows, share throws(FlatteningError) in
            try read(rows, in: [Self.firstStyle], upTo: Tuning.shareOfFirst * share)
        }
        let unsure = budget.take(known.filter { !(votes[$0]?.isSurelyRead ?? false) }, of: page)
        try read(unsure, in: [Self.secondStyle], upTo: Tuning.shareOfSecond)
        let doubtful = budget.take(
            unsure.filter { votes[$0].map { !$0.isSettled } ?? false }, of: page,
            times: Self.moreStyles.count)
        try read(doubtful, in: Self.moreStyles, isAgain: true, upTo: Tuning.shareOfAll)
        parts?.begin(rows: 0, upTo: 1)
        for row in votes.indices where votes[row]?.cells.isRegular == true {
            if var own = votes[row] {
                PeriodOrComma.settle(&own, letterHeight: rows[row].letterHeight)
                votes[row] = own
            }
        }
        GlyphComparison.settle(&votes, rows: rows, ink: page.ink)
        var lines = votes.indices.compactMap { row -> RecognizedLine? in
            // Where letters do not stand in cells, as in a logo or a line of other type, use tesseract's own words.
            let isRegular = votes[row]?.cells.isRegular ?? false
            let words = isRegular ? votes[row]?.words() ?? [] : best[row].filter(Self.isWord)
            guard !words.isEmpty, isRegular || isPrint(words, of: rows[row]) else { return nil }
            return RecognizedLine(words: words)
        }
        AmountColumn.unifyDecimalMarks(
            in: &lines, tolerance: Tuning.columnTolerance * (page.pitch ?? page.letterHeight))
        return lines
    }

    /// Reads rows once, as far as that is useful, and reports the rows that it leaves out.
    /// - Returns: the rows that were read.
    private func readOnce(
        _ budget: inout ReadingBudget, read: ([Int], Double) throws(FlatteningError) -> Double
    ) throws(FlatteningError) -> [Int] {
        let all = Array(rows.indices)
        let unread = try budget.spend(on: all, of: page, read: read)
        guard !unread.isEmpty else { return all }
        context.onUnread?(UnreadRows(count: unread.count, found: all.count))
        return Set(all).subtracting(unread).sorted()
    }

    /// Reads every row once, and doubtful rows again in another style; the better of two readings counts. Where most
    /// rows are doubtful, as on crumpled sheets whose rows are bent or torn apart, the page is read as a whole too.
    private func readProportional(
        _ budget: inout ReadingBudget
    ) throws(FlatteningError) -> [RecognizedLine] {
        var best: [Int: RowReading] = [:]
        let known = try readOnce(&budget) { rows, share throws(FlatteningError) in
            parts?.begin(rows: rows.count, upTo: Tuning.shareOfProportional * share)
            let readings = try passes([(Self.proportionalStyle, rows)]).rows[0]
            best.merge(readings) { $1 }
            return rows.reduce(0) {
                $0 + Self.worth(readings[$1]?.words ?? [], even: ReadingTuning.Budget.evenConfidence)
            }
        }
        let doubted = known.filter { row in
            best[row].map { Self.confidence(of: $0.words) < Tuning.sureRow } ?? true
        }
        let doubtful = budget.take(doubted, of: page)
        // Reading the page as a whole takes as long as reading its rows.
        let isPageDoubtful =
            Double(doubted.count) >= Tuning.doubtfulPage * Double(known.count) && budget.takeAll(of: page)
        parts?.begin(rows: doubtful.count + (isPageDoubtful ? rows.count : 0), upTo: 1)
        let again = try passes(
            [(Self.secondProportionalStyle, doubtful)], isAgain: true, besidePage: isPageDoubtful)
        best.merge(again.rows[0]) { Self.worth($1.words) > Self.worth($0.words) ? $1 : $0 }
        let byRows = RowLayout.join(
            rows.indices.compactMap { row in
                let words = best[row]?.words.filter(Self.isWord) ?? []
                guard isPrint(words, of: rows[row]) else { return nil }
                return RecognizedLine(words: words.sorted { $0.box.left < $1.box.left })
            })
        guard isPageDoubtful else { return byRows }
        return RowLayout.join(
            ReadingChoice.better(byRows, lines(onPage: again.page)) {
                Self.worth($0, even: Tuning.evenConfidenceOnDoubtfulPage)
            })
    }

    /// The page's own pixels, in which tesseract finds the rows by itself.
    private var wholePage: TesseractPool.Job {
        .init(
            page: page.picture, segmentation: .automatic, triesInverted: true,
            onProgress: parts?.listener(rows: rows.count))
    }

    /// Forms lines from the words that were read on the page as a whole.
    private func lines(onPage words: [ReadWord]) -> [RecognizedLine] {
        RecognizedLine.rows(
            of: words.filter { page.rim?.bears($0.box) ?? true }
                .map { RecognizedWord(text: $0.text, confidence: $0.confidence, box: $0.box) }
                .filter(Self.isWord))
    }

    /// Whether the text read in a row is print rather than a speck, a pen stroke or the halves of a rule.
    private func isPrint(_ words: [RecognizedWord], of row: PrintedRow) -> Bool {
        let confidence = Self.confidence(of: words)
        guard confidence > Tuning.leastRow else { return false }
        let letters = row.marks.count { Double($0.height) > Tuning.tallMark * row.letterHeight }
        if letters <= 1, row.marks.count <= Tuning.marksOfSpeck { return confidence > Tuning.sureSpeck }
        let isSmall = row.letterHeight < Tuning.smallRow * page.letterHeight
        return !isSmall || confidence > Tuning.sureSmallRow
    }

    /// Whether a word says anything: doubtful signs without letters or digits are what tesseract makes of rules and
    /// folds.
    private static func isWord(_ word: RecognizedWord) -> Bool {
        word.text.contains { $0.isLetter || $0.isNumber } || word.confidence > Tuning.sureSign
    }

    /// The mean confidence of a row's characters, 0 to 1.
    private static func confidence(of words: [RecognizedWord]) -> Double {
        let count = words.reduce(0) { $0 + $1.text.count }
        return count == 0 ? 0 : words.reduce(0) { $0 + Double($1.text.count) * $1.confidence } / Double(count)
    }

    /// Returns how much a reading of a row is worth: surely read characters add to it, doubtful ones subtract from it.
    private static func worth(_ words: [RecognizedWord], even: Double = Tuning.evenConfidence) -> Double {
        words.reduce(0) { $0 + Double($1.text.count) * ($1.confidence - even) }
    }

    /// Draws and reads rows in several styles at once and, if asked, the page as a whole, which takes as long as many
    /// rows.
    /// - Parameter isAgain: whether the rows were read poorly before, so that they are read light on dark too. Drawn
    ///   rows are dark on light, except those whose ground was taken for print.
    private func passes(
        _ passes: [(style: RowRendering.Style, rows: [Int])], isAgain: Bool = false, besidePage: Bool = false
    ) throws(FlatteningError) -> (rows: [[Int: RowReading]], page: [ReadWord]) {
        let drawn = passes.map {
            RowRendering(
                rows: rows, indices: $0.rows, ink: page.ink, style: $0.style, pitches: page.pitches)
        }
        // Each row is read alone: then the result does not depend on the other rows, and tesseract need not find them.
        let strips = drawn.flatMap { page in page.strips.map { (page: page, strip: $0) } }
        let whole = besidePage ? [wholePage] : []
        let words = try pool.read(
            whole
                + strips.map {
                    .init(
                        page: $0.page.picture(of: $0.strip), segmentation: .line, triesInverted: isAgain,
                        onProgress: parts?.listener(rows: 1))
                }, context: context)
        var readings = [[Int: RowReading]](repeating: [:], count: drawn.count)
        var next = whole.count
        for (pass, page) in drawn.enumerated() {
            for strip in page.strips {
                readings[pass][strip.row] = RowReading(words[next], of: strip, in: page)
                next += 1
            }
        }
        return (readings, besidePage ? words[0] : [])
    }
}

import Foundation
import Imaging

/// Reads receipts: rows and pitch found by geometry, each row drawn at the size and width that tesseract reads best, read
/// more than once, and the readings reconciled cell by cell.
///
/// Receipt printers set characters wide apart, and tesseract, trained on books, takes the blank for spaces and the letters
/// for others ("13.70" becomes "13}, 7/0)"). Here letters are narrowed and moved together until their pitch is that of
/// book type. On fixed-width type a space is what has an empty cell, never what tesseract makes of a wide gap.
struct ReceiptReader {
    let page: GrayImage
    let ink: Ink
    let rows: [PrintedRow]
    let pitches: [CharacterPitch?]
    let letterHeight: Double
    let pitch: Double?
    let rim: SheetRim?

    init(page: GrayImage, rim: SheetRim? = nil) {
        self.page = page
        self.rim = rim
        var ink = Ink(of: page)
        var marks = PrintedMark.marks(in: ink)
        func leaveOutRim() {
            guard let rim else { return }
            marks = rim.print(among: marks)
        }
        leaveOutRim()
        let first = PrintedRowFinder(marks: marks)
        let entered = ink.enteringPanels(among: marks, on: page, letterHeight: first.letterHeight)
        let hasPanels = entered.relief != ink.relief
        if hasPanels {
            ink = entered
            marks = PrintedMark.marks(in: ink)
            leaveOutRim()
        }
        self.ink = ink
        let finder = hasPanels ? PrintedRowFinder(marks: marks) : first
        var rows = finder.rows()
        let pitchFinder = PitchFinder(rows: rows, letterHeight: finder.letterHeight)
        // Rows in the page's usual type share one letter height: "sum" and "TOTAL" are set in the same.
        let heights = rows.filter { $0.marks.count >= 6 }.map(\.letterHeight).sorted()
        let usual = heights.isEmpty ? finder.letterHeight : heights[heights.count * 2 / 3]
        for index in rows.indices where (0.6...1.35).contains(rows[index].letterHeight / usual) {
            rows[index].letterHeight = usual
        }
        self.rows = rows
        letterHeight = usual
        pitch = pitchFinder.pitch
        pitches = rows.map(pitchFinder.cells(of:))
    }

    /// Whether the page is set in fixed-width type.
    var isFixedWidth: Bool { pitch != nil }

    /// A style whose drawn pitch is `pitchRatio` letter heights.
    func style(letterHeight drawn: Double, pitchRatio: Double, gapFactor: Double) -> RowRendering.Style {
        let ratio = (pitch ?? 0.6 * letterHeight) / letterHeight
        return .init(
            letterHeight: drawn, widthFactor: min(max(pitchRatio / ratio, 0.5), 1.1), gapFactor: gapFactor)
    }

    /// The rows as read.
    func read(
        with engines: EnginePool, allowance: ReadingAllowance, progress: ReadingProgress?
    ) throws(FlatteningError) -> [RecognizedLine] {
        guard !rows.isEmpty else { return [] }
        let lines =
            isFixedWidth
            ? try readFixedWidth(with: engines, allowance: allowance, progress: progress)
            : try readProportional(with: engines, allowance: allowance, progress: progress)
        return lines.filter { !$0.isRule }
    }

    /// The share of reading fixed-width type that the passes over all rows take: 0.80 to 0.91 of the time on five drawn receipts
    /// of 19 to 25 rows, of which 0 to 3 were read again; 0.5 on a faint scan, 20 of whose 34 rows were.
    private static let shareOfFirstPasses = 0.85
    /// The share done when the doubtful rows are read again; comparing the readings takes the rest, 0.05 to 0.09 there.
    private static let shareOfAllPasses = 0.95

    private func readFixedWidth(
        with engines: EnginePool, allowance: ReadingAllowance, progress: ReadingProgress?
    ) throws(FlatteningError) -> [RecognizedLine] {
        var votes: [CellVotes?] = zip(rows, pitches).map { row, pitch in
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
        let first = [
            style(letterHeight: 20, pitchRatio: 0.56, gapFactor: 0.6),
            style(letterHeight: 24, pitchRatio: 0.66, gapFactor: 0.6),
        ]
        let more = [
            style(letterHeight: 30, pitchRatio: 0.6, gapFactor: 1),
            style(letterHeight: 22, pitchRatio: 0.6, gapFactor: 0.2),
        ]
        progress?.begin(rows: all.count * first.count, upTo: Self.shareOfFirstPasses)
        add(try passes(first.map { ($0, all) }, with: engines, allowance: allowance, progress: progress))
        let doubtful = all.filter { votes[$0].map { !$0.isSettled } ?? false }
        progress?.begin(rows: doubtful.count * more.count, upTo: Self.shareOfAllPasses)
        if !doubtful.isEmpty {
            add(
                try passes(
                    more.map { ($0, doubtful) }, with: engines, allowance: allowance, progress: progress))
        }
        progress?.begin(rows: 0, upTo: 1)
        for row in votes.indices where votes[row]?.cells.isRegular == true {
            if var own = votes[row] {
                PeriodOrComma.settle(&own, letterHeight: rows[row].letterHeight)
                votes[row] = own
            }
        }
        GlyphComparison.settle(&votes, rows: rows, ink: ink)
        var lines = votes.indices.compactMap { row -> RecognizedLine? in
            // Where letters do not stand in cells, as in a logo or a line of other type, tesseract's own words count.
            let isRegular = votes[row]?.cells.isRegular ?? false
            let words = isRegular ? votes[row]?.words() ?? [] : best[row]
            return words.isEmpty ? nil : RecognizedLine(words: words)
        }
        AmountColumn.unifyDecimalMarks(in: &lines, tolerance: 0.6 * (pitch ?? letterHeight))
        return lines
    }

    /// One plain pass over the page, which knows columns, and one row by row, which knows sizes.
    private func readProportional(
        with engines: EnginePool, allowance: ReadingAllowance, progress: ReadingProgress?
    ) throws(FlatteningError) -> [RecognizedLine] {
        let drawn = RowRendering(
            rows: rows, indices: Array(rows.indices), ink: ink,
            style: .init(letterHeight: 26, widthFactor: 1), pitches: pitches)
        let pictures: [(page: GrayImage, segmentation: TesseractEngine.Segmentation)] = [
            (page, .automatic), (drawn.page, .block),
        ]
        progress?.begin(rows: rows.count * pictures.count, upTo: 1)
        let words = try engines.read(
            pictures.map {
                .init(
                    page: $0.page, segmentation: $0.segmentation, dotsPerInch: TextRecognizer.bookResolution,
                    onProgress: progress?.listener(rows: rows.count))
            }, allowance: allowance)
        let byRow = RowReading.readings(of: words[1], in: drawn)
        var byPage = [[RecognizedWord]](repeating: [], count: rows.count)
        var elsewhere: [TesseractEngine.Word] = []
        for word in words[0] where rim?.bears(word.box) ?? true {
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
    private func rowIndex(of box: TextBox) -> Int? {
        let x = (box.left + box.right) / 2
        let y = (box.top + box.bottom) / 2
        return rows.indices.filter { index in
            let row = rows[index]
            return x > row.box.left - letterHeight && x < row.box.right + letterHeight
                && abs(row.middle(at: x) - y) < 0.6 * max(row.letterHeight, 0.5 * box.height)
                && box.height < 2.5 * row.letterHeight
        }.min { abs(rows[$0].middle(at: x) - y) < abs(rows[$1].middle(at: x) - y) }
    }

    /// How much a reading of a row is worth: characters that are surely read count for it, doubtful ones against it.
    private static func worth(_ words: [RecognizedWord]) -> Double {
        words.reduce(0) { $0 + Double($1.text.count) * ($1.confidence - 0.5) }
    }

    /// Draws and reads several styles at once.
    private func passes(
        _ passes: [(style: RowRendering.Style, rows: [Int])], with engines: EnginePool,
        allowance: ReadingAllowance, progress: ReadingProgress?
    ) throws(FlatteningError) -> [[Int: RowReading]] {
        let drawn = passes.map {
            RowRendering(rows: rows, indices: $0.rows, ink: ink, style: $0.style, pitches: pitches)
        }
        let words = try engines.read(
            drawn.map {
                .init(
                    page: $0.page, segmentation: .block, dotsPerInch: TextRecognizer.bookResolution,
                    onProgress: progress?.listener(rows: $0.strips.count))
            }, allowance: allowance)
        return zip(words, drawn).map { RowReading.readings(of: $0, in: $1) }
    }
}

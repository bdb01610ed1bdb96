import Testing
import TextTestSupport

@testable import PrintDetection
@testable import TextRecognition

@Suite struct GlyphComparisonTests {
    private static let printed = ["14 41 11 44 14", "41 14 44 11 41", "11 44 14 41 17", "44 11 41 14 44"]

    /// The votes of readings that saw the truth, but for one cell.
    private func votes(
        _ rows: PageRows, wrong: (row: Int, cell: Int, text: String),
        confidences: [(truth: Double, wrong: Double)]
    ) throws -> [CellVotes?] {
        try rows.rows.indices.map { row in
            let cells = PrintedCells(row: rows.rows[row], pitch: try #require(rows.pitches[row]))
            let truth = Self.printed[row].filter { $0 != " " }.map(String.init)
            #expect(cells.indices.count == truth.count)
            var votes = CellVotes(cells: cells)
            for confidence in confidences {
                let symbols = zip(truth, cells.boxes).enumerated().map { cell, read in
                    let isWrong = (row, cell) == (wrong.row, wrong.cell) && confidence.wrong > 0
                    return ReadSymbol(
                        text: isWrong ? wrong.text : read.0,
                        confidence: isWrong ? confidence.wrong : confidence.truth, box: read.1)
                }
                votes.add(RowReading(symbols: symbols, wordStarts: []))
            }
            return votes
        }
    }

    private func rows() throws -> PageRows {
        PageRows(on: TextPage(try DrawnPage(Self.printed.joined(separator: "\n")).picture))
    }

    @Test func aDoubtfulCharacterIsWhatItsLikesAre() throws {
        let rows = try rows()
        var votes = try votes(rows, wrong: (1, 0, "1"), confidences: [(0.8, 0), (0.8, 0.95)])
        #expect(votes[1]?.winner(of: 0).text == "1", "before, the surer reading is wrong")
        GlyphComparison.settle(&votes, rows: rows.rows, ink: rows.ink)
        #expect(votes[1]?.winner(of: 0).text == "4")
        for row in [0, 2, 3] {
            let read = votes[row].map { own in
                own.cells.indices.indices.map { own.winner(of: $0).text }.joined()
            }
            #expect(read == Self.printed[row].filter { $0 != " " }, "what was right stays")
        }
    }

    @Test func allReadingsAreOverruledOnlyByAClearLikeness() throws {
        let rows = try rows()
        var votes = try votes(rows, wrong: (1, 0, "1"), confidences: [(0.9, 0.9), (0.9, 0.9)])
        GlyphComparison.settle(&votes, rows: rows.rows, ink: rows.ink)
        #expect(votes[1]?.winner(of: 0).text == "4")
    }

    @Test func aCharacterWithoutItsLikeStays() throws {
        let rows = try rows()
        // The only 7 of the page.
        var votes = try votes(rows, wrong: (2, 9, "7"), confidences: [(0.9, 0.9), (0.9, 0.9)])
        GlyphComparison.settle(&votes, rows: rows.rows, ink: rows.ink)
        #expect(votes[2]?.winner(of: 9).text == "7")
    }
}

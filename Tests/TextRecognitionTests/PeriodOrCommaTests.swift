import Testing
import TextTestSupport

@testable import TextRecognition

@Suite struct PeriodOrCommaTests {
    @Test("Stops stay stops and commas stay commas, however they were read", arguments: [".", ","])
    func settled(mark: String) throws {
        let printed = "Tea 12\(mark)50 34\(mark)75"
        let page = PageRows(
            on: TextPage(try DrawnPage(printed + "\n" + printed + "\nmore text of one pitch").picture))
        let pitch = try #require(page.pitches[0])
        let cells = PrintedCells(row: page.rows[0], pitch: pitch)
        // A reading that has every mark wrong.
        let wrong = Array(printed.filter { $0 != " " }).map { $0 == "." ? "," : $0 == "," ? "." : String($0) }
        #expect(cells.indices.count == wrong.count)
        var votes = CellVotes(cells: cells)
        votes.add(
            RowReading(
                symbols: zip(wrong, cells.boxes).map { .init(text: $0, confidence: 0.9, box: $1) },
                wordStarts: []))
        PeriodOrComma.settle(&votes, letterHeight: page.rows[0].letterHeight)
        #expect(votes.words().map(\.text).joined(separator: " ") == printed)
    }
}

import Imaging
import Testing

@testable import PrintDetection
@testable import TextRecognition

@Suite struct PrintedCellsTests {
    private static let pitch = CharacterPitch(pitch: 10, origin: 5)

    /// Letters 8 x 20 pixels in the middles of cells, or that far off.
    private static func cells(_ numbers: [Int], off: (Int) -> Int = { _ in 0 }) throws -> PrintedCells {
        let marks = numbers.map {
            PrintedMark(
                left: 10 * $0 + 1 + off($0), top: 50, right: 10 * $0 + 9 + off($0), bottom: 70, area: 90)
        }
        return PrintedCells(row: try #require(PrintedRowFinder(marks: marks).rows().first), pitch: pitch)
    }

    private static func symbol(_ text: String, at x: Double, confidence: Double = 0.9) -> ReadSymbol {
        ReadSymbol(
            text: text, confidence: confidence, box: Box(left: x - 4, top: 50, right: x + 4, bottom: 70))
    }

    private static func reading(_ symbols: [ReadSymbol]) -> RowReading {
        RowReading(symbols: symbols, wordStarts: [])
    }

    @Test func printedCellsAreThoseThatBearLetters() throws {
        let cells = try Self.cells([0, 1, 3, 4])
        #expect(cells.indices == [0, 1, 3, 4])
        #expect(cells.boxes[2] == Box(left: 31, top: 50, right: 39, bottom: 70))
        #expect(cells.isRegular)
    }

    @Test func lettersThatStandAnywhereAreNotRegular() throws {
        // Offsets of -4 to 4 tenths of a pitch, evenly: a deviation of 0.26 beside the 0.22 allowed.
        let cells = try Self.cells(Array(stride(from: 0, to: 36, by: 2))) { $0 / 2 % 9 - 4 }
        #expect(!cells.isRegular)
    }

    @Test func eachSymbolGoesToItsCellAndNoneToTheOneThatWasNotRead() throws {
        let cells = try Self.cells([0, 1, 2, 3])
        let read = [5.0, 15, 35].map { Self.symbol("x", at: $0) }
        #expect(cells.assign(read) == [0, 1, nil, 2])
        // One too many, between two cells: it is left over.
        let more = [5.0, 15, 20, 25, 35].map { Self.symbol("x", at: $0) }
        #expect(cells.assign(more) == [0, 1, 3, 4])
        #expect(cells.assign([]) == [nil, nil, nil, nil])
    }

    @Test func theSurerReadingWinsAndAnEmptyCellIsASpace() throws {
        var votes = CellVotes(cells: try Self.cells([0, 1, 3]))
        votes.add(Self.reading([("a", 5.0), ("b", 15), ("c", 35)].map { Self.symbol($0, at: $1) }))
        votes.add(
            Self.reading([("a", 5.0), ("8", 15), ("c", 35)].map { Self.symbol($0, at: $1, confidence: 0.5) }))
        #expect(votes.winner(of: 1).text == "b")
        // Weights are 0.02 and the cube of the confidence.
        #expect(abs(votes.winner(of: 1).share - 0.749 / (0.749 + 0.145)) < 1e-12)
        #expect(!votes.isSettled)
        #expect(votes.words().map(\.text) == ["ab", "c"])
        #expect(votes.words()[0].box == Box(left: 1, top: 50, right: 19, bottom: 70))
        votes.overrule(1, with: "8")
        #expect(votes.winner(of: 1).text == "8" && votes.winner(of: 1).share == 1)
    }

    @Test(arguments: [(1.0, true), (0.98, true), (0.97, false), (0.9, false)])
    func oneReadingIsEnoughWhereEachLetterIsReadWithoutADoubt(confidence: Double, isEnough: Bool) throws {
        var votes = CellVotes(cells: try Self.cells([0, 1, 3]))
        votes.add(
            Self.reading(
                [
                    Self.symbol("a", at: 5, confidence: 1),
                    Self.symbol("b", at: 15, confidence: confidence),
                    Self.symbol("c", at: 35, confidence: 1),
                ]))
        #expect(votes.isSurelyRead == isEnough)
        // All of these are settled by several readings that agree: of the rest only what is in doubt is read again.
        #expect(votes.isSettled)
    }

    @Test func aCellInWhichNothingIsReadIsADoubt() throws {
        var votes = CellVotes(cells: try Self.cells([0, 1, 3]))
        votes.add(
            Self.reading([Self.symbol("a", at: 5, confidence: 1), Self.symbol("c", at: 35, confidence: 1)]))
        #expect(!votes.isSurelyRead)
    }

    @Test func readingsThatAgreeAreSettledAndAPeriodOrACommaIsNoDisagreement() throws {
        var votes = CellVotes(cells: try Self.cells([0, 1]))
        votes.add(Self.reading([Self.symbol("1", at: 5), Self.symbol(".", at: 15)]))
        votes.add(Self.reading([Self.symbol("1", at: 5), Self.symbol(",", at: 15)]))
        #expect(votes.isSettled)
    }
}

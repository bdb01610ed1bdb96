import Imaging
import Testing

@testable import PrintDetection
@testable import TextRecognition

@Suite struct RowWordsTests {
    /// A row of letters 20 pixels tall, each as wide as said, with its left edge there.
    private static func row(_ letters: [(left: Int, width: Int)]) throws -> PrintedRow {
        let marks = letters.map {
            PrintedMark(left: $0.left, top: 50, right: $0.left + $0.width, bottom: 70, area: 10 * $0.width)
        }
        return try #require(PrintedRowFinder(marks: marks).rows().first)
    }

    /// A sign in the middle of each letter.
    /// - Parameter unsure: how sure the recogniser is of blanks where it read none.
    private static func signs(
        _ text: String, on row: PrintedRow, blanksBefore: Set<Int> = [], unsure: Double = 0.001
    ) -> [RowWords.Sign] {
        zip(text, row.marks).enumerated().map { index, pair in
            .init(
                text: String(pair.0), confidence: 0.5, x: pair.1.centerX,
                blank: blanksBefore.contains(index) ? 0.9 : unsure)
        }
    }

    private static func words(
        _ text: String, _ letters: [(left: Int, width: Int)], unsure: Double
    ) throws -> [String] {
        let row = try row(letters)
        return RowWords(row: row).words(of: signs(text, on: row, unsure: unsure)).map(\.text)
    }

    /// Two steps apart, and 0.7 letter heights more paper.
    @Test func aDroppedBlankIsSeenOnPaper() throws {
        let letters = [0, 14, 28, 56, 70].map { (left: $0, width: 10) }
        #expect(try Self.words("TheCa", letters, unsure: 0.05) == ["The", "Ca"])
        #expect(try Self.words("TheCa", letters, unsure: 0.001) == ["TheCa"])
    }

    /// In type of a fixed pitch a narrow letter has much paper around it, but stands where every other would.
    @Test func aNarrowLetterOfFixedPitchIsNoEndOfAWord() throws {
        let letters = [(0, 12), (19, 4), (34, 12), (51, 12), (69, 4), (85, 12)].map {
            (left: $0.0, width: $0.1)
        }
        #expect(try Self.words("Kilxlm", letters, unsure: 0.05) == ["Kilxlm"])
    }

    /// The comma stands in the middle of its cell of the fixed pitch, with paper on both sides.
    @Test func aCommaWithinANumberIsNoEndOfAWord() throws {
        let letters = [(0, 10), (14, 10), (28, 10), (44, 4), (66, 10), (80, 10)].map {
            (left: $0.0, width: $0.1)
        }
        #expect(try Self.words("211,95", letters, unsure: 0.2) == ["211,95"])
        #expect(try Self.words("ABC,DE", letters, unsure: 0.2) == ["ABC,", "DE"])
    }

    @Test func wideLettersOfProportionalTypeAreNoEndOfAWord() throws {
        let letters = [(0, 4), (7, 4), (14, 24), (41, 24), (68, 4)].map { (left: $0.0, width: $0.1) }
        #expect(try Self.words("ilMWi", letters, unsure: 0.05) == ["ilMWi"])
    }

    /// The middles of "x" and ":" are less than one and a half steps apart here, but there is a blank's paper between them.
    @Test func aBlankBesideANarrowSignIsSeen() throws {
        let letters = [(0, 12), (15, 12), (30, 12), (54, 4)].map { (left: $0.0, width: $0.1) }
        #expect(try Self.words("Max:", letters, unsure: 0.2) == ["Max", ":"])
    }

    /// "3" and "4" stand nearer than all others.
    @Test func aBlankThatWasReadWithoutPaperIsNone() throws {
        let row = try Self.row([0, 14, 28, 39, 53, 67].map { (left: $0, width: 10) })
        var signs = Self.signs("123456", on: row)
        signs[3].blank = 0.6
        #expect(RowWords(row: row).words(of: signs).map(\.text) == ["123456"])
        signs[3].blank = 0.99
        #expect(RowWords(row: row).words(of: signs).map(\.text) == ["123", "456"])
    }

    /// Nothing in the row tells how far apart the letters of a word stand.
    @Test func whereAllAreSingleTheRecogniserIsTakenAtItsWord() throws {
        let row = try Self.row([(0, 10), (40, 10)])
        #expect(RowWords(row: row).words(of: Self.signs("12", on: row, blanksBefore: [1])).count == 2)
    }

    @Test(arguments: [
        ("0live", "Olive"), ("0il", "Oil"), ("0g", "0g"), ("0.5l", "0.5l"), ("0x7f", "0x7f"),
        ("50ml", "50ml"),
        ("0AB", "0AB"), ("0kcal", "0kcal"), ("0kg", "0kg"),
    ])
    func noNumberIsAZeroBeforeSmallLetters(read: String, expected: String) throws {
        let row = try Self.row((0..<read.count).map { (left: 14 * $0, width: 10) })
        var signs = Self.signs(read, on: row)
        // Surely a zero to the reader, which has an "O" in mind too.
        signs[0].lookalike = .init(text: read.first == "0" ? "O" : "S", confidence: 1e-5)
        #expect(RowWords(row: row).words(of: signs).map(\.text) == [expected])
    }

    @Test func aBlankThatWasReadPartsWordsAndTheirBoxes() throws {
        let row = try Self.row([0, 14, 28, 42].map { (left: $0, width: 10) })
        let words = RowWords(row: row).words(
            of: Self.signs("1234", on: row, blanksBefore: [2]))
        #expect(words.map(\.text) == ["12", "34"])
        #expect(
            words.map(\.box) == [
                Box(left: 0, top: 50, right: 24, bottom: 70), Box(left: 28, top: 50, right: 52, bottom: 70),
            ])
        // Of signs of 0.5 each: the chance that both are right.
        #expect(words.map(\.confidence) == [0.25, 0.25])
    }

    @Test func nothingReadIsNoWord() throws {
        #expect(RowWords(row: try Self.row([(0, 10), (14, 10)])).words(of: []).isEmpty)
    }
}

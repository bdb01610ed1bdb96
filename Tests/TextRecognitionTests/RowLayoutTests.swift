import Imaging
import Testing

@testable import TextRecognition

@Suite struct RowLayoutTests {
    @Test(
        "A row of one sign is a rule, a number or a word is not",
        arguments: [
            ("--------------", true), ("==", true), ("SSSSSSSSSsssss", true), ("**********", true),
            ("I_____", true), ("0000000000", false),
            ("NOON", false), ("Mississippi river", false),
        ])
    func rules(text: String, isRule: Bool) {
        let box = Box(left: 0, top: 0, right: 10, bottom: 10)
        #expect(RecognizedLine(words: [RecognizedWord(text: text, confidence: 1, box: box)]).isRule == isRule)
    }

    @Test("Doubtful letters of which most are the same few are a rule of stars; sure ones are print")
    func rulesReadAsLetters() {
        let box = Box(left: 0, top: 0, right: 10, bottom: 10)
        func isRule(_ text: String, _ confidence: Double) -> Bool {
            RecognizedLine(words: [RecognizedWord(text: text, confidence: confidence, box: box)]).isRule
        }
        #expect(isRule("EXSEAAEAAAAAAKAKAAAAKAAEAEE", 0.5))
        #expect(!isRule("EXSEAAEAAAAAAKAKAAAAKAAEAEE", 0.9))
        #expect(!isRule("Mississippi river", 0.3), "five letters make up most of it")
        #expect(!isRule("Thanks for coming", 0.3))
    }

    private func word(_ text: String, _ left: Double, _ top: Double, width: Double = 40) -> RecognizedWord {
        RecognizedWord(
            text: text, confidence: 1, box: Box(left: left, top: top, right: left + width, bottom: top + 20))
    }

    @Test("A few unsure characters are a pen, a speck or a rim; a sure one, and many, are print")
    func unsureRows() {
        let box = Box(left: 0, top: 0, right: 10, bottom: 10)
        func isPrint(_ words: [(String, Double)]) -> Bool {
            RecognizedLine(words: words.map { RecognizedWord(text: $0.0, confidence: $0.1, box: box) })
                .isPrint
        }
        #expect(!isPrint([("lj", 0.3), ("C", 0.5)]))
        #expect(!isPrint([("TOTA", 0.4)]))
        #expect(isPrint([("7", 0.9)]))
        #expect(isPrint([("TOTAL", 0.5), ("12.00", 0.3)]))
        #expect(!isPrint([("==========", 0.9)]))
    }

    @Test func wordsInAnyOrderBecomeRowsFromTheTopEachFromLeftToRight() {
        // The second row falls by 8 pixels from word to word, 24 in all: more than its height.
        let words = [
            word("amount", 300, 74), word("far", 200, 66), word("first", 0, 10), word("a", 0, 50),
            word("row", 60, 10), word("goes", 100, 58), word("last", 0, 90),
        ]
        let rows = RecognizedLine.rows(of: words)
        #expect(rows.map(\.text) == ["first row", "a goes far amount", "last"])
    }

    @Test func wordsBelowEachOtherAreRowsOfTheirOwn() {
        #expect(RecognizedLine.rows(of: [word("b", 0, 30), word("a", 0, 0)]).map(\.text) == ["a", "b"])
        #expect(RecognizedLine.rows(of: []).isEmpty)
    }
}

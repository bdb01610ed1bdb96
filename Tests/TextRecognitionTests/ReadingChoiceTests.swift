import Imaging
import Testing

@testable import TextRecognition

@Suite struct ReadingChoiceTests {
    private func line(_ texts: String, top: Double, left: Double = 0, confidence: Double) -> RecognizedLine {
        var x = left
        return RecognizedLine(
            words: texts.split(separator: " ").map { text in
                defer { x += 50 }
                return RecognizedWord(
                    text: String(text), confidence: confidence,
                    box: Box(left: x, top: top, right: x + 40, bottom: top + 20))
            })
    }

    private func better(_ first: [RecognizedLine], _ second: [RecognizedLine]) -> [String] {
        ReadingChoice.better(first, second) { $0.reduce(0) { $0 + $1.confidence - 0.5 } }.map(\.text)
    }

    @Test func ofTwoReadingsOfARowTheOneThatIsWorthMoreIsKept() {
        let first = [line("a b", top: 0, confidence: 0.9), line("c d", top: 30, confidence: 0.6)]
        let second = [line("x y", top: 2, confidence: 0.7), line("u v", top: 28, confidence: 0.8)]
        #expect(better(first, second) == ["a b", "u v"])
        #expect(better(first, first) == ["a b", "c d"], "of equals the first")
    }

    @Test func linesThatOneReadingAloneHasAreKeptIfTheyAreWorthAnything() {
        let first = [line("a", top: 0, confidence: 0.9)]
        let second = [line("far", top: 60, confidence: 0.8), line("grain", top: 90, confidence: 0.3)]
        #expect(better(first, second) == ["a", "far"])
    }

    @Test func rowsThatOneReadingJoinsAreOneGroupSoNothingIsReadTwice() {
        // The second reading takes two rows for one: it covers both.
        let first = [line("a b", top: 0, confidence: 0.75), line("c d", top: 20, confidence: 0.75)]
        let joined = RecognizedLine(
            words: line("x", top: 0, confidence: 0.9).words
                + line("y", top: 20, left: 50, confidence: 0.9).words)
        // Four words of 0.25 against two of 0.4: the first stays, whole.
        #expect(better(first, [joined]) == ["a b", "c d"])
        let surer = [RecognizedLine(words: joined.words + line("z", top: 20, confidence: 0.9).words)]
        #expect(better(first, surer) == [surer[0].text])
    }

    @Test func wordsOfNeighbouringRowsThatTouchAreNotTheSamePrint() {
        // A quarter of the height in common.
        let first = [line("a", top: 0, confidence: 0.6)]
        let second = [line("b", top: 15, confidence: 0.9)]
        #expect(better(first, second) == ["a", "b"])
    }
}

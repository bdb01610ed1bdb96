import Imaging
import Testing

@testable import TextRecognition

@Suite struct AmountColumnTests {
    private func line(_ amount: String, right: Double) -> RecognizedLine {
        let box = Box(left: right - 50, top: 0, right: right, bottom: 10)
        return RecognizedLine(words: [RecognizedWord(text: amount, confidence: 1, box: box)])
    }

    @Test("A column's amounts have one decimal mark")
    func unified() {
        var lines = ["1.50", "2.25", "13,00", "1.99", "4.75"].map { line($0, right: 300) }
        AmountColumn.unifyDecimalMarks(in: &lines, tolerance: 5)
        #expect(lines.map(\.text) == ["1.50", "2.25", "13.00", "1.99", "4.75"])
    }

    @Test("Amounts of another column, whole numbers and an even split are left alone")
    func leftAlone() {
        let printed = ["1.50", "2,25", "13,00", "1.99", "1,234"]
        var lines = printed.map { line($0, right: 300) } + [line("7,77", right: 150)]
        AmountColumn.unifyDecimalMarks(in: &lines, tolerance: 5)
        #expect(lines.map(\.text) == printed + ["7,77"])
    }
}

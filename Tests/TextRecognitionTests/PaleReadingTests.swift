import Diagnostics
import Imaging
import Synchronization
import Testing
import TextTestSupport

@testable import TextRecognition

@Suite struct PaleReadingTests {
    /// Five dark rows, and a sixth of a fifth of their depth.
    private func page() throws -> TextPage {
        let text =
            "BREAD        12.00\n\nMILK          2.50\n\nCHEESE        7.25\n\nTEA           4.10\n\nJAM           3.90\n\n"
        var page = try DrawnPage(text + "TOTAL        29.75").picture
        let rows = PageRows(on: TextPage(page)).rows
        let last = try #require(rows.last)
        for y in Int(last.box.top) - 2..<Int(last.box.bottom) + 2 {
            for x in 0..<page.width { page[x: x, y: y] = 255 - (255 - page[x: x, y: y]) / 4 }
        }
        return TextPage(page)
    }

    /// What is asked to be read, and a line for each row of it.
    private func read(
        _ page: TextPage, confidence: @escaping @Sendable (_ isFirst: Bool) -> Double
    ) throws -> (asked: [Int], lines: [RecognizedLine]) {
        let asked = Mutex<[Int]>([])
        let lines = try PaleReading.lines(on: page, context: ReadingContext()) {
            rows, indices, _ throws(FlatteningError) in
            let isFirst = asked.withLock { asked in
                asked.append(indices.count)
                return asked.count == 1
            }
            return indices.map { index in
                RecognizedLine(words: [
                    RecognizedWord(
                        text: isFirst ? "FIRST" : "SECOND", confidence: confidence(isFirst),
                        box: rows.rows[index].box)
                ])
            }
        }
        return (asked.withLock { $0 }, lines)
    }

    @Test("A row that only pale print shows is read beside those that are sure, and these are not read again")
    func pale() throws {
        let page = try page()
        #expect(PageRows(on: page).rows.count == 5 && PageRows(on: page, isPale: true).rows.count == 6)
        let (asked, lines) = try read(page) { _ in 0.95 }
        #expect(asked == [5, 1])
        #expect(lines.map { $0.words.map(\.text) } == Array(repeating: ["FIRST"], count: 5) + [["SECOND"]])
    }

    @Test(
        "Rows that were not surely read are read again, and the better reading counts", arguments: [0.6, 0.9])
    func unsure(second: Double) throws {
        let (asked, lines) = try read(try page()) { $0 ? 0.8 : second }
        #expect(asked == [5, 6])
        let better = second > 0.8 ? "SECOND" : "FIRST"
        #expect(lines.map { $0.words.map(\.text) } == Array(repeating: [better], count: 5) + [["SECOND"]])
    }
}

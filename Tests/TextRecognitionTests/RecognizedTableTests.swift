import Imaging
import Testing
import TextRecognition
import TextTestSupport

@Suite("Words in columns as tables")
struct RecognizedTableTests {
    private func rows(_ printed: String) -> [[[String]]] {
        readText(printed).tables.map { $0.rows.map { $0.map(\.text) } }
    }

    @Test("Items and amounts are a table of the rows between heading and thanks")
    func receipt() {
        let printed = """
            CORNER SHOP
            12 HIGH STREET
            Rye bread          4.50
            Milk 3.5 %         1.20
            TOTAL              5.70
            THANK YOU
            """
        #expect(rows(printed) == [[["Rye bread", "4.50"], ["Milk 3.5 %", "1.20"], ["TOTAL", "5.70"]]])
        #expect(readText(printed).tables.first?.lines == 2..<5)
    }

    @Test("Empty cells stay empty, and further lines of a description stay in its column")
    func emptyCells() {
        let printed = """
            No  Item             Qty  Price
            1   Apples           2    1.20
            2   Bread, sliced         3.10
                and wrapped
            3   Cheese           1    4.00
            """
        #expect(
            rows(printed) == [
                [
                    ["No", "Item", "Qty", "Price"], ["1", "Apples", "2", "1.20"],
                    ["2", "Bread, sliced", "", "3.10"], ["", "and wrapped", "", ""],
                    ["3", "Cheese", "1", "4.00"],
                ]
            ])
    }

    @Test("A row of other columns begins another table")
    func twoTables() {
        let printed = """
            Bill to             Ship to
            Ann Lee             Bob Ray
            Oslo                Rome
            Qty  Item      Price    Sum
            1    Apples     1.20   1.20
            2    Pears      1.00   2.00
            """
        let tables = rows(printed)
        #expect(tables.map { $0[0].count } == [2, 4])
        #expect(tables.map(\.count) == [3, 3])
    }

    @Test("Lines of text are none, nor is one row with a gap")
    func text() {
        #expect(rows("These are words of a page\nthat run on over its lines\nas words of pages do").isEmpty)
        #expect(rows("Date 1 May       Time 12:30").isEmpty)
        #expect(rows("").isEmpty)
    }

    @Test("A thousand rows of one column after a table end it, and boxes that are no numbers stop nothing")
    func odd() {
        let column = (0..<1000).map { "row\($0)" }.joined(separator: "\n")
        let tables = rows("a    1\nb    2\nc    3\n" + column)
        #expect(tables.map(\.count) == [3])
        let words = ["a", "b"].map {
            RecognizedWord(
                text: $0, confidence: 1, box: Box(left: .nan, top: 0, right: .infinity, bottom: .nan))
        }
        let line = RecognizedLine(words: words)
        let text = RecognizedText(
            blocks: [RecognizedBlock(lines: [line, line, line])], pageSize: PixelSize(width: 9, height: 9),
            pixelsPerMillimeter: nil, language: "eng", legibility: .readable)
        #expect(text.tables.isEmpty)
    }
}

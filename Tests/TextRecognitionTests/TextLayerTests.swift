import Diagnostics
import Imaging
import Synchronization
import Testing
import TextTestSupport

@testable import TextRecognition

@Suite struct TextLayerTests {
    private static let rows = [
        "CORNER BAKERY LEEDS", "SOURDOUGH LOAF 4.20", "FLAT WHITE X2 6.40", "TOTAL GBP 10.60",
    ]

    /// An engine that reads what it is told, and keeps count.
    private final class Reader: TextEngine {
        let name = "told", version = "1", languages = ["eng"]
        private let lines: @Sendable (TextPage) -> [RecognizedLine]
        private let count = Mutex(0)

        init(_ lines: @escaping @Sendable (TextPage) -> [RecognizedLine]) { self.lines = lines }

        /// How often it was asked.
        var readings: Int { count.withLock { $0 } }

        func lines(on page: TextPage, context: ReadingContext) throws(FlatteningError) -> [RecognizedLine] {
            count.withLock { $0 += 1 }
            return lines(page)
        }
    }

    private static func words(_ rows: [String], on page: DrawnPage, shiftedBy shift: Double = 0)
        -> [RecognizedWord]
    {
        rows.enumerated().flatMap { row, text in
            var column = 0
            return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
                defer { column += word.count + 1 }
                let left = Double(page.margin + column * page.cellWidth)
                let top = Double(page.margin + row * page.linePitch) + shift
                return RecognizedWord(
                    text: String(word), confidence: 1,
                    box: Box(
                        left: left, top: top, right: left + Double(word.count * page.cellWidth),
                        bottom: top + 28), source: .pdf)
            }
        }
    }

    private static func outcome(
        _ words: [RecognizedWord], on page: DrawnPage, reader: Reader
    ) throws -> (text: RecognizedText, outcome: TextLayer.Outcome) {
        try TextLayer(words: words).text(
            of: TextPage(page.picture), recognizer: TextRecognizer(engine: reader), context: ReadingContext())
    }

    private static func line(_ text: String, at box: Box) -> RecognizedLine {
        RecognizedLine(words: [RecognizedWord(text: text, confidence: 0.9, box: box)])
    }

    /// Reads of a piece of the page which row it is, by the layer's own order: the longest first.
    private static func told(_ texts: [String]) -> Reader {
        let next = Mutex(0)
        return Reader { page in
            let index = next.withLock { index in
                defer { index += 1 }
                return index
            }
            guard index < texts.count else { return [] }
            return [Self.line(texts[index], at: Box(left: 0, top: 0, right: 10, bottom: 10))]
        }
    }

    @Test func aGoodLayerIsTheTextAndOnlyAFewRowsAreRead() throws {
        let page = try DrawnPage(Self.rows.joined(separator: "\n"))
        let longest = Self.rows.sorted { $0.count > $1.count }
        let reader = Self.told(longest)
        let (text, outcome) = try Self.outcome(Self.words(Self.rows, on: page), on: page, reader: reader)
        #expect(outcome == .taken && reader.readings == 3)
        #expect(text.string == Self.rows.map { $0 + "\n" }.joined())
        #expect(text.words.allSatisfy { $0.source == .pdf && $0.confidence == 1 })
        #expect(text.legibility == .readable)
    }

    @Test func aLayerOfOtherWordsIsRefused() throws {
        let page = try DrawnPage(Self.rows.joined(separator: "\n"))
        // The codes of a font that are no characters: each letter three further.
        let shifted = Self.rows.map { row in
            String(
                String.UnicodeScalarView(
                    row.unicodeScalars.map { scalar in
                        scalar.properties.isAlphabetic ? Unicode.Scalar(scalar.value + 3) ?? scalar : scalar
                    }))
        }
        let (text, outcome) = try Self.outcome(
            Self.words(shifted, on: page), on: page,
            reader: Self.told(Self.rows.sorted { $0.count > $1.count }))
        #expect(outcome == .refused("the page's rows read otherwise"))
        #expect(text.words.allSatisfy { $0.source == nil })
    }

    @Test func aLayerThatDoesNotLieOnPrintIsRefused() throws {
        let page = try DrawnPage((Self.rows + ["", "", "", "", ""]).joined(separator: "\n"))
        let words = Self.words(Self.rows, on: page, shiftedBy: Double(5 * page.linePitch))
        let (_, outcome) = try Self.outcome(words, on: page, reader: Self.told([]))
        guard case .refused(let reason) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason.contains("do not lie on print"))
    }

    @Test func aLayerWithoutCharactersIsRefused() throws {
        let page = try DrawnPage(Self.rows.joined(separator: "\n"))
        var words = Self.words(Self.rows, on: page)
        for index in words.indices {
            words[index].text = String(
                repeating: index % 2 == 0 ? "\u{FFFD}" : "\u{E001}", count: words[index].text.count)
        }
        let (_, outcome) = try Self.outcome(words, on: page, reader: Self.told([]))
        guard case .refused(let reason) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason.contains("characters are none"))
    }

    @Test func moreWordsThanAPageHasAreRefusedBeforeTheyArePutInRows() throws {
        let page = try DrawnPage(Self.rows.joined(separator: "\n"))
        let word = Self.words(Self.rows, on: page)[0]
        let (_, outcome) = try Self.outcome(
            Array(repeating: word, count: 200_000), on: page, reader: Self.told([]))
        #expect(outcome == .refused("it has 200000 words, more than a page can"))
    }

    /// A page whose lower half is a picture with print of its own.
    @Test func printWithoutWordsIsReadAndPutAmongThem() throws {
        let page = try DrawnPage(Self.rows.joined(separator: "\n"))
        let known = Array(Self.rows.prefix(2))
        let others = Self.words(Self.rows, on: page).filter {
            $0.box.top > Double(page.margin + page.linePitch) + 20
        }
        .map { RecognizedWord(text: $0.text, confidence: 0.9, box: $0.box) }
        let size = page.picture.size
        let reader = Reader { asked in
            asked.picture.size == size
                ? RecognizedLine.rows(
                    of: others + [
                        RecognizedWord(
                            text: "misread", confidence: 0.9, box: Self.words(known, on: page)[0].box)
                    ])
                : [Self.line(known.joined(), at: Box(left: 0, top: 0, right: 10, bottom: 10))]
        }
        let (text, outcome) = try Self.outcome(Self.words(known, on: page), on: page, reader: reader)
        #expect(outcome == .completed)
        #expect(text.string == Self.rows.map { $0 + "\n" }.joined())
        #expect(
            text.words.count { $0.source == .pdf } == known.joined(separator: " ").split(separator: " ").count
        )
    }
}

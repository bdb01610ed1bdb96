import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import ReceiptFlattening
import Testing
import TextRecognition
import TextTestSupport

/// A caller's own reader in place of tesseract.
@Suite struct TextEngineTests {
    /// Says what it was told to, whatever the picture shows.
    private struct KnowingEngine: TextEngine {
        let name = "knowing", version = "7", languages = ["eng", "deu"]
        let words: [RecognizedWord]
        /// Whether it calls rows on their heads the better ones.
        var prefersReversed = false

        func lines(on page: TextPage, context: ReadingContext) throws(FlatteningError) -> [RecognizedLine] {
            try context.check()
            return RecognizedLine.rows(of: words)
        }

        func legibility(
            of pictures: [GrayImage], context: ReadingContext
        ) throws(FlatteningError) -> [Double] {
            pictures.indices.map { $0 == (prefersReversed ? 1 : 0) ? 45 : 5 }
        }
    }

    /// Reads with the confidence that it is given, by the number of letters and digits.
    private struct BareEngine: TextEngine {
        let name = "bare", version = "1", languages = ["eng"]

        func lines(on page: TextPage, context: ReadingContext) throws(FlatteningError) -> [RecognizedLine] {
            let box = Box(left: 0, top: 0, right: 10, bottom: 10)
            let confidence = Double(page.picture[x: 0, y: 0]) / 255
            return [RecognizedLine(words: [RecognizedWord(text: "A1-B", confidence: confidence, box: box)])]
        }
    }

    private struct FailingEngine: TextEngine {
        let name = "failing", version = "1", languages = ["eng"]

        func lines(on page: TextPage, context: ReadingContext) throws(FlatteningError) -> [RecognizedLine] {
            throw FlatteningError(.missingDependency, "no model", stage: .text)
        }
    }

    /// Print whose shape does not tell which way is up.
    private static func capture() throws -> Capture {
        let page = try DrawnPage(textOfCapitals).picture
        return Capture(
            image: RGBImage(
                width: page.width, height: page.height,
                elements: page.elements.map { RGB(red: $0, green: $0, blue: $0) }))
    }

    @Test func textAndFieldsAreWhatTheEngineRead() throws {
        var options = ReceiptFlattener.Options()
        options.textEngine = KnowingEngine(
            words: readText("HARBOUR KIOSK\nTea      3.50\nTOTAL    3.50").words.reversed())
        let receipt = try ReceiptFlattener(options: options).flatten(try Self.capture())
        #expect(receipt.text?.lines.map(\.text) == ["HARBOUR KIOSK", "Tea 3.50", "TOTAL 3.50"])
        #expect(receipt.text?.language == "eng+deu")
        #expect(receipt.fields?.total?.value == 350 / Decimal(100))
        #expect(receipt.report.versions["knowing"] == "7")
        #expect(receipt.report.versions["tesseract"] == nil, "tesseract had no part in it")
    }

    @Test(arguments: [false, true])
    func theEngineDecidesWhichWayIsUpWhereTheShapeOfPrintLeavesADoubt(prefersReversed: Bool) throws {
        var options = ReceiptFlattener.Options()
        options.textEngine = KnowingEngine(words: [], prefersReversed: prefersReversed)
        let receipt = try ReceiptFlattener(options: options).flatten(try Self.capture())
        #expect(receipt.report.upright.decidedBy == "text")
        #expect(receipt.report.upright.quarterTurns == (prefersReversed ? 2 : 0))
    }

    /// Knows no letter of the print.
    private struct StrangeEngine: TextEngine {
        let name = "strange", version = "1", languages = ["eng"]

        func lines(on page: TextPage, context: ReadingContext) -> [RecognizedLine] { [] }
    }

    /// Reads a page, but its rows as well on their heads.
    private struct UndecidedEngine: TextEngine {
        let name = "undecided", version = "1", languages = ["eng"]
        let text: String

        func lines(on page: TextPage, context: ReadingContext) -> [RecognizedLine] {
            let box = Box(left: 10, top: 10, right: 60, bottom: 30)
            return text.isEmpty
                ? [] : [RecognizedLine(words: [RecognizedWord(text: text, confidence: 0.99, box: box)])]
        }

        func legibility(of pictures: [GrayImage], context: ReadingContext) -> [Double] {
            pictures.map { _ in 5 }
        }
    }

    @Test(
        "Where the engine knows no letter, tesseract tells which way is up",
        arguments: [ImageOrientation.down, .left])
    func secondOpinion(turn: ImageOrientation) throws {
        let page = try DrawnPage(textOfCapitals).picture.oriented(by: turn)
        let capture = Capture(image: page.map { RGB(red: $0, green: $0, blue: $0) })
        var options = ReceiptFlattener.Options()
        options.textEngine = StrangeEngine()
        let report = try ReceiptFlattener(options: options).flatten(capture).report
        #expect(report.upright.quarterTurns == (turn == .down ? 2 : 1))
        #expect(report.upright.confidence > 0.5)
        #expect(!report.warnings.contains { $0.hasPrefix("which way is up") })
        // It read nothing of it either way.
        #expect(report.warnings.contains { $0.contains("next to nothing of it could be read") })
    }

    @Test func thatWhichWayIsUpWasNotDecidedIsSaidUnlessTheTextWasRead() throws {
        // Six rows of twenty blocks, the same on their heads.
        let size = PixelSize(width: 400, height: 300)
        var page = GrayImage(width: size.width, height: size.height, filledWith: 240)
        for row in 0..<6 {
            for letter in 0..<20 {
                for y in 32 + 40 * row..<68 + 40 * row - 20 {
                    for x in 44 + 16 * letter..<52 + 16 * letter { page[x: x, y: y] = 20 }
                }
            }
        }
        let capture = Capture(image: page.map { RGB(red: $0, green: $0, blue: $0) })
        func isSaid(_ engine: any TextEngine) throws -> Bool {
            var options = ReceiptFlattener.Options()
            options.textEngine = engine
            return try ReceiptFlattener(options: options).flatten(capture).report.warnings
                .contains { $0.hasPrefix("which way is up was not decided") }
        }
        #expect(try isSaid(UndecidedEngine(text: "")))
        #expect(try !isSaid(UndecidedEngine(text: String(repeating: "A", count: 120))))
    }

    @Test func anEngineThatKnowsOnlyWordsIsAskedForThoseOfEachPicture() throws {
        let pictures = [255, 0].map { GrayImage(width: 4, height: 4, filledWith: $0) }
        // Three letters and digits, each as sure as can be, or not at all.
        #expect(try BareEngine().legibility(of: pictures, context: ReadingContext()) == [3, 0])
    }

    @Test func whatAnEngineThrowsReachesTheCaller() throws {
        var options = ReceiptFlattener.Options()
        options.textEngine = FailingEngine()
        let capture = try Self.capture()
        #expect {
            try ReceiptFlattener(options: options).flatten(capture)
        } throws: {
            ($0 as? FlatteningError)?.message == "no model"
        }
    }

    @Test func progressEndsWithAllForAnEngineThatTellsNone() async throws {
        let told = try await Self.toldProgress(KnowingEngine(words: []))
        #expect(told == [1])
    }

    private static func toldProgress(_ engine: some TextEngine) async throws -> [Double] {
        let (shares, continuation) = AsyncStream.makeStream(of: Double.self)
        let page = TextPage(GrayImage(width: 20, height: 20, filledWith: 200))
        _ = try await TextRecognizer(engine: engine).recognize(
            page, context: ReadingContext(onProgress: { continuation.yield($0) }))
        continuation.finish()
        return await shares.reduce(into: []) { $0.append($1) }
    }
}

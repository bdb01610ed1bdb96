import Diagnostics
import Imaging
import PrintDetection
import Testing
import TextTestSupport

@testable import TextRecognition

@Suite struct TextOrientationTests {
    @Test("All four turns are undone", arguments: [ImageOrientation.up, .right, .down, .left])
    func turns(turn: ImageOrientation) throws {
        let page = try DrawnPage(smallReceipt).picture.oriented(by: turn)
        let decision = try TextOrientation.decide(
            page: PageMarks(of: page), engine: TesseractEngine(language: "eng"))
        #expect(decision.orientation == turn.inverse)
        #expect(decision.confidence > 0.6)
    }

    @Test(
        "Without a recogniser the rows' direction is right",
        arguments: [ImageOrientation.up, .right, .down, .left])
    func direction(turn: ImageOrientation) throws {
        let page = try DrawnPage(smallReceipt).picture.oriented(by: turn)
        let decision = try TextOrientation.decide(page: PageMarks(of: page), engine: nil)
        #expect(decision.orientation.swapsAxes == turn.swapsAxes)
        #expect(decision.basis == .ink)
        #expect(decision.confidence <= 0.9)
    }

    @Test(
        "Small letters and stops tell which way is up without reading",
        arguments: [ImageOrientation.up, .right, .down, .left])
    func shape(turn: ImageOrientation) throws {
        let page = try DrawnPage(textOfSmallLetters).picture.oriented(by: turn)
        let decision = try TextOrientation.decide(page: PageMarks(of: page), engine: try unwanted())
        #expect(decision.orientation == turn.inverse)
        #expect(decision.basis == .ink)
        #expect(decision.confidence > 0.9)
    }

    @Test("Capitals without stops have to be read", arguments: [ImageOrientation.up, .down])
    func capitals(turn: ImageOrientation) throws {
        let page = try DrawnPage(textOfCapitals).picture.oriented(by: turn)
        let decision = try TextOrientation.decide(
            page: PageMarks(of: page), engine: try TesseractEngine(language: "eng"))
        #expect(decision.orientation == turn.inverse)
        #expect(decision.basis == .text)
    }

    private func unwanted() throws(FlatteningError) -> (any TextEngine)? {
        Issue.record("an engine was asked for")
        return nil
    }

    @Test("What lies around the sheet has no say", arguments: [ImageOrientation.up, .right, .down, .left])
    func surroundings(turn: ImageOrientation) throws {
        let receipt = try DrawnPage(smallReceipt).picture
        // A table beside the receipt, on which the same text lies the other way up and twice.
        let other = receipt.oriented(by: .down)
        let page = GrayImage(width: 3 * receipt.width, height: receipt.height) { out in
            for y in 0..<receipt.height {
                for x in 0..<3 * receipt.width {
                    let source = x < receipt.width ? receipt : other
                    out.initializeElement(
                        at: y * 3 * receipt.width + x, to: source[x: x % receipt.width, y: y])
                }
            }
        }.oriented(by: turn)
        let upright = turn.inverse.size(turning: page.size)
        let decision = try TextOrientation.decide(
            page: PageMarks(of: page),
            isOnSheet: { turn.inverse.turn($0, in: page.size).x < Double(upright.width) / 3 - 0.5 },
            engine: TesseractEngine(language: "eng"))
        #expect(decision.orientation == turn.inverse)
    }

    @Test("A page without text is left as it is, with no confidence")
    func empty() throws {
        let page = GrayImage(width: 200, height: 300, filledWith: 200)
        let decision = try TextOrientation.decide(page: PageMarks(of: page), engine: nil)
        #expect(decision == TextOrientation(orientation: .up, confidence: 0, basis: .none))
    }
}

/// Twelve rows of sentences.
private let textOfSmallLetters = Array(
    repeating: """
        The sheet lay on the table. A hand had
        folded it, twice, and left it there; by
        noon its edges had curled up, a little.
        Nobody looked, though all passed by it.
        """, count: 3
).joined(separator: "\n")

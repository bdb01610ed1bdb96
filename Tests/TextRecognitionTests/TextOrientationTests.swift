import Diagnostics
import Imaging
import PrintDetection
import Synchronization
import Testing
import TextTestSupport

@testable import TextRecognition

@Suite struct TextOrientationTests {
    @Test("All four turns are undone", arguments: [ImageOrientation.up, .right, .down, .left])
    func turns(turn: ImageOrientation) throws {
        let page = try DrawnPage(smallReceipt).picture.oriented(by: turn)
        let decision = try TextOrientation.decide(
            page: PageMarks(of: page), up: PhotographUp(), engine: TesseractEngine(language: "eng"))
        #expect(decision.orientation == turn.inverse)
        #expect(decision.confidence > 0.6)
    }

    @Test(
        "Without a recogniser the rows' direction is right",
        arguments: [ImageOrientation.up, .right, .down, .left])
    func direction(turn: ImageOrientation) throws {
        let page = try DrawnPage(textOfCapitals).picture.oriented(by: turn)
        let decision = try TextOrientation.decide(
            page: PageMarks(of: page), up: PhotographUp(), engine: nil)
        #expect(decision.orientation.swapsAxes == turn.swapsAxes)
        // Of the two ways along its direction nothing speaks against the photograph's.
        #expect(decision.basis == (turn.swapsAxes ? .ink : .photograph))
        #expect(decision.confidence <= 0.9)
    }

    @Test(
        "Small letters and stops tell which way is up without reading",
        arguments: [ImageOrientation.up, .right, .down, .left])
    func shape(turn: ImageOrientation) throws {
        let page = try DrawnPage(textOfSmallLetters).picture.oriented(by: turn)
        let decision = try TextOrientation.decide(
            page: PageMarks(of: page), up: PhotographUp(quarterTurnsOf: turn.inverse),
            engine: try unwanted())
        #expect(decision.orientation == turn.inverse)
        #expect(decision.basis == .ink)
        #expect(decision.confidence > 0.9)
    }

    @Test("Capitals without stops have to be read", arguments: [ImageOrientation.up, .down])
    func capitals(turn: ImageOrientation) throws {
        let page = try DrawnPage(textOfCapitals).picture.oriented(by: turn)
        let decision = try TextOrientation.decide(
            page: PageMarks(of: page), up: PhotographUp(), engine: try TesseractEngine(language: "eng"))
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
            page: PageMarks(of: page), up: PhotographUp(),
            isOnSheet: { turn.inverse.turn($0, in: page.size).x < Double(upright.width) / 3 - 0.5 },
            engine: TesseractEngine(language: "eng"))
        #expect(decision.orientation == turn.inverse)
    }

    @Test(
        "A page without text stands as the photograph does, with no confidence",
        arguments: [ImageOrientation.up, .right, .down, .left])
    func empty(turn: ImageOrientation) throws {
        let page = GrayImage(width: 200, height: 300, filledWith: 200)
        let decision = try TextOrientation.decide(
            page: PageMarks(of: page), up: PhotographUp(quarterTurnsOf: turn), engine: try unwanted())
        #expect(decision == TextOrientation(orientation: turn, confidence: 0, basis: .photograph))
    }

    /// An engine that has read so many letters of the rows as they stand, and of them reversed, each time it is asked; then none.
    private final class CountingEngine: TextEngine {
        let name = "counting", version = "1", languages = ["eng"]
        private let letters: Mutex<[(upright: Double, reversed: Double)]>

        init(letters: [(upright: Double, reversed: Double)]) { self.letters = Mutex(letters.reversed()) }

        func lines(on page: TextPage, context: ReadingContext) -> [RecognizedLine] { [] }

        func legibility(of pictures: [GrayImage], context: ReadingContext) -> [Double] {
            letters.withLock { $0.popLast() }.map { [$0.upright, $0.reversed] } ?? [0, 0]
        }
    }

    private func turns(
        reading upright: Double, _ reversed: Double, then further: [(upright: Double, reversed: Double)] = [],
        up: PhotographUp = PhotographUp()
    ) throws -> TextOrientation {
        try TextOrientation.decide(
            page: PageMarks(of: DrawnPage(textOfCapitals).picture), up: up,
            engine: CountingEngine(letters: [(upright, reversed)] + further))
    }

    /// Of small print few letters are surely read in the first rows.
    @Test func whereFewLettersAreReadMoreRowsDecide() throws {
        let decision = try turns(reading: 1, 6, then: [(2, 14)])
        #expect(decision.orientation == .down && decision.basis == .text)
        // Not where no turn reads better: grain gives as many in all, and more rows of it would only take longer.
        #expect(try turns(reading: 4, 5, then: [(0, 60)]).basis == .photograph)
        #expect(try turns(reading: 0, 1, then: [(0, 60)]).basis == .photograph)
    }

    @Test func aFewLettersAreNoEvidenceAgainstThePhotographHoweverMuchTheyPrevail() throws {
        // Six times as many letters upside down, but few; then a tenth more of many.
        for (upright, reversed) in [(1.0, 6.0), (60, 66)] {
            let decision = try turns(reading: upright, reversed)
            #expect(decision.orientation == .up && decision.basis == .photograph)
            #expect(decision.confidence == 0 && decision.isUndecided)
        }
        let decision = try turns(reading: 20, 60)
        #expect(decision.orientation == .down && decision.basis == .text)
        #expect(abs(decision.confidence - 0.75) < 0.1)
    }

    @Test func lessIsNeededToAgreeWithThePhotographThanToContradictIt() throws {
        // Seven letters more than upside down.
        #expect(try turns(reading: 8, 1).basis == .text)
        #expect(try turns(reading: 1, 8).basis == .photograph)
        // The same against a photograph that lies halfway between two turns: neither is the farther one.
        let halfway = PhotographUp(angle: .pi / 4 + 0.01)
        #expect(halfway.quarterTurns == 1 && halfway.detour(of: 0) < 0.01)
    }

    @Test func aPhotographThatSaysHowItWasHeldIsBelievedLonger() throws {
        let decision = try turns(reading: 2, 17)
        #expect(decision.orientation == .down)
        let stated = try turns(reading: 2, 17, up: PhotographUp(isStated: true))
        #expect(stated.orientation == .up && stated.basis == .photograph)
        #expect(
            try turns(reading: 2, 60, up: PhotographUp(isStated: true)).orientation == .down,
            "enough print prevails")
    }

    @Test(
        "The photograph's up is the nearest quarter turn",
        arguments: [(0.0, 0), (44, 0), (46, 1), (91, 1), (170, 2), (-170, 2), (-60, 3), (-46, 3), (-44, 0)])
    func nearest(degrees: Double, turns: Int) {
        let up = PhotographUp(angle: degrees * .pi / 180)
        #expect(up.quarterTurns == turns)
        #expect(up.detour(of: turns) == 0)
        #expect((0..<4).allSatisfy { up.detour(of: $0) >= 0 && up.detour(of: $0) <= 1 })
    }
}

extension PhotographUp {
    /// The up of a photograph to which a page is turned by whole quarters.
    fileprivate init(quarterTurnsOf turn: ImageOrientation) {
        let quarters = [ImageOrientation.up: 0, .right: 1, .down: 2, .left: 3]
        self.init(angle: Double(quarters[turn] ?? 0) * .pi / 2)
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

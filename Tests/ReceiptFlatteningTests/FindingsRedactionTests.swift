import Diagnostics
import Documents
import Imaging
import TextRecognition
import TextTestSupport
import Testing

@testable import ReceiptFlattening

/// What is hidden of what was found on a sheet.
@Suite struct FindingsRedactionTests {
    private let code = "4006381333931"

    private func view(of page: GrayImage) -> SheetView {
        SheetView(
            flat: page,
            photograph: SheetPhotograph(
                image: page.map { RGB(red: $0, green: $0, blue: $0) },
                map: SamplingMap(outputSize: page.size, spacing: 16) { $0 }), outline: nil,
            sheetMillimeters: nil,
            pixelsPerMillimeter: nil, text: nil, zone: nil)
    }

    private func codes(on page: GrayImage) throws -> SheetFindings {
        try SheetFindings(
            of: [.codes], in: view(of: page), scale: 1, context: ReceiptContext(today: .distantPast),
            until: Deadline(after: nil, isCancelled: { false }))
    }

    @Test func aBlackenedCodeIsReadNoMore() throws {
        var page = GrayImage(width: 800, height: 400, filledWith: 230)
        DrawnEAN.draw(code, on: &page, left: 150, top: 120, module: 3, height: 150)
        let found = try codes(on: page)
        #expect(found.codes?.map(\.text) == [code])
        let (left, hidden, unplaced) = found.hiding([.codes])
        #expect(left.codes == nil && unplaced == 0)
        let picture = FlatImage(
            photograph: page.map { RGB(red: $0, green: $0, blue: $0) },
            map: SamplingMap(outputSize: page.size, spacing: 16) { $0 }, filter: .bicubic, light: .none,
            pixelsPerMeter: nil
        ).blackening(try #require(hidden[.codes]).boxes)
        #expect(try codes(on: picture.render().gray()).codes?.isEmpty == true)
    }

    @Test func whatIsNotToBeHiddenStays() throws {
        var page = GrayImage(width: 800, height: 400, filledWith: 230)
        DrawnEAN.draw(code, on: &page, left: 150, top: 120, module: 3, height: 150)
        let (left, hidden, _) = try codes(on: page).hiding([.faces, .mrz, .emails, .names])
        #expect(left.codes?.count == 1 && hidden.isEmpty)
    }

    @Test func aCodeThatAMarkedAreaTouchesIsNoLongerToldOf() throws {
        var page = GrayImage(width: 800, height: 400, filledWith: 230)
        DrawnEAN.draw(code, on: &page, left: 150, top: 120, module: 3, height: 150)
        let found = try codes(on: page)
        let corner = Box(left: 0, top: 0, right: 200, bottom: 150)
        let (left, hidden, unplaced) = found.hiding([], areas: [corner])
        #expect(left.codes == [] && unplaced == 0)
        // The code goes whole: a bar code is read by any band of it.
        let boxes = try #require(hidden[.areas]).boxes
        #expect(hidden.count == 1 && boxes.count == 2 && boxes[0] == corner && boxes[1].right > 400)
        #expect(
            found.hiding([], areas: [Box(left: 0, top: 0, right: 100, bottom: 150)]).left.codes?.count == 1)
    }

    @Test func aMarkedAreaIsBlackToItsEdgesAndNoFurther() {
        let page = RGBImage(width: 40, height: 30, filledWith: RGB(red: 200, green: 200, blue: 200))
        let picture = FlatImage(
            photograph: page, map: SamplingMap(outputSize: page.size, spacing: 8) { $0 }, filter: .bilinear,
            light: .none, pixelsPerMeter: nil)
        let shown = picture.blackening([Box(left: 10, top: 5, right: 20, bottom: 25)], rim: 0).render()
        let black = RGB(red: 0, green: 0, blue: 0)
        for (x, y, isBlack) in [
            (10, 5, true), (19, 24, true), (9, 5, false), (10, 4, false), (20, 5, false), (10, 25, false),
        ] { #expect((shown[x: x, y: y] == black) == isBlack, "\(x), \(y)") }
    }

    @Test func aCodeThatSaysWhatIsHiddenElsewhereGoesToo() throws {
        var page = GrayImage(width: 800, height: 400, filledWith: 230)
        DrawnEAN.draw(code, on: &page, left: 150, top: 120, module: 3, height: 150)
        let found = try codes(on: page)
        let said = readText("Call \(code)").redacted([.phones])
        let (left, boxes, unplaced) = found.hidingCodes(thatSay: said.hidden)
        #expect(left.codes == [] && boxes.count == 1 && unplaced == 0)
        let other = readText("Call 555-1628095").redacted([.phones])
        #expect(found.hidingCodes(thatSay: other.hidden).left.codes?.count == 1)
    }

    // Only one band of a tall code may be found: what a second look sees is told.
    @Test func aSecondLookSeesWhatIsLeft() throws {
        var page = GrayImage(width: 800, height: 400, filledWith: 230)
        DrawnEAN.draw(code, on: &page, left: 150, top: 120, module: 3, height: 150)
        let found = try codes(on: page)
        let picture = FlatImage(
            photograph: page.map { RGB(red: $0, green: $0, blue: $0) },
            map: SamplingMap(outputSize: page.size, spacing: 16) { $0 }, filter: .bicubic, light: .none,
            pixelsPerMeter: nil)
        let half = picture.blackening([Box(left: 100, top: 100, right: 500, bottom: 200)])
        #expect(found.stillSeen(of: [.codes], in: half).boxes.count == 1)
        #expect(found.stillSeen(of: [.cards], in: half).boxes.isEmpty)
        let (blackened, seen) = half.blackeningUntilUnseen { found.stillSeen(of: [.codes], in: $0) }
        #expect(seen.boxes.isEmpty && seen.unplaced == 0 && !seen.isIncomplete)
        #expect(found.stillSeen(of: [.codes], in: blackened).boxes.isEmpty)
        let always = SheetFindings.SecondLook(boxes: [Box(left: 0, top: 0, right: 1, bottom: 1)])
        #expect(half.blackeningUntilUnseen { _ in always }.seen.boxes.count == 1)
    }

    @Test func boxesBeyondThePictureHideNothing() {
        let page = RGBImage(width: 40, height: 30, filledWith: RGB(red: 200, green: 200, blue: 200))
        let picture = FlatImage(
            photograph: page, map: SamplingMap(outputSize: page.size, spacing: 8) { $0 }, filter: .bilinear,
            light: .none, pixelsPerMeter: nil)
        let beyond = [
            Box(left: 50, top: 5, right: 60, bottom: 10), Box(left: 5, top: 40, right: 10, bottom: 50),
            Box(left: -20, top: -20, right: -10, bottom: -10),
        ]
        #expect(picture.blackening(beyond).render() == picture.render())
        // The box reaches over the corner by its rim.
        let corner = picture.blackening([Box(left: 30, top: 20, right: 1e9, bottom: 1e9)]).render()
        #expect(corner[x: 39, y: 29] == RGB(red: 0, green: 0, blue: 0))
    }

    /// Says the same of every page.
    private struct KnowingEngine: TextEngine {
        let name = "knowing", version = "1", languages = ["eng"]
        let words: [String]

        func lines(on page: TextPage, context: ReadingContext) throws(FlatteningError) -> [RecognizedLine] {
            let words = words.enumerated().map { index, word in
                let left = Double(40 + 90 * index)
                return RecognizedWord(
                    text: word, confidence: 0.9, box: Box(left: left, top: 40, right: left + 80, bottom: 60))
            }
            return [RecognizedLine(words: words)]
        }
    }

    // The specimen of ICAO 9303. A small scan shows more to a person than to a reader.
    @Test(arguments: [(["Utopia", "Passport"], true), (["Anna", "Eriksson"], false)])
    func aZoneOfWhichNothingElseIsReadIsToldOf(words: [String], isToldOf: Bool) throws {
        let page = DrawnZone([
            "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
        ]).page()
        var options = ReceiptFlattener.Options()
        options.finds = [.mrz]
        options.textEngine = KnowingEngine(words: words)
        let capture = Capture(image: page.map { RGB(red: $0, green: $0, blue: $0) })
        let receipt = try ReceiptFlattener(options: options).flatten(capture)
        #expect(receipt.findings.mrz?.zone.surname == "ERIKSSON")
        let redacted = try #require(receipt.redacted([.mrz]))
        #expect(redacted.report.warnings.contains { $0.contains("was read elsewhere") } == isToldOf)
        #expect((redacted.report.redaction?.hidden["mrz"] ?? 0) >= (isToldOf ? 1 : 2))
        // Either the engine says the same of the blackened picture, as if nothing had been hidden, or the names stand there unread.
        #expect(redacted.report.redaction?.verified == false)
        #expect(redacted.shown == [.mrz])
    }
}

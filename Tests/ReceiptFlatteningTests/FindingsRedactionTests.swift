import Documents
import Imaging
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
            of: [.codes], in: view(of: page), scale: 1, until: Deadline(after: nil, isCancelled: { false }))
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
        ).blackening(hidden.boxes)
        #expect(try codes(on: picture.render().gray()).codes?.isEmpty == true)
    }

    @Test func whatIsNotToBeHiddenStays() throws {
        var page = GrayImage(width: 800, height: 400, filledWith: 230)
        DrawnEAN.draw(code, on: &page, left: 150, top: 120, module: 3, height: 150)
        let (left, hidden, _) = try codes(on: page).hiding([.faces, .mrz, .emails, .names])
        #expect(left.codes?.count == 1 && hidden.boxes.isEmpty && hidden.codes.isEmpty)
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
}

import Diagnostics
import Imaging
import RobustStatistics
import Testing
import TextTestSupport

@testable import Documents

@Suite struct CodeReaderTests {
    private func page(_ width: Int = 700, _ height: Int = 400) -> GrayImage {
        GrayImage(width: width, height: height, filledWith: 230)
    }

    @Test func aDrawnEANIsReadWhereItStands() throws {
        var page = page()
        DrawnEAN.draw("4006381333931", on: &page, left: 150, top: 120, module: 3, height: 150)
        let codes = try CodeReader().codes(in: page)
        let code = try #require(codes.first)
        #expect(codes.count == 1)
        #expect(code.symbology == .ean13)
        #expect(code.text == "4006381333931")
        let corners = try #require(code.corners)
        // zbar tells where scans end, to a few modules.
        for (corner, drawn) in zip(corners, [(150, 120), (435, 120), (435, 270), (150, 270)]) {
            #expect(abs(corner.x - Double(drawn.0)) < 12 && abs(corner.y - Double(drawn.1)) < 12, "\(corner)")
        }
    }

    @Test func anEANThatBeginsWithZeroIsUPCA() throws {
        var page = page()
        DrawnEAN.draw("0036000291452", on: &page, left: 150, top: 120, module: 3, height: 150)
        let codes = try CodeReader().codes(in: page)
        #expect(codes.map(\.symbology) == [.upcA])
        #expect(codes.map(\.text) == ["036000291452"])
    }

    @Test func noiseHasMoreEdgesThanCodesAndIsNotLookedAt() throws {
        let seed: UInt64 = 3
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        let noise = GrayImage(width: 1600, height: 1200) { pixels in
            for index in 0..<1600 * 1200 {
                pixels.initializeElement(at: index, to: .random(in: 0...255, using: &random))
            }
        }
        // Four fifths of the neighbours differ by 24 levels and more: 3.1 million edges.
        #expect(CodeReader.isTooDense(noise))
        var isPartial = false
        #expect(try CodeReader().codes(in: noise) { isPartial = true }.isEmpty)
        #expect(isPartial)
    }

    @Test func aPageWithACodeIsLookedAtInFull() throws {
        var page = page()
        DrawnEAN.draw("4006381333931", on: &page, left: 150, top: 120, module: 3, height: 150)
        #expect(!CodeReader.isTooDense(page))
        #expect(try CodeReader().codes(in: page) { Issue.record("not all was looked at") }.count == 1)
    }

    @Test func aSlantedCodeIsRead() throws {
        var page = page(900, 900)
        DrawnEAN.draw("4006381333931", on: &page, left: 300, top: 350, module: 3, height: 150)
        let turned = CodeView.whole(page, zoom: 1, turn: (0.5.squareRoot(), 0.5.squareRoot())).image
        #expect(try CodeReader().codes(in: turned).map(\.text) == ["4006381333931"])
    }

    @Test func aCodeInTheFlatPictureAndInThePhotographStandsOnce() throws {
        var page = page()
        DrawnEAN.draw("4006381333931", on: &page, left: 150, top: 120, module: 3, height: 150)
        // The photograph shows the page 100 pixels further right, and a second code beside it.
        var photograph = GrayImage(width: 1300, height: 400, filledWith: 230)
        DrawnEAN.draw("4006381333931", on: &photograph, left: 250, top: 120, module: 3, height: 150)
        DrawnEAN.draw("9780201379624", on: &photograph, left: 900, top: 120, module: 3, height: 150)
        let view = SheetView(
            flat: page,
            photograph: SheetPhotograph(
                image: photograph.map { RGB(red: $0, green: $0, blue: $0) },
                map: SamplingMap(outputSize: page.size, spacing: 16) { $0 + SIMD2(100, 0) }), outline: nil,
            sheetMillimeters: nil,
            pixelsPerMillimeter: nil, text: nil, zone: nil)
        let codes = try view.codes(readBy: CodeReader())
        #expect(codes.map(\.text) == ["4006381333931", "9780201379624"])
        let first = try #require(codes.first)
        let (flat, seen) = (try #require(first.corners), try #require(first.photographCorners))
        for (one, other) in zip(flat, seen) {
            // Two readings of the same bars.
            #expect(abs(other.x - one.x - 100) < 3 && abs(other.y - one.y) < 3)
        }
        #expect(codes.last?.corners == nil, "the second stands beside the sheet")
        #expect(codes.last?.photographCorners != nil)
    }

    @Test func aCodeThatTheRimCutsHasThePlaceOfWhatIsLeft() throws {
        var photograph = page()
        DrawnEAN.draw("4006381333931", on: &photograph, left: 150, top: 120, module: 3, height: 150)
        // The flat image ends in the middle of the code, which is read in the photograph alone.
        let size = PixelSize(width: 290, height: 400)
        let view = SheetView(
            flat: GrayImage(width: size.width, height: size.height, filledWith: 230),
            photograph: SheetPhotograph(
                image: photograph.map { RGB(red: $0, green: $0, blue: $0) },
                map: SamplingMap(outputSize: size, spacing: 16) { $0 }), outline: nil, sheetMillimeters: nil,
            pixelsPerMillimeter: nil, text: nil, zone: nil)
        let code = try #require(try view.codes(readBy: CodeReader()).first)
        let corners = try #require(code.corners)
        let box = Box(around: corners)
        // zbar tells where scans end, to a few modules; a sixteenth of the code's width is 18 pixels.
        #expect(abs(box.left - 150) < 12 && abs(box.right - 290) < 18, "\(box)")
        #expect(abs(box.top - 120) < 12 && abs(box.bottom - 270) < 12, "\(box)")
    }

    @Test func aPictureWithoutAPhotographTellsOfPlacesOnItAlone() throws {
        var page = page()
        DrawnEAN.draw("4006381333931", on: &page, left: 150, top: 120, module: 3, height: 150)
        let view = SheetView(
            flat: page, photograph: nil, outline: nil, sheetMillimeters: nil, pixelsPerMillimeter: nil,
            text: nil,
            zone: nil)
        let code = try #require(try view.codes(readBy: CodeReader()).first)
        #expect(code.corners != nil && code.photographCorners == nil)
    }

    @Test func anEmptyPageHasNone() throws {
        #expect(try CodeReader().codes(in: page()).isEmpty)
        #expect(try CodeReader().codes(in: GrayImage(width: 0, height: 0, elements: [])).isEmpty)
        #expect(try CodeReader().codes(in: GrayImage(width: 1, height: 1, elements: [0])).isEmpty)
    }

    @Test func shortOrLoneReadingsWithoutCheckDigitsAreNotBelieved() {
        func reading(_ text: String, agreement: Int) -> CodeReading {
            CodeReading(
                symbology: .itf, bytes: Array(text.utf8), engine: .zbar, agreement: agreement, points: [])
        }
        #expect(!reading("0829220876", agreement: 7).isBelievable)
        #expect(!reading("0829", agreement: 90).isBelievable)
        #expect(reading("0829220876", agreement: 24).isBelievable)
        #expect(reading("10614141543219", agreement: 1).isBelievable, "a case's number with its check digit")
    }

    @Test func bytesAreTextInTheirOwnEncoding() {
        #expect(CodeText.text(of: Array("Grüße".utf8)) == "Grüße")
        #expect(CodeText.text(of: [0x47, 0x72, 0xFC, 0xDF, 0x65]) == "Grüße")
        #expect(CodeText.text(of: [0x83, 0x65, 0x83, 0x58, 0x83, 0x67]) == "テスト")
        #expect(CodeText.text(of: [0x00, 0x01, 0x41]) == nil)
    }
}

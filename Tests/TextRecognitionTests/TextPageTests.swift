import Imaging
import Testing
import TextTestSupport

@testable import TextRecognition

@Suite("Small print is read on an enlarged picture")
struct TextPageTests {
    private static let printed = """
        HARBOUR KIOSK
        12 Pier Road
        Date 21/06/2025   11:48
        2x Filter Coffee   7.80
        Rye Sandwich      11.40
        Still Water        1.91
        TOTAL             21.11
        """

    /// A receipt of letters five pixels high.
    private func smallPage() throws -> DrawnPage {
        try DrawnPage(Self.printed, cellWidth: 5, cellHeight: 9, linePitch: 11)
    }

    @Test("Print of five pixels is read, and its words stand where they are printed")
    func reading() throws {
        let page = try smallPage()
        let text = try TextRecognizer(engine: LineEngine(language: TextReader.anyLanguage)).recognize(
            TextPage(page.picture, pixelsPerMillimeter: 3))
        #expect(text.lines.map(\.text) == readingForm(of: Self.printed))
        #expect(text.pageWidth == page.picture.width && text.pageHeight == page.picture.height)
        #expect(text.pixelsPerMillimeter == 3)
        let word = try #require(text.lines.last?.words.first)
        // The first of the row's cells, and the last row's top, to within half a letter.
        #expect(abs(word.box.left - Double(page.margin)) < 3, "\(word.box)")
        let top = page.margin + 6 * page.linePitch
        #expect(word.box.top > Double(top) - 2 && word.box.bottom < Double(top + 9) + 2, "\(word.box)")
    }

    @Test("Print of twenty pixels is read as it is, small print enlarged as far as memory is worth it")
    func factor() throws {
        #expect(TextPage(try DrawnPage(Self.printed).picture).enlargementToRead == 1)
        #expect(TextPage(GrayImage(width: 40, height: 30, filledWith: 230)).enlargementToRead == 1)
        let page = try smallPage()
        let factor = TextPage(page.picture).enlargementToRead
        #expect(factor > 2 && factor <= 3)
        // The same print on so large a sheet that it can be no more than once and a half as large.
        var sheet = GrayImage(width: 2500, height: 2000, filledWith: 225)
        for y in 0..<page.picture.height {
            for x in 0..<page.picture.width { sheet[x: x, y: y] = page.picture[x: x, y: y] }
        }
        #expect(TextPage(sheet).enlargementToRead == 1)
    }

    @Test("What lies on the sheet is asked for by the page's own pixels")
    func rim() throws {
        let page = TextPage(GrayImage(width: 10, height: 10, filledWith: 200)) { $0.x < 4.5 }.enlarged(by: 2)
        #expect(page.picture.width == 20)
        #expect(page.isOnSheet?(SIMD2(9, 0)) == true && page.isOnSheet?(SIMD2(10, 0)) == false)
    }
}

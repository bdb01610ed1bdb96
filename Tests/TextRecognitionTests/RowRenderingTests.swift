import Imaging
import Testing

@testable import PrintDetection
@testable import TextRecognition

@Suite struct RowRenderingTests {
    private static let paper: UInt8 = 220

    /// A page with filled boxes, 8 x 20 pixels from row 40 on, at these left edges.
    private static func drawn(
        _ lefts: [Int], width: Int = 400, ink: UInt8 = 60, paper: UInt8 = paper
    ) throws -> (row: PrintedRow, ink: Ink) {
        var page = GrayImage(width: width, height: 100, filledWith: paper)
        for left in lefts {
            for y in 40..<60 {
                for x in left..<left + 8 { page[x: x, y: y] = ink }
            }
        }
        let marks = PageMarks(of: page)
        let rows = PrintedRowFinder(marks: marks.marks).rows()
        #expect(rows.count == 1 && rows[0].marks.count == lefts.count)
        return (try #require(rows.first), marks.ink)
    }

    private static func rendering(
        _ drawn: (row: PrintedRow, ink: Ink), letterHeight: Double, widthFactor: Double = 1,
        gapFactor: Double = 1, pitch: CharacterPitch? = nil
    ) -> RowRendering {
        RowRendering(
            rows: [drawn.row], indices: [0], ink: drawn.ink,
            style: .init(letterHeight: letterHeight, widthFactor: widthFactor, gapFactor: gapFactor),
            pitches: [pitch])
    }

    private static let lefts = [50, 64, 78, 92]

    @Test(
        "Blank around the row is 0.6 letter heights, the row in between is scaled", arguments: [10.0, 20, 30])
    func size(letterHeight: Double) throws {
        let rendering = Self.rendering(try Self.drawn(Self.lefts), letterHeight: letterHeight)
        let strip = try #require(rendering.strips.first)
        // 50 pixels of print, 12 of blank at either side, up and down too.
        #expect(strip.columns.count == Int((74 * letterHeight / 20).rounded(.up)))
        #expect(strip.bottom - strip.top == Int((44 * letterHeight / 20).rounded(.up)))
        #expect(rendering.page.width == strip.columns.count + 2 * Int(letterHeight))
    }

    @Test("A drawn box leads back to the place on the page", arguments: [10.0, 20, 30], [0.5, 1])
    func wayBack(letterHeight: Double, widthFactor: Double) throws {
        let rendering = Self.rendering(
            try Self.drawn(Self.lefts), letterHeight: letterHeight, widthFactor: widthFactor)
        let strip = try #require(rendering.strips.first)
        let scale = letterHeight / 20
        // The third letter: 78 - 50 + 12 pixels from the strip's left, 12 from its top.
        let left = Double(strip.left) + 40 * scale * widthFactor
        let top = Double(strip.top) + 12 * scale
        let found = rendering.source(
            of: Box(left: left, top: top, right: left + 8 * scale * widthFactor, bottom: top + 20 * scale),
            in: strip)
        // The strip's height is rounded up to whole pixels, and half of that moves its middle.
        #expect(abs(found.left - 78) < 1e-9 && abs(found.right - 86) < 1e-9)
        #expect(abs(found.top - 40) <= 0.5 / scale && abs(found.bottom - 60) <= 0.5 / scale)
    }

    @Test("A box of a strip's own picture leads back to the place on the page", arguments: [10.0, 20, 30])
    func wayBackFromAStrip(letterHeight: Double) throws {
        let rendering = Self.rendering(try Self.drawn(Self.lefts), letterHeight: letterHeight)
        let strip = try #require(rendering.strips.first)
        let picture = rendering.picture(of: strip)
        // The third letter is print in the picture; a column before it is blank.
        let scale = letterHeight / 20
        let blank = Double(Int(ReadingTuning.Drawing.blankBetweenRows / 2 * letterHeight))
        let left = blank + 40 * scale
        let top = blank + 12 * scale
        let middle = Int(top + 10 * scale)
        #expect(picture[x: Int(left + 4 * scale), y: middle] < 150)
        #expect(picture[x: Int(left - 3 * scale), y: middle] > 200)
        let box = rendering.source(
            ofPictured: Box(left: left, top: top, right: left + 8 * scale, bottom: top + 20 * scale),
            in: strip)
        // As above: half a drawn pixel.
        #expect(abs(box.left - 78) < 1e-9 && abs(box.right - 86) < 1e-9)
        #expect(abs(box.top - 40) <= 0.5 / scale && abs(box.bottom - 60) <= 0.5 / scale)
    }

    @Test func atItsOwnSizeARowIsDrawnPixelForPixel() throws {
        let drawn = try Self.drawn(Self.lefts)
        let rendering = Self.rendering(drawn, letterHeight: 20)
        let strip = try #require(rendering.strips.first)
        let letter = rendering.page[x: strip.left + 12 + 3, y: strip.top + 22]
        let blank = rendering.page[x: strip.left + 12 + 11, y: strip.top + 22]
        // 160 levels below the paper, which is white.
        #expect(blank == 245 && letter == 245 - 160)
        for (x, column) in strip.columns.enumerated() {
            #expect(column == Double(38 + x))
        }
    }

    @Test func lightPrintOnDarkGroundIsDrawnDarkOnLight() throws {
        let rendering = Self.rendering(
            try Self.drawn(Self.lefts, ink: 200, paper: 40), letterHeight: 20)
        let strip = try #require(rendering.strips.first)
        #expect(rendering.page[x: strip.left + 15, y: strip.top + 22] == 245 - 160)
    }

    @Test func aLongBlankIsShortenedToThreeLetterHeights() throws {
        let rendering = Self.rendering(try Self.drawn([50, 64, 300, 314]), letterHeight: 20)
        let strip = try #require(rendering.strips.first)
        // 22 pixels of print at either side of 228 blank ones.
        #expect(strip.columns.count == 12 + 22 + 60 + 22 + 12)
    }

    @Test func wideSetLettersAreMovedTogether() throws {
        let lefts = [50, 74, 98, 122]
        let rendering = Self.rendering(
            try Self.drawn(lefts), letterHeight: 20, gapFactor: 0.5,
            pitch: CharacterPitch(pitch: 24, origin: 54))
        let strip = try #require(rendering.strips.first)
        // Of each of the three blanks of 16 pixels remain half and a tenth of a letter's height.
        #expect(strip.columns.count == 12 + 4 * 8 + 3 * (8 + 2) + 12)
    }

    @Test func anEmptyCellKeepsItsShareOfABlank() throws {
        let rendering = Self.rendering(
            try Self.drawn([50, 98]), letterHeight: 20, gapFactor: 0.5,
            pitch: CharacterPitch(pitch: 24, origin: 54))
        let strip = try #require(rendering.strips.first)
        // One empty cell of 24 pixels, of which half remains, and 16 pixels beside the letters.
        #expect(strip.columns.count == 12 + 8 + (8 + 2 + 12) + 8 + 12)
    }
}

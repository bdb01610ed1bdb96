import Imaging
import Testing
import TextTestSupport

@testable import TextRecognition

@Suite struct PageRowsTests {
    @Test("The pitch is the distance of the cells", arguments: [11, 14, 19])
    func pitch(cellWidth: Int) throws {
        let page = try DrawnPage(
            smallReceipt, cellWidth: cellWidth, cellHeight: 2 * cellWidth, linePitch: 5 * cellWidth / 2)
        let rows = PageRows(on: TextPage(page.picture))
        let found = try #require(rows.pitch)
        // The search steps by 0.4 %; letters that stand off their cells' middles add about as much.
        #expect(abs(found / Double(cellWidth) - 1) < 0.01)
    }

    @Test("A rule of dashes or stars is no row", arguments: [4, 8])
    func rule(height: Int) throws {
        var page = try DrawnPage("SUBTOTAL     12.00\n\nTOTAL        12.00").picture
        let rows = PageRows(on: TextPage(page)).rows.count
        for left in stride(from: 40, to: 260, by: 14) {
            for y in 76..<76 + height {
                for x in left..<left + 8 { page[x: x, y: y] = 40 }
            }
        }
        #expect(rows == 2 && PageRows(on: TextPage(page)).rows.count == rows)
    }

    @Test("Wide-set type, squeezed letters: the pitch does not depend on the letters' shape")
    func wideSet() throws {
        let page = try DrawnPage(smallReceipt, cellWidth: 20, cellHeight: 26, linePitch: 34)
        #expect(abs(try #require(PageRows(on: TextPage(page.picture)).pitch) / 20 - 1) < 0.01)
    }

    @Test("Letters of dots are as high as those of strokes")
    func dots() throws {
        var drawn = try DrawnPage(
            "PLAIN STROKES 12\nROW OF DOTS 3456\nPLAIN AGAIN 7890", cellWidth: 32, cellHeight: 64,
            linePitch: 80)
        for y in drawn.margin + drawn.linePitch..<drawn.margin + 2 * drawn.linePitch {
            for x in 0..<drawn.picture.width where x % 8 >= 4 || y % 8 >= 4 {
                drawn.picture[x: x, y: y] = 225
            }
        }
        let rows = try PageRows(found: TextPage(drawn.picture)).rows
        try #require(rows.count == 3)
        // The marks of the second are dots a tenth as high.
        #expect(abs(rows[1].letterHeight / rows[0].letterHeight - 1) < 0.25)
    }
}

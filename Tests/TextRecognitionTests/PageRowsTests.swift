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

    @Test("Wide-set type, squeezed letters: the pitch does not depend on the letters' shape")
    func wideSet() throws {
        let page = try DrawnPage(smallReceipt, cellWidth: 20, cellHeight: 26, linePitch: 34)
        #expect(abs(try #require(PageRows(on: TextPage(page.picture)).pitch) / 20 - 1) < 0.01)
    }
}

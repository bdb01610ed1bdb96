import Foundation
import Imaging
import Testing
import TextTestSupport

@testable import PrintDetection

@Suite("Print as geometry sees it")
struct PagePrintTests {
    static let text = """
        MARKET HALL BAKERY
        2 ROLLS            3.20
        1 LOAF OF RYE      4.50
        6 EGGS             2.40
        TOTAL             10.10
        THANK YOU COME AGAIN
        """

    @Test("Rows run as they were drawn, level or upright")
    func direction() throws {
        let page = try DrawnPage(Self.text).picture
        let level = PagePrint(of: PageMarks(of: page)) { _ in true }
        // The direction from letter to letter tells the rows' to a few degrees: letters end at different heights.
        #expect(abs(level.rowAngle) < 5 * .pi / 180)
        #expect(level.rowAgreement > 0.5)
        let upright = PagePrint(of: PageMarks(of: page.oriented(by: .right))) { _ in true }
        #expect(abs(abs(upright.rowAngle) - .pi / 2) < 5 * .pi / 180)
    }

    @Test("A rule comes out as pieces of a letter's length, at its own height")
    func rules() throws {
        var page = try DrawnPage(Self.text).picture
        for x in 40..<280 {
            for y in 66..<68 { page[x: x, y: y + x / 40] = 50 }
        }
        let print = PagePrint(of: PageMarks(of: page)) { _ in true }
        let rule = print.rules.filter { $0.top > 60 && $0.bottom < 80 }
        #expect(rule.count >= 5)
        for piece in rule {
            let x = (piece.left + piece.right) / 2
            // It falls by a pixel every 40: a piece's mean is within one step of it.
            #expect(abs((piece.top + piece.bottom) / 2 - (67 + x / 40)) < 1)
        }
    }

    @Test("What lies beyond the sheet is no print")
    func beyond() throws {
        let page = try DrawnPage(Self.text).picture
        let half = Double(page.width) / 2
        let print = PagePrint(of: PageMarks(of: page)) { $0.x < half }
        #expect(!print.letters.isEmpty)
        #expect(print.letters.allSatisfy { $0.right <= half + 1 })
    }

    @Test("Large print counts where most of it lies on the sheet, and a strip along its edge does not")
    func largePrint() throws {
        var page = try DrawnPage("\n\n\n" + Self.text).picture
        let letter = PagePrint(of: PageMarks(of: page)) { _ in true }.letterHeight
        let side = Int(3 * letter)
        // A logo's letter that reaches over the sheet's upper end by a third, and the table along that end.
        for y in 0..<side {
            for x in 100..<100 + side where (x - 100) % (side - 5) < 5 || y > side - 6 {
                page[x: x, y: y] = 50
            }
        }
        for x in 200..<page.width { for y in 0..<side / 3 + 2 { page[x: x, y: y] = 50 } }
        let print = PagePrint(of: PageMarks(of: page)) { $0.y > Double(side / 3) }
        #expect(print.largePrint.contains { abs($0.left - 100) < 2 && abs($0.bottom - Double(side)) < 2 })
        #expect(!print.largePrint.contains { $0.left >= 200 && $0.top == 0 })
        #expect(print.letters.allSatisfy { print.inkBoxes.contains($0) })
    }

    @Test("Pale print beside black bars is found as black print is")
    func palePrint() throws {
        let black = try DrawnPage(Self.text, ink: 40, inverted: [0, 5])
        var pale = black.picture
        // The rows between the bars, at half of the bars' contrast.
        for y in black.margin + black.linePitch..<black.margin + 5 * black.linePitch {
            for x in 0..<pale.width { pale[x: x, y: y] = UInt8(225 - (225 - Int(pale[x: x, y: y])) / 2) }
        }
        let strong = PagePrint(of: PageMarks(of: black.picture)) { _ in true }.letters.count
        let found = PagePrint(of: PageMarks(of: pale)) { _ in true }.letters.count
        #expect(Double(found) > 0.9 * Double(strong))
    }
}

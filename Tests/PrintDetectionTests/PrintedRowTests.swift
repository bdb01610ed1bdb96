import Imaging
import RobustStatistics
import Testing
import TextTestSupport

@testable import PrintDetection

/// Rows as geometry finds them.
@Suite struct PrintedRowTests {
    /// Letters 12 x 20 pixels with a pitch of 14, whose tops lie on a line that falls by `slope`.
    private func letters(from left: Int, count: Int, top: Double, slope: Double) -> [PrintedMark] {
        (0..<count).map { index in
            let x = left + 14 * index
            let y = Int((top + slope * Double(x)).rounded())
            return PrintedMark(left: x, top: y, right: x + 12, bottom: y + 20, area: 90)
        }
    }

    @Test("A label and its amount far right are one row on a sheet off level", arguments: [-0.02, 0, 0.02])
    func farApart(slope: Double) {
        // Over the 480 pixels between them the row falls by 9.6 pixels, half a letter; rows are 40 apart.
        var marks: [PrintedMark] = []
        for row in 0..<5 {
            marks += letters(from: 20, count: 38, top: 40 * Double(row) + 40, slope: slope)
        }
        marks += letters(from: 20, count: 5, top: 240, slope: slope)
        marks += letters(from: 500, count: 4, top: 240, slope: slope)
        let rows = PrintedRowFinder(marks: marks).rows()
        #expect(rows.map(\.marks.count) == [38, 38, 38, 38, 38, 9])
    }

    @Test func partsOfARowHalfALetterApartAreOne() {
        // Of broken letters the upper or the lower part may be all that is found; the next row is two letters away.
        let row =
            letters(from: 20, count: 10, top: 40, slope: 0) + letters(from: 160, count: 10, top: 50, slope: 0)
        let next = letters(from: 20, count: 20, top: 90, slope: 0)
        #expect(PrintedRowFinder(marks: row + next).rows().map(\.marks.count) == [20, 20])
    }

    /// Rows 27 pixels apart, as tills print: letters 20 high.
    private func close(rows: Int, count: Int) -> [[PrintedMark]] {
        (0..<rows).map { letters(from: 100, count: count, top: 40 + 27 * Double($0), slope: 0) }
    }

    @Test func lettersOfTwoRowsThatTouchBelongToBoth() throws {
        var marks = close(rows: 4, count: 20)
        // The fifth letters of the second and third rows are one mark.
        let (upper, lower) = (marks[1].remove(at: 4), marks[2].remove(at: 4))
        let joined = PrintedMark(
            left: upper.left, top: upper.top, right: upper.right, bottom: lower.bottom, area: 180)
        let rows = PrintedRowFinder(marks: marks.joined() + [joined]).rows()
        #expect(rows.map(\.marks.count) == [20, 20, 20, 20])
        #expect(rows.allSatisfy { $0.box.height <= 21 && abs($0.slope) < 0.001 })
    }

    @Test func aShadowsEdgeBesideTwoRowsIsNoLetter() {
        let edge = PrintedMark(left: 40, top: 64, right: 80, bottom: 114, area: 300)
        let rows = PrintedRowFinder(marks: close(rows: 4, count: 20).joined() + [edge]).rows()
        #expect(rows.map(\.marks.count) == [20, 20, 20, 20])
        #expect(rows.allSatisfy { $0.box.left == 100 && $0.box.height == 20 })
    }

    @Test func tallTypeBesideTwoRowsStays() {
        // An amount as high as the two rows on its left.
        let amount = (0..<5).map { index in
            PrintedMark(left: 420 + 24 * index, top: 67, right: 440 + 24 * index, bottom: 114, area: 300)
        }
        let rows = PrintedRowFinder(marks: close(rows: 3, count: 20).joined() + amount).rows()
        #expect(rows.map(\.marks.count).reduce(0, +) == 65)
        #expect(rows.flatMap(\.marks).filter { $0.height == 47 }.count == 5)
    }

    @Test func lettersOnALineAreLevelAndScatteredMarksAreNot() throws {
        let printed = try #require(
            PrintedRowFinder(marks: letters(from: 20, count: 30, top: 40, slope: 0.01)).rows().first)
        #expect(printed.levelness > 0.6)
        let seed: UInt64 = 9
        Swift.print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        let marks = (0..<30).map { index in
            let top = 40 + Int.random(in: 0...9, using: &random)
            return PrintedMark(
                left: 20 + 14 * index, top: top, right: 32 + 14 * index,
                bottom: top + .random(in: 14...26, using: &random), area: 90)
        }
        let scattered = try #require(PrintedRowFinder(marks: marks).rows().first)
        #expect(scattered.levelness < 0.5)
        // Two marks are level by chance.
        #expect(scattered.prefix(2).levelness < printed.levelness)
    }

    @Test func theBeginningOfALongRowIsOnTheSameLine() throws {
        let marks = letters(from: 20, count: 100, top: 40, slope: 0.02)
        let row = try #require(PrintedRowFinder(marks: marks).rows().first)
        let part = row.prefix(32)
        #expect(part.marks == Array(row.marks.prefix(32)))
        // 31 pitches and a letter from the first one's left side.
        #expect(part.box.left == 20 && part.box.right == Double(20 + 31 * 14 + 12))
        // The row falls by 28 pixels; its first third by less than 10, and a letter is 20 high.
        #expect(row.box.bottom - row.box.top > 40 && part.box.bottom - part.box.top < 30)
        #expect(part.middle(at: 200) == row.middle(at: 200) && part.letterHeight == row.letterHeight)
        #expect(row.prefix(100).marks.count == 100, "a shorter row stays as it is")
    }

    @Test func theBeginningOfARowIsAsLongAsAskedForWithoutItsWideBlanks() throws {
        let row = try #require(
            PrintedRowFinder(marks: letters(from: 20, count: 10, top: 40, slope: 0)).rows().first)
        // Ten letters of 12 and nine blanks of 2 are 138 pixels long; eight letters and seven blanks are 110.
        #expect(row.prefix(32, longest: 138).marks.count == 10)
        #expect(row.prefix(32, longest: 137).marks.count == 9)
        #expect(row.prefix(32, longest: 110).marks.count == 8)
        #expect(row.prefix(32, longest: 129, longestBlank: 1).marks.count == 10)
        #expect(row.prefix(32, longest: 1).marks.count == 1, "one is left")
    }

    @Test("The rows of a page are found with the amounts at their right; rules and blank lines are none")
    func rows() throws {
        let page = try DrawnPage(smallReceipt)
        let finder = PrintedRowFinder(marks: PageMarks(of: page.picture).marks)
        #expect(finder.rows().count == readingForm(of: smallReceipt).count)
    }

    @Test("A shadow over the page is no ink")
    func shadow() throws {
        var page = try DrawnPage(smallReceipt).picture
        for y in 0..<page.height {
            for x in 0..<page.width {
                // Light falls off to half across the page.
                let light = 1 - 0.5 * Double(x) / Double(page.width)
                page[x: x, y: y] = UInt8(Double(page[x: x, y: y]) * light)
            }
        }
        let finder = PrintedRowFinder(marks: PageMarks(of: page).marks)
        #expect(finder.rows().count == readingForm(of: smallReceipt).count)
    }
}

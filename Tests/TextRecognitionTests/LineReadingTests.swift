import Diagnostics
import Imaging
import PrintDetection
import Synchronization
import Testing
import TextTestSupport

@testable import TextRecognition

@Suite struct LineReadingTests {
    private static let rows = [
        "BREAD        12.00", "MILK          2.50", "CHEESE        7.25", "TOTAL        21.75",
    ]

    /// Rows of print with a blank row between each two.
    private func picture() throws -> GrayImage {
        try DrawnPage(Self.rows.joined(separator: "\n\n")).picture
    }

    /// The rows that are asked to be read, and their boxes; one that may lie on a panel twice.
    private func asked(_ picture: GrayImage) throws -> [(row: Int, box: Box)] {
        let asked = Mutex<[(row: Int, box: Box)]>([])
        _ = try LineReading.lines(on: TextPage(picture), context: ReadingContext()) {
            rows, indices, _ throws(FlatteningError) in
            asked.withLock { $0 += indices.map { ($0, rows.rows[$0].box) } }
            return []
        }
        return asked.withLock { $0 }
    }

    @Test("Each row is read once, from its first word to its amount")
    func rows() throws {
        let picture = try picture()
        let rows = try asked(picture)
        #expect(rows.map(\.row) == Array(Self.rows.indices))
        for (_, box) in rows { #expect(box.width > 0.6 * Double(picture.width), "\(box)") }
    }

    @Test("Print of a fifth of the others' depth is read beside them")
    func pale() throws {
        var picture = try picture()
        let last = try #require(PageRows(on: TextPage(picture)).rows.last)
        for y in Int(last.box.top) - 2..<Int(last.box.bottom) + 2 {
            for x in 0..<picture.width { picture[x: x, y: y] = 255 - (255 - picture[x: x, y: y]) / 5 }
        }
        #expect(Set(try asked(picture).map(\.row)).count == Self.rows.count)
    }

    @Test("Rows that a stroke joins are read each by itself")
    func joined() throws {
        var picture = try picture()
        // Along the amounts, as a shadow's edge runs.
        for y in 0..<picture.height {
            for x in picture.width * 7 / 10..<picture.width * 7 / 10 + 3 { picture[x: x, y: y] = 60 }
        }
        #expect(Set(try asked(picture).map(\.row)).count == Self.rows.count)
    }

    @Test("An amount that is set light on dark beside a label on paper is read")
    func panel() throws {
        var drawn = try DrawnPage(
            "BREAD  12.50\nCHEESE 50.11\nTOTAL  62.61\nCASH   70.00", cellWidth: 28, cellHeight: 56,
            linePitch: 68)
        let top = drawn.margin + 2 * drawn.linePitch
        for y in top..<top + 56 {
            for x in drawn.margin + 6 * 28..<drawn.margin + 12 * 28 {
                drawn.picture[x: x, y: y] = 255 - drawn.picture[x: x, y: y]
            }
        }
        let lines = try LineEngine(language: "eng").lines(
            on: TextPage(drawn.picture), context: ReadingContext())
        #expect(lines.map { $0.words.map(\.text).joined(separator: " ") }.contains("TOTAL 62.61"))
    }
}

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

    /// The boxes of the rows that are asked to be read.
    private func asked(_ picture: GrayImage) throws -> [Box] {
        let boxes = Mutex<[Box]>([])
        _ = try LineReading.lines(on: TextPage(picture), context: ReadingContext()) {
            rows, indices, _ throws(FlatteningError) in
            boxes.withLock { $0 += indices.map { rows.rows[$0].box } }
            return []
        }
        return boxes.withLock { $0 }
    }

    @Test("Each row is read once, from its first word to its amount")
    func rows() throws {
        let picture = try picture()
        let boxes = try asked(picture)
        #expect(boxes.count == Self.rows.count)
        for box in boxes { #expect(box.width > 0.6 * Double(picture.width), "\(box)") }
    }

    @Test("Print of a fifth of the others' depth is read beside them")
    func pale() throws {
        var picture = try picture()
        let last = try #require(PageRows(on: TextPage(picture)).rows.last)
        for y in Int(last.box.top) - 2..<Int(last.box.bottom) + 2 {
            for x in 0..<picture.width { picture[x: x, y: y] = 255 - (255 - picture[x: x, y: y]) / 5 }
        }
        #expect(try asked(picture).count == Self.rows.count)
    }

    @Test("Rows that a stroke joins are read each by itself")
    func joined() throws {
        var picture = try picture()
        // Along the amounts, as a shadow's edge runs.
        for y in 0..<picture.height {
            for x in picture.width * 7 / 10..<picture.width * 7 / 10 + 3 { picture[x: x, y: y] = 60 }
        }
        #expect(try asked(picture).count == Self.rows.count)
    }
}

import Imaging
import Testing

@testable import PrintDetection
@testable import TextRecognition

@Suite struct LinePictureTests {
    /// Ten letters 20 pixels tall, drawn 14 tall: wide enough to be parted.
    private static func drawn() throws -> RowRendering {
        var page = GrayImage(width: 320, height: 60, filledWith: 255)
        for letter in 0..<10 {
            for y in 20..<40 {
                for x in 0..<12 { page.elements[y * 320 + 30 * letter + 10 + x] = 0 }
            }
        }
        let marks = PageMarks(of: page)
        let rows = PrintedRowFinder(marks: PrintedMark.marks(in: marks.ink)).rows()
        try #require(rows.count == 1)
        return RowRendering(
            rows: rows, indices: [0], ink: marks.ink, style: .init(letterHeight: 14, widthFactor: 1),
            pitches: [nil])
    }

    @Test func aRowLiesInTheMiddleOfItsPicture() throws {
        let drawn = try Self.drawn()
        let strip = drawn.strips[0]
        let picture = LinePicture(strip, columns: 0..<strip.columns.count, of: drawn)
        #expect(picture.columns % 8 == 0 && picture.columns >= strip.columns.count)
        #expect(picture.pixels.count == 48 * picture.columns)
        let dark = picture.pixels.indices.filter { picture.pixels[$0] < 0 }.map { $0 / picture.columns }
        // The letters' 14 rows and half a pixel of blur on either side, about row 24.
        #expect(Set(dark).isSubset(of: Set(16...31)))
    }

    @Test func aWideRowIsPartedBetweenLetters() throws {
        let drawn = try Self.drawn()
        let strip = drawn.strips[0]
        let parts = LinePicture.parts(of: strip, in: drawn, widest: 100)
        #expect(parts.count > 1 && parts.allSatisfy { $0.count <= 100 })
        #expect(parts.first?.lowerBound == 0 && parts.last?.upperBound == strip.columns.count)
        for (left, right) in zip(parts, parts.dropFirst()) {
            #expect(left.upperBound == right.lowerBound)
            let column = LinePicture(strip, columns: right.lowerBound..<right.lowerBound + 1, of: drawn)
            #expect(column.pixels.allSatisfy { $0 > 0.8 }, "a letter is cut")
        }
    }
}

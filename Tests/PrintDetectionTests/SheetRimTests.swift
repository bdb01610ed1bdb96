import Imaging
import Testing

@testable import PrintDetection

/// What shows around the sheet is not read, what stands on it is.
@Suite struct SheetRimTests {
    /// The sheet is what lies right of column 100.
    private let rim = SheetRim { $0.x >= 100 }

    private func mark(_ left: Int, _ top: Int, width: Int = 12, height: Int = 20) -> PrintedMark {
        PrintedMark(
            left: left, top: top, right: left + width, bottom: top + height, area: width * height / 3)
    }

    @Test("Marks beyond the edge are left out, marks inside are kept")
    func sides() {
        let inside = [mark(200, 50), mark(214, 50), mark(300, 90)]
        let outside = [mark(10, 50), mark(40, 300), mark(90, 50)]
        #expect(Set(rim.print(among: inside + outside, letterHeight: 20)) == Set(inside))
    }

    @Test("A mark alone at the edge is the edge, one whose word goes on inside is a letter")
    func atTheEdge() {
        let alone = mark(98, 200, width: 3)
        let letter = mark(101, 50)
        let next = mark(115, 50)
        #expect(
            Set(rim.print(among: [alone, letter, next], letterHeight: 20)) == Set([letter, next]))
    }

    @Test("Whatever surrounds a sheet, all of a page that is only sheet is read")
    func wholePage() {
        let everywhere = SheetRim { _ in true }
        let marks = [mark(0, 0), mark(400, 700), mark(98, 200, width: 3)]
        #expect(everywhere.print(among: marks, letterHeight: 20) == marks)
    }
}

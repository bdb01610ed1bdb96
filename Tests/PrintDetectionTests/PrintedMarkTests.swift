import Imaging
import Testing

@testable import PrintDetection

@Suite struct PrintedMarkTests {
    @Test("Marks are joined over corners, and counted once where arms meet late")
    func marks() {
        // A U: two arms that meet in the last row, and a dot that touches by a corner.
        let rows = ["#...#.", "#...#.", "#####.", ".....#", "......"]
        let picture = GrayImage(
            width: 6, height: 5, elements: rows.joined().utf8.map { $0 == 0x23 ? 0 : 255 })
        let marks = PrintedMark.marks(in: Ink(of: picture), leastArea: 1)
        #expect(marks == [PrintedMark(left: 0, top: 0, right: 6, bottom: 4, area: 10)])
    }
}

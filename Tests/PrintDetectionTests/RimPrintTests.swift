import Testing

@testable import PrintDetection

@Suite struct RimPrintTests {
    /// Rows of ten letters, 20 high and 12 wide, from a left edge on.
    private func rows(from left: Int, letters: Int = 10, count: Int = 12, pitch: Int = 34) -> [PrintedMark] {
        (0..<count).flatMap { row in
            (0..<letters).map { letter in
                mark(left + letter * 15, 20 + row * pitch, width: 12, height: 20)
            }
        }
    }

    /// Letters of a turned line: 20 wide and 12 high, one above the other.
    private func slogan(at left: Int, letters: Int = 24) -> [PrintedMark] {
        (0..<letters).map { mark(left, 10 + $0 * 15, width: 20, height: 12) }
    }

    private func mark(_ left: Int, _ top: Int, width: Int, height: Int) -> PrintedMark {
        PrintedMark(left: left, top: top, right: left + width, bottom: top + height, area: width * height / 2)
    }

    private func removed(_ marks: [PrintedMark]) -> Set<PrintedMark> {
        Set(marks).subtracting(RimPrint.removed(from: marks, letterHeight: 20))
    }

    @Test func printAlongEitherSideIsRemovedAndNothingElse() {
        let slogans = slogan(at: 5) + slogan(at: 300)
        // The dot of an "i" lies beside its stem.
        let dot = mark(25, 40, width: 4, height: 4)
        #expect(removed(rows(from: 60) + slogans + [dot]) == Set(slogans + [dot]))
        #expect(removed(rows(from: 60) + slogan(at: 300)) == Set(slogan(at: 300)))
    }

    @Test func aRowAcrossTheSheetLeavesTheBandsOnes() {
        let rule = mark(0, 440, width: 330, height: 3)
        let wide = rows(from: 5, letters: 21, count: 1).map { mark($0.left, 460, width: 12, height: 20) }
        #expect(removed(rows(from: 60) + slogan(at: 5) + [rule] + wide).isSuperset(of: slogan(at: 5)))
    }

    @Test(
        "A column of numbers is no slogan, however close its rows are",
        arguments: [1, 2, 3, 4], [24, 30, 40])
    func columns(digits: Int, pitch: Int) {
        let page = rows(from: 5, letters: digits, pitch: pitch) + rows(from: 120, pitch: pitch)
        #expect(removed(page).isEmpty)
    }

    @Test func aPageOfRowsAloneOrOfNothingStays() {
        #expect(removed(rows(from: 5)).isEmpty)
        #expect(RimPrint.removed(from: [], letterHeight: 0).isEmpty)
        #expect(removed(rows(from: 60) + slogan(at: 5, letters: 5)).isEmpty, "five specks are no slogan")
    }
}

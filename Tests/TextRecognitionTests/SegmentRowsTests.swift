import PrintDetection
import Testing

@testable import TextRecognition

@Suite struct SegmentRowsTests {
    /// A segment of letters 20 high; one that is long falls as it is said to.
    private func segment(_ left: Double, _ right: Double, at y: Double, slope: Double = 0) -> PrintSegment {
        PrintSegment(
            left: left, right: right, height: 20, intercept: y - slope * (left + right) / 2, slope: slope,
            confidence: 1)
    }

    /// The left ends of each row's segments, rows by their first.
    private func rows(_ segments: [PrintSegment]) -> [[Double]] {
        SegmentRows(segments).rows.map { $0.segments.map(\.left) }.sorted { $0[0] < $1[0] }
    }

    @Test func amountsBelongToTheLabelsAlongTheWayInWhichRowsFall() {
        // A fall of a twentieth over 400 pixels of blank: one row's pitch.
        let labels = (0..<5).map { segment(Double($0), 200, at: 100 + 25 * Double($0), slope: 0.0625) }
        let amounts = (0..<5).map { segment(600 + Double($0), 660, at: 133.125 + 25 * Double($0)) }
        #expect(rows(labels + amounts) == (0..<5).map { [Double($0), 600 + Double($0)] })
    }

    @Test func eachSegmentHasOneNeighborOnEitherSide() {
        let row = rows([segment(0, 100, at: 50), segment(150, 250, at: 52), segment(300, 400, at: 49)])
        #expect(row == [[0, 150, 300]])
    }

    @Test func segmentsAboveEachOtherStayApart() {
        #expect(rows([segment(0, 100, at: 50), segment(1, 101, at: 74)]) == [[0], [1]])
        #expect(rows([segment(0, 100, at: 50), segment(120, 220, at: 64)]) == [[0], [120]])
    }

    @Test func aRowBendsWhereItsSegmentsDo() throws {
        let row = try #require(
            SegmentRows([segment(0, 200, at: 50, slope: 0.1), segment(240, 440, at: 64, slope: 0.02)]).rows
                .first)
        #expect(row.segments.count == 2)
        for (x, y) in [(0.0, 40.0), (100, 50), (200, 60), (220, 61), (240, 62), (340, 64), (440, 66)] {
            #expect(abs(row.line.middle(at: x) - y) < 1e-9, "at \(x)")
        }
    }

    @Test("What stands above the first row is looked at by itself, where it is more than a rim")
    func headAboveTheFirstRow() throws {
        let rows = [segment(0, 300, at: 200), segment(0, 300, at: 240)]
        let usual = rows[0].height
        let bottom = try #require(PrintedHead.bottom(above: rows, usualHeight: usual))
        #expect(bottom > 200)
        #expect(PrintedHead.bottom(above: [segment(0, 300, at: usual)] + rows, usualHeight: usual) == nil)
    }

    @Test(
        "A logo that was seen in pieces is one; one that was seen whole, small print and cut rows stay as they were"
    )
    func logoInPieces() throws {
        func large(_ left: Double, _ right: Double, at y: Double) -> PrintSegment {
            PrintSegment(left: left, right: right, height: 60, intercept: y, slope: 0, confidence: 1)
        }
        let piece = segment(120, 150, at: 60)
        let row = segment(0, 300, at: 200)
        func joined(_ found: [PrintSegment], _ seen: PrintSegment) -> [PrintSegment] {
            PrintedHead.joining(found, [seen], above: 240, usualHeight: row.height)
        }
        let logo = large(40, 260, at: 60)
        #expect(joined([piece, row], logo) == [row, logo])
        #expect(joined([row], logo) == [row, logo])
        let whole = segment(50, 250, at: 60)
        #expect(joined([whole, row], logo) == [whole, row])
        #expect(joined([row], segment(40, 260, at: 60)) == [row])
        #expect(joined([row], large(40, 260, at: 230)) == [row])
    }

    @Test func nothingGivesNoRows() { #expect(SegmentRows([]).rows.isEmpty) }
}

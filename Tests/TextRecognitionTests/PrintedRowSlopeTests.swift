import Testing

@testable import TextRecognition

/// Rows as geometry finds them.
@Suite struct PrintedRowSlopeTests {
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
}

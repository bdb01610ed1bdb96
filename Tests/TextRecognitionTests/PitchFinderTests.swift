import Testing

@testable import PrintDetection
@testable import TextRecognition

@Suite struct PitchFinderTests {
    /// A row of letters 8 x 20 pixels at these left edges.
    private func row(_ lefts: [Int], width: Int = 8) -> PrintedRow {
        let marks = lefts.map { PrintedMark(left: $0, top: 100, right: $0 + width, bottom: 120, area: 90) }
        return PrintedRowFinder(marks: marks).rows().first ?? row(lefts)
    }

    /// Lefts of letters whose middles are 10 + 14 k.
    private func cells(_ numbers: some Sequence<Int>) -> [Int] { numbers.map { 6 + 14 * $0 } }

    @Test func aStretchCoversTheCellsThatItReachesIntoFarEnough() {
        let pitch = CharacterPitch(pitch: 10, origin: 5)
        #expect(pitch.middle(of: 3) == 35 && pitch.cell(at: 33) == 3)
        #expect(pitch.cells(of: PrintedStretch(left: 21, right: 29)) == 2...2)
        // 1.2 pitches wide: still one letter.
        #expect(pitch.cells(of: PrintedStretch(left: 19, right: 31)) == 2...2)
        #expect(pitch.cells(of: PrintedStretch(left: 1, right: 29)) == 0...2)
    }

    @Test func lettersAtWholeMultiplesHaveThatPitchAndTheirPlaces() throws {
        let rows = (0..<3).map { _ in row(cells(Array(0..<12) + Array(15..<25))) }
        let finder = PitchFinder(rows: rows, letterHeight: 20)
        // The search steps by 0.4 %.
        #expect(abs(try #require(finder.pitch) / 14 - 1) < 0.004)
        #expect(finder.coherence > 0.9)
        // The fit to a row's own letters is a straight line through places that lie on one: exact but for rounding.
        let fitted = try #require(finder.cells(of: rows[0]))
        #expect(abs(fitted.pitch - 14) < 1e-9)
        #expect(abs(fitted.middle(of: fitted.cell(at: 10)) - 10) < 1e-9)
    }

    @Test func aRowOfDoubleWidthHasTwiceThePitchOfThePage() throws {
        let page = (0..<3).map { _ in row(cells(0..<24)) }
        let wide = row((0..<8).map { 4 + 28 * $0 }, width: 20)
        let finder = PitchFinder(rows: page, letterHeight: 20)
        #expect(abs(try #require(finder.cells(of: wide)).pitch - 28) < 1e-9)
    }

    @Test func proportionalTypeHasNoPitch() {
        // Distances spread evenly from 9 to 19, by multiples of the golden section.
        var lefts = [0]
        for index in 1..<60 {
            let share = (Double(index) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
            lefts.append(lefts[index - 1] + 9 + Int((10 * share).rounded()))
        }
        #expect(PitchFinder(rows: [row(lefts)], letterHeight: 20).pitch == nil)
    }

    @Test func aFewLettersTellNoPitch() {
        let finder = PitchFinder(rows: [row(cells(0..<5))], letterHeight: 20)
        #expect(finder.pitch == nil && finder.coherence == 0)
    }
}

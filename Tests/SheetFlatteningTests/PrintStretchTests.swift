import Platform
import RobustStatistics
import Testing

@testable import SheetFlattening

@Suite struct PrintStretchTests {
    private static let seed: UInt64 = 20_261_128

    /// Words of one size in a grid of rows on a page stretched by an amount, each with an error of 3 % in its width and height.
    private static func words(
        stretchedBy amount: SIMD2<Double>, rows: Int = 20, columns: Int = 4, headings: Int = 0
    ) -> [PrintStretch.Word] {
        var generator = SplitMix64(seed: seed)
        func error() -> Double { Double.random(in: -0.05...0.05, using: &generator) }
        return (0..<rows).flatMap { row in
            (0..<columns).map { column in
                let place = SIMD2(
                    (Double(column) + 0.5) / Double(columns), (Double(row) + 0.5) / Double(rows))
                // What the definition says: lengths are 1 + c cos(pi t) times as long.
                let stretch = SIMD2(
                    log(1 + amount.x * cos(.pi * place.x)), log(1 + amount.y * cos(.pi * place.y)))
                let size = log(row < headings ? 40.0 : 20)
                return PrintStretch.Word(
                    place: place, size: SIMD2(size + stretch.x + error(), size + stretch.y + error()),
                    row: row,
                    letters: 6)
            }
        }
    }

    @Test(arguments: [SIMD2(0.15, 0), SIMD2(-0.12, 0.1), SIMD2(0, -0.18)])
    func theStretchOfEvenWordsIsFound(amount: SIMD2<Double>) throws {
        let stretch = try #require(PrintStretch(of: [Self.words(stretchedBy: amount)]))
        // Three standard errors of 80 words with 3 %, and what the usual stretch of .08 pulls towards 0: a tenth.
        for axis in 0..<2 {
            #expect(
                abs(stretch.amount[axis] - amount[axis]) < 0.03, "\(stretch.amount) seed \(Self.seed)")
        }
    }

    @Test func headingsAreNoStretch() throws {
        let stretch = try #require(
            PrintStretch(of: [Self.words(stretchedBy: SIMD2(0.15, 0), headings: 3)]))
        #expect(abs(stretch.amount.x - 0.15) < 0.03 && stretch.amount.y == 0, "\(stretch.amount)")
    }

    @Test func evenPrintTellsOfNone() {
        #expect(PrintStretch(of: [Self.words(stretchedBy: .zero)]) == nil)
    }

    @Test func tooFewWordsTellNothing() {
        #expect(PrintStretch(of: [Self.words(stretchedBy: SIMD2(0.2, 0.2), rows: 3, columns: 3)]) == nil)
        #expect(PrintStretch(of: []) == nil)
    }

    @Test func theTypefaceCountsThatTheWordsFit() throws {
        let right = Self.words(stretchedBy: SIMD2(0.15, 0))
        // Widths against a face that the words are not of differ from word to word.
        var generator = SplitMix64(seed: Self.seed)
        let wrong = right.map { word in
            PrintStretch.Word(
                place: word.place,
                size: SIMD2(
                    word.size.x - 0.3 * cos(.pi * word.place.x) + .random(in: -0.4...0.4, using: &generator),
                    word.size.y), row: word.row, letters: word.letters)
        }
        let stretch = try #require(PrintStretch(of: [wrong, right]))
        #expect(stretch.amount.x > 0.1, "\(stretch.amount)")
    }

    @Test func noLengthGrowsByMoreThanASurfaceWithoutDepthMay() throws {
        let stretch = try #require(PrintStretch(of: [Self.words(stretchedBy: SIMD2(0.6, 0))]))
        #expect(stretch.amount.x == 0.23)
    }

    @Test func evenedLengthsAreTheSameEverywhereAndTheEndsStay() {
        let amount = SIMD2(0.2, -0.1)
        let stretch = PrintStretch(amount: amount)
        for end in [SIMD2(0.0, 0), SIMD2(1, 1), SIMD2(-0.1, 1.2)] {
            let moved = stretch.evened(end)
            #expect(abs(moved.x - end.x) < 1e-12 && abs(moved.y - end.y) < 1e-12)
        }
        // q = t + c sin(pi t) / pi is undone to the second order in c: .2² / 2 at most.
        for t in [0.1, 0.35, 0.5, 0.8] {
            let seen = SIMD2(
                t + amount.x * sin(.pi * t) / .pi, t + amount.y * sin(.pi * t) / .pi)
            let moved = stretch.evened(seen)
            #expect(abs(moved.x - t) < 0.02 && abs(moved.y - t) < 0.02, "\(moved) \(t)")
        }
    }
}

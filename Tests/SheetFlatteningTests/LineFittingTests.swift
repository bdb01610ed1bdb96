import Imaging
import Testing

@testable import SheetFlattening

/// Lines of letters of known crookedness, and fields that straighten them.
@Suite struct LineFittingTests {
    private static let letterHeight = 10.0
    private static let page = SIMD2(300.0, 200.0)

    /// A letter of 8 by 10 pixels around a place.
    private static func letter(at place: SIMD2<Double>, above: Double = 0, below: Double = 0) -> PrintedPiece
    {
        PrintedPiece(
            kind: .letter,
            box: Box(
                left: place.x - 4, top: place.y - 5 - above, right: place.x + 4, bottom: place.y + 5 + below))
    }

    private static func fitting(_ pieces: [PrintedPiece]) -> LineFitting {
        LineFitting(pieces: pieces, letterHeight: letterHeight, page: page)
    }

    /// The field e(x, v) = a x + b v, which a spline has exactly.
    private static func slant(_ a: Double, _ b: Double) -> DisplacementField {
        let alongX = UniformCubicSpline(covering: 0...page.x, spacing: 20)
        let alongY = UniformCubicSpline(covering: 0...page.y, spacing: 20)
        return DisplacementField(
            alongX: alongX, alongY: alongY,
            coefficients: (0..<alongX.count * alongY.count).map { index in
                a * CardinalCubic.middle(index % alongX.count, of: alongX)
                    + b * CardinalCubic.middle(index / alongX.count, of: alongY)
            })
    }

    @Test func crookednessIsTheMeanDistanceFromTheLinesMiddleHeight() {
        // Five letters, each a pixel lower than the one before: 2, 1, 0, 1 and 2 pixels off.
        let stairs = (0..<5).map { Self.letter(at: SIMD2(40 + 20 * Double($0), 100 + Double($0))) }
        let line = Array(stairs.indices)
        // Sums of whole numbers and a fifth.
        #expect(abs(Self.fitting(stairs).crookedness(of: line, under: nil) - 1.2) < 1e-12)
        // One that is 40 pixels off counts as half a letter: 2, 1, 0, 1 and 5.
        var wild = stairs
        wild[4] = Self.letter(at: SIMD2(120, 140))
        #expect(abs(Self.fitting(wild).crookedness(of: line, under: nil) - 1.8) < 1e-12)
    }

    @Test(arguments: [true, false])
    func lettersThatReachPastOneEdgeAreStraightByTheOther(isBelow: Bool) {
        let pieces = (0..<8).map { index in
            let reach = Double(index % 3) * 2
            return Self.letter(
                at: SIMD2(20 + 20 * Double(index), 100), above: isBelow ? 0 : reach,
                below: isBelow ? reach : 0)
        }
        #expect(Self.fitting(pieces).crookedness(of: Array(pieces.indices), under: nil) == 0)
    }

    @Test func aKnownFieldIsUndone() {
        let field = Self.slant(0.05, -0.1)
        let pieces = (0..<9).map { Self.letter(at: SIMD2(30 * Double($0) + 20, 90 + 1.5 * Double($0))) }
        let fitting = Self.fitting(pieces)
        var sum = 0.0
        for (index, moved) in fitting.pieces(under: field).enumerated() {
            let box = pieces[index].box
            // y = v + a x + b v.
            let straight = (box.centerY - 0.05 * box.centerX) / 0.9
            // It stops at a step of a thousandth of a pixel, when a tenth of that is left.
            #expect(abs(moved.box.centerY - straight) < 2e-4, "\(index)")
            #expect(abs(moved.box.height - box.height) < 1e-9 && moved.box.centerX == box.centerX)
            #expect(fitting.height(of: index, under: nil) == box.centerY)
            sum += straight
        }
        #expect(abs(fitting.height(of: Array(pieces.indices), under: field) - sum / 9) < 2e-4)
        // The line sinks by 12 pixels in 240: it is straight under the field's slant across alone.
        let line = Array(pieces.indices)
        #expect(fitting.crookedness(of: line, under: Self.slant(0.05, 0)) < 1e-9)
        #expect(fitting.crookedness(of: line, under: nil) > 2)
    }

    @Test func aSlantIsStraightenedThoughSomeLettersAreWild() throws {
        // Ten lines of fifteen letters that sink by 8 pixels; one letter in eleven stands 8 pixels low, and
        // every fourth reaches 3 pixels below the line.
        var pieces: [PrintedPiece] = []
        var (isWild, isClean): ([Bool], [Bool]) = ([], [])
        for row in 0..<10 {
            for column in 0..<15 {
                let x = 15 + 19 * Double(column)
                let number = pieces.count
                isWild.append(number % 11 == 4)
                isClean.append(number % 11 != 4 && number % 4 != 1)
                let drop = number % 11 == 4 ? 8.0 : 0
                let y = 25 + 16 * Double(row) + 0.03 * x + drop
                pieces.append(Self.letter(at: SIMD2(x, y), below: number % 4 == 1 ? 3 : 0))
            }
        }
        let lines = (0..<10).map { row in Array(15 * row..<15 * (row + 1)) }
        let fitting = Self.fitting(pieces)
        let field = try fitting.field(through: lines, bending: 0.4)
        for line in lines {
            #expect(fitting.crookedness(of: line, under: nil) > 2)
            // Wild letters stay off, by half a letter's height each; the tops of all others are level to a
            // tenth of a pixel.
            let wild = 5 * Double(line.count { isWild[$0] }) / 15
            let after = fitting.crookedness(of: line, under: field)
            #expect(abs(after - wild) < 0.1, "\(after), \(wild)")
            let heights = line.filter { isClean[$0] }.map { fitting.height(of: $0, under: field) }
            // Of 8 pixels: residuals of 0.3 pixels, a whole pixel's even spread, are as good as none.
            #expect((heights.max() ?? .infinity) - (heights.min() ?? 0) < 0.6, "\(heights)")
        }
    }
}

import Imaging
import Testing

@testable import SheetStitching

/// Overlaps of parts of drawn paper against what they were drawn with.
@Suite struct PartOverlapTests {
    private static func textures(_ part: FlatPart) -> (coarse: PartTexture, fine: PartTexture) {
        (
            PartTexture(of: part, density: CoarseShift.density),
            PartTexture(of: part, density: PartOverlap.density)
        )
    }

    private static func overlap(_ second: FlatPart, on first: FlatPart) -> PartOverlap? {
        PartOverlap(of: textures(second), on: textures(first))
    }

    @Test(
        "An overlap is found to a twentieth of a unit, whatever scale and turn",
        arguments: [(1.0, 0.0), (1.03, 0.006), (0.96, -0.008)])
    func similarity(scale: Double, turn: Double) throws {
        let paper = DrawnPaper()
        let first = paper.part(0...140)
        let second = paper.part(95...235, scale: scale, turn: turn)
        let overlap = try #require(Self.overlap(second, on: first))
        // Pieces are located to a tenth of a pixel of a quarter unit, and there are a hundred of them; what is left is
        // the rounding of the drawn strokes to pixels of a sixth of a unit.
        for place in [SIMD2(10.0, 5), SIMD2(70, 5), SIMD2(40, 40)] {
            let truth = Similarity(
                factor: SIMD2((1 - turn * turn).squareRoot(), turn) * scale, shift: SIMD2(0, 95))(place)
            #expect(
                (overlap.similarity(place) - truth).length < 0.05, "\(overlap.similarity(place)) \(truth)")
        }
        #expect(overlap.agreement > 0.9)
    }

    @Test func aSlowBendDoesNotHideAnOverlap() throws {
        let paper = DrawnPaper()
        let bent = paper.part(95...235) { SIMD2(0.2, 0.6 * ($0.x / 80) * ($0.x / 80)) }
        let overlap = try #require(Self.overlap(bent, on: paper.part(0...140)))
        #expect(overlap.agreement > 0.9 && overlap.residual < 0.1, "\(overlap.agreement) \(overlap.residual)")
    }

    @Test func partsWithoutACommonRowHaveNoOverlap() {
        let paper = DrawnPaper()
        #expect(Self.overlap(paper.part(150...290), on: paper.part(0...140)) == nil)
        #expect(Self.overlap(DrawnPaper(seed: 18).part(0...140), on: paper.part(0...140)) == nil)
    }

    @Test func printThatRepeatsTellsNoPlace() {
        let paper = DrawnPaper(period: 2)
        #expect(Self.overlap(paper.part(95...235), on: paper.part(0...140)) == nil)
    }

    @Test func blankPaperTellsNoPlace() {
        let blank = DrawnPaper().part(0...3)
        #expect(Self.overlap(blank, on: blank) == nil)
    }
}

import Testing

@testable import SheetStitching

@Suite struct PartPlacementTests {
    @Test func aLoopOfDifferencesIsSharedOutEvenly() throws {
        // 0 to 1 to 2 says 2, 0 to 2 directly says 2.3: each of the three gives a tenth.
        let levels = try PartPlacement.levels(
            [(0, 1, 1), (1, 2, 1), (0, 2, 2.3)], prior: [1e-9, 1e-9, 1e-9])
        #expect(abs(levels[1] - levels[0] - 1.1) < 1e-6 && abs(levels[2] - levels[0] - 2.2) < 1e-6)
    }

    @Test func theScaleIsTheMeanOfThePartsOwnByTheirCertainty() throws {
        let piece = (first: SIMD2(1.0, 2.0), second: SIMD2(1.0, 2.0))
        let pair = PartPair(
            first: 0, second: 1, similarity: Similarity(factor: SIMD2(1.02, 0)), pieces: [piece],
            agreement: 1, residual: 0)
        // Lengths on the second are 2 % too short. A part without certainty takes the other's scale, but for the
        // ten-thousandth that keeps the system solvable and the hundredth that a part's own scale weighs.
        let sure = try PartPlacement.similarities(certainties: [1, 0], pairs: [pair])
        #expect(abs(sure[0].scale - 1) < 1e-4 && abs(sure[1].scale - 1.02) < 2e-4)
        let both = try PartPlacement.similarities(certainties: [1, 1], pairs: [pair])
        #expect(abs(both[0].scale * both[1].scale - 1) < 1e-6)
    }

    @Test func stretchIsWhatTheSecondPartsLengthsExceedTheFirstsBy() {
        let places = (0..<24).map { SIMD2(Double($0 % 4) * 20, Double($0 / 4) * 8) }
        let pair = PartPair(
            first: 0, second: 1, similarity: Similarity(),
            pieces: places.map { (first: $0, second: $0 * SIMD2(1.02, 0.99) + 3) }, agreement: 1,
            residual: 0)
        let stretch = pair.stretch(Similarity(), Similarity())
        // Rounding alone.
        #expect(abs(stretch.x - 0.02) < 1e-9 && abs(stretch.y + 0.01) < 1e-9)
    }
}

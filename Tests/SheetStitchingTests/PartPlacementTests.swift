import Testing

@testable import SheetStitching

@Suite struct PartPlacementTests {
    @Test func aLoopOfDifferencesIsSharedOutEvenly() throws {
        // 0 to 1 to 2 says 2, 0 to 2 directly says 2.3: each of the three gives a tenth.
        let levels = try PartPlacement.levels(
            [(0, 1, 1), (1, 2, 1), (0, 2, 2.3)], prior: [1e-9, 1e-9, 1e-9])
        #expect(abs(levels[1] - levels[0] - 1.1) < 1e-6 && abs(levels[2] - levels[0] - 2.2) < 1e-6)
    }

    @Test func aPairThatStrongerOnesContradictIsLeftOut() throws {
        // Each part lies 170 below the one before; a pair of little print says that the third lies 150 below the first.
        func pair(_ first: Int, _ second: Int, down: Double, pieces: Int) -> PartPair {
            let shift = SIMD2(0, down)
            let places = (0..<pieces).map { SIMD2(Double($0 % 4) * 20, Double($0 / 4) * 8) }
            return PartPair(
                first: first, second: second, similarity: Similarity(shift: shift),
                pieces: places.map { (first: $0 + shift, second: $0) }, agreement: 1, residual: 0)
        }
        let (upper, lower) = (pair(0, 1, down: 170, pieces: 90), pair(1, 2, down: 170, pieces: 60))
        func kept(_ last: PartPair) -> [Int] {
            PartPlacement.consistent([last, upper, lower]).map(\.pieces.count)
        }
        #expect(kept(pair(0, 2, down: 150, pieces: 14)) == [90, 60])
        #expect(kept(pair(2, 0, down: -150, pieces: 14)) == [90, 60])
        // Within a row it counts, and so does one that joins what nothing else does.
        #expect(kept(pair(0, 2, down: 342, pieces: 14)) == [90, 60, 14])
        #expect(kept(pair(2, 3, down: 150, pieces: 14)) == [90, 60, 14])
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

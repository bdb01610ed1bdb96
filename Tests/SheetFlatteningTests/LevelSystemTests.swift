import RobustStatistics
import Testing

@testable import SheetFlattening

/// Displacement fields through levels, against dense equations and what a plate under tension does.
@Suite struct LevelSystemTests {
    /// Nine points across a page of 100 pixels at each of some heights, shifted from it by what is given.
    private static func levels(
        at heights: [Double], shift: (SIMD2<Double>) -> Double
    ) -> [LevelSystem.Level] {
        heights.map { height in
            LevelSystem.Level(
                height: height,
                points: (1...9).map { index in
                    let place = SIMD2(10 * Double(index), height)
                    return SIMD2(place.x, height + shift(place))
                })
        }
    }

    private static func ones(_ levels: [LevelSystem.Level]) -> [[Double]] {
        levels.map { $0.points.map { _ in 1 } }
    }

    @Test func theFieldIsThatOfDenseEquationsThatKnowEachLevelsHeight() throws {
        let seed: UInt64 = 19
        var generator = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
        let page = SIMD2(160.0, 100.0)
        let system = LevelSystem(page: page)
        let levels = (0..<7).map { row in
            let height = 8 + 14 * Double(row)
            return LevelSystem.Level(
                height: height,
                points: (0..<12).map { _ in
                    let x = number(0...160)
                    let bend = (0.001 * x - 0.05) * x
                    return SIMD2(x, height + bend + number(-1...1))
                })
        }
        let weights = levels.map { $0.points.map { _ in number(0.2...1) } }
        let penalty = 1e5
        let field = try system.solve(levels, weights: weights, penalty: penalty)

        // One unknown more for each level: its c, which the system eliminates.
        let (alongX, alongY) = (system.alongX, system.alongY)
        let count = alongX.count * alongY.count
        var equations = DenseEquations(order: count + levels.count)
        func terms(_ x: [DenseEquations.Term], _ y: [DenseEquations.Term]) -> [DenseEquations.Term] {
            CardinalCubic.products(x, y, columns: alongX.count)
        }
        for (row, level) in levels.enumerated() {
            for (point, weight) in zip(level.points, weights[row]) {
                let shift = terms(
                    CardinalCubic.values(alongX, at: point.x), CardinalCubic.values(alongY, at: level.height))
                equations.add(
                    shift + [(index: count + row, value: 1)], weight: weight,
                    target: point.y - level.height)
            }
        }
        // The means over cells by Gauss's three places each way; a slope fades over a quarter of the shorter
        // side.
        let offset = 0.15.squareRoot()
        let gauss = [(0.5 - offset, 5.0 / 18), (0.5, 4.0 / 9), (0.5 + offset, 5.0 / 18)]
        let tension = 1 / (25.0 * 25)
        for cell in 0..<alongX.cellCount * alongY.cellCount {
            for (down, downShare) in gauss {
                for (across, acrossShare) in gauss {
                    let share = penalty * downShare * acrossShare
                    let column = Double(cell % alongX.cellCount) + across
                    let row = Double(cell / alongX.cellCount) + down
                    let x = alongX.origin + column * alongX.spacing
                    let y = alongY.origin + row * alongY.spacing
                    let values = (CardinalCubic.values(alongX, at: x), CardinalCubic.values(alongY, at: y))
                    let slopes = (CardinalCubic.slopes(alongX, at: x), CardinalCubic.slopes(alongY, at: y))
                    equations.add(terms(CardinalCubic.curvatures(alongX, at: x), values.1), weight: share)
                    equations.add(terms(slopes.0, slopes.1), weight: 2 * share)
                    equations.add(terms(values.0, CardinalCubic.curvatures(alongY, at: y)), weight: share)
                    equations.add(terms(slopes.0, values.1), weight: share * tension)
                    equations.add(terms(values.0, slopes.1), weight: share * tension)
                }
            }
        }
        equations.strengthen(first: count, by: 1e-8)
        let wanted = equations.solved()
        let miss = zip(field.coefficients, wanted).reduce(0) { max($0, abs($1.0 - $1.1)) }
        // Pixels; what all of the page may be shifted by is only held by a hundred-millionth of the matrix.
        #expect(miss < 1e-5, "seed \(seed): \(miss)")
        try #require(field.coefficients.count == count)
    }

    @Test func levelsThatAreLevelMoveNothingHoweverUnevenTheirDistances() throws {
        let system = LevelSystem(page: SIMD2(100, 400))
        let levels = Self.levels(at: [20, 40, 60, 80, 100]) { $0.y == 60 ? 9 : -4 }
        let field = try system.solve(levels, weights: Self.ones(levels), penalty: 0.01)
        // Rounding of 9 pixels, a hundred-million-fold where nothing else holds the field.
        #expect(field.coefficients.allSatisfy { abs($0) < 1e-5 })
    }

    @Test func aSlantIsTakenWholeAndFadesBelowTheLastLevel() throws {
        let system = LevelSystem(page: SIMD2(100, 400))
        let levels = Self.levels(at: [20, 40, 60, 80, 100]) { 0.05 * ($0.x - 50) }
        let field = try system.solve(levels, weights: Self.ones(levels), penalty: 0.01)
        /// The share of the slant at a height.
        func slant(_ height: Double) -> Double {
            (field.shift(at: SIMD2(90, height)) - field.shift(at: SIMD2(10, height))) / 4
        }
        // A penalty of a hundredth of a point, on a slope of a twentieth.
        for height in [20.0, 60, 100] { #expect(abs(slant(height) - 1) < 1e-4, "\(height)") }
        // A slant that is as steep all across would fade e-fold in sqrt(2 · 25² + 100² / 12) = 46 pixels; its
        // middle fades sooner, and it begins level.
        #expect((0.5..<0.75).contains(slant(130)), "\(slant(130))")
        #expect((0.05..<0.2).contains(slant(200)), "\(slant(200))")
        #expect((0..<0.02).contains(slant(300)), "\(slant(300))")
    }

    @Test func pointsThatWeighNothingDoNotCount() throws {
        let system = LevelSystem(page: SIMD2(100, 100))
        let levels = Self.levels(at: [20, 40, 60, 80]) { 0.001 * $0.x * $0.x }
        var (spoilt, weights) = (levels, Self.ones(levels))
        for index in spoilt.indices {
            spoilt[index].points[index].y += 30
            weights[index][index] = 0
        }
        let clean = levels.enumerated().map { index, level in
            LevelSystem.Level(
                height: level.height,
                points: level.points.enumerated().filter { $0.offset != index }.map(\.element))
        }
        let field = try system.solve(spoilt, weights: weights, penalty: 1)
        let wanted = try system.solve(clean, weights: Self.ones(clean), penalty: 1)
        // The same sums but for zeros.
        #expect(zip(field.coefficients, wanted.coefficients).allSatisfy { abs($0 - $1) < 1e-9 })
        #expect(wanted.coefficients.contains { abs($0) > 1 })
    }
}

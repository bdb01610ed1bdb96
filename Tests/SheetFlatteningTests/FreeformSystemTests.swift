import DepthGeometry
import Foundation
import Imaging
import RobustStatistics
import Testing

@testable import SheetFlattening

/// Reliefs over scattered samples, against dense equations and reliefs of known bending.
@Suite struct FreeformSystemTests {
    /// Samples at places across the line of sight, in metres; every third belongs to fold 1.
    private static func samples(_ places: [SIMD2<Double>]) -> SheetSamples {
        let camera = CameraIntrinsics(
            fx: 1000, fy: 1000, cx: 20, cy: 20, imageSize: PixelSize(width: 40, height: 40))
        let lattice = (0..<100).map { (index: Int) -> SIMD2<Double> in
            let (column, row) = (Double(index % 10), Double(index / 10))
            return SIMD2(4 * column + 1.5, 4 * row + 1.5)
        }
        var samples = SheetSamples(
            of: SurfaceReadings(
                pixels: lattice, depths: lattice.map { _ in 0.3 }, depthPixelSize: SIMD2(4, 4)),
            intrinsics: camera)
        samples.rays = places.map { SIMD3($0.x / samples.depth, $0.y / samples.depth, 1) }
        samples.inverseDepths = places.map { _ in 1 / samples.depth }
        samples.weights = places.map { _ in 1 }
        samples.block = places.map { _ in 0 }
        samples.fold = places.indices.map { $0.isMultiple(of: 3) ? 1 : 0 }
        return samples
    }

    /// Some 30 by 20 mm, or 20 by 30: the unknowns are numbered along the shorter side.
    private static func system(
        _ places: [SIMD2<Double>], isWide: Bool, leftOut: UInt8? = nil
    ) -> FreeformSystem {
        let size = isWide ? SIMD2(0.029, 0.019) : SIMD2(0.019, 0.029)
        return FreeformSystem(
            samples: samples(places), alongX: UniformCubicSpline(covering: 0...size.x, spacing: 0.005),
            alongY: UniformCubicSpline(covering: 0...size.y, spacing: 0.005), leftOut: leftOut)
    }

    /// Places all over the cells, in no order.
    private static func places(
        _ count: Int, isWide: Bool, using generator: inout SplitMix64
    ) -> [SIMD2<Double>] {
        (0..<count).map { _ in
            let long = Double.random(in: 0...0.029, using: &generator)
            let short = Double.random(in: 0...0.019, using: &generator)
            return isWide ? SIMD2(long, short) : SIMD2(short, long)
        }
    }

    /// The Hessian of a relief of second degree.
    private struct Hessian {
        let xx: Double
        let xy: Double
        let yy: Double

        func relief(_ place: SIMD2<Double>) -> Double {
            let square = xx * place.x * place.x + 2 * xy * place.x * place.y + yy * place.y * place.y
            return square / 2 + 0.1 * place.x - 0.2 * place.y
        }

        /// Its coefficients: values less a sixth of the second differences over a cell, along x and along y.
        func coefficients(_ alongX: UniformCubicSpline, _ alongY: UniformCubicSpline) -> [Double] {
            (0..<alongX.count * alongY.count).map { index in
                let place = SIMD2(
                    CardinalCubic.middle(index % alongX.count, of: alongX),
                    CardinalCubic.middle(index / alongX.count, of: alongY))
                return relief(place) - alongX.spacing * alongX.spacing / 6 * (xx + yy)
            }
        }
    }

    @Test(arguments: [(false, nil), (true, nil), (true, 1)] as [(Bool, UInt8?)])
    func theReliefIsThatOfDenseNormalEquations(isWide: Bool, leftOut: UInt8?) throws {
        let seed: UInt64 = 11
        var generator = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
        let places = Self.places(400, isWide: isWide, using: &generator)
        let heights: [Double] = places.map { place in
            let wave = 0.001 * sin(300 * place.x)
            return 3 * place.x * place.y + wave + number(-0.0001...0.0001)
        }
        let weights = places.map { _ in number(0.2...1) }
        let system = Self.system(places, isWide: isWide, leftOut: leftOut)
        let (alongX, alongY) = (system.alongX, system.alongY)
        try #require(isWide == (alongX.count > alongY.count))
        // W as L Lᵀ: tr(H W H) is then the sum of the squares of H L's entries.
        let factors = (0..<4 * alongX.cellCount * alongY.cellCount).map { _ in
            SIMD3(number(0.1...0.5), number(-0.3...0.3), number(0.1...0.5))
        }
        let bending = FreeformSystem.Bending(
            weights: factors.map { l in SIMD3(l.x * l.x, l.y * l.y + l.z * l.z, l.x * l.y) })
        let penalty = 1e-4
        let relief = try system.solve(
            heights: heights, weights: weights, bending: bending, penalty: penalty)

        var equations = DenseEquations(order: alongX.count * alongY.count)
        func terms(_ x: [DenseEquations.Term], _ y: [DenseEquations.Term]) -> [DenseEquations.Term] {
            CardinalCubic.products(x, y, columns: alongX.count)
        }
        for (index, place) in places.enumerated() where !(leftOut == 1 && index.isMultiple(of: 3)) {
            equations.add(
                terms(CardinalCubic.values(alongX, at: place.x), CardinalCubic.values(alongY, at: place.y)),
                weight: weights[index], target: heights[index])
        }
        let share = penalty * alongX.spacing * alongY.spacing / 4
        for (index, l) in factors.enumerated() {
            let (cell, point) = (index / 4, index % 4)
            let column = Double(cell % alongX.cellCount) + (point % 2 == 0 ? 0.25 : 0.75)
            let row = Double(cell / alongX.cellCount) + (point / 2 == 0 ? 0.25 : 0.75)
            let (x, y) = (alongX.origin + column * alongX.spacing, alongY.origin + row * alongY.spacing)
            let xx = terms(CardinalCubic.curvatures(alongX, at: x), CardinalCubic.values(alongY, at: y))
            let xy = terms(CardinalCubic.slopes(alongX, at: x), CardinalCubic.slopes(alongY, at: y))
            let yy = terms(CardinalCubic.values(alongX, at: x), CardinalCubic.curvatures(alongY, at: y))
            func times(_ terms: [DenseEquations.Term], _ factor: Double) -> [DenseEquations.Term] {
                terms.map { (index: $0.index, value: $0.value * factor) }
            }
            equations.add(times(xx, l.x) + times(xy, l.y), weight: share)
            equations.add(times(xy, l.x) + times(yy, l.y), weight: share)
            equations.add(times(xy, l.z), weight: share)
            equations.add(times(yy, l.z), weight: share)
        }
        equations.strengthen(first: alongX.count * alongY.count, by: 1e-9)
        let wanted = equations.solved()
        try #require(wanted.count == relief.count)
        let miss = zip(relief, wanted).reduce(0) { max($0, abs($1.0 - $1.1)) }
        // Coefficients of millimetres; elimination loses some six of sixteen digits on such equations.
        #expect(miss < 1e-9, "seed \(seed): \(miss)")
    }

    @Test(arguments: [false, true])
    func residualsAreThoseOfTheSamplesInTheirOwnOrder(isWide: Bool) {
        let seed: UInt64 = 12
        var generator = SplitMix64(seed: seed)
        let places = Self.places(300, isWide: isWide, using: &generator)
        let hessian = Hessian(xx: 2, xy: 3, yy: -5)
        let system = Self.system(places, isWide: isWide)
        let left = places.indices.map { 0.001 * Double($0) }
        let residuals = system.residuals(
            of: hessian.coefficients(system.alongX, system.alongY),
            heights: zip(places, left).map { hessian.relief($0) + $1 })
        // Rounding of numbers below 1.
        #expect(zip(residuals, left).allSatisfy { abs($0 - $1) < 1e-12 }, "seed \(seed)")
    }

    @Test(arguments: [false, true])
    func aSlantCostsNothingHoweverDearBendingIs(isWide: Bool) throws {
        let seed: UInt64 = 13
        var generator = SplitMix64(seed: seed)
        let places = Self.places(300, isWide: isWide, using: &generator)
        let system = Self.system(places, isWide: isWide)
        let bending = system.bending(of: nil, straight: 0.1, expected: 3)
        func solved(_ heights: [Double]) throws -> [Double] {
            let relief = try system.solve(
                heights: heights, weights: places.map { _ in 1 }, bending: bending, penalty: 0.1)
            return system.residuals(of: relief, heights: heights)
        }
        // The billionth of the matrix that keeps it solvable is a ten-millionth of what the readings say of
        // centimetres.
        let slant = try solved(places.map { 0.01 + 0.3 * $0.x - 0.2 * $0.y })
        #expect(slant.allSatisfy { abs($0) < 1e-6 }, "seed \(seed)")
        // A trough that rises by 1 mm is pressed flat.
        let trough = try solved(places.map { 2 * ($0.x - $0.y) * ($0.x - $0.y) })
        #expect(trough.contains { abs($0) > 1e-4 }, "seed \(seed)")
    }

    @Test func bendingWeighsTheInverseOfTheHessiansSize() {
        let system = Self.system([], isWide: true)
        let count = 4 * system.alongX.cellCount * system.alongY.cellCount
        for hessian in [Hessian(xx: 1, xy: 2, yy: -2), Hessian(xx: 4, xy: 0, yy: 0)] {
            let bending = system.bending(
                of: hessian.coefficients(system.alongX, system.alongY), straight: 0.1, expected: 3)
            #expect(bending.weights.count == count)
            // H² + δ², as a matrix.
            let xx = hessian.xx * hessian.xx + hessian.xy * hessian.xy + 0.01
            let xy = hessian.xy * (hessian.xx + hessian.yy)
            let yy = hessian.xy * hessian.xy + hessian.yy * hessian.yy + 0.01
            for w in bending.weights {
                // W², which is its inverse.
                let square = SIMD3(w.x * w.x + w.z * w.z, w.z * w.z + w.y * w.y, w.z * (w.x + w.y))
                let misses = [
                    square.x * xx + square.z * xy - 1, square.x * xy + square.z * yy,
                    square.z * xx + square.y * xy, square.z * xy + square.y * yy - 1,
                ]
                // Second differences of millimetres over 5 mm, times the hundred that a straight direction
                // weighs.
                #expect(misses.allSatisfy { abs($0) < 1e-8 }, "\(misses)")
                // It is the positive root.
                #expect(w.x > 0 && w.y > 0 && w.x * w.y > w.z * w.z)
            }
        }
        let first = system.bending(of: nil, straight: 0.1, expected: 3)
        #expect(first.weights == Array(repeating: SIMD3(1.0 / 6, 1.0 / 6, 0), count: count))
    }

    @Test func theLargerCurvatureIsToldOfCellsWithFourSamples() {
        // Five samples in one cell, four in another, three in a third.
        let places = [(5, SIMD2(0.002, 0.003)), (4, SIMD2(0.017, 0.012)), (3, SIMD2(0.026, 0.001))].flatMap {
            Array(repeating: $0.1, count: $0.0)
        }
        let system = Self.system(places, isWide: true)
        // Eigenvalues 2 and -3.
        let hessian = Hessian(xx: 1, xy: 2, yy: -2)
        let curvatures = system.occupiedCurvatures(of: hessian.coefficients(system.alongX, system.alongY))
        #expect(curvatures.count == 2)
        // Second differences of millimetres over 5 mm.
        #expect(curvatures.allSatisfy { abs($0 - 3) < 1e-9 }, "\(curvatures)")
    }
}

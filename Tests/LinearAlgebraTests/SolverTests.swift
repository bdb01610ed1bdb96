import Foundation
import LinearAlgebra
import RobustStatistics
import Testing

@Suite struct CholeskyTests {
    @Test("A system that was solved by hand")
    func byHand() throws {
        // [4 2; 2 3] = L L' with L = [2 0; 1 sqrt 2], determinant 8, and x = (1, 2) gives (8, 8).
        let factors = try CholeskyFactorization(of: Matrix([[4, 2], [2, 3]]))
        #expect(distance(try factors.solve([8, 8]), [1, 2]) < 1e-15)
        #expect(abs(factors.logDeterminant - log(8)) < 1e-15)
        #expect(distance(factors.diagonal, [2, 2.0.squareRoot()]) < 1e-15)
    }

    @Test("Solving undoes multiplying, for several right-hand sides", arguments: [1, 2, 3] as [UInt64])
    func identity(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let matrix = generator.positiveDefinite(20)
        let expected = generator.matrix(rows: 20, columns: 3)
        let factors = try CholeskyFactorization(of: matrix)
        // Condition below 10: 20 · eps · 10 with a margin of ten.
        #expect(distance(try factors.solve(matrix * expected).elements, expected.elements) < 1e-12)
    }

    @Test("A matrix that is not positive definite is named by its minor")
    func indefinite() {
        #expect(throws: LinearAlgebraError.notPositiveDefinite(order: 2)) {
            try CholeskyFactorization(of: Matrix([[1, 2], [2, 1]]))
        }
    }

    @Test("NaN and infinity are refused on both sides")
    func nonFinite() throws {
        #expect(throws: LinearAlgebraError.nonFiniteInput(routine: "dpotrf")) {
            try CholeskyFactorization(of: Matrix([[.infinity]]))
        }
        let factors = try CholeskyFactorization(of: .identity(2))
        #expect(throws: LinearAlgebraError.nonFiniteInput(routine: "dpotrs")) {
            try factors.solve([1, .nan])
        }
    }
}

@Suite struct BandedCholeskyTests {
    @Test("The second-difference system has its known solution")
    func poisson() throws {
        // -u'' = 1 with u(0) = u(n + 1) = 0 on whole numbers: u(i) = i (n + 1 - i) / 2, exactly.
        let count = 50
        var matrix = BandedMatrix(order: count, bandwidth: 1)
        for index in 0..<count {
            matrix[index, index] = 2
            if index > 0 { matrix[index, index - 1] = -1 }
        }
        let factors = try BandedCholesky(of: matrix)
        let expected = (1...count).map { Double($0 * (count + 1 - $0)) / 2 }
        // Condition about count² = 2500, values up to 325: 2500 · 325 · eps = 2e-10.
        #expect(distance(try factors.solve([Double](repeating: 1, count: count)), expected) < 1e-9)
        // The determinant of this matrix is n + 1.
        #expect(abs(factors.logDeterminant - log(Double(count + 1))) < 1e-12)
    }

    @Test(
        "The banded solution is the dense one", arguments: [(1, 0), (5, 4), (30, 3), (40, 11), (6, 9)])
    func dense(order: Int, bandwidth: Int) throws {
        var generator = SplitMix64(seed: UInt64(order * 100 + bandwidth))
        let matrix = generator.positiveDefinite(order: order, bandwidth: bandwidth)
        let sides = generator.matrix(rows: order, columns: 2)
        let banded = try BandedCholesky(of: matrix)
        let dense = try CholeskyFactorization(of: matrix.dense)
        // Diagonally dominant: condition below 10, a margin of ten over 40 · eps · 10.
        #expect(distance(try banded.solve(sides).elements, try dense.solve(sides).elements) < 1e-12)
        #expect(abs(banded.logDeterminant - dense.logDeterminant) < 1e-12)
        #expect(distance(banded.diagonal, dense.diagonal) < 1e-12)
        #expect(distance(matrix * (try banded.solve(sides.column(0))), sides.column(0)) < 1e-12)
    }

    @Test("An empty cell makes the matrix semidefinite, a small penalty solves it")
    func emptyCell() throws {
        var matrix = BandedMatrix(order: 3, bandwidth: 1)
        matrix.diagonal = [1, 0, 1]
        #expect(throws: LinearAlgebraError.notPositiveDefinite(order: 2)) { try BandedCholesky(of: matrix) }
        matrix[1, 1] = 1e-9
        #expect(distance(try BandedCholesky(of: matrix).solve([3, 0, 4]), [3, 0, 4]) < 1e-14)
    }

    @Test("NaN and infinity are refused", arguments: [Double.nan, .infinity])
    func nonFinite(value: Double) throws {
        var matrix = BandedMatrix(order: 3, bandwidth: 1)
        matrix.diagonal = [1, 1, 1]
        let factors = try BandedCholesky(of: matrix)
        #expect(throws: LinearAlgebraError.nonFiniteInput(routine: "dpbtrs")) {
            try factors.solve([1, value, 1])
        }
        matrix[1, 0] = value
        #expect(throws: LinearAlgebraError.nonFiniteInput(routine: "dpbtrf")) {
            try BandedCholesky(of: matrix)
        }
    }
}

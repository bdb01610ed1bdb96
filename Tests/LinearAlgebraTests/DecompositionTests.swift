import Foundation
import LinearAlgebra
import RobustStatistics
import Testing

@Suite struct SymmetricEigendecompositionTests {
    @Test("A diagonal matrix has its diagonal as eigenvalues, ascending")
    func diagonal() throws {
        let eigen = try SymmetricEigendecomposition(of: Matrix([[3, 0, 0], [0, -1, 0], [0, 0, 2]]))
        #expect(distance(eigen.values, [-1, 2, 3]) < 1e-15)
        #expect(distance(eigen.vectors.column(0).map { abs($0) }, [0, 1, 0]) < 1e-15)
    }

    @Test("The eigenvalues of the path's Laplacian are 2 - 2 cos(k pi / n)")
    func laplacian() throws {
        let count = 9
        var laplacian = Matrix(rows: count, columns: count)
        for index in 0..<count {
            laplacian[index, index] = index == 0 || index == count - 1 ? 1 : 2
            if index > 0 { laplacian[index, index - 1] = -1 }
        }
        // Only the lower triangle is filled: nothing else is read.
        let eigen = try SymmetricEigendecomposition(of: laplacian)
        let expected = (0..<count).map { 2 - 2 * cos(Double($0) * .pi / Double(count)) }
        #expect(distance(eigen.values, expected) < 1e-14)
    }

    @Test("V diag V' is the matrix again and V is orthogonal", arguments: [1, 2, 3, 4] as [UInt64])
    func reconstruction(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let order = Int(seed) * 3
        let root = generator.matrix(rows: order, columns: order)
        let matrix = root * root.transposed
        let eigen = try SymmetricEigendecomposition(of: matrix)
        var scaled = eigen.vectors
        for column in 0..<order {
            for row in 0..<order { scaled[row, column] *= eigen.values[column] }
        }
        // Backward stable: order · eps · norm (about order), with a margin of ten.
        let tolerance = 10 * Double(order * order) * Double.ulpOfOne
        #expect(distance((scaled * eigen.vectors.transposed).elements, matrix.elements) < tolerance)
        let square = eigen.vectors.transposed * eigen.vectors
        #expect(distance(square.elements, Matrix.identity(order).elements) < tolerance)
    }

    @Test(
        "NaN and infinity are refused before LAPACK sees them",
        arguments: [Double.nan, .infinity, -.infinity])
    func nonFinite(value: Double) throws {
        for position in 0..<9 {
            var matrix = Matrix.identity(3)
            matrix.elements[position] = value
            #expect(throws: LinearAlgebraError.nonFiniteInput(routine: "dsyev")) {
                try SymmetricEigendecomposition(of: matrix)
            }
        }
    }
}

@Suite struct SingularValueDecompositionTests {
    @Test(
        "U diag V' is the matrix again, wide, tall and square", arguments: [(3, 5), (5, 3), (4, 4), (1, 6)])
    func reconstruction(rows: Int, columns: Int) throws {
        var generator = SplitMix64(seed: UInt64(rows * 10 + columns))
        let matrix = generator.matrix(rows: rows, columns: columns)
        let factors = try SingularValueDecomposition(of: matrix)
        var diagonal = Matrix(rows: rows, columns: columns)
        for (index, value) in factors.singularValues.enumerated() { diagonal[index, index] = value }
        // A few dozen operations on entries of size 1.
        #expect(distance((factors.u * diagonal * factors.vTransposed).elements, matrix.elements) < 1e-13)
        #expect(factors.singularValues == factors.singularValues.sorted(by: >))
    }

    @Test("The last row of V' spans the null space")
    func nullSpace() throws {
        let matrix = Matrix([[1, 2, 3], [2, 4, 6], [1, 0, 1]])
        let factors = try SingularValueDecomposition(of: matrix)
        let null = (0..<3).map { factors.vTransposed[2, $0] }
        #expect(distance(matrix * null, [0, 0, 0]) < 1e-14)
        #expect(factors.singularValues[2] < 1e-14)
    }

    @Test("Infinity does not hang the decomposition")
    func infinite() {
        #expect(throws: LinearAlgebraError.nonFiniteInput(routine: "dgesdd")) {
            try SingularValueDecomposition(of: Matrix([[.infinity, 1], [1, 1]]))
        }
    }
}

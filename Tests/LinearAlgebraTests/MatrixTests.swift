import LinearAlgebra
import RobustStatistics
import Testing

@Suite struct MatrixTests {
    @Test("Entries stand column after column")
    func columnMajor() {
        let matrix = Matrix([[1, 2, 3], [4, 5, 6]])
        #expect(matrix.elements == [1, 4, 2, 5, 3, 6])
        #expect(matrix[1, 2] == 6)
        #expect(matrix.column(1) == [2, 5])
        #expect(matrix.transposed == Matrix([[1, 4], [2, 5], [3, 6]]))
    }

    @Test("A product is rows times columns")
    func product() {
        let product = Matrix([[1, 2], [3, 4]]) * Matrix([[5, 6, 7], [8, 9, 10]])
        #expect(product == Matrix([[21, 24, 27], [47, 54, 61]]))
        #expect(Matrix([[1, 2], [3, 4]]) * [5, 6] == [17, 39])
    }

    @Test("A banded matrix is symmetric, zero outside its band and stored by its lower columns")
    func bandedStorage() {
        var matrix = BandedMatrix(order: 4, bandwidth: 1)
        matrix[1, 0] = 5
        matrix[2, 2] = 7
        #expect(matrix[0, 1] == 5)
        #expect(matrix[3, 0] == 0)
        #expect(matrix.elements == [0, 5, 0, 0, 7, 0, 0, 0])
        matrix.diagonal = [1, 2, 3, 4]
        #expect(matrix.diagonal == [1, 2, 3, 4])
        #expect(matrix[1, 0] == 5)
    }

    @Test("A banded product and sum are those of the matrix written out", arguments: [1, 2, 3] as [UInt64])
    func bandedProduct(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let matrix = generator.positiveDefinite(order: 11, bandwidth: 3)
        let narrow = generator.positiveDefinite(order: 11, bandwidth: 1)
        let vector = generator.vector(11)
        // A dozen terms of size 10 leave about 12 · 10 · eps.
        #expect(distance(matrix * vector, matrix.dense * vector) < 1e-13)
        let sum = matrix.adding(narrow, times: 2.5).dense
        for row in 0..<11 {
            for column in 0..<11 {
                #expect(abs(sum[row, column] - matrix[row, column] - 2.5 * narrow[row, column]) < 1e-14)
            }
        }
    }
}

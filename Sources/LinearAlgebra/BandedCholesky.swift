import CLAPACKE
import Foundation

/// A symmetric positive definite band matrix as L Lᵀ, factored once and solved as often as needed (LAPACK `dpbtrf`,
/// `dpbtrs`).
package struct BandedCholesky: Equatable, Sendable {
    /// L, in the same lower band form as the matrix: it fills nothing outside the band.
    package let factor: BandedMatrix

    /// Factors a matrix. O(order · bandwidth²).
    /// - Parameter matrix: taken over as the factor's storage where it is not needed any more.
    /// - Throws: `notPositiveDefinite` with the order of the first minor that is not; `nonFiniteInput`.
    package init(of matrix: consuming BandedMatrix) throws(LinearAlgebraError) {
        let routine = "dpbtrf"
        let order = try LAPACK.integer(matrix.order)
        let bandwidth = try LAPACK.integer(matrix.bandwidth)
        let stride = try LAPACK.integer(matrix.columnStride)
        try LAPACK.checkInput(matrix.elements, routine: routine)
        if order > 0 {
            let info = LAPACKE_dpbtrf(
                LAPACK.columnMajor, LAPACK.lower, order, bandwidth, &matrix.elements, stride)
            try LAPACK.checkArguments(info, routine: routine)
            guard info == 0 else { throw .notPositiveDefinite(order: Int(info)) }
        }
        try LAPACK.checkResult(matrix.elements, routine: routine)
        factor = matrix
    }

    /// The matrix's order.
    package var order: Int { factor.order }

    /// The diagonal of L, all greater than 0.
    package var diagonal: [Double] { factor.diagonal }

    /// The natural logarithm of the matrix's determinant.
    package var logDeterminant: Double { 2 * diagonal.reduce(0) { $0 + log($1) } }

    /// x with A x = b. O(order · bandwidth).
    /// - Precondition: as many values as the matrix has rows.
    package func solve(_ rightHandSide: [Double]) throws(LinearAlgebraError) -> [Double] {
        try solve(Matrix(rows: rightHandSide.count, columns: 1, columnMajor: rightHandSide)).elements
    }

    /// X with A X = B, one right-hand side a column. O(order · bandwidth) a column.
    package func solve(_ rightHandSides: Matrix) throws(LinearAlgebraError) -> Matrix {
        precondition(rightHandSides.rows == order, "a right-hand side has a value for each row")
        let routine = "dpbtrs"
        let count = try LAPACK.integer(rightHandSides.columns)
        try LAPACK.checkInput(rightHandSides.elements, routine: routine)
        guard order > 0, count > 0 else { return rightHandSides }
        var solution = rightHandSides
        let info = LAPACKE_dpbtrs(
            LAPACK.columnMajor, LAPACK.lower, Int32(order), Int32(factor.bandwidth), count, factor.elements,
            Int32(factor.columnStride), &solution.elements, Int32(order))
        try LAPACK.checkArguments(info, routine: routine)
        try LAPACK.checkResult(solution.elements, routine: routine)
        return solution
    }

    /// The entries of A⁻¹ inside the band of A, without the rest of that full matrix. O(order · bandwidth²).
    ///
    /// What traces need: tr(A⁻¹ B) for a B of the same band is the effective number of parameters of a penalised fit, and
    /// the diagonal is the variance of each unknown. By Takahashi's recurrence (Takahashi, Fagan, Chen 1973; Erisman &
    /// Tinney 1975, DOI 10.1145/360680.360704), from the last column to the first.
    package func inverseInsideBand() -> BandedMatrix {
        var inverse = BandedMatrix(order: order, bandwidth: factor.bandwidth)
        let width = factor.columnStride
        factor.elements.withUnsafeBufferPointer { lower in
            inverse.elements.withUnsafeMutableBufferPointer { inverse in
                for column in stride(from: order - 1, through: 0, by: -1) {
                    let reach = min(factor.bandwidth, order - 1 - column)
                    let pivot = lower[column * width]
                    // Z(i, j) = -(1 / L(j, j)) Σ_k>j L(k, j) Z(max(i, k), min(i, k)) for i > j, from the far end.
                    for row in stride(from: reach, to: 0, by: -1) {
                        var sum = 0.0
                        for inner in 1...reach {
                            let (far, near) = (max(row, inner), min(row, inner))
                            sum +=
                                lower[column * width + inner] * inverse[(column + near) * width + far - near]
                        }
                        inverse[column * width + row] = -sum / pivot
                    }
                    var sum = 1 / pivot
                    for inner in 0..<reach {
                        sum -= lower[column * width + inner + 1] * inverse[column * width + inner + 1]
                    }
                    inverse[column * width] = sum / pivot
                }
            }
        }
        return inverse
    }
}

import CLAPACKE
import Platform

/// A symmetric positive definite band matrix factored as L Lᵀ, once, to solve as often as needed (LAPACK `dpbtrf`, `dpbtrs`).
package struct BandedCholesky: Equatable, Sendable {
    /// L, in the same lower band form as the matrix; it has no entries outside the band.
    package let factor: BandedMatrix

    /// Factors a matrix. O(order · bandwidth²).
    /// - Parameter matrix: its storage is reused for the factor if nothing else needs it.
    /// - Throws: `notPositiveDefinite` with the order of the first minor that is not positive; `nonFiniteInput`.
    package init(of matrix: consuming BandedMatrix) throws(LinearAlgebraError) {
        let routine = "dpbtrf"
        let order = try LAPACK.integer(matrix.order)
        let bandwidth = try LAPACK.integer(matrix.bandwidth)
        let stride = try LAPACK.integer(matrix.columnStride)
        try LAPACK.checkInput(matrix.elements, routine: routine)
        if order > 0 {
            let info = try LAPACK.call {
                unsafe $0.LAPACKE_dpbtrf_work(
                    LAPACK.columnMajor, LAPACK.lower, order, bandwidth, &matrix.elements, stride)
            }
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

    /// Returns x with A x = b. O(order · bandwidth).
    /// - Precondition: there are as many values as the matrix has rows.
    package func solve(_ rightHandSide: [Double]) throws(LinearAlgebraError) -> [Double] {
        try solve(Matrix(rows: rightHandSide.count, columns: 1, columnMajor: rightHandSide)).elements
    }

    /// Returns X with A X = B, one right-hand side per column. O(order · bandwidth) per column.
    package func solve(_ rightHandSides: Matrix) throws(LinearAlgebraError) -> Matrix {
        precondition(rightHandSides.rows == order, "a right-hand side has a value for each row")
        let routine = "dpbtrs"
        let count = try LAPACK.integer(rightHandSides.columns)
        try LAPACK.checkInput(rightHandSides.elements, routine: routine)
        guard order > 0, count > 0 else { return rightHandSides }
        var solution = rightHandSides
        let info = try LAPACK.call {
            unsafe $0.LAPACKE_dpbtrs_work(
                LAPACK.columnMajor, LAPACK.lower, Int32(order), Int32(factor.bandwidth), count,
                factor.elements,
                Int32(factor.columnStride), &solution.elements, Int32(order))
        }
        try LAPACK.checkArguments(info, routine: routine)
        try LAPACK.checkResult(solution.elements, routine: routine)
        return solution
    }
}

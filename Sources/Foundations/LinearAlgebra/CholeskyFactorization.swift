import CLAPACKE
import Platform

/// A symmetric positive definite matrix factored as L Lᵀ, once, to solve as often as needed (LAPACK `dpotrf`, `dpotrs`).
package struct CholeskyFactorization: Equatable, Sendable {
    /// L, in the lower triangle; the entries above it are not part of L.
    private let factor: Matrix

    /// Factors a matrix; only its lower triangle is read. O(n³ / 3).
    /// - Throws: `notPositiveDefinite` with the order of the first minor that is not positive; `nonFiniteInput`.
    /// - Precondition: the matrix is square.
    package init(of matrix: Matrix) throws(LinearAlgebraError) {
        precondition(matrix.rows == matrix.columns, "only square matrices have a Cholesky factorisation")
        let routine = "dpotrf"
        let order = try LAPACK.integer(matrix.rows)
        try LAPACK.checkInput(matrix.elements, routine: routine)
        var factor = matrix
        if order > 0 {
            let info = try LAPACK.call {
                unsafe $0.LAPACKE_dpotrf_work(
                    LAPACK.columnMajor, LAPACK.lower, order, &factor.elements, order)
            }
            try LAPACK.checkArguments(info, routine: routine)
            guard info == 0 else { throw .notPositiveDefinite(order: Int(info)) }
        }
        try LAPACK.checkResult(factor.elements, routine: routine)
        self.factor = factor
    }

    /// The matrix's order.
    package var order: Int { factor.rows }

    /// The diagonal of L, all greater than 0.
    package var diagonal: [Double] { (0..<order).map { factor[$0, $0] } }

    /// The natural logarithm of the matrix's determinant.
    package var logDeterminant: Double { 2 * diagonal.reduce(0) { $0 + log($1) } }

    /// Returns x with A x = b. O(n²).
    /// - Precondition: there are as many values as the matrix has rows.
    package func solve(_ rightHandSide: [Double]) throws(LinearAlgebraError) -> [Double] {
        try solve(Matrix(rows: rightHandSide.count, columns: 1, columnMajor: rightHandSide)).elements
    }

    /// Returns X with A X = B, one right-hand side per column. O(n²) per column.
    package func solve(_ rightHandSides: Matrix) throws(LinearAlgebraError) -> Matrix {
        precondition(rightHandSides.rows == order, "a right-hand side has a value for each row")
        let routine = "dpotrs"
        let count = try LAPACK.integer(rightHandSides.columns)
        try LAPACK.checkInput(rightHandSides.elements, routine: routine)
        guard order > 0, count > 0 else { return rightHandSides }
        var solution = rightHandSides
        let info = try LAPACK.call {
            unsafe $0.LAPACKE_dpotrs_work(
                LAPACK.columnMajor, LAPACK.lower, Int32(order), count, factor.elements, Int32(order),
                &solution.elements, Int32(order))
        }
        try LAPACK.checkArguments(info, routine: routine)
        try LAPACK.checkResult(solution.elements, routine: routine)
        return solution
    }
}

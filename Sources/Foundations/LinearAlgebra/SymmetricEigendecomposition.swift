import CLAPACKE

/// The eigenvalues and eigenvectors of a symmetric matrix, A = V diag(λ) Vᵀ (LAPACK `dsyev`).
package struct SymmetricEigendecomposition: Equatable, Sendable {
    /// Eigenvalues, ascending.
    package let values: [Double]
    /// Unit eigenvectors, one per column, in the order of `values`. LAPACK decides their signs.
    package let vectors: Matrix

    /// Decomposes a symmetric matrix; only its lower triangle is read. O(n³).
    /// - Throws: `nonFiniteInput`, `noConvergence`, `nonFiniteResult` (dsyev itself returns success and NaN for
    ///   infinite entries).
    /// - Precondition: the matrix is square.
    package init(of matrix: Matrix) throws(LinearAlgebraError) {
        precondition(matrix.rows == matrix.columns, "only square matrices have eigenvalues")
        let routine = "dsyev"
        let order = try LAPACK.integer(matrix.rows)
        try LAPACK.checkInput(matrix.elements, routine: routine)
        var vectors = matrix
        var values = [Double](repeating: 0, count: matrix.rows)
        if order > 0 {
            let info = try LAPACK.call {
                unsafe $0.LAPACKE_dsyev(
                    LAPACK.columnMajor, LAPACK.vectors, LAPACK.lower, order, &vectors.elements, order, &values
                )
            }
            try LAPACK.checkArguments(info, routine: routine)
            guard info == 0 else { throw .noConvergence(routine: routine, info: Int(info)) }
        }
        try LAPACK.checkResult(values, routine: routine)
        try LAPACK.checkResult(vectors.elements, routine: routine)
        self.values = values
        self.vectors = vectors
    }
}

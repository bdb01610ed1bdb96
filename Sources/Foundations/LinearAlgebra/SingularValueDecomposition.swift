import CLAPACKE

/// The singular value decomposition A = U diag(σ) Vᵀ (LAPACK `dgesdd`).
package struct SingularValueDecomposition: Equatable, Sendable {
    /// Orthonormal columns: rows x rows, or rows x min(rows, columns) in the thin form.
    package let u: Matrix
    /// Singular values, descending, min(rows, columns) of them.
    package let singularValues: [Double]
    /// Vᵀ, orthonormal rows: columns x columns, or min(rows, columns) x columns in the thin form. The last rows of the full
    /// form span the null space.
    package let vTransposed: Matrix

    /// Decomposes a matrix. O(rows · columns · (rows + columns)): meant for small ones.
    /// - Parameter thin: whether to leave out the columns and rows that only complete the bases; for tall matrices this keeps U
    ///   small.
    /// - Throws: `nonFiniteInput` (`dgesdd` hangs on infinity), `noConvergence`, `nonFiniteResult`.
    package init(of matrix: Matrix, thin: Bool = false) throws(LinearAlgebraError) {
        let routine = "dgesdd"
        let rows = try LAPACK.integer(matrix.rows)
        let columns = try LAPACK.integer(matrix.columns)
        try LAPACK.checkInput(matrix.elements, routine: routine)
        let rank = min(matrix.rows, matrix.columns)
        var u = Matrix(rows: matrix.rows, columns: thin ? rank : matrix.rows)
        var vTransposed = Matrix(rows: thin ? rank : matrix.columns, columns: matrix.columns)
        var values = [Double](repeating: 0, count: rank)
        if rank == 0 {
            u = .identity(u.rows)
            vTransposed = .identity(vTransposed.columns)
        } else {
            var scratch = matrix.elements
            let info = try LAPACK.call {
                unsafe $0.LAPACKE_dgesdd(
                    LAPACK.columnMajor, thin ? LAPACK.thin : LAPACK.all, rows, columns, &scratch, rows,
                    &values,
                    &u.elements, rows,
                    &vTransposed.elements, Int32(vTransposed.rows))
            }
            try LAPACK.checkArguments(info, routine: routine)
            guard info == 0 else { throw .noConvergence(routine: routine, info: Int(info)) }
        }
        try LAPACK.checkResult(values, routine: routine)
        try LAPACK.checkResult(u.elements, routine: routine)
        try LAPACK.checkResult(vTransposed.elements, routine: routine)
        self.u = u
        singularValues = values
        self.vTransposed = vTransposed
    }
}

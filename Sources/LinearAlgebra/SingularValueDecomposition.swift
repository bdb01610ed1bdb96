import CLAPACKE

/// A = U diag(σ) Vᵀ with all columns of U and V (LAPACK `dgesdd`).
package struct SingularValueDecomposition: Equatable, Sendable {
    /// Orthogonal, rows x rows.
    package let u: Matrix
    /// Singular values, descending, min(rows, columns) of them.
    package let singularValues: [Double]
    /// Vᵀ, orthogonal, columns x columns. Its last rows span the null space.
    package let vTransposed: Matrix

    /// The decomposition of a matrix. O(rows · columns · (rows + columns)): meant for small ones.
    /// - Throws: `nonFiniteInput` (`dgesdd` hangs on infinity), `noConvergence`, `nonFiniteResult`.
    package init(of matrix: Matrix) throws(LinearAlgebraError) {
        let routine = "dgesdd"
        let rows = try LAPACK.integer(matrix.rows)
        let columns = try LAPACK.integer(matrix.columns)
        try LAPACK.checkInput(matrix.elements, routine: routine)
        var u = Matrix.identity(matrix.rows)
        var vTransposed = Matrix.identity(matrix.columns)
        var values = [Double](repeating: 0, count: min(matrix.rows, matrix.columns))
        if rows > 0, columns > 0 {
            var scratch = matrix.elements
            let info = LAPACKE_dgesdd(
                LAPACK.columnMajor, LAPACK.all, rows, columns, &scratch, rows, &values, &u.elements, rows,
                &vTransposed.elements, columns)
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

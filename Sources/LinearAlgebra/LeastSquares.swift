import CLAPACKE

/// The solution of least length of a linear least-squares problem, whatever its rank (LAPACK `dgelsd`).
package struct LeastSquares: Equatable, Sendable {
    /// One solution a column, as many rows as there are unknowns.
    package let solution: Matrix
    /// Number of singular values that count.
    package let rank: Int
    /// Singular values, descending.
    package let singularValues: [Double]

    /// Minimises |A x - b|, and |x| among the x that do. O(rows · columns²).
    /// - Parameters:
    ///   - matrix: A, one equation a row.
    ///   - rightHandSides: b, one problem a column.
    ///   - relativeTolerance: singular values up to this share of the largest count as 0; nil takes eps · max(rows,
    ///     columns). (`dgels`, which assumes full rank, returns values of 1e15 with success for rank 1.)
    /// - Throws: `nonFiniteInput` (`dgelsd` hangs on infinity), `noConvergence`, `nonFiniteResult`.
    /// - Precondition: A and b have the same number of rows.
    package init(
        solving matrix: Matrix, for rightHandSides: Matrix, relativeTolerance: Double? = nil
    ) throws(LinearAlgebraError) {
        precondition(matrix.rows == rightHandSides.rows, "an equation has a left and a right side")
        let routine = "dgelsd"
        let rows = try LAPACK.integer(matrix.rows)
        let columns = try LAPACK.integer(matrix.columns)
        let count = try LAPACK.integer(rightHandSides.columns)
        try LAPACK.checkInput(matrix.elements, routine: routine)
        try LAPACK.checkInput(rightHandSides.elements, routine: routine)

        // LAPACK wants b in a block that also has room for x.
        let tall = max(matrix.rows, matrix.columns)
        var block = Matrix(rows: tall, columns: rightHandSides.columns)
        for column in 0..<rightHandSides.columns {
            for row in 0..<matrix.rows { block[row, column] = rightHandSides[row, column] }
        }
        var values = [Double](repeating: 0, count: min(matrix.rows, matrix.columns))
        var rank: Int32 = 0
        if rows > 0, columns > 0, count > 0 {
            var scratch = matrix.elements
            let info = LAPACKE_dgelsd(
                LAPACK.columnMajor, rows, columns, count, &scratch, rows, &block.elements, Int32(tall),
                &values,
                relativeTolerance ?? Double.ulpOfOne * Double(tall), &rank)
            try LAPACK.checkArguments(info, routine: routine)
            guard info == 0 else { throw .noConvergence(routine: routine, info: Int(info)) }
        }
        var solution = Matrix(rows: matrix.columns, columns: rightHandSides.columns)
        for column in 0..<rightHandSides.columns {
            for row in 0..<matrix.columns where matrix.rows > 0 { solution[row, column] = block[row, column] }
        }
        try LAPACK.checkResult(solution.elements, routine: routine)
        self.solution = solution
        self.rank = Int(rank)
        singularValues = values
    }

    /// The same for one right-hand side.
    package init(
        solving matrix: Matrix, for rightHandSide: [Double], relativeTolerance: Double? = nil
    ) throws(LinearAlgebraError) {
        try self.init(
            solving: matrix, for: Matrix(rows: rightHandSide.count, columns: 1, columnMajor: rightHandSide),
            relativeTolerance: relativeTolerance)
    }
}

/// A dense matrix of `Double` in LAPACK's column-major order: entry (row, column) is `elements[column * rows + row]`, both
/// counted from 0.
package struct Matrix: Equatable, Sendable {
    /// Number of rows, at least 0.
    package let rows: Int
    /// Number of columns, at least 0.
    package let columns: Int
    /// All entries, column-major. A replacement must have the same count, `rows * columns`.
    package var elements: [Double]

    /// Creates a matrix with the same value everywhere.
    package init(rows: Int, columns: Int, repeating value: Double = 0) {
        precondition(rows >= 0 && columns >= 0, "a matrix's sizes are at least 0")
        self.rows = rows
        self.columns = columns
        elements = Array(repeating: value, count: rows * columns)
    }

    /// A matrix over existing entries, column-major.
    /// - Precondition: `columnMajor.count == rows * columns`.
    package init(rows: Int, columns: Int, columnMajor: [Double]) {
        precondition(rows >= 0 && columns >= 0, "a matrix's sizes are at least 0")
        precondition(
            columnMajor.count == rows * columns, "\(columnMajor.count) entries for \(rows) x \(columns)")
        self.rows = rows
        self.columns = columns
        elements = columnMajor
    }

    /// Creates a matrix from a list of rows, all of one length.
    package init(_ rowsOfEntries: [[Double]]) {
        self.init(rows: rowsOfEntries.count, columns: rowsOfEntries.first?.count ?? 0)
        for (row, entries) in rowsOfEntries.enumerated() {
            precondition(entries.count == columns, "all rows of a matrix have one length")
            for (column, entry) in entries.enumerated() { self[row, column] = entry }
        }
    }

    /// Returns the identity matrix of an order.
    package static func identity(_ order: Int) -> Matrix {
        var identity = Matrix(rows: order, columns: order)
        for index in 0..<order { identity[index, index] = 1 }
        return identity
    }

    /// The entry in a row and a column, both from 0.
    package subscript(row: Int, column: Int) -> Double {
        get {
            precondition(row >= 0 && row < rows && column >= 0 && column < columns, "outside the matrix")
            return elements[column * rows + row]
        }
        set {
            precondition(row >= 0 && row < rows && column >= 0 && column < columns, "outside the matrix")
            elements[column * rows + row] = newValue
        }
    }

    /// The entries of one column.
    package func column(_ column: Int) -> [Double] {
        precondition(column >= 0 && column < columns, "outside the matrix")
        return Array(elements[column * rows..<(column + 1) * rows])
    }

    /// The transpose. O(rows · columns).
    package var transposed: Matrix {
        var result = Matrix(rows: columns, columns: rows)
        for column in 0..<columns {
            for row in 0..<rows { result.elements[row * columns + column] = elements[column * rows + row] }
        }
        return result
    }

    /// The matrix product. O(n³), meant for small matrices.
    package static func * (left: Matrix, right: Matrix) -> Matrix {
        precondition(left.columns == right.rows, "\(left.columns) columns times \(right.rows) rows")
        var product = Matrix(rows: left.rows, columns: right.columns)
        for column in 0..<right.columns {
            for inner in 0..<left.columns {
                let factor = right.elements[column * right.rows + inner]
                for row in 0..<left.rows {
                    product.elements[column * left.rows + row] +=
                        left.elements[inner * left.rows + row] * factor
                }
            }
        }
        return product
    }

    /// The product with a vector. O(rows · columns).
    package static func * (matrix: Matrix, vector: [Double]) -> [Double] {
        (matrix * Matrix(rows: vector.count, columns: 1, columnMajor: vector)).elements
    }
}

/// A symmetric matrix whose entries are 0 farther than `bandwidth` from the diagonal, as in the normal equations of splines.
///
/// Storage is LAPACK's lower band form (uplo = 'L'): column j holds the diagonal entry (j, j) and the `bandwidth` entries below
/// it, so entry (i, j) with j <= i <= j + bandwidth is `elements[j * (bandwidth + 1) + (i - j)]`. The last columns end in
/// padding that is never read.
package struct BandedMatrix: Equatable, Sendable {
    /// Number of rows and of columns.
    package let order: Int
    /// The number of entries below the diagonal in each column (LAPACK's kd).
    package let bandwidth: Int
    /// The lower band, column after column. A replacement must have the same count, `order * (bandwidth + 1)`.
    package var elements: [Double]

    /// A matrix of zeros.
    /// - Precondition: both at least 0.
    package init(order: Int, bandwidth: Int) {
        precondition(order >= 0 && bandwidth >= 0, "an order and a bandwidth are at least 0")
        self.order = order
        self.bandwidth = bandwidth
        elements = Array(repeating: 0, count: order * (bandwidth + 1))
    }

    /// Distance between the diagonal entries of neighbouring columns in `elements` (LAPACK's ldab).
    package var columnStride: Int { bandwidth + 1 }

    /// The entry (row, column), on either side of the diagonal; 0 outside the band. Setting writes the entry and its mirror
    /// image.
    /// - Precondition: inside the matrix, and for setting inside the band.
    package subscript(row: Int, column: Int) -> Double {
        get {
            let (below, left) = (max(row, column), min(row, column))
            precondition(left >= 0 && below < order, "outside the matrix")
            return below - left <= bandwidth ? elements[left * columnStride + below - left] : 0
        }
        set {
            let (below, left) = (max(row, column), min(row, column))
            precondition(left >= 0 && below < order && below - left <= bandwidth, "outside the band")
            elements[left * columnStride + below - left] = newValue
        }
    }

    /// The diagonal, for instance to add a small penalty that keeps empty cells solvable.
    package var diagonal: [Double] {
        get { (0..<order).map { elements[$0 * columnStride] } }
        set {
            precondition(newValue.count == order, "a diagonal has a value for each row")
            for index in 0..<order { elements[index * columnStride] = newValue[index] }
        }
    }

    /// The sum of two matrices of one shape.
    package static func + (left: BandedMatrix, right: BandedMatrix) -> BandedMatrix {
        left.adding(right, times: 1)
    }

    /// Returns `self + factor · other`, for example to add a penalty to normal equations. O(order · bandwidth).
    /// - Precondition: the same order; the other's bandwidth no larger.
    package func adding(_ other: BandedMatrix, times factor: Double) -> BandedMatrix {
        precondition(order == other.order && other.bandwidth <= bandwidth, "the band does not fit")
        var sum = self
        for column in 0..<order {
            for offset in 0...other.bandwidth {
                sum.elements[column * columnStride + offset] +=
                    factor * other.elements[column * other.columnStride + offset]
            }
        }
        return sum
    }

    /// The product with a vector. O(order · bandwidth).
    package static func * (matrix: BandedMatrix, vector: [Double]) -> [Double] {
        precondition(vector.count == matrix.order, "a vector has a value for each row")
        var product = [Double](repeating: 0, count: matrix.order)
        for column in 0..<matrix.order {
            let start = column * matrix.columnStride
            product[column] += matrix.elements[start] * vector[column]
            for offset in 0..<min(matrix.bandwidth, matrix.order - 1 - column) {
                let entry = matrix.elements[start + offset + 1]
                product[column + offset + 1] += entry * vector[column]
                product[column] += entry * vector[column + offset + 1]
            }
        }
        return product
    }
}

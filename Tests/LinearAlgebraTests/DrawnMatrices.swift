import LinearAlgebra
import RobustStatistics

extension SplitMix64 {
    /// Numbers of -1...1.
    mutating func vector(_ count: Int) -> [Double] {
        (0..<count).map { _ in Double.random(in: -1...1, using: &self) }
    }

    /// A matrix of numbers of -1...1.
    mutating func matrix(rows: Int, columns: Int) -> Matrix {
        Matrix(rows: rows, columns: columns, columnMajor: vector(rows * columns))
    }

    /// B Bᵀ + n I: symmetric, its eigenvalues at least n.
    mutating func positiveDefinite(_ order: Int) -> Matrix {
        let root = matrix(rows: order, columns: order)
        var product = root * root.transposed
        for index in 0..<order { product[index, index] += Double(order) }
        return product
    }

    /// Entries of -1...1 in the band, the diagonal dominant.
    mutating func positiveDefinite(order: Int, bandwidth: Int) -> BandedMatrix {
        var matrix = BandedMatrix(order: order, bandwidth: bandwidth)
        for row in 0..<order {
            for column in max(0, row - bandwidth)...row {
                matrix[row, column] = Double.random(in: -1...1, using: &self)
            }
            matrix[row, row] = 2 * Double(bandwidth) + 2
        }
        return matrix
    }
}

extension BandedMatrix {
    /// The same matrix written out.
    var dense: Matrix {
        var dense = Matrix(rows: order, columns: order)
        for row in 0..<order {
            for column in 0..<order { dense[row, column] = self[row, column] }
        }
        return dense
    }
}

/// The largest absolute difference of two lists; infinite if one holds NaN or their lengths differ.
func distance(_ left: [Double], _ right: [Double]) -> Double {
    guard left.count == right.count else { return .infinity }
    var largest = 0.0
    for (a, b) in zip(left, right) {
        let difference = abs(a - b)
        guard !difference.isNaN else { return .infinity }
        largest = max(largest, difference)
    }
    return largest
}

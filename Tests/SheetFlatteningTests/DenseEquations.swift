/// Normal equations without any structure, solved by plain elimination, for banded ones to be held against.
struct DenseEquations {
    /// An unknown and what it is multiplied by.
    typealias Term = (index: Int, value: Double)

    private let order: Int
    /// Row after row.
    private var matrix: [Double]
    private var right: [Double]

    init(order: Int) {
        self.order = order
        matrix = [Double](repeating: 0, count: order * order)
        right = [Double](repeating: 0, count: order)
    }

    /// Adds weight · (Σ value · unknown - target)² to what is minimised.
    mutating func add(_ terms: [Term], weight: Double, target: Double = 0) {
        for one in terms {
            let weighted = weight * one.value
            right[one.index] += weighted * target
            for other in terms { matrix[one.index * order + other.index] += weighted * other.value }
        }
    }

    /// Adds a share of the greatest of the first unknowns' diagonal entries to each of these.
    mutating func strengthen(first count: Int, by share: Double) {
        let least = share * (0..<count).reduce(0) { max($0, matrix[$1 * order + $1]) }
        for index in 0..<count { matrix[index * order + index] += least }
    }

    /// The unknowns.
    func solved() -> [Double] {
        var (rows, result) = (matrix, right)
        for pivot in 0..<order {
            for row in pivot + 1..<order {
                let factor = rows[row * order + pivot] / rows[pivot * order + pivot]
                guard factor != 0 else { continue }
                for column in pivot..<order {
                    rows[row * order + column] -= factor * rows[pivot * order + column]
                }
                result[row] -= factor * result[pivot]
            }
        }
        for row in (0..<order).reversed() {
            for column in row + 1..<order { result[row] -= rows[row * order + column] * result[column] }
            result[row] /= rows[row * order + row]
        }
        return result
    }
}

import CReceiptTables
import Diagnostics
import Platform

/// Tells what each row of a receipt is for: a small convolution over the rows, and a chain over their classes.
///
/// Row i has features x. Two layers look at it and at the rows around it, and give each class a score:
///
///     a = relu(A x + a0)        of each row
///     b = relu(B a[i-3...i+3])  over seven rows
///     s = C b[i-2...i+2]        over five rows; zeros stand beyond the page
///
/// The chain adds a score for each class that follows another (Lafferty, McCallum and Pereira 2001). The probabilities are the
/// chain's marginals, by the forward and backward sums; 0.1 ms for 50 rows. Weights are trained by `Training/Fields/train.py` on
/// receipts that the project draws.
struct RowModel {
    static let magic = Array("RCPTROWS".utf8)
    static let version = 1
    /// Largest number of outputs and largest reach accepted: more than any useful model has, and small enough that sizes do not
    /// overflow.
    static let maximumWidth = 512

    /// The model that ships; nil only if its weights do not match this program, which a test rules out.
    static let shared = try? RowModel(
        UnsafeRawBufferPointer(start: creceipttables_weights(), count: creceipttables_weights_size()))

    /// A weighted sum over a row and those around it.
    struct Layer {
        let inputs: Int
        let outputs: Int
        /// Rows to either side.
        let reach: Int
        /// By output, then by row from the top, then by input.
        let weights: [Float]
        let biases: [Float]

        func applied(to rows: [[Float]]) -> [[Float]] {
            let width = inputs * (2 * reach + 1)
            return rows.indices.map { row in
                (0..<outputs).map { output in
                    var sum = biases[output]
                    for offset in -reach...reach where rows.indices.contains(row + offset) {
                        let start = output * width + (offset + reach) * inputs
                        let values = rows[row + offset]
                        for input in 0..<inputs where values[input] != 0 {
                            sum += weights[start + input] * values[input]
                        }
                    }
                    return sum
                }
            }
        }
    }

    let layers: [Layer]
    /// Scores of the first row's class, of the last row's class, and of one class following another (index: from x classes + to).
    let starts: [Float]
    let ends: [Float]
    let steps: [Float]

    /// Reads a weights file: magic, version, number of features, the outputs and reach of each of three layers, then float32
    /// of each layer (weights, biases) and of the chain (starts, ends, steps); all little endian.
    init(_ file: UnsafeRawBufferPointer) throws(FlatteningError) {
        let head = 8
        guard file.count >= Self.magic.count + 4 * head, file.starts(with: Self.magic) else {
            throw Self.broken("this is no file of row weights")
        }
        let numbers = (0..<head).map { index in
            Int(
                UInt32(
                    littleEndian: file.loadUnaligned(
                        fromByteOffset: Self.magic.count + 4 * index, as: UInt32.self)))
        }
        let classes = RowClass.allCases.count
        guard numbers[0] == Self.version, numbers[1] == RowFeatures.count, numbers[6] == classes,
            numbers[2...].allSatisfy({ $0 <= Self.maximumWidth })
        else { throw Self.broken("the row weights are for other features or classes") }
        var offset = Self.magic.count + 4 * head
        func take(_ count: Int) throws(FlatteningError) -> [Float] {
            guard file.count - offset >= 4 * count else { throw Self.broken("the row weights end early") }
            defer { offset += 4 * count }
            let values = (0..<count).map { index in
                Float(
                    bitPattern: UInt32(
                        littleEndian: file.loadUnaligned(fromByteOffset: offset + 4 * index, as: UInt32.self))
                )
            }
            guard values.allSatisfy(\.isFinite) else { throw Self.broken("a row weight is no number") }
            return values
        }
        var layers: [Layer] = []
        var inputs = RowFeatures.count
        for layer in 0..<3 {
            let (outputs, reach) = (numbers[2 + 2 * layer], numbers[3 + 2 * layer])
            let weights = try take(outputs * inputs * (2 * reach + 1))
            layers.append(
                Layer(
                    inputs: inputs, outputs: outputs, reach: reach, weights: weights,
                    biases: try take(outputs)))
            inputs = outputs
        }
        self.layers = layers
        starts = try take(classes)
        ends = try take(classes)
        steps = try take(classes * classes)
        guard offset == file.count else { throw Self.broken("the row weights go on after their end") }
    }

    private static func broken(_ message: String) -> FlatteningError {
        FlatteningError(.badInput, message, stage: .network)
    }

    /// How likely each row is of each class, in the order of `RowClass`. O(rows).
    func probabilities(of features: RowFeatures) -> [[Double]] {
        guard !features.vectors.isEmpty else { return [] }
        var values = features.vectors
        for (index, layer) in layers.enumerated() {
            values = layer.applied(to: values)
            if index < layers.count - 1 { values = values.map { $0.map { max($0, 0) } } }
        }
        return marginals(values.map { $0.map(Double.init) })
    }

    /// The chain's marginals from each row's scores.
    private func marginals(_ scores: [[Double]]) -> [[Double]] {
        let classes = starts.count
        var forward = scores
        for to in 0..<classes { forward[0][to] += Double(starts[to]) }
        for row in scores.indices.dropFirst() {
            for to in 0..<classes {
                forward[row][to] += Self.logSum(
                    (0..<classes).map { forward[row - 1][$0] + Double(steps[$0 * classes + to]) })
            }
        }
        var backward = scores.map { $0.map { _ in 0.0 } }
        let last = scores.count - 1
        backward[last] = ends.map(Double.init)
        for row in (0..<last).reversed() {
            for from in 0..<classes {
                backward[row][from] = Self.logSum(
                    (0..<classes).map {
                        Double(steps[from * classes + $0]) + scores[row + 1][$0] + backward[row + 1][$0]
                    })
            }
        }
        return scores.indices.map { row in
            let sums = zip(forward[row], backward[row]).map { $0 + $1 }
            let all = Self.logSum(sums)
            return sums.map { exp($0 - all) }
        }
    }

    private static func logSum(_ values: [Double]) -> Double {
        let most = values.max() ?? 0
        return most + log(values.reduce(0) { $0 + exp($1 - most) })
    }
}

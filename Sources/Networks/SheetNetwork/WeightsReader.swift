internal import Diagnostics
internal import Imaging

/// Reads a weights file, layer after layer.
struct WeightsReader {
    static let levels = 5
    /// Limits that no network worth its time exceeds; they keep sizes from overflowing.
    static let maximumWidth = 512
    static let maximumBlocks = 16

    let widths: [Int]
    let blocks: [Int]
    private var file: WeightsFile

    /// Reads the head.
    init(_ bytes: UnsafeRawBufferPointer) throws(FlatteningError) {
        file = try WeightsFile(bytes, letters: "SHEETNET", version: 1, owner: "network", stage: .network)
        let levels = try file.integers(1)[0]
        guard levels == Self.levels else {
            throw file.broken(
                "the network has another number of levels", seen: "\(levels)", allowed: "\(Self.levels)")
        }
        widths = try file.integers(levels)
        blocks = try file.integers(levels - 1)
        guard widths.allSatisfy({ (1...Self.maximumWidth).contains($0) }) else {
            throw file.broken(
                "a level of the network has an impossible width", seen: "\(widths)",
                allowed: "1 to \(Self.maximumWidth)")
        }
        guard blocks.allSatisfy({ $0 <= Self.maximumBlocks }) else {
            throw file.broken(
                "a level of the network has too many blocks", seen: "\(blocks)",
                allowed: "0 to \(Self.maximumBlocks)")
        }
    }

    /// Reads the next layer, a convolution.
    mutating func convolution(
        _ window: Convolution.Window, from inputs: Int, to outputs: Int
    ) throws(FlatteningError) -> Convolution {
        let weights = try file.halves(outputs * inputs * window.count)
        return Convolution(
            window: window, inputs: inputs, outputs: outputs, weights: weights,
            biases: try file.halves(outputs))
    }

    /// Reads the next layer, a linear one.
    mutating func linear(from inputs: Int, to outputs: Int) throws(FlatteningError) -> Linear {
        let weights = try file.halves(outputs * inputs)
        return Linear(
            inputs: inputs, outputs: outputs, weights: weights, biases: try file.halves(outputs))
    }

    /// Refuses a file that goes on after the last layer.
    func finish() throws(FlatteningError) { try file.finish() }
}

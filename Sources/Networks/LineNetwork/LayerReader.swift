import Diagnostics
import Imaging

/// Reads a weights file, layer after layer.
struct LayerReader {
    /// The file, from the first layer on.
    var file: WeightsFile

    /// Reads the next layer, which weighs all inputs.
    mutating func dense(_ inputs: Int, to outputs: Int) throws(FlatteningError) -> Dense {
        let pairs = try file.floats(2 * outputs)
        return Dense(
            inputs: inputs, packed: try file.bytes(Dense.packedBytes(inputs * outputs)),
            scales: (0..<outputs).map { pairs[2 * $0] }, biases: (0..<outputs).map { pairs[2 * $0 + 1] })
    }

    /// Reads the next layer, which weighs all inputs in 8 bits.
    mutating func byteDense(_ inputs: Int, to outputs: Int) throws(FlatteningError) -> ByteDense {
        let pairs = try file.floats(2 * outputs)
        return ByteDense(
            inputs: inputs, packed: try file.bytes(inputs * outputs),
            scales: (0..<outputs).map { pairs[2 * $0] }, biases: (0..<outputs).map { pairs[2 * $0 + 1] })
    }

    /// Reads the next layer, which weighs each channel with its neighbours.
    mutating func depthwise(places: Int, channels: Int) throws(FlatteningError) -> Depthwise {
        let weights = try file.halves(places * channels)
        return Depthwise(weights: weights, biases: try file.halves(channels))
    }

    /// Reads the next two layers, which weigh channels by their means.
    mutating func gate(_ channels: Int) throws(FlatteningError) -> Gate {
        let narrow = try dense(channels, to: channels / 4)
        return Gate(narrow: narrow, wide: try dense(channels / 4, to: channels))
    }

    /// Reads the next numbers, a gain and a shift.
    mutating func bend() throws(FlatteningError) -> RowNetwork.Bend {
        let pair = try file.floats(2)
        return RowNetwork.Bend(gain: pair[0], shift: pair[1])
    }

    /// Reads the next layer, a norm.
    mutating func norm(_ channels: Int) throws(FlatteningError) -> Norm {
        let gains = try file.halves(channels)
        return Norm(gains: gains, shifts: try file.halves(channels))
    }

    /// Refuses a file that goes on after the last layer.
    func finish() throws(FlatteningError) { try file.finish() }
}

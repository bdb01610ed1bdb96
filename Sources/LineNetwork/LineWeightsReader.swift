internal import Diagnostics
internal import Imaging

/// Takes a weights file apart, layer after layer.
struct LineWeightsReader {
    /// More than there are in Latin text; keeps sizes from overflowing.
    static let mostCharacters = 4096

    let characters: [String]
    private var file: WeightsFile

    /// Reads the head and the characters.
    init(_ bytes: UnsafeRawBufferPointer) throws(FlatteningError) {
        file = try WeightsFile(bytes, letters: "LINENETW", version: 1, owner: "reader", stage: .text)
        let head = try file.integers(2)
        characters = String(decoding: try file.bytes(head[1]), as: UTF8.self).split(separator: "\n")
            .map(String.init)
        guard characters.count == head[0], head[0] <= Self.mostCharacters else {
            throw file.broken(
                "the reader's weights hold another number of characters", seen: "\(characters.count)",
                allowed: "\(head[0]), at most \(Self.mostCharacters)")
        }
    }

    /// The next layer, which weighs all inputs.
    mutating func dense(_ inputs: Int, to outputs: Int) throws(FlatteningError) -> Dense {
        let pairs = try file.floats(2 * outputs)
        return Dense(
            inputs: inputs, packed: try file.bytes(Dense.packedBytes(inputs * outputs)),
            scales: (0..<outputs).map { pairs[2 * $0] }, biases: (0..<outputs).map { pairs[2 * $0 + 1] })
    }

    /// The next layer, which weighs each channel with its neighbours.
    mutating func depthwise(places: Int, channels: Int) throws(FlatteningError) -> Depthwise {
        let weights = try file.halves(places * channels)
        return Depthwise(weights: weights, biases: try file.halves(channels))
    }

    /// The next layer, a norm.
    mutating func norm(_ channels: Int) throws(FlatteningError) -> Norm {
        let gains = try file.halves(channels)
        return Norm(gains: gains, shifts: try file.halves(channels))
    }

    /// Refuses a file that goes on after the last layer.
    func finish() throws(FlatteningError) { try file.finish() }
}

package import Diagnostics
internal import CLineNetwork
internal import Imaging

// Reads a line of print by a trained network: PP-OCRv6's small recogniser (PaddlePaddle's authors, Apache-2.0).
// `Training/Reader/export.py` reduced its characters to those of Latin text, and its weights to 8 bits in the blocks,
// where nearly all products are, and to 10 elsewhere.
//
// On an image of 48 rows and 8 n columns, -1 for black to 1 for white:
//
//     stem       3x3 halving to 48, r; beside it r's greatest of 2x2, and 2x2 to 24, 2x2 to 48; 3x3 halving to 48, 1x1 to 96
//     13 blocks  d = 3x3 of each channel by itself; in some d times gate(linear(relu(linear(mean of d))));
//                1x1 to twice the channels, GELU, 1x1; plus d where as many channels come out. 4 and 11 leave out every
//                second row: 12, 6, 3 rows of 2 n places, of 96, 192, 384 channels
//     steps      means of 3 x 2 places: n steps
//     turns      s = swish(1x1 to 120); t = s + swish(1x7 of each channel by itself); twice: t += attention(norm(t)),
//                t += linear(swish(linear(norm(t)))), 8 heads
//     head       linear(norm(t) + swish(another 1x1 to 120)) to the classes
//
// A ReLU follows the stem's layers. The training norms of the backbone are folded into weights and biases.

/// The network that reads the characters of one line of print.
///
/// Results are the same bits on every processor. A line of 960 columns takes some 3 billion products. One run needs 50
/// kB for each 8 columns; several runs may go on at once.
package struct LineNetwork: Sendable {
    /// The characters of the classes from 1 on. Class 0 stands between two characters, the last class is the blank.
    package let characters: [String]

    /// Version of the weights that ship: with another version, other text may be read.
    package static let version = "2"

    /// Number of classes at each step.
    package var classes: Int { characters.count + 2 }

    /// Rows of an image.
    package static let height = 48
    /// Columns of an image per step of the output.
    package static let stepWidth = 8

    let stem: Stem
    let blocks: [Block]
    let steps: Steps
    let turns: [Turn]
    let last: Norm
    let head: Dense

    /// The kernel that computes. Tests set the plain one also on a processor that has a faster one.
    var kernel = LineKernel.preferred

    struct Stem: Sendable {
        var first, left, right, mixed, widened: Dense
    }

    struct Block: Sendable {
        var neighbours: Depthwise
        var gate: Gate?
        var expand, project: ByteDense
        /// One of this many rows is kept.
        var stride: Int
    }

    struct Steps: Sendable {
        var beside, narrow: Dense
        var neighbours: Depthwise
    }

    struct Turn: Sendable {
        var before: Norm
        var views, attended: Dense
        var between: Norm
        var expand, project: Dense
    }

    /// The network whose weights ship with this package.
    package static let shared: LineNetwork = {
        let file = UnsafeRawBufferPointer(start: clinenetwork_weights(), count: clinenetwork_weights_size())
        do {
            return try LineNetwork(weights: file)
        } catch {
            preconditionFailure("the weights of this package are broken: \(error)")
        }
    }()

    /// A network from a weights file, as `Training/Reader/export.py` writes it.
    /// - Throws: `.badInput` for a file that is no weights file, or whose length does not fit its layers;
    ///   `.unsupported` for another version.
    package init(weights file: UnsafeRawBufferPointer) throws(FlatteningError) {
        var reader = LayerReader(
            file: try WeightsFile(file, letters: "LINENETW", version: 2, owner: "reader", stage: .text))
        characters = try Self.characters(in: &reader.file)
        stem = Stem(
            first: try reader.dense(9, to: 48), left: try reader.dense(4 * 48, to: 24),
            right: try reader.dense(4 * 24, to: 48), mixed: try reader.dense(9 * 96, to: 48),
            widened: try reader.dense(48, to: 96))
        var blocks: [Block] = []
        for shape in Self.shapes {
            let neighbours = try reader.depthwise(places: 9, channels: shape.inputs)
            let gate = shape.gated ? try reader.gate(shape.inputs) : nil
            let expand = try reader.byteDense(shape.inputs, to: shape.hidden)
            blocks.append(
                Block(
                    neighbours: neighbours, gate: gate, expand: expand,
                    project: try reader.byteDense(shape.hidden, to: shape.outputs), stride: shape.stride))
        }
        self.blocks = blocks
        let width = Self.width
        let beside = try reader.dense(384, to: width)
        let narrow = try reader.dense(384, to: width)
        steps = Steps(
            beside: beside, narrow: narrow, neighbours: try reader.depthwise(places: 7, channels: width))
        var turns: [Turn] = []
        for _ in 0..<2 {
            let before = try reader.norm(width)
            let views = try reader.dense(width, to: 3 * width)
            let attended = try reader.dense(width, to: width)
            let between = try reader.norm(width)
            let expand = try reader.dense(width, to: 2 * width)
            turns.append(
                Turn(
                    before: before, views: views, attended: attended, between: between, expand: expand,
                    project: try reader.dense(2 * width, to: width)))
        }
        self.turns = turns
        last = try reader.norm(width)
        head = try reader.dense(width, to: characters.count + 2)
        try reader.finish()
    }

    /// Reads the characters, which come first in a weights file.
    private static func characters(in file: inout WeightsFile) throws(FlatteningError) -> [String] {
        let head = try file.integers(2)
        let characters = String(decoding: try file.bytes(head[1]), as: UTF8.self).split(separator: "\n")
            .map(String.init)
        guard characters.count == head[0], head[0] <= mostCharacters else {
            throw file.broken(
                "the reader's weights hold another number of characters", seen: "\(characters.count)",
                allowed: "\(head[0]), at most \(mostCharacters)")
        }
        return characters
    }

    /// More characters than Latin text has; keeps sizes from overflowing.
    private static let mostCharacters = 4096

    /// Channels of a step.
    static let width = 120
    static let heads = 8

    private struct Shape {
        var inputs: Int
        var outputs: Int
        var gated = false
        var stride = 1
        var hidden: Int { 2 * inputs }
    }

    private static let shapes = [
        Shape(inputs: 96, outputs: 96, gated: true), Shape(inputs: 96, outputs: 96),
        Shape(inputs: 96, outputs: 96), Shape(inputs: 96, outputs: 192, stride: 2),
        Shape(inputs: 192, outputs: 192, gated: true), Shape(inputs: 192, outputs: 192),
        Shape(inputs: 192, outputs: 192, gated: true), Shape(inputs: 192, outputs: 192),
        Shape(inputs: 192, outputs: 192, gated: true), Shape(inputs: 192, outputs: 192),
        Shape(inputs: 192, outputs: 384, stride: 2),
        Shape(inputs: 384, outputs: 384, gated: true), Shape(inputs: 384, outputs: 384),
    ]
}

/// Which of the kernels computes the sums; all give the same bits.
enum LineKernel: Sendable, CaseIterable {
    /// Plain C, on every processor: vectors of four numbers.
    case plain
    /// AVX2: vectors of eight.
    case avx2
    /// AVX-512 with VNNI: vectors of sixteen. Some 2.3 times as many products a second as AVX2, and of bytes twice as
    /// many again.
    case avx512

    /// The kernels that run on this processor, the fastest last.
    static let available = allCases.filter { clinenetwork_has($0.inC) }

    /// The fastest that this processor has.
    static let preferred = available.last ?? .plain

    var inC: clinenetwork_kernel {
        switch self {
        case .plain: CLINENETWORK_PLAIN
        case .avx2: CLINENETWORK_AVX2
        case .avx512: CLINENETWORK_AVX512
        }
    }
}

package import Diagnostics
internal import CLineNetwork
internal import Imaging

// Where on a page there is print, row by row, by a trained network: PP-OCRv4's mobile detector (PaddlePaddle's authors,
// Apache-2.0), its three colours folded into brightness, its weights to 10 bits by `Training/Reader/rows.py`.
//
// On a picture of 32 m rows and 32 n columns:
//
//     stem       3x3 halving to 16
//     14 blocks  k x k of each channel by itself, in some the channels weighed; 1x1. Four halve it once more. A hard swish, a
//                gain and a shift follow each of the two, but for the first where it halves
//     neck       of the blocks' four sizes 1x1 to 96, the channels weighed; to each is added the next coarser one, enlarged;
//                3x3 to 24, the channels weighed; all enlarged to a quarter of the picture and laid side by side
//     head       3x3 to 24, ReLU; each place to 2x2 of 24, ReLU; each to 2x2 of 1
//
// It was trained to find the middle of rows: what it marks is print, shrunk by some two fifths of its height on all sides.

/// The network that finds print on a page.
///
/// Results are the same bits on every processor. Some 6,000 products a pixel; a run works in 110 bytes for each and may go on
/// beside others.
package struct RowNetwork: Sendable {
    /// Rows and columns of a picture are multiples of this.
    package static let step = 32

    let stem: Dense
    let blocks: [Block]
    /// For each size, the coarsest first: what makes it as deep as the others, and what weighs its channels.
    let widened: [(dense: Dense, gate: Gate)]
    let narrowed: [(dense: Dense, gate: Gate)]
    let head: Dense
    let enlarged: [Dense]

    /// Tests ask for the plain kernel also on a processor that has a faster one.
    var kernel = LineKernel.preferred

    struct Block: Sendable {
        var neighbours: Depthwise
        var side: Int
        var stride: Int
        /// What follows the neighbours; nil where they halve the picture.
        var first: Bend?
        var gate: Gate?
        var mixed: Dense
        var second: Bend
    }

    /// A hard swish, then a gain and a shift.
    struct Bend: Sendable {
        var gain: Float
        var shift: Float
    }

    /// The network whose weights ship with this package.
    package static let shared: RowNetwork = {
        let file = UnsafeRawBufferPointer(
            start: clinenetwork_row_weights(), count: clinenetwork_row_weights_size())
        do {
            return try RowNetwork(weights: file)
        } catch {
            preconditionFailure("the weights of this package are broken: \(error)")
        }
    }()

    /// A network from a weights file, as `Training/Reader/rows.py` writes it.
    /// - Throws: `.badInput` for a file that is no such file, or of another length than its layers take; `.unsupported` for
    ///   another version.
    package init(weights file: UnsafeRawBufferPointer) throws(FlatteningError) {
        var reader = LayerReader(
            file: try WeightsFile(file, letters: "ROWSNETW", version: 1, owner: "row finder", stage: .text))
        stem = try reader.dense(9, to: 16)
        var blocks: [Block] = []
        for shape in Self.shapes {
            let neighbours = try reader.depthwise(places: shape.side * shape.side, channels: shape.inputs)
            let first = shape.stride == 1 ? try reader.bend() : nil
            let gate = shape.gated ? try reader.gate(shape.inputs) : nil
            let mixed = try reader.dense(shape.inputs, to: shape.outputs)
            blocks.append(
                Block(
                    neighbours: neighbours, side: shape.side, stride: shape.stride, first: first, gate: gate,
                    mixed: mixed, second: try reader.bend()))
        }
        self.blocks = blocks
        var widened: [(Dense, Gate)] = []
        for inputs in [384, 192, 96, 48] {
            let dense = try reader.dense(inputs, to: Self.depth)
            widened.append((dense, try reader.gate(Self.depth)))
        }
        self.widened = widened
        var narrowed: [(Dense, Gate)] = []
        for _ in widened {
            let dense = try reader.dense(9 * Self.depth, to: Self.share)
            narrowed.append((dense, try reader.gate(Self.share)))
        }
        self.narrowed = narrowed
        head = try reader.dense(9 * Self.depth, to: Self.share)
        let halves = try reader.dense(Self.share, to: 4 * Self.share)
        enlarged = [halves, try reader.dense(Self.share, to: 4)]
        try reader.finish()
    }

    /// Channels of the neck, and a size's share of them.
    static let depth = 96
    static let share = depth / 4

    private struct Shape {
        var inputs: Int
        var outputs: Int
        var side = 3
        var stride = 1
        var gated = false
    }

    private static let shapes = [
        Shape(inputs: 16, outputs: 32), Shape(inputs: 32, outputs: 48, stride: 2),
        Shape(inputs: 48, outputs: 48), Shape(inputs: 48, outputs: 96, stride: 2),
        Shape(inputs: 96, outputs: 96), Shape(inputs: 96, outputs: 192, stride: 2),
        Shape(inputs: 192, outputs: 192, side: 5), Shape(inputs: 192, outputs: 192, side: 5),
        Shape(inputs: 192, outputs: 192, side: 5), Shape(inputs: 192, outputs: 192, side: 5),
        Shape(inputs: 192, outputs: 384, side: 5, stride: 2, gated: true),
        Shape(inputs: 384, outputs: 384, side: 5, gated: true), Shape(inputs: 384, outputs: 384, side: 5),
        Shape(inputs: 384, outputs: 384, side: 5),
    ]
}

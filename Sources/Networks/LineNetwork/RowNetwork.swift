package import Diagnostics
internal import CLineNetwork
internal import Imaging

// Finds where on a page there is print, row by row, by a trained network: PP-OCRv4's mobile detector (PaddlePaddle's
// authors, Apache-2.0). `Training/Reader/rows.py` folded its three colours into brightness and reduced its weights to
// 10 bits.
//
// On an image of 32 m rows and 32 n columns:
//
//     stem       3x3 halving to 16
//     14 blocks  k x k of each channel by itself, in some the channels weighed; 1x1. Four halve it once more. A hard swish, a
//                gain and a shift follow each of the two, but for the first where it halves
//     neck       of the blocks' four sizes 1x1 to 96, the channels weighed; to each is added the next coarser one, enlarged;
//                3x3 to 24, the channels weighed; all enlarged to a quarter of the image and laid side by side
//     head       3x3 to 24, ReLU; each place to 2x2 of 24, ReLU; each to 2x2 of 1
//
// The network was trained to find the middle of rows: it marks print shrunk by some two fifths of its height on all
// sides.

/// The network that finds print on a page.
///
/// Results are the same bits on every processor. A run takes some 6,000 products and 110 bytes for each pixel; several
/// runs may go on at once.
package struct RowNetwork: Sendable {
    /// Rows and columns of an image must be multiples of this.
    package static let step = 32

    let stem: Dense
    let blocks: [Block]
    /// For each size, the coarsest first: the layer that gives it as many channels as the others, and the gate that
    /// weighs them.
    let widened: [(dense: Dense, gate: Gate)]
    let narrowed: [(dense: Dense, gate: Gate)]
    let head: Dense
    let enlarged: [Dense]

    /// The kernel that computes. Tests set the plain one also on a processor that has a faster one.
    var kernel = LineKernel.preferred

    struct Block: Sendable {
        var neighbours: Depthwise
        var side: Int
        var stride: Int
        /// Follows the neighbours; nil in blocks that halve the image.
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
    /// - Throws: `.badInput` for a file that is no weights file, or whose length does not fit its layers;
    ///   `.unsupported` for another version.
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

    /// Channels of the neck, and how many of them each size has.
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

package import Diagnostics
internal import CSheetNetwork

// Finds where paper is, by a small trained network.
//
// A U-Net over the image squashed to a square of S x S pixels, S a multiple of 32. `widths` are the numbers of maps of
// its five levels, `blocks` the numbers of residual blocks of levels 1 to 4:
//
//     stem     3x3 halving, 3x3                                    level 0, side S / 2
//     level i  3x3 halving, `blocks[i - 1]` residual blocks        side S / 2^(i + 1), i = 1 ... 4
//     global   g = mean of level 4; presence = linear(g); level 4 += relu(linear(g)) everywhere
//     step i   relu(double(1x1(x)) + 1x1(level i)), 3x3            i = 3 ... 0
//     head     1x1 to the two maps of the field                    side S / 2
//
// with x = relu(x + 3x3(relu(3x3(x)))) as residual block. A ReLU follows each 3x3; all are padded with zeros. Doubling is
// bilinear. Training norms are folded into weights and biases.

/// The network that tells, for each pixel of an image, whether it lies on a sheet.
///
/// Results are the same bits on every processor and do not depend on the number of threads.
package struct SheetNetwork: Sendable {
    /// Number of maps of each level, the finest first.
    package let widths: [Int]
    /// Number of residual blocks of each level except the finest.
    package let blocks: [Int]

    let stem: [Convolution]
    let levels: [Level]
    let presence: Linear
    let everywhere: Linear
    /// In order from the coarsest to the finest.
    let steps: [Step]
    let head: Convolution

    /// The kernel that computes. Tests set the plain one also on a processor that has a faster one.
    var kernel = SheetKernel.preferred

    /// A step down to half the side.
    struct Level: Sendable {
        var down: Convolution
        /// Each block has two convolutions.
        var blocks: [(first: Convolution, second: Convolution)]
    }

    /// A step up to twice the side.
    struct Step: Sendable {
        var narrow: Convolution
        var skip: Convolution
        var mix: Convolution
    }

    /// The network whose weights ship with this package.
    package static let shared: SheetNetwork = {
        let file = UnsafeRawBufferPointer(start: csheetnetwork_weights(), count: csheetnetwork_weights_size())
        do {
            return try SheetNetwork(weights: file)
        } catch {
            preconditionFailure("the weights of this package are broken: \(error)")
        }
    }()

    /// A network from a weights file, as `Training/export.py` writes it.
    ///
    /// Little endian: "SHEETNET", then as 32-bit numbers the version (1), the number of levels (5), their widths and
    /// the numbers of blocks. Then follow all tensors as IEEE float16 in the network's order. Each convolution or
    /// linear layer has first the weights (output, input, row, column), then the biases. In global, presence comes
    /// first; in a step, the order is the 1x1 from below, the 1x1 of the level, the 3x3.
    /// - Throws: `.badInput` for a file that is no weights file, or whose length does not fit its head; `.unsupported`
    ///   for another version.
    package init(weights file: UnsafeRawBufferPointer) throws(FlatteningError) {
        var reader = try WeightsReader(file)
        let (widths, blocks) = (reader.widths, reader.blocks)
        self.widths = widths
        self.blocks = blocks
        let finest = widths[0]
        stem = [
            try reader.convolution(.halving, from: 3, to: finest),
            try reader.convolution(.square, from: finest, to: finest),
        ]
        var levels: [Level] = []
        for (i, count) in blocks.enumerated() {
            let width = widths[i + 1]
            var level = Level(down: try reader.convolution(.halving, from: widths[i], to: width), blocks: [])
            for _ in 0..<count {
                let first = try reader.convolution(.square, from: width, to: width)
                level.blocks.append((first, try reader.convolution(.square, from: width, to: width)))
            }
            levels.append(level)
        }
        self.levels = levels
        let coarsest = widths[blocks.count]
        presence = try reader.linear(from: coarsest, to: 1)
        everywhere = try reader.linear(from: coarsest, to: coarsest)
        var steps: [Step] = []
        for i in blocks.indices.reversed() {
            steps.append(
                Step(
                    narrow: try reader.convolution(.point, from: widths[i + 1], to: widths[i]),
                    skip: try reader.convolution(.point, from: widths[i], to: widths[i]),
                    mix: try reader.convolution(.square, from: widths[i], to: widths[i])))
        }
        self.steps = steps
        head = try reader.convolution(.point, from: finest, to: 2)
        try reader.finish()
    }

    /// Whether an image may be squashed to this side: a multiple of 32 up to 1024.
    package static func allows(side: Int) -> Bool { side > 0 && side % 32 == 0 && side <= 1024 }
}

/// Which of the two kernels computes the sums; both give the same bits.
enum SheetKernel: Sendable {
    /// Plain C, on every processor: vectors of four numbers.
    case baseline
    /// AVX2: vectors of eight.
    case avx2

    /// The fastest that this processor has.
    static let preferred: SheetKernel = csheetnetwork_has_avx2() ? .avx2 : .baseline

    /// The kernels that run on this processor.
    static var available: [SheetKernel] { csheetnetwork_has_avx2() ? [.baseline, .avx2] : [.baseline] }
}

import Parallelism
internal import CSheetNetwork

/// A convolution with its weights in the format of the kernels.
struct Convolution: Sendable {
    /// Which inputs it weighs.
    enum Window: Sendable {
        /// 1 x 1.
        case point
        /// 3 x 3.
        case square
        /// 3 x 3 around every second pixel of every second row.
        case halving

        /// Number of inputs of one map that are weighed for an output.
        var count: Int { self == .point ? 1 : 9 }
    }

    let window: Window
    let inputs: Int
    let outputs: Int
    /// For each block of outputs: the biases, then the weights for each input and each place of the window. The last
    /// block is filled up with zeros.
    let weights: [Float]

    /// Packs weights in the order output, input, row, column.
    init(window: Window, inputs: Int, outputs: Int, weights: [Float], biases: [Float]) {
        precondition(weights.count == outputs * inputs * window.count && biases.count == outputs)
        let block = CSHEETNETWORK_BLOCK
        let places = inputs * window.count
        let blocks = (outputs + block - 1) / block
        var packed = [Float](repeating: 0, count: blocks * block * (1 + places))
        for output in 0..<outputs {
            var target = output / block * block * (1 + places) + output % block
            packed[target] = biases[output]
            for place in 0..<places {
                target += block
                packed[target] = weights[output * places + place]
            }
        }
        self.window = window
        self.inputs = inputs
        self.outputs = outputs
        self.weights = packed
    }

    /// Writes `outputs` maps of side `side`, which `input` must not alias.
    /// - Parameters:
    ///   - input: `inputs` maps of the same side, or the split maps of twice the side if the window halves.
    ///   - addend: `outputs` maps that are added to the sums; may be `output`.
    ///   - rectified: whether negative sums become zero.
    ///   - threading: how many cores share the maps' tiles.
    func callAsFunction(
        _ input: UnsafePointer<Float>, side: Int, adding addend: UnsafePointer<Float>? = nil,
        rectified: Bool = true, kernel: SheetKernel, threading: Threading,
        into output: UnsafeMutablePointer<Float>
    ) {
        let cWindow =
            switch window {
            case .point: CSHEETNETWORK_POINT
            case .square: CSHEETNETWORK_SQUARE
            case .halving: CSHEETNETWORK_HALVING
            }
        weights.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            let convolution = csheetnetwork_convolution(
                window: cWindow, inputs: Int32(inputs), outputs: Int32(outputs), weights: base)
            // Each thread writes its own tiles, and reads only what no thread writes.
            nonisolated(unsafe) let (job, input, addend, output) = (convolution, input, addend, output)
            let products = 16 * inputs * self.window.count * outputs
            forEachBand(
                of: 0..<Int(csheetnetwork_tiles(Int32(side))), threading: threading,
                minimumRows: max(1, Self.productsOfBand / products)
            ) { tiles in
                csheetnetwork_convolve(
                    job, Int32(side), input, addend, rectified, kernel == .avx2, Int32(tiles.lowerBound),
                    Int32(tiles.count), output)
            }
            csheetnetwork_clear_rims(Int32(outputs), Int32(side), output)
        }
    }

    /// Products that a thread gets at once: some 0.1 ms of work, twenty times what it takes to wake a thread.
    private static let productsOfBand = 2_000_000
}

/// A matrix and a vector: `outputs` sums over `inputs`, in order.
struct Linear: Sendable {
    let inputs: Int
    let outputs: Int
    /// Row after row, a row for each output.
    let weights: [Float]
    let biases: [Float]

    func callAsFunction(_ input: [Float]) -> [Float] {
        (0..<outputs).map { output in
            var sum = biases[output]
            for i in 0..<inputs { sum += weights[output * inputs + i] * input[i] }
            return sum
        }
    }
}

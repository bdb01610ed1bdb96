internal import CLineNetwork

/// A map: `channels` numbers at each of `height` x `width` places, place after place, row by row.
struct LineMap {
    let height: Int
    let width: Int
    let channels: Int
    var numbers: [Float]

    var places: Int { height * width }

    init(height: Int, width: Int, channels: Int, numbers: [Float]) {
        precondition(numbers.count == height * width * channels)
        self.height = height
        self.width = width
        self.channels = channels
        self.numbers = numbers
    }

    /// A map that a kernel writes; the kernel receives its start.
    init(height: Int, width: Int, channels: Int, _ write: (UnsafeMutablePointer<Float>) -> Void) {
        let count = height * width * channels
        self.init(
            height: height, width: width, channels: channels,
            numbers: [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
                if let start = buffer.baseAddress, count > 0 { write(start) }
                initialized = count
            })
    }

    /// Calls a kernel with the map's start.
    func read(_ body: (UnsafePointer<Float>) -> Void) {
        numbers.withUnsafeBufferPointer { if let start = $0.baseAddress { body(start) } }
    }

    /// Calls a kernel that changes the map in place.
    mutating func change(_ body: (UnsafeMutablePointer<Float>) -> Void) {
        numbers.withUnsafeMutableBufferPointer { if let start = $0.baseAddress { body(start) } }
    }
}

/// What the kernels of one run share: the choice of kernel, and their working memory.
final class LineWorkspace {
    let kernel: clinenetwork_kernel
    let scratch = UnsafeMutableRawPointer.allocate(byteCount: Int(CLINENETWORK_SCRATCH), alignment: 64)

    init(_ kernel: LineKernel) { self.kernel = kernel.inC }

    deinit { scratch.deallocate() }
}

/// A layer that weighs all inputs for each output, in the format of the kernels.
struct Dense: Sendable {
    let inputs: Int
    let outputs: Int
    private let weights: [Int32]
    private let scales: [Float]
    private let biases: [Float]

    /// - Parameters:
    ///   - packed: the weights in the order output, input, as whole numbers of 10 bits, four in five bytes.
    ///   - scales: for each output, the factor from whole numbers to weights.
    init(inputs: Int, packed: UnsafeRawBufferPointer, scales: [Float], biases: [Float]) {
        precondition(
            inputs <= CLINENETWORK_MOST_INPUTS && biases.count == scales.count
                && packed.count >= Self.packedBytes(inputs * scales.count))
        self.inputs = inputs
        outputs = scales.count
        self.scales = inBlocks(scales)
        self.biases = inBlocks(biases)
        var weights = [Int32](repeating: 0, count: self.scales.count * ((inputs + 1) / 2))
        packed.withMemoryRebound(to: UInt8.self) { packed in
            guard let packed = packed.baseAddress else { return }
            clinenetwork_unpack(packed, Int32(inputs), Int32(scales.count), &weights)
        }
        self.weights = weights
    }

    /// Returns the bytes that weights take in a file.
    static func packedBytes(_ count: Int) -> Int { (count + 3) / 4 * 5 }

    /// Calls `body` with the layer in C's form, which is valid during the call only.
    func withLayer(_ body: (clinenetwork_dense) -> Void) {
        weights.withUnsafeBufferPointer { weights in
            scales.withUnsafeBufferPointer { scales in
                biases.withUnsafeBufferPointer { biases in
                    guard let weights = weights.baseAddress, let scales = scales.baseAddress,
                        let biases = biases.baseAddress
                    else { return }
                    body(
                        clinenetwork_dense(
                            inputs: Int32(inputs), outputs: Int32(outputs), weights: weights, scales: scales,
                            biases: biases))
                }
            }
        }
    }

    /// Applies the layer at each place of a map.
    func callAsFunction(
        _ input: LineMap, _ activation: clinenetwork_activation = CLINENETWORK_NONE, in work: LineWorkspace
    ) -> LineMap {
        precondition(input.channels == inputs)
        return LineMap(height: input.height, width: input.width, channels: outputs) { output in
            withLayer { layer in
                input.read {
                    clinenetwork_weigh(
                        layer, activation, work.kernel, $0, Int32(input.places), output, Int32(outputs),
                        work.scratch)
                }
            }
        }
    }

    /// Applies the layer to windows of a map; writes as many places as fit, `step` numbers apart.
    func onWindows(
        _ window: clinenetwork_window, relu: Bool = true, of input: LineMap, height: Int, width: Int,
        into output: UnsafeMutablePointer<Float>, step: Int, in work: LineWorkspace
    ) {
        precondition(Int(window.side * window.side) * input.channels == inputs)
        withLayer { layer in
            input.read {
                clinenetwork_weigh_windows(
                    layer, window, relu, work.kernel, $0, Int32(input.height), Int32(input.width),
                    Int32(input.channels), Int32(height), Int32(width), output, Int32(step), work.scratch)
            }
        }
    }

    /// The same, with the result in a map of its own.
    func onWindows(
        _ window: clinenetwork_window, relu: Bool = true, of input: LineMap, in work: LineWorkspace
    ) -> LineMap {
        let stride = Int(window.stride)
        let height = (input.height - 1) / stride + 1
        let width = (input.width - 1) / stride + 1
        return LineMap(height: height, width: width, channels: outputs) {
            onWindows(
                window, relu: relu, of: input, height: height, width: width, into: $0, step: outputs, in: work
            )
        }
    }
}

/// A layer that weighs all inputs for each output, in 8 bits. It takes half the products of `Dense` where the processor
/// has an instruction for them.
struct ByteDense: Sendable {
    let inputs: Int
    let outputs: Int
    private let weights: [Int32]
    private let sums: [Int32]
    private let scales: [Float]
    private let biases: [Float]

    /// - Parameters:
    ///   - packed: the weights in the order output, input, a byte each: a whole number plus 128.
    ///   - scales: for each output, the factor from whole numbers to weights.
    init(inputs: Int, packed: UnsafeRawBufferPointer, scales: [Float], biases: [Float]) {
        precondition(
            inputs <= CLINENETWORK_MOST_INPUTS && biases.count == scales.count
                && packed.count >= inputs * scales.count)
        self.inputs = inputs
        outputs = scales.count
        self.scales = inBlocks(scales)
        self.biases = inBlocks(biases)
        var weights = [Int32](repeating: 0, count: self.scales.count * ((inputs + 3) / 4))
        var sums = [Int32](repeating: 0, count: self.scales.count)
        packed.withMemoryRebound(to: UInt8.self) { packed in
            guard let packed = packed.baseAddress else { return }
            clinenetwork_unpack_bytes(packed, Int32(inputs), Int32(scales.count), &weights, &sums)
        }
        self.weights = weights
        self.sums = sums
    }

    /// Calls `body` with the layer in C's form, which is valid during the call only.
    private func withLayer(_ body: (clinenetwork_byte_dense) -> Void) {
        weights.withUnsafeBufferPointer { weights in
            sums.withUnsafeBufferPointer { sums in
                scales.withUnsafeBufferPointer { scales in
                    biases.withUnsafeBufferPointer { biases in
                        guard let weights = weights.baseAddress, let sums = sums.baseAddress,
                            let scales = scales.baseAddress, let biases = biases.baseAddress
                        else { return }
                        body(
                            clinenetwork_byte_dense(
                                inputs: Int32(inputs), outputs: Int32(outputs), weights: weights, sums: sums,
                                scales: scales, biases: biases))
                    }
                }
            }
        }
    }

    /// Applies this layer, GELU and `second` at each place of a map; adds the map itself if as many channels come out
    /// as go in.
    func mixed(with second: ByteDense, _ input: LineMap, in work: LineWorkspace) -> LineMap {
        precondition(input.channels == inputs && second.inputs == outputs)
        return LineMap(height: input.height, width: input.width, channels: second.outputs) { output in
            withLayer { first in
                second.withLayer { second in
                    input.read {
                        clinenetwork_mix(
                            first, second, second.outputs == first.inputs, work.kernel, $0,
                            Int32(input.places), output, work.scratch)
                    }
                }
            }
        }
    }
}

/// Fills up numbers of outputs with zeros to whole blocks.
private func inBlocks(_ numbers: [Float]) -> [Float] {
    let block = Int(CLINENETWORK_BLOCK)
    return numbers + [Float](repeating: 0, count: (block - numbers.count % block) % block)
}

/// Weighs each channel of a place with the same channel of the places around it.
struct Depthwise: Sendable {
    /// In the order row, column, channel.
    let weights: [Float]
    let biases: [Float]

    /// - Parameters:
    ///   - rows: rows of the window; its columns follow from the weights.
    ///   - stride: one of this many rows of the input is kept.
    ///   - columnStride: one of this many columns is kept.
    func callAsFunction(
        _ input: LineMap, rows: Int, stride: Int = 1, columnStride: Int = 1, in work: LineWorkspace
    ) -> LineMap {
        precondition(input.channels == biases.count)
        let columns = weights.count / biases.count / rows
        let height = (input.height - 1) / stride + 1
        let width = (input.width - 1) / columnStride + 1
        return LineMap(height: height, width: width, channels: input.channels) { output in
            weights.withUnsafeBufferPointer { weights in
                biases.withUnsafeBufferPointer { biases in
                    guard let weights = weights.baseAddress, let biases = biases.baseAddress else { return }
                    input.read {
                        clinenetwork_depthwise(
                            weights, biases, Int32(rows), Int32(columns), Int32(stride),
                            Int32(columnStride), work.kernel, $0,
                            Int32(input.height), Int32(input.width), Int32(input.channels), output)
                    }
                }
            }
        }
    }
}

/// Multiplies each channel of a map by a factor that depends on the means of all channels.
struct Gate: Sendable {
    let narrow: Dense
    let wide: Dense

    /// Multiplies each channel by its factor.
    /// - Parameter least: the smallest possible factor; the greatest is 1 higher.
    func apply(to map: inout LineMap, from least: Float = 0, in work: LineWorkspace) {
        let (places, channels) = (Int32(map.places), Int32(map.channels))
        let means = LineMap(height: 1, width: 1, channels: map.channels) { means in
            map.read { clinenetwork_means($0, places, channels, means) }
        }
        var factors = wide(narrow(means, CLINENETWORK_RELU, in: work), CLINENETWORK_GATE, in: work)
        if least != 0 { for index in factors.numbers.indices { factors.numbers[index] += least } }
        factors.read { factors in map.change { clinenetwork_scale($0, places, channels, factors) } }
    }
}

/// Brings a place's channels to mean 0 and variance 1, then scales and shifts them.
struct Norm: Sendable {
    let gains: [Float]
    let shifts: [Float]

    func callAsFunction(_ input: LineMap) -> LineMap {
        precondition(input.channels == gains.count)
        return LineMap(height: input.height, width: input.width, channels: input.channels) { output in
            gains.withUnsafeBufferPointer { gains in
                shifts.withUnsafeBufferPointer { shifts in
                    guard let gains = gains.baseAddress, let shifts = shifts.baseAddress else { return }
                    input.read {
                        clinenetwork_normalize(
                            $0, Int32(input.places), Int32(input.channels), gains, shifts, output)
                    }
                }
            }
        }
    }
}

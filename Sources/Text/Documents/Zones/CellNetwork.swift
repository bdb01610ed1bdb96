import CZoneNetwork
import CZoneTables
import Diagnostics
import Platform
import Imaging

/// Tells which character of a zone is at each place along a strip of print, or that there is none.
///
/// A strip is 26 pixels high and has 16 pixels per character. Four convolutions (3 x 3, no padding, ReLU, the first two followed
/// by 2 x 2 max pooling) and a last one (1 x 1) leave one row with a column every four pixels: the logits of the alphabet, and
/// of "no character is centred here". The 37 thousand weights of 8 bits were trained on drawn OCR-B by `Training/Zones`.
struct CellNetwork {
    /// Distance between characters along a strip, in pixels.
    static let pitch = 16
    /// Rows of a strip.
    static let height = 26
    /// Distance between outputs along a strip, in columns.
    static let step = 4
    /// The column of the first output's centre.
    static let firstMiddle = 12.5
    /// Width, in columns, of the window over which a strip is normalized.
    static let window = 64
    /// Added to the deviation, in grey levels, so that noise on blank paper is not amplified; as in training.
    static let quiet: Float = 4

    static let magic = Array("MRZCELLS".utf8)
    static let version = 1
    /// Largest number of outputs of a layer: more than any useful network has, and small enough to keep sizes from overflowing.
    static let maximumWidth = 256

    /// The built-in network; nil only if its weights do not match this program, which a test rules out.
    static let shared = try? CellNetwork(
        UnsafeRawBufferPointer(start: czonetables_cells(), count: czonetables_cells_size()))

    struct Layer {
        let outputs: Int
        let inputs: Int
        let side: Int
        /// As the kernel takes them: for each block of outputs their biases, then their weights by input and place of the window.
        let blocks: [Float]

        /// - Parameter weights: by output, input, row and column.
        init(outputs: Int, inputs: Int, side: Int, weights: [Float], biases: [Float]) {
            self.outputs = outputs
            self.inputs = inputs
            self.side = side
            let width = Int(CZONENETWORK_BLOCK)
            let each = inputs * side * side
            blocks = stride(from: 0, to: outputs, by: width).flatMap { first in
                let some = (first..<first + width).map { $0 < outputs ? $0 : nil }
                return some.map { $0.map { biases[$0] } ?? 0 }
                    + (0..<each).flatMap { place in some.map { $0.map { weights[$0 * each + place] } ?? 0 } }
            }
        }
    }

    let layers: [Layer]

    /// Reads a weights file: magic, version, number of layers; then for each layer its outputs, inputs and side, float32 scales
    /// and biases of the outputs, and 8-bit weights; all little endian.
    init(_ file: UnsafeRawBufferPointer) throws(FlatteningError) {
        var offset = 0
        func take(_ count: Int) throws(FlatteningError) -> UnsafeRawBufferPointer {
            guard count <= file.count - offset else { throw Self.broken("the cells' weights end early") }
            defer { offset += count }
            return UnsafeRawBufferPointer(rebasing: file[offset..<offset + count])
        }
        func number() throws(FlatteningError) -> Int {
            Int(UInt32(littleEndian: try take(4).loadUnaligned(as: UInt32.self)))
        }
        func floats(_ count: Int) throws(FlatteningError) -> [Float] {
            let bytes = try take(4 * count)
            let values = (0..<count).map {
                Float(
                    bitPattern: UInt32(
                        littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
            }
            guard values.allSatisfy(\.isFinite) else { throw Self.broken("a cell's weight is no number") }
            return values
        }
        guard try take(Self.magic.count).elementsEqual(Self.magic), try number() == Self.version else {
            throw Self.broken("this is no file of cells' weights")
        }
        let count = try number()
        let sides = [3, 3, 3, 3, 1]
        guard count == sides.count else { throw Self.broken("the cells' weights are for another network") }
        var inputs = 1
        var layers: [Layer] = []
        for side in sides {
            let outputs = try number()
            guard try number() == inputs, try number() == side, outputs <= Self.maximumWidth else {
                throw Self.broken("the cells' weights are for another network")
            }
            let scales = try floats(outputs)
            let biases = try floats(outputs)
            let each = inputs * side * side
            let bytes = try take(outputs * each)
            let weights = bytes.enumerated().map {
                Float(Int8(bitPattern: $0.element)) * scales[$0.offset / each]
            }
            layers.append(
                Layer(outputs: outputs, inputs: inputs, side: side, weights: weights, biases: biases))
            inputs = outputs
        }
        guard inputs == ZoneAlphabet.count + 1, offset == file.count else {
            throw Self.broken("the cells' weights are for another alphabet")
        }
        self.layers = layers
    }

    private static func broken(_ message: String) -> FlatteningError {
        FlatteningError(.badInput, message, stage: .network)
    }

    /// Reads a strip. Takes 40 thousand multiplications per column.
    /// - Precondition: the strip is 26 pixels high and at least as wide.
    func readings(of strip: Raster<Float>) -> CellReadings {
        precondition(strip.height == Self.height && strip.width >= Self.height, "the strip is too small")
        var planes = Planes(normalized: strip)
        for (index, layer) in layers.enumerated() {
            planes = planes.convolved(by: layer, isRectified: index < layers.count - 1)
            if index < 2 { planes = planes.pooled() }
        }
        return CellReadings(logits: planes)
    }

    /// Normalizes a strip: subtracts each pixel from the mean of the surrounding columns and divides by their deviation.
    static func normalized(_ strip: Raster<Float>) -> [Float] {
        let (width, height) = (strip.width, strip.height)
        var sums = [Float](repeating: 0, count: width)
        var squares = sums
        for y in 0..<height {
            for x in 0..<width {
                let value = strip.elements[y * width + x]
                sums[x] += value
                squares[x] += value * value
            }
        }
        var result = strip.elements
        for x in 0..<width {
            let columns = max(x - window / 2, 0)..<min(x + window / 2, width)
            var (sum, square): (Float, Float) = (0, 0)
            for column in columns {
                sum += sums[column]
                square += squares[column]
            }
            let count = Float(columns.count * height)
            let mean = sum / count
            let deviation = max(square / count - mean * mean, 0).squareRoot() + quiet
            for y in 0..<height { result[y * width + x] = (mean - result[y * width + x]) / deviation }
        }
        return result
    }

    /// The channels of an image, one after the other. Rows are `pitch` apart, and what lies beyond their width means nothing.
    struct Planes {
        let channels: Int
        let height: Int
        let width: Int
        let pitch: Int
        /// As many numbers more as the kernel reads beyond the last row.
        var values: [Float]

        init(channels: Int, height: Int, width: Int) {
            let step = Int(CZONENETWORK_COLUMNS)
            self.channels = channels
            self.height = height
            self.width = width
            pitch = (width + step - 1) / step * step
            values = [Float](repeating: 0, count: channels * height * pitch + step)
        }

        init(normalized strip: Raster<Float>) {
            self.init(channels: 1, height: strip.height, width: strip.width)
            let normalized = CellNetwork.normalized(strip)
            for y in 0..<height {
                values.replaceSubrange(
                    y * pitch..<y * pitch + width, with: normalized[y * width..<(y + 1) * width])
            }
        }

        /// Applies a layer's convolution without padding; negative values become 0 if `isRectified`.
        func convolved(
            by layer: Layer, isRectified: Bool, kernel: ZoneKernel = .preferred
        ) -> Planes {
            precondition(
                layer.inputs == channels && min(width, height) >= layer.side, "the planes are too few")
            var result = Planes(
                channels: layer.outputs, height: height - layer.side + 1, width: width - layer.side + 1)
            let to = result.shape
            // The kernel trusts the sizes, which stand on the precondition and the initializers.
            result.values.withUnsafeMutableBufferPointer { output in
                values.withUnsafeBufferPointer { input in
                    layer.blocks.withUnsafeBufferPointer { weights in
                        guard let output = output.baseAddress, let input = input.baseAddress,
                            let weights = weights.baseAddress
                        else { return }
                        czonenetwork_convolve(
                            shape, input, weights, Int32(layer.side), isRectified, kernel == .avx2, to, output
                        )
                    }
                }
            }
            return result
        }

        private var shape: czonenetwork_planes {
            .init(count: Int32(channels), height: Int32(height), pitch: Int32(pitch))
        }

        /// Returns the largest value of each 2 x 2 block; an odd last row or column is dropped.
        func pooled() -> Planes {
            var result = Planes(channels: channels, height: height / 2, width: width / 2)
            let (height, rows, columns, step) = (height, result.height, result.width, result.pitch)
            result.values.withUnsafeMutableBufferPointer { output in
                values.withUnsafeBufferPointer { values in
                    for channel in 0..<channels {
                        for y in 0..<rows {
                            let upper = (channel * height + 2 * y) * pitch
                            let lower = upper + pitch
                            let start = (channel * rows + y) * step
                            for x in 0..<columns {
                                output[start + x] = max(
                                    max(values[upper + 2 * x], values[upper + 2 * x + 1]),
                                    max(values[lower + 2 * x], values[lower + 2 * x + 1]))
                            }
                        }
                    }
                }
            }
            return result
        }
    }
}

/// Which of the two kernels computes the sums; both give the same bits.
enum ZoneKernel: Sendable {
    /// Plain C, on every processor: vectors of four numbers.
    case baseline
    /// AVX2: vectors of eight.
    case avx2

    /// The fastest that this processor has.
    static let preferred: ZoneKernel = czonenetwork_has_avx2() ? .avx2 : .baseline

    /// The kernels that run on this processor.
    static var available: [ZoneKernel] { czonenetwork_has_avx2() ? [.baseline, .avx2] : [.baseline] }
}

/// The network's output along a strip: logarithms of probabilities, a column every four pixels.
struct CellReadings {
    let count: Int
    /// For each column, the log-probability of each character, given that there is one.
    let characters: [[Float]]
    /// The log-odds (natural logarithm) that there is a character, limited to `bound` either way.
    let presence: [Float]

    /// Limit of the log-odds, so that one very certain cell does not outweigh the others of its row.
    static let bound: Float = 6

    init(logits: CellNetwork.Planes) {
        let columns = logits.width
        count = columns
        var characters: [[Float]] = []
        var presence: [Float] = []
        characters.reserveCapacity(columns)
        for x in 0..<columns {
            var values = (0..<ZoneAlphabet.count).map { logits.values[$0 * logits.pitch + x] }
            let off = logits.values[ZoneAlphabet.count * logits.pitch + x]
            let most = values.max() ?? 0
            let sum = most + log(values.reduce(0) { $0 + exp($1 - most) })
            for index in values.indices { values[index] -= sum }
            characters.append(values)
            presence.append(min(max(sum - off, -Self.bound), Self.bound))
        }
        self.characters = characters
        self.presence = presence
    }
}

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
        /// Ordered by output, input, row and column.
        let weights: [Float]
        let biases: [Float]
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
        var planes = Planes(
            channels: 1, height: strip.height, width: strip.width, values: Self.normalized(strip))
        for (index, layer) in layers.enumerated() {
            planes = planes.convolved(by: layer, cutsOff: index < layers.count - 1)
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

    /// The channels of an image, one after the other.
    struct Planes {
        let channels: Int
        let height: Int
        let width: Int
        var values: [Float]

        /// Applies a layer's convolution without padding; negative values are set to 0 if `cutsOff` is true.
        func convolved(by layer: Layer, cutsOff: Bool) -> Planes {
            let side = layer.side
            let (rows, columns) = (height - side + 1, width - side + 1)
            let (height, width) = (height, width)
            let values = [Float](unsafeUninitializedCapacity: layer.outputs * rows * columns) {
                output, count in
                count = layer.outputs * rows * columns
                guard let output = output.baseAddress else { return }
                self.values.withUnsafeBufferPointer { input in
                    guard let input = input.baseAddress else { return }
                    layer.weights.withUnsafeBufferPointer { weights in
                        for channel in 0..<layer.outputs {
                            for y in 0..<rows {
                                let line = output + (channel * rows + y) * columns
                                line.initialize(repeating: layer.biases[channel], count: columns)
                                var weight = channel * layer.inputs * side * side
                                for source in 0..<layer.inputs {
                                    for row in 0..<side {
                                        let start = (source * height + y + row) * width
                                        for column in 0..<side {
                                            let factor = weights[weight]
                                            weight += 1
                                            // Without a sum in the index, the compiler vectorizes this loop.
                                            let from = input + start + column
                                            for x in 0..<columns { line[x] += factor * from[x] }
                                        }
                                    }
                                }
                                if cutsOff { for x in 0..<columns { line[x] = max(line[x], 0) } }
                            }
                        }
                    }
                }
            }
            return Planes(channels: layer.outputs, height: rows, width: columns, values: values)
        }

        /// Returns the largest value of each 2 x 2 block; an odd last row or column is dropped.
        func pooled() -> Planes {
            let (rows, columns) = (height / 2, width / 2)
            var result = [Float](repeating: 0, count: channels * rows * columns)
            values.withUnsafeBufferPointer { values in
                for channel in 0..<channels {
                    for y in 0..<rows {
                        let upper = (channel * height + 2 * y) * width
                        let lower = upper + width
                        let start = (channel * rows + y) * columns
                        for x in 0..<columns {
                            result[start + x] = max(
                                max(values[upper + 2 * x], values[upper + 2 * x + 1]),
                                max(values[lower + 2 * x], values[lower + 2 * x + 1]))
                        }
                    }
                }
            }
            return Planes(channels: channels, height: rows, width: columns, values: result)
        }
    }
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
            var values = (0..<ZoneAlphabet.count).map { logits.values[$0 * columns + x] }
            let off = logits.values[ZoneAlphabet.count * columns + x]
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

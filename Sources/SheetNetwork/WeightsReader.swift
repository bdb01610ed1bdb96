internal import Diagnostics
internal import Imaging

/// Takes a weights file apart, layer after layer.
struct WeightsReader {
    static let magic = Array("SHEETNET".utf8)
    static let version = 1
    static let levels = 5
    /// More than any network that is worth its time; keeps sizes from overflowing.
    static let maximumWidth = 512
    static let maximumBlocks = 16

    let widths: [Int]
    let blocks: [Int]
    private let file: UnsafeRawBufferPointer
    private var offset: Int

    /// Reads the head.
    init(_ file: UnsafeRawBufferPointer) throws(FlatteningError) {
        self.file = file
        let numbers = 2 + Self.levels + Self.levels - 1
        offset = Self.magic.count + 4 * numbers
        guard file.starts(with: Self.magic) else {
            throw Self.broken("this is no file of network weights", allowed: "\"SHEETNET\" at its start")
        }
        guard file.count >= offset else { throw Self.short(file.count, allowed: "at least \(offset) bytes") }
        let head = (0..<numbers).map { index in
            Int(
                UInt32(
                    littleEndian: file.loadUnaligned(
                        fromByteOffset: Self.magic.count + 4 * index, as: UInt32.self)))
        }
        guard head[0] == Self.version else {
            throw FlatteningError(
                .unsupported, "the network's weights are of another version", stage: .network,
                seen: "\(head[0])", allowed: "\(Self.version)")
        }
        guard head[1] == Self.levels else {
            throw Self.broken(
                "the network has another number of levels", seen: "\(head[1])", allowed: "\(Self.levels)")
        }
        widths = Array(head[2..<2 + Self.levels])
        blocks = Array(head[(2 + Self.levels)...])
        guard widths.allSatisfy({ (1...Self.maximumWidth).contains($0) }) else {
            throw Self.broken(
                "a level of the network has an impossible width", seen: "\(widths)",
                allowed: "1 to \(Self.maximumWidth)")
        }
        guard blocks.allSatisfy({ $0 <= Self.maximumBlocks }) else {
            throw Self.broken(
                "a level of the network has too many blocks", seen: "\(blocks)",
                allowed: "0 to \(Self.maximumBlocks)")
        }
    }

    /// The next layer, a convolution.
    mutating func convolution(
        _ window: Convolution.Window, from inputs: Int, to outputs: Int
    ) throws(FlatteningError) -> Convolution {
        let weights = try numbers(outputs * inputs * window.count)
        return Convolution(
            window: window, inputs: inputs, outputs: outputs, weights: weights, biases: try numbers(outputs))
    }

    /// The next layer, a linear one.
    mutating func linear(from inputs: Int, to outputs: Int) throws(FlatteningError) -> Linear {
        let weights = try numbers(outputs * inputs)
        return Linear(inputs: inputs, outputs: outputs, weights: weights, biases: try numbers(outputs))
    }

    /// Refuses a file that goes on after the last layer.
    func finish() throws(FlatteningError) {
        guard offset == file.count else { throw Self.short(file.count, allowed: "\(offset) bytes") }
    }

    private mutating func numbers(_ count: Int) throws(FlatteningError) -> [Float] {
        guard file.count - offset >= 2 * count else {
            throw Self.short(file.count, allowed: "at least \(offset + 2 * count) bytes")
        }
        let bytes = UnsafeRawBufferPointer(rebasing: file[offset..<offset + 2 * count])
        offset += 2 * count
        let numbers = [Float](unsafeUninitializedCapacity: count) { numbers, initialized in
            for index in 0..<count {
                let half = bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
                numbers.initializeElement(at: index, to: SmallFloat.float(half: UInt16(littleEndian: half)))
            }
            initialized = count
        }
        guard numbers.allSatisfy(\.isFinite) else {
            throw Self.broken("a weight of the network is no number", allowed: "finite numbers")
        }
        return numbers
    }

    private static func broken(_ message: String, seen: String? = nil, allowed: String) -> FlatteningError {
        FlatteningError(.badInput, message, stage: .network, seen: seen, allowed: allowed)
    }

    private static func short(_ count: Int, allowed: String) -> FlatteningError {
        broken(
            "the network's weights have another length than their head says", seen: "\(count) bytes",
            allowed: allowed)
    }
}

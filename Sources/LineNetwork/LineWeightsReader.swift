internal import Diagnostics
internal import Imaging

/// Takes a weights file apart, layer after layer.
struct LineWeightsReader {
    static let magic = Array("LINENETW".utf8)
    static let version = 1
    /// More than there are in Latin text; keeps sizes from overflowing.
    static let mostCharacters = 4096

    let characters: [String]
    private let file: UnsafeRawBufferPointer
    private var offset: Int

    /// Reads the head and the characters.
    init(_ file: UnsafeRawBufferPointer) throws(FlatteningError) {
        self.file = file
        offset = Self.magic.count + 12
        guard file.starts(with: Self.magic) else {
            throw Self.broken("this is no file of the reader's weights", allowed: "\"LINENETW\" at its start")
        }
        guard file.count >= offset else { throw Self.short(file.count, allowed: "at least \(offset) bytes") }
        let head = (0..<3).map { index in
            Int(
                UInt32(
                    littleEndian: file.loadUnaligned(
                        fromByteOffset: Self.magic.count + 4 * index, as: UInt32.self)))
        }
        guard head[0] == Self.version else {
            throw FlatteningError(
                .unsupported, "the reader's weights are of another version", stage: .text,
                seen: "\(head[0])", allowed: "\(Self.version)")
        }
        let (count, bytes) = (head[1], head[2])
        guard count <= Self.mostCharacters, file.count - offset >= bytes else {
            throw Self.short(
                file.count, allowed: "at least \(offset + bytes) bytes, \(Self.mostCharacters) characters")
        }
        characters = String(decoding: file[offset..<offset + bytes], as: UTF8.self).split(separator: "\n")
            .map(String.init)
        guard characters.count == count else {
            throw Self.broken(
                "the reader's weights hold another number of characters", seen: "\(characters.count)",
                allowed: "\(count)")
        }
        offset += bytes
    }

    /// The next layer, which weighs all inputs.
    mutating func dense(_ inputs: Int, to outputs: Int) throws(FlatteningError) -> Dense {
        let numbers = try take(8 * outputs)
        let (scales, biases) = (0..<outputs).reduce(into: ([Float](), [Float]())) { pairs, output in
            pairs.0.append(Self.float(numbers, 2 * output))
            pairs.1.append(Self.float(numbers, 2 * output + 1))
        }
        guard scales.allSatisfy(\.isFinite), biases.allSatisfy(\.isFinite) else { throw Self.noNumber }
        return Dense(
            inputs: inputs, packed: try take(Dense.packedBytes(inputs * outputs)), scales: scales,
            biases: biases)
    }

    /// The next layer, which weighs each channel with its neighbours.
    mutating func depthwise(places: Int, channels: Int) throws(FlatteningError) -> Depthwise {
        let weights = try halves(places * channels)
        return Depthwise(weights: weights, biases: try halves(channels))
    }

    /// The next layer, a norm.
    mutating func norm(_ channels: Int) throws(FlatteningError) -> Norm {
        let gains = try halves(channels)
        return Norm(gains: gains, shifts: try halves(channels))
    }

    /// Refuses a file that goes on after the last layer.
    func finish() throws(FlatteningError) {
        guard offset == file.count else { throw Self.short(file.count, allowed: "\(offset) bytes") }
    }

    private mutating func take(_ count: Int) throws(FlatteningError) -> UnsafeRawBufferPointer {
        guard file.count - offset >= count else {
            throw Self.short(file.count, allowed: "at least \(offset + count) bytes")
        }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: file[offset..<offset + count])
    }

    private mutating func halves(_ count: Int) throws(FlatteningError) -> [Float] {
        let bytes = try take(2 * count)
        let numbers = (0..<count).map { index in
            SmallFloat.float(
                half: UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)))
        }
        guard numbers.allSatisfy(\.isFinite) else { throw Self.noNumber }
        return numbers
    }

    private static func float(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Float {
        Float(
            bitPattern: UInt32(
                littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)))
    }

    private static var noNumber: FlatteningError {
        broken("a weight of the reader is no number", allowed: "finite numbers")
    }

    private static func broken(_ message: String, seen: String? = nil, allowed: String) -> FlatteningError {
        FlatteningError(.badInput, message, stage: .text, seen: seen, allowed: allowed)
    }

    private static func short(_ count: Int, allowed: String) -> FlatteningError {
        broken(
            "the reader's weights have another length than their head says", seen: "\(count) bytes",
            allowed: allowed)
    }
}

package import Diagnostics

/// A file of a network's weights, read from start to end: eight letters, a version, then the data for the network's layers.
package struct WeightsFile {
    private let file: UnsafeRawBufferPointer
    private var offset = 0
    /// The name of the network in messages: "network".
    private let owner: String
    private let stage: FlatteningError.Stage

    /// - Parameters:
    ///   - letters: the letters that the file must begin with.
    ///   - version: the supported version.
    ///   - owner: the name of the network in messages.
    /// - Throws: `.badInput` for another file, `.unsupported` for another version.
    package init(
        _ file: UnsafeRawBufferPointer, letters: String, version: Int, owner: String,
        stage: FlatteningError.Stage
    ) throws(FlatteningError) {
        (self.file, self.owner, self.stage) = (file, owner, stage)
        guard file.starts(with: letters.utf8) else {
            throw broken("this is no file of the \(owner)'s weights", allowed: "\"\(letters)\" at its start")
        }
        offset = letters.utf8.count
        let found = try integers(1)[0]
        guard found == version else {
            throw FlatteningError(
                .unsupported, "the \(owner)'s weights are of another version", stage: stage, seen: "\(found)",
                allowed: "\(version)")
        }
    }

    /// The next bytes.
    package mutating func bytes(_ count: Int) throws(FlatteningError) -> UnsafeRawBufferPointer {
        guard file.count - offset >= count else { throw short(allowed: "at least \(offset + count) bytes") }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: file[offset..<offset + count])
    }

    /// Reads the next 32-bit unsigned numbers.
    package mutating func integers(_ count: Int) throws(FlatteningError) -> [Int] {
        let bytes = try bytes(4 * count)
        return (0..<count).map { Int(Self.bits(bytes, $0)) }
    }

    /// Reads the next 32-bit IEEE numbers, all finite.
    package mutating func floats(_ count: Int) throws(FlatteningError) -> [Float] {
        let bytes = try bytes(4 * count)
        return try finite((0..<count).map { Float(bitPattern: Self.bits(bytes, $0)) })
    }

    /// Reads the next 16-bit IEEE numbers, all finite.
    package mutating func halves(_ count: Int) throws(FlatteningError) -> [Float] {
        let bytes = try bytes(2 * count)
        return try finite(
            [Float](unsafeUninitializedCapacity: count) { numbers, initialized in
                for index in 0..<count {
                    let half = bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
                    numbers.initializeElement(
                        at: index, to: SmallFloat.float(half: UInt16(littleEndian: half)))
                }
                initialized = count
            })
    }

    /// Refuses a file with data after the last layer.
    package func finish() throws(FlatteningError) {
        guard offset == file.count else { throw short(allowed: "\(offset) bytes") }
    }

    /// Creates the error that a network throws for an invalid file of its own.
    package func broken(_ message: String, seen: String? = nil, allowed: String) -> FlatteningError {
        FlatteningError(.badInput, message, stage: stage, seen: seen, allowed: allowed)
    }

    private func short(allowed: String) -> FlatteningError {
        broken(
            "the \(owner)'s weights have another length than their head says", seen: "\(file.count) bytes",
            allowed: allowed)
    }

    private func finite(_ numbers: [Float]) throws(FlatteningError) -> [Float] {
        guard numbers.allSatisfy(\.isFinite) else {
            throw broken("a weight of the \(owner) is no number", allowed: "finite numbers")
        }
        return numbers
    }

    private static func bits(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
    }
}

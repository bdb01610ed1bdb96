package import Diagnostics

/// A decoder for Apple's LZFSE compression.
///
/// The format is defined only by Apple's reference implementation (github.com/lzfse/lzfse, BSD 3-Clause, lzfse_internal.h and
/// lzvn_decode_base.c): blocks that begin with "bvx-" (stored), "bvxn" (LZVN), "bvx2" (LZ77 with finite-state entropy coding;
/// Duda, arXiv:1311.2540) and "bvx$" (the end). This decoder is new code that checks every index; no stream can make it read
/// or write outside its buffers.
package enum LZFSE {
    /// Unpacks a stream.
    /// - Parameter count: the number of bytes that must result; a block that declares more is refused at once.
    /// - Throws: `.badInput` for a stream that is broken or has another length.
    /// - Complexity: O(bytes).
    package static func decompress(_ stream: [UInt8], count: Int) throws(FlatteningError) -> [UInt8] {
        var input = LZFSEInput(bytes: stream)
        var output: [UInt8] = []
        output.reserveCapacity(count)
        while true {
            let magic = try input.word32()
            if magic == Magic.end { break }
            let raw = Int(try input.word32())
            guard raw <= count - output.count else {
                throw LZFSEInput.failure(
                    "the stream holds more than it should", seen: "\(output.count + raw) bytes")
            }
            let end = output.count + raw
            switch magic {
            case Magic.stored:
                output.append(contentsOf: try input.take(raw))
            case Magic.lzvn:
                let payload = try input.take(Int(try input.word32()))
                try LZVNBlock.decode(payload, into: &output, end: end)
            case Magic.entropyCoded:
                // Tables are built for each block, so an empty block would only cost time.
                guard raw > 0 else { throw LZFSEInput.failure("a block holds nothing") }
                try EntropyCodedBlock.decode(&input, into: &output, end: end)
            default:
                throw LZFSEInput.failure("a block is of no known kind", seen: "0x" + String(magic, radix: 16))
            }
            guard output.count == end else {
                throw LZFSEInput.failure("a block is not as long as it says")
            }
        }
        guard output.count == count else {
            throw LZFSEInput.failure(
                "the stream is not as long as it should be", seen: "\(output.count) bytes",
                allowed: "\(count) bytes")
        }
        return output
    }

    private enum Magic {
        static let stored: UInt32 = 0x2d78_7662
        static let lzvn: UInt32 = 0x6e78_7662
        static let entropyCoded: UInt32 = 0x3278_7662
        static let end: UInt32 = 0x2478_7662
    }

    /// Appends `length` bytes copied from `distance` bytes back. The two ranges may overlap, which repeats the bytes.
    static func copy(
        _ length: Int, from distance: Int, in output: inout [UInt8], end: Int
    ) throws(FlatteningError) {
        guard distance > 0, distance <= output.count, length <= end - output.count else {
            throw LZFSEInput.failure("a match lies outside the data")
        }
        let start = output.count - distance
        for index in 0..<length { output.append(output[start + index]) }
    }
}

/// A stream read from its start, little-endian.
struct LZFSEInput {
    private let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func word32() throws(FlatteningError) -> UInt32 {
        try take(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func word64() throws(FlatteningError) -> UInt64 {
        try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func take(_ count: Int) throws(FlatteningError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - position else {
            throw Self.failure("the stream ends too early")
        }
        defer { position += count }
        return bytes[position..<(position + count)]
    }

    static func failure(
        _ message: String, seen: String? = nil, allowed: String? = nil
    ) -> FlatteningError {
        FlatteningError(.badInput, message, stage: .lzfse, seen: seen, allowed: allowed)
    }
}

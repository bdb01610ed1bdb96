internal import Foundation
internal import ImageFiles
package import Imaging

/// The Secure Hash Algorithm with 256 bits (FIPS 180-4), fed piece by piece. Some 200 MB/s.
package struct SHA256: Sendable {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
        0x5be0_cd19,
    ]
    /// What does not fill a block yet.
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0

    private static let blockBytes = 64

    package init() {}

    /// Takes in more bytes.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        pending.append(contentsOf: bytes)
        consumeBlocks()
    }

    /// Takes in a string's UTF-8 and a zero byte, so that two strings in a row are not the same as one.
    package mutating func update(_ text: String) {
        update(text.utf8)
        update([0])
    }

    /// The hash of all that was taken in, as 64 hexadecimal digits.
    package func digest() -> String {
        var last = self
        last.pending.append(0x80)
        while last.pending.count % Self.blockBytes != 56 { last.pending.append(0) }
        let bits = (byteCount + UInt64(pending.count)) &* 8
        last.pending.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
        last.consumeBlocks()
        return last.state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// The hash of a regular file's content; its size is not limited, its memory is. Never waits for a pipe.
    package static func digest(ofFile path: String) throws(FlatteningError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw FileSystemError.last("the file cannot be opened", file: path, stage: "batch")
        }
        defer { close(descriptor) }
        return try digest(ofFile: descriptor, path: path)
    }

    /// The hash of a file that is open, from where it stands to its end.
    /// - Parameter path: what it is called in messages.
    static func digest(ofFile descriptor: Int32, path: String) throws(FlatteningError) -> String {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw FileSystemError.last("the file cannot be examined", file: path, stage: "batch")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FlatteningError(.fileAccess, "this is no regular file", file: path, stage: "batch")
        }
        var hash = SHA256()
        var failure: Int32 = 0
        while true {
            let piece = [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, filled in
                let got = read(descriptor, buffer.baseAddress, buffer.count)
                filled = max(got, 0)
                failure = got < 0 ? errno : 0
            }
            if failure == EINTR { continue }
            guard failure == 0 else {
                throw FileSystemError.make(failure, "the file cannot be read", file: path, stage: "batch")
            }
            if piece.isEmpty { return hash.digest() }
            hash.update(piece)
        }
    }

    private mutating func consumeBlocks() {
        let whole = pending.count / Self.blockBytes * Self.blockBytes
        guard whole > 0 else { return }
        pending.withUnsafeBufferPointer { bytes in
            state.withUnsafeMutableBufferPointer { state in
                for start in stride(from: 0, to: whole, by: Self.blockBytes) {
                    Self.compress(bytes[start..<start + Self.blockBytes], into: state)
                }
            }
        }
        pending.removeFirst(whole)
        byteCount += UInt64(whole)
    }

    private static func compress(
        _ block: Slice<UnsafeBufferPointer<UInt8>>, into state: UnsafeMutableBufferPointer<UInt32>
    ) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            var offset = block.startIndex
            for i in 0..<16 {
                schedule[i] =
                    UInt32(block[offset]) << 24 | UInt32(block[offset + 1]) << 16
                    | UInt32(block[offset + 2]) << 8 | UInt32(block[offset + 3])
                offset += 4
            }
            for i in 16..<64 {
                let (a, b) = (schedule[i - 15], schedule[i - 2])
                let s0 = turned(a, 7) ^ turned(a, 18) ^ (a >> 3)
                let s1 = turned(b, 17) ^ turned(b, 19) ^ (b >> 10)
                schedule[i] = schedule[i - 16] &+ s0 &+ schedule[i - 7] &+ s1
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            for i in 0..<64 {
                let choice = (e & f) ^ (~e & g)
                let first =
                    h &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ choice &+ constants[i]
                    &+ schedule[i]
                let majority = (a & b) ^ (a & c) ^ (b & c)
                let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ majority
                (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
            }
            for (i, word) in [a, b, c, d, e, f, g, h].enumerated() { state[i] = state[i] &+ word }
        }
    }

    private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
        0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7,
        0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc,
        0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351,
        0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e,
        0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585,
        0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f,
        0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
        0xc671_78f2,
    ]
}

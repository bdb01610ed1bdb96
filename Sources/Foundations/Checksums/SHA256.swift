package import Diagnostics
import LocalFiles
internal import Platform

/// The Secure Hash Algorithm with 256 bits (FIPS 180-4), fed piece by piece: from CryptoKit if available, else from the system's
/// libcrypto. About 2 GB/s with a processor's own instructions for it.
package struct SHA256: ~Copyable {
    private var state: DigestState

    /// Creates a hash without input.
    /// - Throws: `.missingDependency` without libcrypto, `.shortage` if memory or descriptors are short.
    package init() throws(FlatteningError) { state = try DigestState() }

    /// Adds bytes.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { unsafe state.update(.init($0)) }
        if isContiguous == nil { unsafe Array(bytes).withUnsafeBytes { unsafe state.update($0) } }
    }

    /// Adds a string's UTF-8 and a zero byte, so that two strings in a row differ from their concatenation.
    package mutating func update(_ text: String) {
        update(text.utf8)
        update([0])
    }

    /// Returns the hash of all input so far, as 64 hexadecimal digits. More input may follow.
    package borrowing func digest() -> String {
        state.digest().map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    /// Returns the hash of a single string, as `update` adds it.
    package static func digest(of text: String) throws(FlatteningError) -> String {
        var hash = try SHA256()
        hash.update(text)
        return hash.digest()
    }

    /// Returns the hash of a regular file's content, of any size in fixed memory. Never waits for a pipe.
    package static func digest(ofFile path: String) throws(FlatteningError) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw FileSystemError.last("the file cannot be opened", file: path, stage: .batch)
        }
        defer { close(descriptor) }
        return try digest(ofFile: descriptor, path: path)
    }

    /// Returns the hash of an open file, from its current position to its end.
    /// - Parameter path: the file's name in messages.
    package static func digest(ofFile descriptor: Int32, path: String) throws(FlatteningError) -> String {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw FileSystemError.last("the file cannot be examined", file: path, stage: .batch)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FlatteningError(.fileAccess, "this is no regular file", file: path, stage: .batch)
        }
        var hash = try SHA256()
        var failure: Int32 = 0
        while true {
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, filled in
                let got = unsafe read(descriptor, buffer.baseAddress, buffer.count)
                filled = max(got, 0)
                failure = got < 0 ? errno : 0
            }
            if failure == EINTR { continue }
            guard failure == 0 else {
                throw FileSystemError.make(failure, "the file cannot be read", file: path, stage: .batch)
            }
            if piece.isEmpty { return hash.digest() }
            hash.update(piece)
        }
    }
}

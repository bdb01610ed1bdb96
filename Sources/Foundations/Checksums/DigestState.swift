import Diagnostics
import RuntimeLibraries

#if canImport(CryptoKit)
    internal import CryptoKit
    internal import Foundation

    /// A SHA-256 computation in progress, by CryptoKit.
    struct DigestState: ~Copyable {
        private var hash = CryptoKit.SHA256()

        init() throws(FlatteningError) {}

        mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

        /// Returns the 32-byte hash of the input so far.
        borrowing func digest() -> [UInt8] { Array(hash.finalize()) }
    }
#else
    internal import CLibCrypto
    internal import RuntimeLibraries

    /// OpenSSL's libcrypto, found at run time.
    enum CryptoLibrary {
        static let shared = unsafe RuntimeLibrary<CLibCryptoFunctions, FlatteningError>(
            anyOf: LibraryFiles.named(linux: ["libcrypto.so.3", "libcrypto.so.1.1"], darwin: []),
            functions: FunctionNames(clibcrypto_function_names()),
            purpose: "libcrypto, which tells files apart,", stage: .batch, allowed: "OpenSSL 1.1 or 3",
            advice: "Install it: apt-get install libssl3 (libssl3t64 on Debian 13 and Ubuntu 24.04)")
    }

    /// A SHA-256 computation in progress, by libcrypto; its functions allocate no memory, so they cannot fail.
    struct DigestState: ~Copyable {
        private let crypto: CLibCryptoFunctions
        private var state = SHA256_CTX()

        init() throws(FlatteningError) {
            crypto = try CryptoLibrary.shared.load()
            _ = unsafe crypto.SHA256_Init(&state)
        }

        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            guard let start = bytes.baseAddress else { return }
            _ = unsafe crypto.SHA256_Update(&state, start, bytes.count)
        }

        /// Returns the 32-byte hash of the input so far.
        borrowing func digest() -> [UInt8] {
            var copy = state
            var bytes = [UInt8](repeating: 0, count: 32)
            _ = unsafe crypto.SHA256_Final(&bytes, &copy)
            return bytes
        }
    }
#endif

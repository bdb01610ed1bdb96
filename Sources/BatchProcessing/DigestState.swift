import Diagnostics
import RuntimeLibraries

#if canImport(CryptoKit)
    internal import CryptoKit
    internal import Foundation

    /// SHA-256 on its way, by CryptoKit.
    struct DigestState: ~Copyable {
        private var hash = CryptoKit.SHA256()

        init() throws(FlatteningError) {}

        mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

        /// The 32 bytes for what was taken in so far.
        borrowing func digest() throws(FlatteningError) -> [UInt8] { Array(hash.finalize()) }
    }
#else
    internal import CLibCrypto
    internal import RuntimeLibraries

    /// OpenSSL's libcrypto, found at run time.
    enum CryptoLibrary {
        static let shared = RuntimeLibrary<CLibCryptoFunctions, FlatteningError>(
            anyOf: LibraryFiles.named(linux: ["libcrypto.so.3", "libcrypto.so.1.1"], darwin: []),
            functions: FunctionNames(clibcrypto_function_names()),
            purpose: "libcrypto, which tells files apart,", stage: .batch, allowed: "OpenSSL 1.1 or 3",
            advice: "Install it: apt-get install libssl3 (libssl3t64 on Debian 13 and Ubuntu 24.04)",
            prepare: { crypto in
                // The system's configuration could bring other providers; none is needed.
                _ = crypto.OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
            })
    }

    /// SHA-256 on its way, by libcrypto.
    struct DigestState: ~Copyable {
        private let crypto: CLibCryptoFunctions
        private let context: OpaquePointer
        /// Whether all steps so far succeeded. libcrypto's own fail for want of memory only.
        private var isGood: Bool

        init() throws(FlatteningError) {
            let crypto = try CryptoLibrary.shared.load()
            guard let context = crypto.EVP_MD_CTX_new() else { throw Self.shortage }
            self.crypto = crypto
            self.context = context
            isGood = crypto.EVP_DigestInit_ex(context, crypto.EVP_sha256(), nil) == 1
        }

        deinit { crypto.EVP_MD_CTX_free(context) }

        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            guard let start = bytes.baseAddress, isGood else { return }
            isGood = crypto.EVP_DigestUpdate(context, start, bytes.count) == 1
        }

        /// The 32 bytes for what was taken in so far.
        /// - Throws: `.shortage` if a step failed.
        borrowing func digest() throws(FlatteningError) -> [UInt8] {
            guard isGood, let copy = crypto.EVP_MD_CTX_new() else { throw Self.shortage }
            defer { crypto.EVP_MD_CTX_free(copy) }
            var bytes = [UInt8](repeating: 0, count: 32)
            guard crypto.EVP_MD_CTX_copy_ex(copy, context) == 1,
                crypto.EVP_DigestFinal_ex(copy, &bytes, nil) == 1
            else { throw Self.shortage }
            return bytes
        }

        private static var shortage: FlatteningError {
            FlatteningError(
                .shortage, "memory is short for telling files apart", stage: .batch,
                advice: "Allow more (ulimit -v), or run fewer at once")
        }
    }
#endif

import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Checksums

/// The hash against the examples of FIPS 180-4 and of NIST's published vectors.
@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
                + "mnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func thePublishedExamplesHold(text: String, digest: String) throws {
        #expect(try self.digest(of: Array(text.utf8), pieces: [0]) == digest)
    }

    /// Of NIST's SHA256ShortMsg.rsp (CAVP).
    @Test(arguments: [
        ([0xD3], "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"),
        ([0x11, 0xAF], "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98"),
    ])
    func nistsShortMessagesHold(bytes: [UInt8], digest: String) throws {
        #expect(try self.digest(of: bytes, pieces: [0]) == digest)
    }

    /// The digest of bytes that are taken in in pieces, which begin at these places.
    private func digest(of bytes: [UInt8], pieces: [Int]) throws -> String {
        var hash = try SHA256()
        for (start, end) in zip(pieces, pieces.dropFirst() + [bytes.count]) {
            hash.update(bytes[start..<end])
        }
        return hash.digest()
    }

    @Test func piecesOfAnyLengthAreTheSameAsTheWhole() throws {
        // Around the ends of blocks of 64 bytes, and pieces that are empty.
        for count in [0, 1, 55, 56, 63, 64, 65, 128, 1000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let whole = try digest(of: bytes, pieces: [0])
            for length in [1, 7, 63, 64, 65] {
                let pieces = [0] + Array(stride(from: 0, to: count, by: length))
                #expect(try digest(of: bytes, pieces: pieces) == whole, "\(count) bytes by \(length)")
            }
        }
    }

    @Test func moreCanBeTakenInAfterADigest() throws {
        var hash = try SHA256()
        hash.update("ab".utf8)
        _ = hash.digest()
        hash.update("c".utf8)
        #expect(hash.digest() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    #if !canImport(CryptoKit)
        @Test(arguments: ["libcrypto-that-is-not-there.so", "libm.so.6"])
        func aMissingLibraryIsNamedWithHowToInstallIt(name: String) throws {
            let error = try #require(throws: FlatteningError.self) {
                _ = try CryptoLibrary.shared.open(anyOf: [name])
            }
            #expect(error.code == .missingDependency && error.detail?.contains(name) == true)
            #expect(error.advice?.contains("apt-get install libssl3") == true)
        }
    #endif

    @Test func aMillionLettersHoldToo() throws {
        var hash = try SHA256()
        // Pieces that fit no block, so that the rest is carried over each time.
        for _ in 0..<1000 { hash.update(repeatElement(UInt8(ascii: "a"), count: 1000)) }
        #expect(hash.digest() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func whereTwoStringsMeetMatters() throws {
        func digest(_ strings: [String]) throws -> String {
            var hash = try SHA256()
            for string in strings { hash.update(string) }
            return hash.digest()
        }
        #expect(try digest(["ab", "c"]) != digest(["a", "bc"]))
    }

    @Test(.timeLimit(.minutes(1)))
    func aFilesHashIsThatOfItsBytesAndOneThatCannotBeReadIsNamed() throws {
        let folder = try ScratchFolder()
        try folder.write("abc", as: "a.jpg")
        #expect(
            try SHA256.digest(ofFile: folder.path("a.jpg"))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        mkfifo(folder.path("pipe"), 0o600)
        for path in [folder.path("missing"), folder.path, folder.path("pipe"), "/dev/zero"] {
            let error = try #require(throws: FlatteningError.self) { try SHA256.digest(ofFile: path) }
            #expect(error.code == .fileAccess && error.file == path)
        }
    }
}

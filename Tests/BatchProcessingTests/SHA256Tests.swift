import Foundation
import Imaging
import Testing

@testable import BatchProcessing

/// The hash against the examples of FIPS 180-4 and of NIST's published vectors.
@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func thePublishedExamplesHold(text: String, digest: String) {
        var hash = SHA256()
        hash.update(text.utf8)
        #expect(hash.digest() == digest)
    }

    @Test func aMillionLettersHoldToo() {
        var hash = SHA256()
        // Pieces that fit no block, so that the rest is carried over each time.
        for _ in 0..<1000 { hash.update(repeatElement(UInt8(ascii: "a"), count: 1000)) }
        #expect(hash.digest() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func whereTwoStringsMeetMatters() {
        func digest(_ strings: [String]) -> String {
            var hash = SHA256()
            for string in strings { hash.update(string) }
            return hash.digest()
        }
        #expect(digest(["ab", "c"]) != digest(["a", "bc"]))
    }

    @Test(.timeLimit(.minutes(1)))
    func aFilesHashIsThatOfItsBytesAndOneThatCannotBeReadIsNamed() throws {
        let folder = try ScratchFolder()
        try folder.write("abc", to: "a.jpg")
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

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

    @Test func aCapturesHashIsThatOfItsFilesNotOfItsPlace() throws {
        let folder = try ScratchFolder()
        for name in ["a", "b"] {
            try folder.write("{}", to: name + "/capture.json")
            try folder.write("picture", to: name + "/image.jpg")
        }
        let first = try SHA256.digest(ofCapture: folder.path("a"))
        #expect(try SHA256.digest(ofCapture: folder.path("b")) == first)
        #expect(try SHA256.digest(ofCapture: folder.path("b/capture.json")) == first)
        try folder.write("another", to: "b/image.jpg")
        #expect(try SHA256.digest(ofCapture: folder.path("b")) != first)
        try FileManager.default.moveItem(atPath: folder.path("a/image.jpg"), toPath: folder.path("a/x.jpg"))
        #expect(try SHA256.digest(ofCapture: folder.path("a")) != first)
    }

    @Test func aLinkCountsAsWhatItSays() throws {
        let folder = try ScratchFolder()
        try folder.write("picture", to: "a/image.jpg")
        let without = try SHA256.digest(ofCapture: folder.path("a"))
        let link = folder.path("a/link")
        var seen = [without]
        for target in ["image.jpg", "nowhere"] {
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            seen.append(try SHA256.digest(ofCapture: folder.path("a")))
            try FileManager.default.removeItem(atPath: link)
        }
        #expect(Set(seen).count == 3)
        #expect(try SHA256.digest(ofCapture: folder.path("a")) == without)
    }

    @Test func aFilesHashIsThatOfItsBytesAndOneThatCannotBeReadIsNamed() throws {
        let folder = try ScratchFolder()
        try folder.write("abc", to: "a.jpg")
        #expect(
            try SHA256.digest(ofCapture: folder.path("a.jpg"))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        for path in [folder.path("missing"), folder.path] {
            let error = try #require(throws: FlatteningError.self) { try SHA256.digest(ofFile: path) }
            #expect(error.code == .fileAccess && error.file == path)
        }
    }
}

import Testing

@testable import ScalarText

/// What joins a delimiter to another Character: marks and joiners behind it, a prepended sign before it.
@Suite struct ScalarTextTests {
    private static let behind = ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{20DD}"]
    private static let before = "\u{600}"

    @Test(arguments: behind)
    func aDelimiterIsFoundWhateverStandsBesideIt(mark: String) {
        for text in ["a,\(mark)b", "a\(Self.before),b", "a\(Self.before),\(mark)b"] {
            #expect(!text.contains(","), "Swift sees another Character here")
            #expect(text.containsScalar(","))
            let parts = text.split(atScalar: ",").map { Array($0.unicodeScalars) }
            #expect(parts == text.unicodeScalars.split(separator: ",").map(Array.init))
            #expect(parts.count == 2)
            let place = text.firstIndex(ofScalar: ",")
            #expect(place == text.lastIndex(ofScalar: ","))
            #expect(place.map { text.unicodeScalars[$0] } == ",")
        }
        #expect("/\(mark)x".hasScalarPrefix("/") && !"/\(mark)x".hasScalarPrefix("\\"))
        #expect("x\(Self.before)/".hasScalarSuffix("/") && !"x/\(mark)".hasScalarSuffix("/"))
    }

    @Test(arguments: behind)
    func everyOneIsReplaced(mark: String) {
        let text = "\"\(mark)a\(Self.before)\"\"\(mark)"
        let replaced = text.replacingScalars("\"", with: "\"\"")
        #expect(Array(replaced.utf8) == text.utf8.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] })
    }

    @Test func whatIsReplacedMayBeLongerAndOverlapItself() {
        #expect("aaab".replacingScalars("aab", with: "-") == "a-")
        #expect("aaaa".replacingScalars("aa", with: "b") == "bb")
        #expect("abc".replacingScalars("x", with: "y") == "abc")
        #expect("".replacingScalars("x", with: "y") == "")
        #expect("a://b".firstRange(ofScalars: "://").map { "a://b"[$0] } == "://")
        #expect("a:/b".firstRange(ofScalars: "://") == nil)
        #expect("ab".firstRange(ofScalars: "abc") == nil)
    }

    @Test func emptyPartsStayWhereTheyAreAskedFor() {
        let text = "/a//b/"
        #expect(text.split(atScalar: "/") == ["a", "b"])
        #expect(text.split(atScalar: "/", omittingEmptySubsequences: false) == ["", "a", "", "b", ""])
        #expect(text.split(atScalar: "/", maxSplits: 1) == ["a", "/b/"])
        #expect(text.dropFirst().split(atScalar: "/", maxSplits: 1) == ["a", "/b/"])
    }

    @Test func partsOfTextAreTakenLikeWholeText() {
        let part = "x/a\u{301}/b".dropFirst(2)
        #expect(part.split(atScalar: "/") == ["a\u{301}", "b"])
        #expect(part.hasScalarPrefix("a") && !part.hasPrefix("a"))
        #expect(part.replacingScalars("/", with: "") == "a\u{301}b")
    }
}

import Testing

@testable import Captures

@Suite struct XMLTokenizerTests {
    /// The tokens in a short form: "text", <name attribute=value>, <name/> and </>.
    private func tokens(_ text: String) -> [String] {
        XMLTokenizer(Array(text.utf8)).map { token in
            switch token {
            case .text(let text): text
            case .closing: "</>"
            case .opening(let tag):
                "<" + ([tag.name] + tag.attributes.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
                    + (tag.isEmpty ? "/>" : ">")
            }
        }
    }

    @Test func tagsAndTextsComeInTheirOrderWithoutTheBlankBetweenThem() {
        #expect(
            tokens("<?x y?>\n<a b='1' c = \"2\" > t <d/>\n<e >u</e></a>")
                == ["<a b=1 c=2>", "t", "<d/>", "<e>", "u", "</>", "</>"])
    }

    @Test func commentsPartTextsAndAreLeftOut() {
        #expect(tokens("<a>1<!-- <b> -- > -->2</a>") == ["<a>", "1", "2", "</>"])
    }

    @Test func entitiesAreTheFiveOfXMLAndNumbers() {
        #expect(
            tokens("<a b='&lt;&gt;&amp;&quot;&apos;'>&#65;&#x42;&unknown;&#x110000;C &amp</a>")
                == ["<a b=<>&\"'>", "ABC &amp", "</>"])
    }

    @Test(arguments: [
        "<!DOCTYPE x>", "<b", "<b c", "<b c=", "<b c=1>", "<b c='1", "< >", "<!-- ", "<?x ", "</", "<",
    ])
    func whatIsBrokenEndsTheDocument(text: String) {
        // What follows is not read; the text before is, since a tag begins behind it.
        #expect(tokens("<a>t" + text) == ["<a>", "t"])
        #expect(tokens("<a>t" + text + "<c/>").prefix(2) == ["<a>", "t"])
        #expect(!tokens("<a>t" + text + " <c/>").contains("<c/>"))
    }

    @Test func textBehindTheLastTagIsNone() {
        #expect(tokens("<a/>t") == ["<a/>"])
    }
}

import Checksums
import BatchProcessing
import Foundation
import ReceiptOutputs
import Testing

/// Escaping, and the policy that pages carry.
@Suite struct MarkupTests {
    @Test func nothingThatIsPrintedCanBeMarkup() {
        #expect(Markup.escaped("<script>\"&'") == "&lt;script&gt;&quot;&amp;&#39;")
        #expect(Markup.escaped("a\u{0}b\u{202E}c") == "a\u{FFFD}b\u{FFFD}c")
    }

    @Test func dataCannotEndItsScript() {
        let data = Markup.scriptData(["</script><!-- & -->"])
        #expect(!data.contains("<") && !data.contains(">") && !data.contains("&"))
        #expect((try? JSONDecoder().decode([String].self, from: Data(data.utf8))) == ["</script><!-- & -->"])
    }

    @Test(arguments: [PageCode.result, PageCode.gallery])
    func thePolicyNamesTheDigestsOfScriptAndStyle(_ code: PageCode) throws {
        let (script, style) = (try Self.digest(code.script), try Self.digest(code.style))
        #expect(code.scriptDigest == script)
        #expect(code.styleDigest == style)
        #expect(!code.script.contains("</") && !code.style.contains("</"), "nothing ends its element")
    }

    /// SHA-256 in base64, of the digest that another module writes in hexadecimal.
    private static func digest(_ text: String) throws -> String {
        var hash = try SHA256()
        hash.update(Array(text.utf8))
        let hex = Array(hash.digest())
        let bytes = stride(from: 0, to: hex.count - 1, by: 2)
            .compactMap { UInt8(String(hex[$0...$0 + 1]), radix: 16) }
        return Data(bytes).base64EncodedString()
    }
}

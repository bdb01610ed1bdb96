import LocalFiles
import TestSupport
import Testing

/// Bytes as people read them.
@Suite struct ShownBytesTests {
    @Test("Bytes that are no UTF-8 are shown as bytes, the rest as text")
    func bytes() {
        #expect(String(showing: Array("caf".utf8) + [0xE9] + Array(".jpg".utf8)) == "caf\\xe9.jpg")
        #expect(String(showing: [0xC3, 0xA9, 0xFF, 0x0A, 0xE2, 0x82]) == "é\\xff\n\\xe2\\x82")
        #expect(String(showing: []).isEmpty)
    }

    @Test(
        "Text stays as it is, to the byte", arguments: ["", "receipt.jpg", "cafe\u{301}", "caf\u{E9}", "🧾"])
    func text(name: String) {
        #expect(Array(String(showing: name.utf8).utf8) == Array(name.utf8))
    }
}

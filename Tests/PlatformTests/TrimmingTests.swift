import Foundation
import Platform
import Testing

/// Ends are cut as Foundation cuts them.
@Suite struct TrimmingTests {
    /// One of each kind of space and line end, and signs that are none.
    private static let ends = [
        "", " ", "\t", "\n", "\r\n", "\u{A0}", "\u{200B}", "\u{2009}", "\u{3000}", "\u{2028}", "\u{85}", "x",
        "é",
        "e\u{301}", ".", "(", "\u{FEFF}",
    ]

    @Test(arguments: ends)
    func endsAreThoseOfFoundation(start: String) {
        for end in Self.ends {
            for middle in ["", "a b", "a\n\u{301}"] {
                let text = start + middle + end
                func same(_ ours: String, _ set: CharacterSet) -> Bool {
                    ours.unicodeScalars.elementsEqual(text.trimmingCharacters(in: set).unicodeScalars)
                }
                #expect(same(text.trimmingSpaces, .whitespaces), "\(text.debugDescription)")
                #expect(same(text.trimmingWhitespace, .whitespacesAndNewlines), "\(text.debugDescription)")
                #expect(
                    same(text.trimming(" .()"), CharacterSet(charactersIn: " .()")),
                    "\(text.debugDescription)")
            }
        }
    }
}

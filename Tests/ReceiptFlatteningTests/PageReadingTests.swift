import TextRecognition
import TextTestSupport
import Testing

@testable import ReceiptFlattening

@Suite struct PageReadingTests {
    @Test(
        "A page of which most was not read is warned of, one that was read is not",
        arguments: [(0.2, true), (0.8, false), (nil, false)] as [(Double?, Bool)])
    func mostlyUnread(share: Double?, isWarned: Bool) {
        var text = readText("CYMA 17,30")
        text.shareRead = share
        let warnings = PageReading(text: text, fields: nil, findings: .none, engine: nil).warnings
        #expect(warnings.contains { $0.hasPrefix("most of the print was not read") } == isWarned)
    }
}

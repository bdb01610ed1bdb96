import Diagnostics
import Foundation
import TestSupport
import TextRecognition
import TextTestSupport
import Testing

@testable import TextFormats

/// Texts that were written as JSON, read again.
@Suite struct RecognizedTextJSONTests {
    @Test("What was written is read: words, places to a tenth of a pixel, rows, blocks, reader and scale")
    func roundTrip() throws {
        var text = readText("Corner Bakery\n12 High Street\n\nSourdough 4.20\nTOTAL 4.20")
        text.blocks[0].lines[0].words[0].source = .pdf
        let read = try RecognizedText(json: Data(text.formatted(as: .json).utf8))
        #expect(read.string == text.string && read.blocks.count == text.blocks.count)
        #expect(read.words.map(\.source) == text.words.map(\.source))
        #expect(read.pageWidth == text.pageWidth && read.pageHeight == text.pageHeight)
        #expect(read.language == text.language && read.legibility == text.legibility)
        #expect(read.reader == text.reader && read.pixelsPerMillimeter == text.pixelsPerMillimeter)
        for (one, other) in zip(read.words, text.words) {
            // Written with one digit, rounded.
            #expect(
                abs(one.box.left - other.box.left) <= 0.05 && abs(one.box.bottom - other.box.bottom) <= 0.05)
            #expect(abs(one.confidence - other.confidence) <= 0.0005)
        }
        // Written again it is the same: nothing drifts.
        #expect(read.formatted(as: .json) == text.formatted(as: .json))
    }

    @Test(
        "What is no text of a page is refused",
        arguments: [
            "", "[]", "{}", #"{"page": {"width": 10, "height": 10}}"#,
            #"{"page": {"width": 0, "height": 10}, "blocks": []}"#,
            #"{"page": {"width": 9, "height": 9}, "blocks": [{"lines": [{"words": [{"text": "a", "confidence": 1, "box": [0, 1]}]}]}]}"#,
            #"{"page": {"width": 9, "height": 9}, "blocks": [{"lines": [{"words": [{"text": "a", "confidence": 7, "box": [0, 1, 2, 3]}]}]}]}"#,
            #"{"page": {"width": 9, "height": 9}, "blocks": [{"lines": [{"words": [{"text": "a", "confidence": 1, "box": [0, 1, 2, 1e99]}]}]}]}"#,
        ])
    func refused(json: String) {
        #expect(failure { try RecognizedText(json: Data(json.utf8)) }?.code == .badInput)
    }

    @Test(
        "What is left out by what draws pages is taken for its usual value, and rows without words for none")
    func defaults() throws {
        let json = #"""
            {"page": {"width": 90, "height": 90}, "blocks": [{"lines": [{"words": []}]}, {"lines": [{"words": [
              {"text": "a", "confidence": 0.5, "box": [0, 1, 2, 3]}]}, {"words": []}]}]}
            """#
        let text = try RecognizedText(json: Data(json.utf8))
        #expect(text.blocks.count == 1 && text.lines.count == 1 && text.language == "eng")
        #expect(text.legibility == .readable && text.reader == nil)
    }
}

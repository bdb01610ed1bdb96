@testable import Documents
@testable import Imaging
import ReceiptFlattening
@testable import TextRecognition

/// Text as strangers print it: each line a row, each word in cells of a height that the row's first byte says.
enum FuzzedWords {
    static func read(_ bytes: [UInt8]) {
        var lines: [RecognizedLine] = []
        for (row, line) in bytes.split(separator: UInt8(ascii: "\n")).prefix(100).enumerated() {
            let height = 10 + Double(line.first.map { $0 % 32 } ?? 0)
            var column = 0
            let words = String(decoding: line.prefix(400), as: UTF8.self).split(
                separator: " ", omittingEmptySubsequences: false
            )
            .compactMap { word -> RecognizedWord? in
                defer { column += word.count + 1 }
                guard !word.isEmpty, !word.contains(where: \.isWhitespace) else { return nil }
                let left = Double(column) * 10
                return RecognizedWord(
                    text: String(word), confidence: 0.9,
                    box: Box(
                        left: left, top: Double(row) * 50, right: left + Double(word.count) * 10 - 1,
                        bottom: Double(row) * 50 + height))
            }
            if !words.isEmpty { lines.append(RecognizedLine(words: words)) }
        }
        guard !lines.isEmpty else { return }
        let text = RecognizedText(
            blocks: [RecognizedBlock(lines: lines)], pageSize: PixelSize(width: 4000, height: 5000),
            pixelsPerMillimeter: nil, language: "eng", legibility: .readable)
        _ = text.items()
        let contact = Contact(of: text)
        for version in VCard.Version.allCases { _ = VCard.text(of: contact, version: version) }
    }
}

import Imaging
package import TextRecognition

/// Text as if it had been read from a sheet in fixed-width type: each word has the box of its cells, 10 x 20 pixels each.
package func readText(_ printed: String, confidence: Double = 0.95) -> RecognizedText {
    var lines: [RecognizedLine] = []
    for (row, line) in printed.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        var words: [RecognizedWord] = []
        var column = 0
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            if !word.isEmpty {
                let box = Box(
                    left: Double(column * 10 + 1), top: Double(row * 40),
                    right: Double((column + word.count) * 10 - 1),
                    bottom: Double(row * 40 + 20))
                words.append(RecognizedWord(text: String(word), confidence: confidence, box: box))
            }
            column += word.count + 1
        }
        // A rule of dashes is not read as text.
        if !words.isEmpty, line.contains(where: { !" -=_.".contains($0) }) {
            lines.append(RecognizedLine(words: words))
        }
    }
    return RecognizedText(
        blocks: RowLayout.blocks(of: lines), pageSize: PixelSize(width: 480, height: 2000),
        pixelsPerMillimeter: 6,
        language: "eng", legibility: lines.isEmpty ? .empty : .readable)
}

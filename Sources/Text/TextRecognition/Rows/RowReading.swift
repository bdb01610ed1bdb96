import Platform
import Imaging

/// The reading of one row in one rendering, with places on the page.
struct RowReading {
    var symbols: [ReadSymbol]
    /// Index of the first symbol of each word.
    var wordStarts: Set<Int>
    /// The words as tesseract grouped them.
    var words: [RecognizedWord] = []

    /// Mean confidence of the symbols, 0 to 1.
    var confidence: Double {
        symbols.isEmpty ? 0 : symbols.reduce(0) { $0 + $1.confidence } / Double(symbols.count)
    }

}

extension RowReading {
    /// Takes the reading of a row's own image; nil if nothing was read.
    init?(_ words: [ReadWord], of strip: RowRendering.Strip, in drawn: RowRendering) {
        guard !words.isEmpty else { return nil }
        (symbols, wordStarts) = ([], [])
        for word in words {
            wordStarts.insert(symbols.count)
            self.words.append(
                .init(
                    text: word.text, confidence: word.confidence,
                    box: drawn.source(ofPictured: word.box, in: strip)))
            for symbol in word.symbols {
                var placed = symbol
                placed.box = drawn.source(ofPictured: symbol.box, in: strip)
                symbols.append(placed)
            }
        }
    }
}

import Foundation
import Imaging

/// One rendering's reading of one row, with places on the page.
struct RowReading {
    var symbols: [ReadSymbol]
    /// Index of the first symbol of each word.
    var wordStarts: Set<Int>
    /// The words as tesseract set them.
    var words: [RecognizedWord] = []

    /// Mean confidence of the symbols, 0 to 1.
    var confidence: Double {
        symbols.isEmpty ? 0 : symbols.reduce(0) { $0 + $1.confidence } / Double(symbols.count)
    }

    /// The readings of a drawn page's rows, by row.
    static func readings(of words: [ReadWord], in drawn: RowRendering) -> [Int: RowReading] {
        var readings: [Int: RowReading] = [:]
        for word in words {
            guard let (row, _) = drawn.source(of: word.box) else { continue }
            var reading = readings[row] ?? RowReading(symbols: [], wordStarts: [])
            reading.wordStarts.insert(reading.symbols.count)
            reading.words.append(
                .init(text: word.text, confidence: word.confidence, box: drawn.source(of: word.box, row: row))
            )
            for symbol in word.symbols {
                var placed = symbol
                placed.box = drawn.source(of: symbol.box, row: row)
                reading.symbols.append(placed)
            }
            readings[row] = reading
        }
        return readings
    }
}

import Imaging
import TextRecognition
import Platform

extension RecognizedText {
    /// The structure of the JSON: schema 1.
    private struct Document: Encodable {
        struct Word: Encodable {
            var text: String
            var confidence: Double
            var box: [Double]
            var boxMillimeters: [Double]?
            var source: String?
        }
        struct Line: Encodable {
            var text: String
            var confidence: Double
            var box: [Double]
            var words: [Word]
        }
        struct Block: Encodable {
            var box: [Double]
            var lines: [Line]
        }
        struct Page: Encodable {
            var width: Int
            var height: Int
            var pixelsPerMillimeter: Double?
        }
        var schema = 1
        var page: Page
        var language: String
        var legibility: Legibility
        var reader: String?
        var confidence: Double
        var text: String
        var blocks: [Block]
        var tables: [Table]

        struct Table: Encodable {
            var box: [Double]
            /// The text of each row's cells.
            var rows: [[String]]
        }
    }

    /// The text as JSON. Boxes are [left, top, right, bottom]; numbers are rounded to meaningful digits.
    var jsonText: String {
        func rounded(_ value: Double, _ digits: Double) -> Double { (value * digits).rounded() / digits }
        func edges(_ box: Box, _ digits: Double = 10) -> [Double] {
            [box.left, box.top, box.right, box.bottom].map { rounded($0, digits) }
        }
        let document = Document(
            page: .init(width: pageWidth, height: pageHeight, pixelsPerMillimeter: pixelsPerMillimeter),
            language: language, legibility: legibility, reader: reader,
            confidence: rounded(confidence, 1000), text: string,
            blocks: blocks.map { block in
                .init(
                    box: edges(block.box),
                    lines: block.lines.map { line in
                        .init(
                            text: line.text, confidence: rounded(line.confidence, 1000), box: edges(line.box),
                            words: line.words.map { word in
                                .init(
                                    text: word.text, confidence: rounded(word.confidence, 1000),
                                    box: edges(word.box),
                                    boxMillimeters: pixelsPerMillimeter.map {
                                        edges(word.box.inMillimeters(pixelsPerMillimeter: $0), 100)
                                    }, source: word.source?.rawValue)
                            })
                    })
            },
            tables: tables.map { table in
                .init(box: edges(table.box), rows: table.rows.map { $0.map(\.text) })
            })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        // Encoding could fail only for a number that is not finite; a page's scale may be one if a caller sets it so.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        guard let data = try? encoder.encode(document) else { return "" }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}

package import Diagnostics
import Imaging
package import Platform
package import TextRecognition

extension RecognizedText {
    /// The parts of the JSON that are read; everything else follows from them.
    private struct Read: Decodable {
        struct Word: Decodable {
            var text: String
            var confidence: Double
            var box: [Double]
            var source: RecognizedWord.Source?
        }
        struct Line: Decodable {
            var words: [Word]

            var recognized: RecognizedLine {
                RecognizedLine(
                    words: words.map { word in
                        RecognizedWord(
                            text: word.text, confidence: word.confidence,
                            box: Box(
                                left: word.box[0], top: word.box[1], right: word.box[2],
                                bottom: word.box[3]), source: word.source)
                    })
            }
        }
        struct Block: Decodable { var lines: [Line] }
        struct Page: Decodable {
            var width: Int
            var height: Int
            var pixelsPerMillimeter: Double?
        }
        var page: Page
        var blocks: [Block]
        var language: String?
        var legibility: Legibility?
        var reader: String?
    }

    /// Reads text as written by `formatted(as: .json)`; text drawn for training may leave out language, reader and legibility.
    /// - Throws: `.badInput` for anything else.
    package init(json: Data) throws(FlatteningError) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let read: Read
        do {
            read = try decoder.decode(Read.self, from: json)
        } catch {
            throw FlatteningError(
                .badInput, "this is no text that flatten wrote", stage: .documents, detail: "\(error)")
        }
        let words = read.blocks.flatMap(\.lines).flatMap(\.words)
        guard words.allSatisfy({ $0.box.count == 4 }) else {
            throw FlatteningError(
                .badInput, "this is no text that flatten wrote", stage: .documents,
                seen: "a box of other than four numbers")
        }
        self.init(
            blocks: read.blocks.compactMap { block in
                // A row needs words, and a block needs rows.
                let lines = block.lines.filter { !$0.words.isEmpty }
                return lines.isEmpty ? nil : RecognizedBlock(lines: lines.map(\.recognized))
            },
            pageSize: PixelSize(width: read.page.width, height: read.page.height),
            pixelsPerMillimeter: read.page.pixelsPerMillimeter, language: read.language ?? "eng",
            legibility: read.legibility ?? .readable, reader: read.reader)
        guard isSound else {
            throw FlatteningError(
                .badInput, "this is no text that flatten wrote", stage: .documents,
                seen: "numbers that no page has")
        }
    }
}

import Documents
import Foundation
import Imaging
import TextRecognition

/// What the package's own code sees of pages' texts, for trials on drawn cards and on true texts.
///
/// Standard input has one page a line, in the form of the text output (`--text page.json`) or of `draw.py`: only `page` and
/// the words of `blocks` are read. Standard output has a line of JSON each.
@main struct CardContacts {
    private struct Page: Decodable {
        struct Size: Decodable {
            var width: Int
            var height: Int
        }
        struct Word: Decodable {
            var text: String
            var confidence: Double
            var box: [Double]
        }
        struct Line: Decodable { var words: [Word] }
        struct Block: Decodable { var lines: [Line] }
        var page: Size
        var language: String?
        var blocks: [Block]

        var text: RecognizedText {
            RecognizedText(
                blocks: blocks.filter { !$0.lines.isEmpty }.map { block in
                    RecognizedBlock(
                        lines: block.lines.map { line in
                            RecognizedLine(
                                words: line.words.map {
                                    RecognizedWord(
                                        text: $0.text, confidence: $0.confidence,
                                        box: Box(
                                            left: $0.box[0], top: $0.box[1], right: $0.box[2],
                                            bottom: $0.box[3]))
                                })
                        })
                },
                pageSize: PixelSize(width: page.width, height: page.height), pixelsPerMillimeter: nil,
                language: language ?? "eng", legibility: .readable)
        }
    }

    static func main() throws {
        guard let mode = CommandLine.arguments.dropFirst().first, ["items", "contact"].contains(mode) else {
            FileHandle.standardError.write(Data("card-contacts items|contact < PAGES\n".utf8))
            exit(64)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        while let line = readLine() {
            let text = try JSONDecoder().decode(Page.self, from: Data(line.utf8)).text
            let result =
                try mode == "items" ? encoder.encode(text.items()) : encoder.encode(Contact(of: text))
            print(String(decoding: result, as: UTF8.self))
        }
    }
}

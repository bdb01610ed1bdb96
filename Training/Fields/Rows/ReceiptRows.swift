import Documents
import Foundation
import Imaging
import TextRecognition

/// What the package's own code sees of receipts, for the training of its row model and for trials.
///
/// Standard input has one page a line, in the form of the text output (`--text page.json`) or of `draw.py`: only `page` and
/// the words of `blocks` are read.
@main struct ReceiptRows {
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
        var blocks: [Block]

        var text: RecognizedText {
            RecognizedText(
                blocks: blocks.map { block in
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
                language: "eng", legibility: .readable)
        }
    }

    static func main() throws {
        guard let mode = CommandLine.arguments.dropFirst().first,
            ["features", "classes", "evidence", "fields"].contains(mode)
        else {
            FileHandle.standardError.write(
                Data("receipt-rows features|classes|evidence|fields < PAGES\n".utf8))
            exit(64)
        }
        while let line = readLine() {
            let text = try JSONDecoder().decode(Page.self, from: Data(line.utf8)).text
            switch mode {
            case "features": write(features: ReceiptFields.rowFeatures(of: text))
            case "classes":
                for (row, rowClass, probability) in ReceiptFields.rowClasses(of: text) {
                    print("\(rowClass) \((probability * 100).rounded() / 100)\t\(row)")
                }
                print("")
            case "evidence":
                for (field, value, numbers) in ReceiptFields.evidence(of: text) {
                    print("\(field)\t\(value)\t" + numbers.map { "\($0)" }.joined(separator: " "))
                }
                print("")
            default:
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                print(String(decoding: try encoder.encode(ReceiptFields(of: text)), as: UTF8.self))
            }
        }
    }

    /// Writes uint32 rows, uint32 features, then float32 row by row.
    private static func write(features: [[Float]]) {
        var data = Data()
        for number in [UInt32(features.count), UInt32(features.first?.count ?? 0)] {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        for number in features.joined() {
            withUnsafeBytes(of: number.bitPattern.littleEndian) { data.append(contentsOf: $0) }
        }
        FileHandle.standardOutput.write(data)
    }
}

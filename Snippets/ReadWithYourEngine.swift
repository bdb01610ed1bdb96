// Flattens a capture and has an engine of its own read the text: here one that finds a word wherever the sheet is.
import Foundation
import ReceiptFlattening

/// Reads every page as two words in one row: a stand-in for a recogniser of your own.
struct FixedWords: TextEngine {
    let name = "fixed"
    let version = "1"
    let languages = ["eng"]

    func lines(on page: TextPage, context: ReadingContext) throws(FlatteningError) -> [RecognizedLine] {
        try context.check()
        let box = Box(left: 10, top: 10, right: 60, bottom: 30)
        let next = Box(left: 70, top: 10, right: 120, bottom: 30)
        return RecognizedLine.rows(of: [
            RecognizedWord(text: "TOTAL", confidence: 0.9, box: box),
            RecognizedWord(text: "12.34", confidence: 0.9, box: next),
        ])
    }
}

let folder = CommandLine.arguments.dropFirst().first ?? "SampleData/curl-structured"
var options = ReceiptFlattener.Options()
options.textEngine = FixedWords()
let receipt = try ReceiptFlattener(options: options).flatten(Capture(contentsOf: URL(filePath: folder)))
print(receipt.text?.string ?? "no text")

// From bytes to a page, a PDF and a table, read by one reader for all.
import Foundation
import ReceiptFlattening
import ReceiptOutputs

let folder = URL(filePath: CommandLine.arguments.dropFirst().first ?? "SampleData/curl-structured")
var options = ReceiptFlattener.Options()
options.textEngine = try TextReader.automatic.engine()
let capture = try Capture(imageData: Data(contentsOf: folder.appending(path: "image.jpg")))
let receipt = try ReceiptFlattener(options: options).flatten(capture)
try receipt.page(of: capture).write(to: URL(filePath: "receipt.html"))
try [receipt].mergedPDF().write(to: URL(filePath: "receipts.pdf"))
print(ReceiptTables([receipt]).items.csv())

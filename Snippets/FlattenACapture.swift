// Flattens a capture folder and prints how it was done and what the receipt says.
import Foundation
import ReceiptFlattening

let folder = CommandLine.arguments.dropFirst().first ?? "SampleData/curl-structured"
let capture = try Capture(contentsOf: URL(filePath: folder))
var options = ReceiptFlattener.Options()
options.language = "eng"
let receipt = try ReceiptFlattener(options: options).flatten(capture)

try receipt.picture.write(to: URL(filePath: "flat.png"))
print(receipt.report.method, receipt.report.dpi ?? 0, receipt.text?.string ?? "")

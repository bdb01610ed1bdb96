// Flattens a capture folder and prints how it was done and what the receipt says.
import ReceiptFlattening

let capture = try Capture.read(CommandLine.arguments.dropFirst().first ?? "SampleData/curl-structured")
var options = ReceiptFlattener.Options()
options.language = "eng"
let receipt = try ReceiptFlattener(options: options).flatten(capture)

try ImageWriter.write(receipt.image, to: "flat.png", pixelsPerMeter: receipt.pixelsPerMeter)
print(receipt.report.method, receipt.report.dpi ?? 0, receipt.text?.string ?? "")

// Flattens a capture and prints the codes on it, with the place of each in the flat image.
import Foundation
import ReceiptFlattening

let folder = CommandLine.arguments.dropFirst().first ?? "SampleData/curl-structured"
var options = ReceiptFlattener.Options()
options.finds = [.codes]
let receipt = try ReceiptFlattener(options: options).flatten(Capture(contentsOf: URL(filePath: folder)))
let codes = receipt.findings.codes ?? []
print("\(codes.count) codes")
for code in codes {
    let corner = code.corners?.first
    print(
        code.symbology.rawValue, code.text ?? "\(code.bytes)",
        corner.map { "at \($0.x), \($0.y)" } ?? "beside the sheet")
    for element in code.elements ?? [] { print("  (\(element.identifier)) \(element.value)") }
}

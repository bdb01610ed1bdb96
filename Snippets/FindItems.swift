// Flattens a capture and prints what one can act on: links, addresses, numbers, dates and prices; then the contact, if it is a
// business card, as a vCard.
import Foundation
import ReceiptFlattening

let folder = CommandLine.arguments.dropFirst().first ?? "SampleData/curl-structured"
var options = ReceiptFlattener.Options()
options.language = "eng"
options.finds = [.items, .contact]
let receipt = try ReceiptFlattener(options: options).flatten(Capture(contentsOf: URL(filePath: folder)))

for item in receipt.findings.items ?? [] {
    print(item.kind.rawValue, item.value, item.currency ?? "", item.confidence)
}
if let contact = receipt.findings.contact, !contact.names.isEmpty {
    print(VCard.text(of: contact, version: .v4))
}

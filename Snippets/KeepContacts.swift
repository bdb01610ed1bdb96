// Reads the business cards of a photograph, keeps their contacts in a file, and looks one up.
import ContactStore
import Foundation
import ReceiptFlattening

let book = try ContactBook(path: "contacts.store")

if let photograph = CommandLine.arguments.dropFirst().first {
    var options = ReceiptFlattener.Options()
    options.finds = [.contact]
    options.language = "eng"
    let capture = try Capture(contentsOf: URL(filePath: photograph))
    for card in try ReceiptFlattener(options: options).flattenAll(capture) {
        if let contact = card.findings.contact, !contact.isEmpty { try book.add(contact) }
    }
}

var anna = Contact()
anna.names = [.init(.init(full: "Anna Müller", given: "Anna", family: "Müller"))]
anna.emails = [.init("anna@firm.example")]
try book.add(anna)
try book.add(anna)
for group in try book.duplicates() { try book.merge(group.map(\.id)) }
for found in try book.search("muller firm") {
    print(found.id, found.text(of: .name) ?? "", found.text(of: .email) ?? "")
}

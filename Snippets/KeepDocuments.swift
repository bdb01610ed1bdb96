// Makes a photograph flat, keeps what is on it in an archive, corrects a value, and finds it again.
import DocumentArchive
import Foundation
import ReceiptFlattening

let archive = try DocumentArchive(path: "papers")

let folder = URL(filePath: CommandLine.arguments.dropFirst().first ?? "SampleData/curl-structured")
let photograph = try Data(contentsOf: folder.appending(path: "image.jpg"))
var options = ReceiptFlattener.Options()
options.language = "auto"
options.finds = [.kind, .codes]
let receipt = try ReceiptFlattener(options: options).flatten(try Capture(imageData: photograph))
let added = try archive.add(
    [NewDocument(receipt, name: "receipt")],
    originals: [.init(.original, name: "image.jpg", content: photograph)])

// Nil: the photograph was in the archive already.
if let document = added?.first {
    var change = ArchiveChange()
    change.values = ["merchant": "Corner Shop"]
    change.addedTags = ["sample"]
    try archive.change(document.id, change)
}

for found in try archive.list(ArchiveQuery(words: "corner sample")) {
    print(found.day ?? "-", found.merchant ?? "-", found.total ?? "-")
}

import DocumentArchive
import DrawnReceipts
import Foundation
import ReceiptFlattening
import TestSupport
import Testing

@Suite struct NewDocumentTests {
    @Test func aFlattenedReceiptIsKeptWithEverythingThatWasReadOfIt() throws {
        let capture = try DrawnReceipt.capture()
        var options = ReceiptFlattener.Options()
        options.language = "auto"
        options.finds = [.kind, .codes]
        let receipt = try ReceiptFlattener(options: options).flatten(capture)
        let document = try NewDocument(receipt, name: "drawn")
        #expect(document.files.map(\.role) == [.flat, .pdf, .text, .thumbnail])
        #expect(document.files.map(\.name) == ["drawn.png", "drawn.pdf", "drawn.json", "drawn-small.jpg"])
        #expect(document.text == receipt.text?.string && !document.text.isEmpty)
        #expect(
            document.read["total"]?.text == receipt.fields?.total.map { "\($0.value)" }
                || receipt.fields?.total == nil)
        #expect(document.read["total"]?.confidence == receipt.fields?.total?.confidence)
        #expect(document.program.hasPrefix("receipt-flattening "))
        // The flat image comes back by the pixel.
        #expect(try RGBImage(data: document.files[0].content) == receipt.picture.render())
        let small = try RGBImage(data: document.files[3].content)
        #expect(max(small.width, small.height) <= 256)
    }

    @Test func ofARedactedReceiptNoOriginalIsArchived() throws {
        var options = ReceiptFlattener.Options()
        options.language = "auto"
        let receipt = try ReceiptFlattener(options: options).flatten(try DrawnReceipt.capture())
        let redacted = try NewDocument(try #require(receipt.redacted([.cards])), name: "x")
        let folder = try ScratchFolder()
        let archive = try DocumentArchive(path: folder.path("papers"))
        #expect(redacted.isRedacted)
        #expect(
            failure { try archive.add([redacted], originals: [TestDocuments.photograph()]) }?.code
                == .badInput)
        #expect(try archive.add([redacted], originals: [])?.count == 1)
        #expect(try archive.documents()[0].files(.original).isEmpty)
    }
}

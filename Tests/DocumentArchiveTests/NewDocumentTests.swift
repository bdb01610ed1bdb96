import DrawnReceipts
import Foundation
import ReceiptFlattening
import TestSupport
import Testing

@testable import DocumentArchive

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

    @Test func whatIsArchivedBecomesPagesOfAPDFWithItsWords() throws {
        var options = ReceiptFlattener.Options()
        options.language = "auto"
        let receipt = try ReceiptFlattener(options: options).flatten(try DrawnReceipt.capture())
        let folder = try ScratchFolder()
        let archive = try DocumentArchive(path: folder.path("papers"))
        let one = try NewDocument(receipt, name: "x")
        let document = try #require(
            try archive.add([one], originals: [TestDocuments.photograph()])?.first)
        let pages = try archive.pages(of: document)
        #expect(pages.count == 1 && pages[0].picture.starts(with: [0xFF, 0xD8]))
        #expect(pages[0].page.text?.string == receipt.text?.string)
        #expect(pages[0].page.width == receipt.picture.render().width)
        let scale = try #require(pages[0].page.pixelsPerMeter)
        // The text's scale, to the digits that JSON has.
        #expect(abs(scale / (receipt.pixelsPerMeter ?? 0) - 1) < 1e-6)
        // Without the words' places there is the image alone, and what is no text is an error.
        var bare = one
        bare.files.removeAll { $0.role == .text }
        let second = try #require(try archive.add([bare], originals: [TestDocuments.photograph()])?.first)
        #expect(try archive.pages(of: second).map { $0.page.text == nil } == [true])
        bare.files.append(.init(.text, name: "t.json", content: Data("{}".utf8)))
        let third = try #require(try archive.add([bare], originals: [TestDocuments.photograph()])?.first)
        #expect(failure { try archive.pages(of: third) }?.code == .badInput)
    }

    @Test func pagesOfOneReceiptBecomeOneDocument() throws {
        let image = RGBImage(rgb: [UInt8](repeating: 255, count: 12), width: 2, height: 2)
        func page(_ index: Int, of pages: String) throws -> NewDocument {
            try NewDocument(
                report: Data(
                    #"{"method": "scan", "page": {"index": \#(index), "count": 3}, "receipt_pages": \#(pages)}"#
                        .utf8),
                text: "page \(index)", image: image,
                files: [
                    .init(.flat, name: "\(index).png", content: Data([UInt8(index)])),
                    .init(.pdf, name: "\(index).pdf", content: Data([UInt8(index + 10)])),
                ], name: "\(index)")
        }
        let pages = try [page(1, of: "[1, 2]"), page(2, of: "[1, 2]"), page(3, of: "null")]
        let joined = NewDocument.joined(pages)
        #expect(joined.map(\.text) == ["page 1\npage 2", "page 3"])
        #expect(joined[0].files.map(\.role) == [.flat, .flat, .pdf, .pdf, .thumbnail])
        // One PDF stands for those of the pages where all are one receipt.
        let whole = NewDocument.File(.pdf, name: "all.pdf", content: Data([99]))
        #expect(
            NewDocument.joined(Array(pages.prefix(2)), pdf: whole)[0].files.map(\.name).contains("all.pdf"))
        #expect(!NewDocument.joined(pages, pdf: whole)[0].files.map(\.name).contains("all.pdf"))
        // A page that goes on with one that is not there stands for itself.
        #expect(NewDocument.joined([pages[1]]).map(\.text) == ["page 2"])
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

import Documents
import Foundation
import ReceiptFlattening
import TestSupport
import TextFormats
import TextRecognition
import Testing

@testable import ReceiptOutputs

/// The public face: what a package that links this one writes.
@Suite struct ReceiptOutputsTests {
    private static let capture: Result<Capture, any Error> = Result {
        try Capture(contentsOf: Repository.samples.appending(path: "curl-structured"))
    }
    /// Flattened and read once.
    private static let receipt: Result<FlattenedReceipt, any Error> = Result {
        var options = ReceiptFlattener.Options()
        options.language = "auto"
        options.timeLimit = nil
        return try ReceiptFlattener(options: options).flatten(try capture.get())
    }

    @Test("The page holds the receipt, and of a redacted one no photograph")
    func page() throws {
        let (capture, receipt) = (try Self.capture.get(), try Self.receipt.get())
        let page = String(decoding: try receipt.page(of: capture, name: "my receipt"), as: UTF8.self)
        #expect(page.contains("my receipt") && page.contains("TOTAL"))
        func pictures(_ page: String) -> Int { page.ranges(of: "data:image/jpeg").count }
        let redacted = try #require(receipt.redacted([.phones]))
        let hidden = String(decoding: try redacted.page(of: capture), as: UTF8.self)
        #expect(pictures(hidden) == pictures(page) - 1)
    }

    @Test("The overlay is the photograph with lines, and a redacted receipt has none")
    func overlay() throws {
        let (capture, receipt) = (try Self.capture.get(), try Self.receipt.get())
        let drawn = try receipt.overlay(on: capture)
        #expect(drawn.size == capture.image.size && drawn != capture.image)
        let svg = String(decoding: try receipt.overlaySVG(on: capture), as: UTF8.self)
        #expect(svg.contains("<svg") && svg.contains("contour"))
        let redacted = try #require(receipt.redacted([.phones]))
        let refused = #expect(throws: FlatteningError.self) { try redacted.overlay(on: capture) }
        #expect(refused?.code == .unsupported)
    }

    @Test("A mesh has its files in each format, and without depth there is none")
    func mesh() throws {
        let (capture, receipt) = (try Self.capture.get(), try Self.receipt.get())
        #expect(try receipt.mesh(of: capture, as: .glb)?.map(\.path) == ["sheet.glb"])
        let files = try #require(try receipt.mesh(of: capture, as: .obj, name: "a"))
        #expect(files.map(\.path) == ["a.obj", "a.mtl", "a.jpg"])
        let flat = try ReceiptFlattener().flatten(Capture(image: capture.image))
        #expect(try flat.mesh(of: capture, as: .ply) == nil)
    }

    @Test("The merged PDF has a page for each receipt")
    func merged() throws {
        let receipt = try Self.receipt.get()
        let data = try [receipt, receipt].mergedPDF()
        let content = try #require(PDFContent(Array(data)))
        #expect(content.pictures.count == 2)
        #expect(content.text.contains("1. ") && content.text.contains("2. "))
        #expect(try data == [receipt, receipt].mergedPDF())
    }

    @Test("Tables have a row for each receipt, item and line of tax, under their columns")
    func tables() throws {
        let receipt = try Self.receipt.get()
        let fields = try #require(receipt.fields)
        let tables = ReceiptTables([receipt, receipt])
        #expect(tables.receipts.rows.count == 2)
        #expect(tables.items.rows.count == 2 * fields.items.count && !fields.items.isEmpty)
        #expect(tables.taxLines.rows.count == 2 * fields.taxLines.count)
        for table in [tables.receipts, tables.items, tables.taxLines] {
            #expect(table.rows.allSatisfy { $0.count == table.columns.count })
            #expect(table.csv().split(whereSeparator: \.isNewline).count == table.rows.count + 1)
        }
        let total = try #require(tables.receipts.columns.firstIndex(of: "total"))
        #expect(tables.receipts.rows[1][total] == fields.total.map { "\($0.value)" })
        #expect(tables.receipts.rows.map { $0[0] } == ["1", "2"])
    }

    @Test("Values are JSON with every key")
    func values() throws {
        let json =
            try JSONSerialization.jsonObject(with: try Self.receipt.get().valuesJSON()) as? [String: Any]
        #expect(json?["total"] is String && json?["missing"] is [String: Any])
    }

    @Test("One reader, opened once, reads for several tasks at the same time what each would read alone")
    func sharedReader() async throws {
        let capture = try Self.capture.get()
        var options = ReceiptFlattener.Options()
        options.textEngine = try TextReader.automatic.engine()
        options.timeLimit = nil
        let flattener = ReceiptFlattener(options: options)
        let texts = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<4 {
                group.addTask { try await flattener.flatten(capture).text?.string }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts.count == 4)
        #expect(try Set(texts) == [Self.receipt.get().text?.string])
    }
}

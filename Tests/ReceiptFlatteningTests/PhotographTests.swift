import Foundation
import ReceiptFlattening
import TestSupport
import Testing

/// Real photographs of receipts from the file to what they say, as a user runs them: `Photographs`.
@Suite struct PhotographTests {
    /// A photograph with what its receipt says, typed by eye.
    struct Photograph: Decodable, CustomTestStringConvertible {
        var file: String
        var merchant: String
        var date: String
        var total: String
        var currency: String
        /// With deposits, and without.
        var items: [Int]

        var testDescription: String { file }
    }

    private static let folder = Repository.folder.appending(path: "Photographs")

    private static let photographs = Result {
        try JSONDecoder().decode(
            [Photograph].self, from: Data(contentsOf: folder.appending(path: "photographs.json")))
    }

    @Test("There are ten, and each file is told of")
    func complete() throws {
        let photographs = try Self.photographs.get()
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
            .filter { $0.hasSuffix(".jpg") }
        #expect(photographs.count == 10 && Set(photographs.map(\.file)) == Set(files))
    }

    @Test(
        "A receipt is made flat and read: seller, day, total, currency, items",
        arguments: try Self.photographs.get())
    func read(photograph: Photograph) throws {
        let capture = try Capture(contentsOf: Self.folder.appending(path: photograph.file))
        var options = ReceiptFlattener.Options()
        options.language = "auto"
        // The last of them is of June 2026.
        options.today = try Date("2026-12-31T00:00:00Z", strategy: .iso8601)
        let receipt = try ReceiptFlattener(options: options).flatten(capture)
        #expect(receipt.report.foundSheet)
        let fields = try #require(receipt.fields)
        let merchant =
            fields.merchant?.value.lowercased().folding(options: .diacriticInsensitive, locale: nil) ?? ""
        let expected = photograph.merchant.lowercased().folding(options: .diacriticInsensitive, locale: nil)
        // Beside the name its town may stand, and a point may be read as a comma.
        #expect(merchant.filter(\.isLetter).hasPrefix(expected.filter(\.isLetter)), "\(merchant)")
        #expect(fields.date?.value == photograph.date)
        #expect(fields.total?.value == Decimal(string: photograph.total))
        #expect(fields.currency?.value == photograph.currency)
        #expect(photograph.items.contains(fields.items.count), "\(fields.items.map(\.description))")
    }
}

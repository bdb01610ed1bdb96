import DocumentArchive
import Foundation
import Testing

/// Documents for tests, as a reading would give them.
enum TestDocuments {
    /// A receipt that says something.
    static func receipt(
        _ merchant: String = "Bäckerei Groß GmbH", day: String? = "2026-03-02", total: String? = "24.23",
        text: String = "Bäckerei Groß\nBrezel 2,40\nSumme 24,23\nBeleg-Nr 4711-0815", codes: [String] = [],
        confidence: Double = 0.95
    ) -> NewDocument {
        var document = NewDocument()
        document.read["merchant"] = .init(merchant, confidence: confidence)
        document.read["date"] = day.map { .init($0, confidence: confidence) }
        document.read["total"] = total.map { .init($0, confidence: confidence) }
        document.read["currency"] = .init("EUR", confidence: confidence)
        document.read["kind"] = .init("receipt", confidence: confidence)
        document.text = text
        document.codes = codes
        document.report = "{}"
        document.files = [.init(.flat, name: "flat.png", content: Data("flat image of \(merchant)".utf8))]
        return document
    }

    /// A photograph of its own.
    static func photograph(_ name: String = "IMG 1.jpg", _ content: String = UUID().uuidString)
        -> NewDocument.File
    {
        NewDocument.File(.original, name: name, content: Data("photograph \(content)".utf8))
    }
}

extension DocumentArchive {
    /// Adds one document with a photograph of its own.
    @discardableResult
    func addOne(_ document: NewDocument = TestDocuments.receipt()) throws -> ArchivedDocument {
        let added = try add([document], originals: [TestDocuments.photograph()])
        return try #require(added?.first)
    }
}

import Platform

/// What an archive takes from a report. Reports of other versions have more or fewer keys: what is not there is not known.
struct ReportFacts {
    /// Values by the names of the report's fields, and "kind".
    var values: [String: ArchivedDocument.Value] = [:]
    /// What bar codes say.
    var codes: [String] = []
    /// Whether something was blacked out.
    var isRedacted = false
    /// The program that wrote the report, and its version.
    var program = ""
    /// Whether the receipt of a page before goes on here.
    var isContinuation = false

    init(json: Data) throws(FlatteningError) {
        let report: Report
        do {
            report = try JSONDecoder().decode(Report.self, from: json)
        } catch {
            throw FlatteningError(
                .badInput, "this is no report of flatten", stage: .documents, detail: "\(error)")
        }
        for (name, field) in report.fields ?? [:] {
            guard let field = field.value else { continue }
            values[name] = ArchivedDocument.Value(field.value, confidence: field.confidence)
        }
        if let document = report.document, document.kind != "unknown" {
            values["kind"] = ArchivedDocument.Value(document.kind, confidence: document.confidence)
        }
        isRedacted = report.redaction != nil
        isContinuation = report.receiptPages?.first.map { $0 != report.page?.index } ?? false
        codes = (report.codes ?? []).compactMap(\.text)
        program = report.versions?["receipt-flattening"].map { "receipt-flattening \($0)" } ?? ""
    }

    private struct Report: Decodable {
        struct Field: Decodable {
            let value: String
            let confidence: Double
        }

        /// A field; nil for what stands among the fields and is none, as lists of items.
        struct Perhaps: Decodable {
            let value: Field?

            init(from decoder: any Decoder) throws { value = try? Field(from: decoder) }
        }

        struct Document: Decodable {
            let kind: String
            let confidence: Double
        }

        struct Code: Decodable {
            let text: String?
        }

        /// Whatever stands there.
        struct Redaction: Decodable {}

        struct Page: Decodable {
            let index: Int
        }

        let method: String
        let fields: [String: Perhaps]?
        let document: Document?
        let codes: [Code]?
        let versions: [String: String]?
        let redaction: Redaction?
        let page: Page?
        let receiptPages: [Int]?

        private enum CodingKeys: String, CodingKey {
            case method, fields, document, codes, versions, redaction, page
            case receiptPages = "receipt_pages"
        }
    }
}

import Platform

/// The data that an archive takes from a report. Reports of other versions have more or fewer keys; a missing key means not
/// known.
struct ReportFacts {
    /// Values by the names of the report's fields, and "kind".
    var values: [String: ArchivedDocument.Value] = [:]
    /// The contents of bar codes.
    var codes: [String] = []
    /// The taxes, one per line.
    var taxes: [Tax] = []
    /// Whether something was blacked out.
    var isRedacted = false
    /// Whether it has contact data.
    var hasContact = false
    /// The program that wrote the report, and its version.
    var program = ""
    /// The number of its page; nil if it is not a document's page.
    var page: Int?
    /// The page on which the receipt that continues here began; nil if it begins here.
    var continuedPage: Int?

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
        // The values of a card take precedence, even where a receipt has values of the same names.
        let contact = report.contact?.values ?? []
        hasContact = !contact.isEmpty
        for (name, value) in contact { values[name] = value }
        taxes = (report.taxes?.lines ?? []).compactMap(Tax.init)
        if let document = report.document, document.kind != "unknown" {
            values["kind"] = ArchivedDocument.Value(document.kind, confidence: document.confidence)
        }
        isRedacted = report.redaction != nil
        page = report.page?.index
        continuedPage = report.receiptPages?.first.flatMap { $0 == page ? nil : $0 }
        codes = (report.codes ?? []).compactMap(\.text)
        program = report.versions?["receipt-flattening"].map { "receipt-flattening \($0)" } ?? ""
    }

    /// The tax at one rate.
    struct Tax: Equatable {
        /// Percent as printed; "" if not known.
        var rate = ""
        /// The taxed amount, in thousandths; nil if not known.
        var base: Int?
        /// The tax, in thousandths.
        var amount: Int

        init(amount: Int) { self.amount = amount }

        fileprivate init?(_ line: Report.TaxLine) {
            func thousandths(_ text: String?) -> Int? {
                text.flatMap { Decimal(string: $0) }.flatMap(ArchiveQuery.thousandths)
            }
            guard let amount = thousandths(line.amount) else { return nil }
            self.amount = amount
            rate = line.rate ?? ""
            base = thousandths(line.base) ?? thousandths(line.gross).map { $0 - amount }
        }
    }

    fileprivate struct Report: Decodable {
        struct Field: Decodable {
            let value: String
            let confidence: Double
        }

        /// A field; nil for something else among the fields, such as lists of items.
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

        /// Any content.
        struct Redaction: Decodable {}

        struct Page: Decodable {
            let index: Int
        }

        struct TaxLine: Decodable {
            let rate, base, gross: String?
            let amount: String
        }

        /// The lists among the fields.
        struct Taxes: Decodable {
            let lines: [TaxLine]?

            private enum CodingKeys: String, CodingKey {
                case lines = "tax_lines"
            }
        }

        struct Phone: Decodable {
            let value, kind: String
            let confidence: Double
        }

        struct Name: Decodable {
            let full, given, family: String
            let confidence: Double
        }

        struct Address: Decodable {
            let full: String
            let confidence: Double
        }

        /// The contents of a business card.
        struct Contact: Decodable {
            let names: [Name]?
            let organisation, title: Field?
            let phones: [Phone]?
            let emails, urls: [Field]?
            let address: Address?

            /// The same values by name; several values of one kind are numbered from the second on.
            var values: [(name: String, value: ArchivedDocument.Value)] {
                var found: [(name: String, value: ArchivedDocument.Value)] = []
                var counts: [String: Int] = [:]
                func add(_ name: String, _ text: String?, _ confidence: Double?) {
                    guard let text, !text.isEmpty, let confidence else { return }
                    counts[name, default: 0] += 1
                    let number = counts[name, default: 1] == 1 ? "" : "_\(counts[name, default: 1])"
                    found.append((name + number, .init(text, confidence: confidence)))
                }
                if let name = names?.first {
                    add("name", name.full, name.confidence)
                    add("given_name", name.given, name.confidence)
                    add("family_name", name.family, name.confidence)
                }
                add("organisation", organisation?.value, organisation?.confidence)
                add("title", title?.value, title?.confidence)
                for phone in phones ?? [] {
                    add(phone.kind == "work" ? "phone" : phone.kind, phone.value, phone.confidence)
                }
                for email in emails ?? [] { add("email", email.value, email.confidence) }
                for url in urls ?? [] { add("web", url.value, url.confidence) }
                add("address", address?.full, address?.confidence)
                return found
            }
        }

        let method: String
        let fields: [String: Perhaps]?
        let document: Document?
        let codes: [Code]?
        let versions: [String: String]?
        let redaction: Redaction?
        let page: Page?
        let receiptPages: [Int]?
        let contact: Contact?
        let taxes: Taxes?

        private enum CodingKeys: String, CodingKey {
            case method, fields, document, codes, versions, redaction, page, contact
            case receiptPages = "receipt_pages"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            method = try container.decode(String.self, forKey: .method)
            fields = try container.decodeIfPresent([String: Perhaps].self, forKey: .fields)
            taxes = try container.decodeIfPresent(Taxes.self, forKey: .fields)
            document = try container.decodeIfPresent(Document.self, forKey: .document)
            codes = try container.decodeIfPresent([Code].self, forKey: .codes)
            versions = try container.decodeIfPresent([String: String].self, forKey: .versions)
            redaction = try container.decodeIfPresent(Redaction.self, forKey: .redaction)
            page = try container.decodeIfPresent(Page.self, forKey: .page)
            receiptPages = try container.decodeIfPresent([Int].self, forKey: .receiptPages)
            contact = try container.decodeIfPresent(Contact.self, forKey: .contact)
        }
    }
}

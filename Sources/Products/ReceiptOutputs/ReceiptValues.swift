package import Diagnostics
package import Documents
package import Platform
package import ReceiptFlattening

/// The values of a receipt alone, without places and confidences: what `--fields` writes.
///
/// Every key is written, with null for what was not found, and `missing` says why. Amounts are strings with the number
/// of digits of their currency.
package struct ReceiptValues: Encodable, Sendable {
    private let fields: ReceiptFields
    /// The pages that the receipt covers; nil for a receipt on one page.
    private let pages: [Int]?

    /// Takes the values of a receipt.
    package init(_ fields: ReceiptFields) {
        self.fields = fields
        pages = nil
    }

    /// Takes the values of the receipt that begins on a page; if the page continues another page's receipt, only the
    /// reason.
    package init(_ page: FlattenedPage) {
        pages = page.report.receiptPages
        fields =
            page.fields
            ?? page.report.fieldsMissing.map { ReceiptFields(missing: $0) } ?? ReceiptFields()
    }

    /// The values as JSON: keys in snake case, sorted, indented.
    package func json() throws(FlatteningError) -> Data { try FlatteningReport.json(of: self) }

    /// One thing bought.
    private struct Item: Encodable {
        var description: String
        var quantity, unit, unitPrice, code: String?
        var amount, kind: String
        var ofItem: Int?
        var taxClass: String?

        private enum CodingKeys: String, CodingKey {
            case description, quantity, unit, unitPrice, code, amount, kind, ofItem, taxClass
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(description, forKey: .description)
            try container.encode(quantity, forKey: .quantity)
            try container.encode(unit, forKey: .unit)
            try container.encode(unitPrice, forKey: .unitPrice)
            try container.encode(code, forKey: .code)
            try container.encode(amount, forKey: .amount)
            try container.encode(kind, forKey: .kind)
            try container.encode(ofItem, forKey: .ofItem)
            try container.encode(taxClass, forKey: .taxClass)
        }
    }

    /// One part of the payment.
    private struct Payment: Encodable {
        var kind, amount: String
    }

    /// One line of tax.
    private struct TaxLine: Encodable {
        var rate, base: String?
        var amount: String
        var gross, taxClass: String?

        private enum CodingKeys: String, CodingKey { case rate, base, amount, gross, taxClass }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(rate, forKey: .rate)
            try container.encode(base, forKey: .base)
            try container.encode(amount, forKey: .amount)
            try container.encode(gross, forKey: .gross)
            try container.encode(taxClass, forKey: .taxClass)
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// Writes every key.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: Key("schema"))
        try container.encode(pages, forKey: Key("pages"))
        for name in ReceiptFieldName.allCases {
            try container.encode(fields.text(of: name), forKey: Key(name.key))
        }
        try container.encode(
            fields.items.map {
                Item(
                    description: $0.description, quantity: $0.quantity?.description, unit: $0.unit,
                    unitPrice: $0.unitPrice.map(fields.text), code: $0.code,
                    amount: fields.text(of: $0.amount),
                    kind: $0.kind.rawValue, ofItem: $0.ofItem.map { $0 + 1 }, taxClass: $0.taxClass)
            }, forKey: Key("items"))
        try container.encode(
            fields.taxLines.map {
                TaxLine(
                    rate: $0.rate?.description, base: $0.base.map(fields.text),
                    amount: fields.text(of: $0.amount), gross: $0.gross.map(fields.text),
                    taxClass: $0.taxClass)
            }, forKey: Key("tax_lines"))
        try container.encode(
            fields.payments.map { Payment(kind: $0.kind, amount: fields.text(of: $0.amount)) },
            forKey: Key("payments"))
        try container.encode(fields.contradictions, forKey: Key("contradictions"))
        try container.encode(fields.ambiguous, forKey: Key("ambiguous"))
        try container.encode(fields.missing, forKey: Key("missing"))
    }
}

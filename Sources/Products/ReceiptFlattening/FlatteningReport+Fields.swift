package import Documents
import Platform
import Imaging
import TextRecognition

extension FlatteningReport {
    /// Where something stands, in three frames of reference; each a quadrilateral, clockwise from its top left corner.
    package struct Place: Codable, Equatable, Sendable {
        /// In pixels of the flat image, the centre of its first pixel being 0, 0.
        package var flat: [[Double]]
        /// In pixels of the upright photograph; null if a corner was not seen.
        package var photograph: [[Double]]?
        /// In millimetres from the flat image's top left corner; null if the scale is not metric.
        package var mm: [[Double]]?
        /// The page it stands on, if the receipt covers several; absent for a receipt on one page.
        package var page: Int?

        private enum CodingKeys: String, CodingKey { case flat, photograph, mm, page }

        /// Writes null for unknown values.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(flat, forKey: .flat)
            try container.encode(photograph, forKey: .photograph)
            try container.encode(mm, forKey: .mm)
            try container.encodeIfPresent(page, forKey: .page)
        }
    }

    /// One field of the receipt.
    package struct FieldSummary: Codable, Equatable, Sendable {
        /// The value: ISO 8601 for dates and times, ISO 4217 for currencies. Amounts are strings ("24.50": decimal point, no
        /// thousands separators, the currency's number of digits), because most readers parse a JSON number as a binary
        /// fraction.
        package var value: String
        /// Confidence, 0 to 1.
        package var confidence: Double
        /// The words as printed, separated by spaces.
        package var printed: String
        /// Where the words stand on the sheet.
        package var polygon: Place
    }

    /// One thing bought.
    package struct ItemSummary: Codable, Equatable, Sendable {
        /// How many or how much, as a decimal string; null if not printed.
        package var quantity: String?
        /// The unit of the quantity as printed; null if not printed.
        package var unit: String?
        /// Price of one, as a decimal string; null if not printed.
        package var unitPrice: String?
        /// The seller's code for it; null if not printed.
        package var code: String?
        /// Its description, without quantity and amount.
        package var description: String
        /// Price of the whole quantity, as a decimal string; negative for a deduction.
        package var amount: String
        /// "goods", "deposit" or "discount"; like the fields below that may be null, absent in older reports.
        package var kind: String?
        /// The number, from 1, of the item that a deduction or a deposit belongs to; null if that is not clear.
        package var ofItem: Int?
        /// The tax class printed behind the amount; null if not printed.
        package var taxClass: String?
        /// Confidence, 0 to 1.
        package var confidence: Double
        /// The row before the amount as printed, quantity included.
        package var printed: String
        /// Where the row stands.
        package var polygon: Place

        private enum CodingKeys: String, CodingKey {
            case quantity, unit, unitPrice, code, description, amount, kind, ofItem, taxClass, confidence,
                printed, polygon
        }

        /// Writes null for values that are not printed.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(quantity, forKey: .quantity)
            try container.encode(unit, forKey: .unit)
            try container.encode(unitPrice, forKey: .unitPrice)
            try container.encode(code, forKey: .code)
            try container.encode(description, forKey: .description)
            try container.encode(amount, forKey: .amount)
            try container.encode(kind, forKey: .kind)
            try container.encode(ofItem, forKey: .ofItem)
            try container.encode(taxClass, forKey: .taxClass)
            try container.encode(confidence, forKey: .confidence)
            try container.encode(printed, forKey: .printed)
            try container.encode(polygon, forKey: .polygon)
        }
    }

    /// One line of tax.
    package struct TaxLineSummary: Codable, Equatable, Sendable {
        /// Percent, as a decimal string; null if not printed.
        package var rate: String?
        /// The amount that is taxed, as a decimal string; null if not printed.
        package var base: String?
        /// The tax, a decimal string.
        package var amount: String
        /// The sum including the tax, as a decimal string; null if not printed.
        package var gross: String?
        /// The tax class by which items refer to this line; null if not printed.
        package var taxClass: String?
        /// Confidence, 0 to 1.
        package var confidence: Double
        /// Where the row stands.
        package var polygon: Place

        private enum CodingKeys: String, CodingKey {
            case rate, base, amount, gross, taxClass, confidence, polygon
        }

        /// Writes null for values that are not printed.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(rate, forKey: .rate)
            try container.encode(base, forKey: .base)
            try container.encode(amount, forKey: .amount)
            try container.encode(gross, forKey: .gross)
            try container.encode(taxClass, forKey: .taxClass)
            try container.encode(confidence, forKey: .confidence)
            try container.encode(polygon, forKey: .polygon)
        }
    }

    /// One part of what was paid.
    package struct PaymentSummary: Codable, Equatable, Sendable {
        /// The kind of payment.
        package var kind: String
        /// The amount paid, as a decimal string.
        package var amount: String
        /// Confidence, 0 to 1.
        package var confidence: Double
        /// Where the row stands.
        package var polygon: Place
    }

    /// The fields of a receipt; see `ReceiptFields`. A field that was not found is null, never guessed.
    package struct FieldsSummary: Codable, Equatable, Sendable {
        /// The fields that were found and have one value.
        private var single: [ReceiptFieldName: FieldSummary] = [:]
        /// The items bought, in the order of the receipt.
        package var items: [ItemSummary]
        /// The tax by line; absent in older reports.
        package var taxLines: [TaxLineSummary]?
        /// The payments, part by part; absent in older reports.
        package var payments: [PaymentSummary]?
        /// Sums that do not agree, one sentence each.
        package var contradictions: [String]
        /// The possible values of a field if print and country leave a choice, by the field's key; absent in older reports.
        package var ambiguous: [String: [String]]?
        /// Why a field is null, by the field's key; absent in older reports.
        package var missing: [String: String]?

        /// A field with one value; nil if it was not found.
        package subscript(name: ReceiptFieldName) -> FieldSummary? { single[name] }

        private enum CodingKeys: String, CodingKey {
            case items, taxLines, payments, contradictions, ambiguous, missing
        }

        /// Reads the keys that are there: older reports lack some.
        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: ReceiptFieldName.self)
            for name in ReceiptFieldName.allCases {
                single[name] = try fields.decodeIfPresent(FieldSummary.self, forKey: name)
            }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            items = try container.decode([ItemSummary].self, forKey: .items)
            taxLines = try container.decodeIfPresent([TaxLineSummary].self, forKey: .taxLines)
            payments = try container.decodeIfPresent([PaymentSummary].self, forKey: .payments)
            contradictions = try container.decode([String].self, forKey: .contradictions)
            ambiguous = try container.decodeIfPresent([String: [String]].self, forKey: .ambiguous)
            missing = try container.decodeIfPresent([String: String].self, forKey: .missing)
        }

        /// Writes every key, with null for fields that were not found.
        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: ReceiptFieldName.self)
            for name in ReceiptFieldName.allCases { try fields.encode(single[name], forKey: name) }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(items, forKey: .items)
            try container.encode(taxLines, forKey: .taxLines)
            try container.encode(payments, forKey: .payments)
            try container.encode(contradictions, forKey: .contradictions)
            try container.encodeIfPresent(ambiguous, forKey: .ambiguous)
            try container.encodeIfPresent(missing, forKey: .missing)
        }
    }
}

extension FlatteningReport.FieldsSummary {
    /// Creates a summary of the fields with their places.
    /// - Parameter map: maps the flat image's pixels to the photograph's.
    init(_ fields: ReceiptFields, map: SamplingMap, pixelsPerMillimeter: Double?) {
        self.init(fields) { box, _ in .init(box, map: map, pixelsPerMillimeter: pixelsPerMillimeter) }
    }

    /// Creates a summary of the fields with their places.
    /// - Parameter place: converts a box on a page to a place; the page is nil if the receipt has one page.
    init(_ fields: ReceiptFields, place: (_ box: Box, _ page: Int?) -> FlatteningReport.Place) {
        func summary<Value>(
            _ field: ReceiptFields.Field<Value>?, _ text: (Value) -> String
        ) -> FlatteningReport.FieldSummary? {
            field.map {
                .init(
                    value: text($0.value), confidence: $0.confidence, printed: $0.printed,
                    polygon: place($0.box, $0.page))
            }
        }
        for name in ReceiptFieldName.allCases {
            single[name] =
                switch name.property {
                case .text(let path): summary(fields[keyPath: path]) { $0 }
                case .amount(let path): summary(fields[keyPath: path], fields.text)
                }
        }
        items = fields.items.map {
            .init(
                quantity: $0.quantity?.description, unit: $0.unit, unitPrice: $0.unitPrice.map(fields.text),
                code: $0.code, description: $0.description, amount: fields.text(of: $0.amount),
                kind: $0.kind.rawValue, ofItem: $0.ofItem.map { $0 + 1 }, taxClass: $0.taxClass,
                confidence: $0.confidence,
                printed: $0.printed, polygon: place($0.box, $0.page))
        }
        taxLines = fields.taxLines.map {
            .init(
                rate: $0.rate?.description, base: $0.base.map(fields.text),
                amount: fields.text(of: $0.amount),
                gross: $0.gross.map(fields.text), taxClass: $0.taxClass, confidence: $0.confidence,
                polygon: place($0.box, $0.page))
        }
        payments = fields.payments.map {
            .init(
                kind: $0.kind, amount: fields.text(of: $0.amount), confidence: $0.confidence,
                polygon: place($0.box, $0.page))
        }
        contradictions = fields.contradictions
        ambiguous = fields.ambiguous
        missing = fields.missing
    }
}

extension FlatteningReport.Place {
    /// Creates a place from a box of the flat image. Its corners are mapped one by one, so that in the photograph it
    /// follows the bent paper.
    init(_ box: Box, map: SamplingMap, pixelsPerMillimeter: Double?) {
        self.init(corners: box.corners, map: map, pixelsPerMillimeter: pixelsPerMillimeter)
    }

    /// A quadrilateral of the flat image, in pixel-centre coordinates.
    init(corners: [SIMD2<Double>], map: SamplingMap, pixelsPerMillimeter: Double?) {
        flat = corners.map { [$0.x, $0.y] }
        let seen = corners.map(map.source(of:)).map { [$0.x, $0.y] }
        photograph = seen.joined().allSatisfy(\.isFinite) ? seen : nil
        mm = pixelsPerMillimeter.map { scale in
            // Millimetres are counted from the edge, half a pixel before the first pixel's centre.
            corners.map { [($0.x + 0.5) / scale, ($0.y + 0.5) / scale] }
        }
    }
}

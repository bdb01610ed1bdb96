import Documents
import Imaging

extension FlatteningReport {
    /// One item on the sheet.
    package struct RecognizedItemSummary: Codable, Equatable, Sendable {
        /// What it is: url, email, phone, date, price or address.
        package var kind: String
        /// The value in its normal form.
        package var value: String
        /// ISO 4217 code; null for all kinds but prices, and if none is printed.
        package var currency: String?
        /// The words as printed.
        package var printed: String
        /// Confidence, 0 to 1.
        package var confidence: Double
        /// Where it stands.
        package var polygon: Place

        private enum CodingKeys: String, CodingKey {
            case kind, value, currency, printed, confidence, polygon
        }

        /// Writes null for values that are not printed.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(kind, forKey: .kind)
            try container.encode(value, forKey: .value)
            try container.encode(currency, forKey: .currency)
            try container.encode(printed, forKey: .printed)
            try container.encode(confidence, forKey: .confidence)
            try container.encode(polygon, forKey: .polygon)
        }
    }
}

extension FlatteningReport.RecognizedItemSummary {
    init(_ item: RecognizedItem, map: SamplingMap, pixelsPerMillimeter: Double?) {
        self.init(
            kind: item.kind.rawValue, value: item.value, currency: item.currency, printed: item.printed,
            confidence: item.confidence,
            polygon: .init(item.box, map: map, pixelsPerMillimeter: pixelsPerMillimeter))
    }
}

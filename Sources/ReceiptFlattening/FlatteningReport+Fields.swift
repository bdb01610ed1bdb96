import Documents
import Foundation
import Imaging
import TextRecognition

extension FlatteningReport {
    /// Where something stands, three times over: each a quadrilateral, clockwise from its top left corner.
    package struct Place: Codable, Equatable, Sendable {
        /// In pixels of the flat picture, the centre of its first pixel being 0, 0.
        package var flat: [[Double]]
        /// In pixels of the upright photograph; null where a corner was not seen.
        package var photograph: [[Double]]?
        /// In millimetres from the flat picture's top left corner; null where scale is not metric.
        package var mm: [[Double]]?

        private enum CodingKeys: String, CodingKey { case flat, photograph, mm }

        /// Writes null for what is not known.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(flat, forKey: .flat)
            try container.encode(photograph, forKey: .photograph)
            try container.encode(mm, forKey: .mm)
        }
    }

    /// One field of the receipt.
    package struct FieldSummary: Codable, Equatable, Sendable {
        /// The value: ISO 8601 for dates and times, ISO 4217 for currencies. Amounts are written as strings ("24.5": a
        /// point, no thousands marks, no zeros at the end), since most readers take a JSON number for a binary fraction.
        package var value: String
        /// 0 to 1.
        package var confidence: Double
        /// The words as printed, spaces between them.
        package var printed: String
        /// Where they stand.
        package var polygon: Place
    }

    /// One thing bought.
    package struct ItemSummary: Codable, Equatable, Sendable {
        /// How many or how much, a decimal string; null where nothing is printed.
        package var quantity: String?
        /// Price of one, a decimal string; null where nothing is printed.
        package var unitPrice: String?
        /// What it is, without quantity and amount.
        package var description: String
        /// Price of all, a decimal string; negative for a deduction.
        package var amount: String
        /// 0 to 1.
        package var confidence: Double
        /// The row before the amount as printed, quantity included.
        package var printed: String
        /// Where the row stands.
        package var polygon: Place

        private enum CodingKeys: String, CodingKey {
            case quantity, unitPrice, description, amount, confidence, printed, polygon
        }

        /// Writes null for what is not printed.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(quantity, forKey: .quantity)
            try container.encode(unitPrice, forKey: .unitPrice)
            try container.encode(description, forKey: .description)
            try container.encode(amount, forKey: .amount)
            try container.encode(confidence, forKey: .confidence)
            try container.encode(printed, forKey: .printed)
            try container.encode(polygon, forKey: .polygon)
        }
    }

    /// What a receipt says; see `ReceiptFields`. A field that was not found is null, never guessed.
    package struct FieldsSummary: Codable, Equatable, Sendable {
        /// The seller's name.
        package var merchant: FieldSummary?
        /// The seller's address, its rows joined by ", ".
        package var address: FieldSummary?
        /// The seller's telephone number as printed.
        package var phone: FieldSummary?
        /// The day: "2025-02-13".
        package var date: FieldSummary?
        /// The time of day: "09:44" or "09:44:31".
        package var time: FieldSummary?
        /// The currency's code.
        package var currency: FieldSummary?
        /// What was bought, in the order of the receipt.
        package var items: [ItemSummary]
        /// The sum before tax, or before tip.
        package var subtotal: FieldSummary?
        /// The tax; several taxes are added up.
        package var tax: FieldSummary?
        /// The tip.
        package var tip: FieldSummary?
        /// The sum to be paid.
        package var total: FieldSummary?
        /// The kind of payment.
        package var payment: FieldSummary?
        /// The number of the receipt or invoice.
        package var receiptNumber: FieldSummary?
        /// Sums that do not agree, each in one sentence.
        package var contradictions: [String]

        private enum CodingKeys: String, CodingKey {
            case merchant, address, phone, date, time, currency, items, subtotal, tax, tip, total, payment
            case receiptNumber, contradictions
        }

        /// Writes every key, null for fields that were not found.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(merchant, forKey: .merchant)
            try container.encode(address, forKey: .address)
            try container.encode(phone, forKey: .phone)
            try container.encode(date, forKey: .date)
            try container.encode(time, forKey: .time)
            try container.encode(currency, forKey: .currency)
            try container.encode(items, forKey: .items)
            try container.encode(subtotal, forKey: .subtotal)
            try container.encode(tax, forKey: .tax)
            try container.encode(tip, forKey: .tip)
            try container.encode(total, forKey: .total)
            try container.encode(payment, forKey: .payment)
            try container.encode(receiptNumber, forKey: .receiptNumber)
            try container.encode(contradictions, forKey: .contradictions)
        }
    }
}

extension FlatteningReport.FieldsSummary {
    /// The fields with their places.
    /// - Parameter map: takes the flat picture's pixels to the photograph's.
    init(_ fields: ReceiptFields, map: SamplingMap, pixelsPerMillimeter: Double?) {
        func place(_ box: Box) -> FlatteningReport.Place {
            .init(box, map: map, pixelsPerMillimeter: pixelsPerMillimeter)
        }
        func text(_ field: ReceiptFields.Field<String>?) -> FlatteningReport.FieldSummary? {
            field.map {
                .init(
                    value: $0.value, confidence: $0.confidence, printed: $0.printed, polygon: place($0.box))
            }
        }
        func amount(_ field: ReceiptFields.Field<Decimal>?) -> FlatteningReport.FieldSummary? {
            field.map {
                .init(
                    value: $0.value.description, confidence: $0.confidence, printed: $0.printed,
                    polygon: place($0.box))
            }
        }
        merchant = text(fields.merchant)
        address = text(fields.address)
        phone = text(fields.phone)
        date = text(fields.date)
        time = text(fields.time)
        currency = text(fields.currency)
        items = fields.items.map {
            .init(
                quantity: $0.quantity?.description, unitPrice: $0.unitPrice?.description,
                description: $0.description, amount: $0.amount.description, confidence: $0.confidence,
                printed: $0.printed, polygon: place($0.box))
        }
        subtotal = amount(fields.subtotal)
        tax = amount(fields.tax)
        tip = amount(fields.tip)
        total = amount(fields.total)
        payment = text(fields.payment)
        receiptNumber = text(fields.receiptNumber)
        contradictions = fields.contradictions
    }
}

extension FlatteningReport.Place {
    /// A box of the flat picture. The corners move one by one, so that in the photograph it is as bent as the paper.
    init(_ box: Box, map: SamplingMap, pixelsPerMillimeter: Double?) {
        flat = box.corners.map { [$0.x, $0.y] }
        let seen = box.corners(through: map).map { [$0.x, $0.y] }
        photograph = seen.joined().allSatisfy(\.isFinite) ? seen : nil
        mm = pixelsPerMillimeter.map { scale in
            // Millimetres are counted from the edge, half a pixel before the first pixel's centre.
            box.corners.map { [($0.x + 0.5) / scale, ($0.y + 0.5) / scale] }
        }
    }
}

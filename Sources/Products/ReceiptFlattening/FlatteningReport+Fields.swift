import Documents
import Platform
import Imaging
import TextRecognition

extension FlatteningReport {
    /// Where something stands, in three frames of reference; each a quadrilateral, clockwise from its top left corner.
    package struct Place: Codable, Equatable, Sendable {
        /// In pixels of the flat picture, the centre of its first pixel being 0, 0.
        package var flat: [[Double]]
        /// In pixels of the upright photograph; null if a corner was not seen.
        package var photograph: [[Double]]?
        /// In millimetres from the flat picture's top left corner; null if the scale is not metric.
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
        /// The seller's name.
        package var merchant: FieldSummary?
        /// The seller's address, its rows joined by ", ".
        package var address: FieldSummary?
        /// The seller's telephone number as printed.
        package var phone: FieldSummary?
        /// The seller's mail address.
        package var email: FieldSummary?
        /// The seller's website.
        package var web: FieldSummary?
        /// The seller's number in a register of companies.
        package var registrationNumber: FieldSummary?
        /// The seller's tax number.
        package var taxNumber: FieldSummary?
        /// The day: "2025-02-13".
        package var date: FieldSummary?
        /// The time of day: "09:44" or "09:44:31".
        package var time: FieldSummary?
        /// The currency's code.
        package var currency: FieldSummary?
        /// The country's code.
        package var country: FieldSummary?
        /// The language's code.
        package var language: FieldSummary?
        /// The items bought, in the order of the receipt.
        package var items: [ItemSummary]
        /// The sum before tax, or before tip.
        package var subtotal: FieldSummary?
        /// The amount deducted from the sum.
        package var discount: FieldSummary?
        /// The charge for service.
        package var service: FieldSummary?
        /// The tax; several taxes are added up.
        package var tax: FieldSummary?
        /// The tax by line; absent in older reports.
        package var taxLines: [TaxLineSummary]?
        /// The tip.
        package var tip: FieldSummary?
        /// The amount that rounding added or deducted.
        package var rounding: FieldSummary?
        /// The sum to be paid.
        package var total: FieldSummary?
        /// The cash given.
        package var cashGiven: FieldSummary?
        /// The change given back.
        package var change: FieldSummary?
        /// The kind of payment.
        package var payment: FieldSummary?
        /// The last four digits of the card.
        package var cardNumber: FieldSummary?
        /// The kind of card.
        package var cardKind: FieldSummary?
        /// The payments, part by part; absent in older reports.
        package var payments: [PaymentSummary]?
        /// The number of the receipt or invoice.
        package var receiptNumber: FieldSummary?
        /// The number of the invoice, if the receipt calls itself one.
        package var invoiceNumber: FieldSummary?
        /// The chain that the seller belongs to; this and `category` are absent in older reports.
        package var brand: FieldSummary?
        /// The kind of goods sold there.
        package var category: FieldSummary?
        /// Sums that do not agree, one sentence each.
        package var contradictions: [String]
        /// The possible values of a field if print and country leave a choice, by the field's key; absent in older reports.
        package var ambiguous: [String: [String]]?
        /// Why a field is null, by the field's key; absent in older reports.
        package var missing: [String: String]?

        private enum CodingKeys: String, CodingKey {
            case merchant, address, phone, email, web, registrationNumber, taxNumber
            case date, time, currency, country, language, items
            case subtotal, discount, service, tax, taxLines, tip, rounding, total
            case cashGiven, change, payment, payments, cardNumber, cardKind, receiptNumber, invoiceNumber,
                brand, category, contradictions, ambiguous, missing
        }

        /// Writes every key, with null for fields that were not found.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(merchant, forKey: .merchant)
            try container.encode(address, forKey: .address)
            try container.encode(phone, forKey: .phone)
            try container.encode(email, forKey: .email)
            try container.encode(web, forKey: .web)
            try container.encode(registrationNumber, forKey: .registrationNumber)
            try container.encode(taxNumber, forKey: .taxNumber)
            try container.encode(date, forKey: .date)
            try container.encode(time, forKey: .time)
            try container.encode(currency, forKey: .currency)
            try container.encode(country, forKey: .country)
            try container.encode(language, forKey: .language)
            try container.encode(items, forKey: .items)
            try container.encode(subtotal, forKey: .subtotal)
            try container.encode(discount, forKey: .discount)
            try container.encode(service, forKey: .service)
            try container.encode(tax, forKey: .tax)
            try container.encode(taxLines, forKey: .taxLines)
            try container.encode(tip, forKey: .tip)
            try container.encode(rounding, forKey: .rounding)
            try container.encode(total, forKey: .total)
            try container.encode(cashGiven, forKey: .cashGiven)
            try container.encode(change, forKey: .change)
            try container.encode(payment, forKey: .payment)
            try container.encode(payments, forKey: .payments)
            try container.encode(cardNumber, forKey: .cardNumber)
            try container.encode(cardKind, forKey: .cardKind)
            try container.encode(receiptNumber, forKey: .receiptNumber)
            try container.encode(invoiceNumber, forKey: .invoiceNumber)
            try container.encode(brand, forKey: .brand)
            try container.encode(category, forKey: .category)
            try container.encode(contradictions, forKey: .contradictions)
            try container.encodeIfPresent(ambiguous, forKey: .ambiguous)
            try container.encodeIfPresent(missing, forKey: .missing)
        }
    }
}

extension FlatteningReport.FieldsSummary {
    /// Creates a summary of the fields with their places.
    /// - Parameter map: maps the flat picture's pixels to the photograph's.
    init(_ fields: ReceiptFields, map: SamplingMap, pixelsPerMillimeter: Double?) {
        self.init(fields) { box, _ in .init(box, map: map, pixelsPerMillimeter: pixelsPerMillimeter) }
    }

    /// Creates a summary of the fields with their places.
    /// - Parameter place: converts a box on a page to a place; the page is nil if the receipt has one page.
    init(_ fields: ReceiptFields, place: (_ box: Box, _ page: Int?) -> FlatteningReport.Place) {
        func text(_ field: ReceiptFields.Field<String>?) -> FlatteningReport.FieldSummary? {
            field.map {
                .init(
                    value: $0.value, confidence: $0.confidence, printed: $0.printed,
                    polygon: place($0.box, $0.page))
            }
        }
        func amount(_ field: ReceiptFields.Field<Decimal>?) -> FlatteningReport.FieldSummary? {
            field.map {
                .init(
                    value: fields.text(of: $0.value), confidence: $0.confidence, printed: $0.printed,
                    polygon: place($0.box, $0.page))
            }
        }
        merchant = text(fields.merchant)
        address = text(fields.address)
        phone = text(fields.phone)
        email = text(fields.email)
        web = text(fields.web)
        registrationNumber = text(fields.registrationNumber)
        taxNumber = text(fields.taxNumber)
        date = text(fields.date)
        time = text(fields.time)
        currency = text(fields.currency)
        country = text(fields.country)
        language = text(fields.language)
        items = fields.items.map {
            .init(
                quantity: $0.quantity?.description, unit: $0.unit, unitPrice: $0.unitPrice.map(fields.text),
                code: $0.code, description: $0.description, amount: fields.text(of: $0.amount),
                kind: $0.kind.rawValue, ofItem: $0.ofItem.map { $0 + 1 }, taxClass: $0.taxClass,
                confidence: $0.confidence,
                printed: $0.printed, polygon: place($0.box, $0.page))
        }
        subtotal = amount(fields.subtotal)
        discount = amount(fields.discount)
        service = amount(fields.service)
        tax = amount(fields.tax)
        taxLines = fields.taxLines.map {
            .init(
                rate: $0.rate?.description, base: $0.base.map(fields.text),
                amount: fields.text(of: $0.amount),
                gross: $0.gross.map(fields.text), taxClass: $0.taxClass, confidence: $0.confidence,
                polygon: place($0.box, $0.page))
        }
        tip = amount(fields.tip)
        rounding = amount(fields.rounding)
        total = amount(fields.total)
        cashGiven = amount(fields.cashGiven)
        change = amount(fields.change)
        payment = text(fields.payment)
        payments = fields.payments.map {
            .init(
                kind: $0.kind, amount: fields.text(of: $0.amount), confidence: $0.confidence,
                polygon: place($0.box, $0.page))
        }
        cardNumber = text(fields.cardNumber)
        cardKind = text(fields.cardKind)
        receiptNumber = text(fields.receiptNumber)
        invoiceNumber = text(fields.invoiceNumber)
        brand = text(fields.brand)
        category = text(fields.category)
        contradictions = fields.contradictions
        ambiguous = fields.ambiguous
        missing = fields.missing
    }
}

extension FlatteningReport.Place {
    /// Creates a place from a box of the flat picture. Its corners are mapped one by one, so that in the photograph it
    /// follows the bent paper.
    init(_ box: Box, map: SamplingMap, pixelsPerMillimeter: Double?) {
        self.init(corners: box.corners, map: map, pixelsPerMillimeter: pixelsPerMillimeter)
    }

    /// A quadrilateral of the flat picture, in pixel-centre coordinates.
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

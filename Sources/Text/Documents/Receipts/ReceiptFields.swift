public import Imaging
package import TextRecognition
public import Platform

/// The fields of a receipt, extracted from its text: who sold what, when, for how much.
///
/// A field is nil rather than guessed. The total is what its label says, never simply the largest number. Where sums agree, the
/// confidence of the amounts rises; where they do not, `contradictions` says so.
public struct ReceiptFields: Codable, Hashable, Sendable {
    /// A value together with the print that it was read from.
    public struct Field<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
        /// The value.
        public var value: Value
        /// Confidence, 0 to 1.
        public var confidence: Double
        /// The words as printed, separated by spaces.
        public var printed: String
        /// Where it stands on the page.
        public var box: Box
        /// Number of the page that it stands on, counted from 1 in its document; nil where the receipt has one page.
        public var page: Int?

        /// A field from its parts.
        package init(value: Value, confidence: Double, printed: String, box: Box) {
            self.value = value
            self.confidence = confidence
            self.printed = printed
            self.box = box
        }
    }

    /// What an item is.
    public enum ItemKind: String, Codable, Hashable, Sendable {
        /// An article or a service.
        case goods
        /// The deposit for a bottle or a crate; negative where it is given back.
        case deposit
        /// A deduction.
        case discount
    }

    /// One thing bought.
    public struct LineItem: Codable, Hashable, Sendable {
        /// The count, weight or measure; nil where nothing is printed.
        public var quantity: Decimal?
        /// The unit of the quantity as printed, "kg"; nil where nothing is printed.
        public var unit: String?
        /// Price of one unit; nil where nothing is printed.
        public var unitPrice: Decimal?
        /// The seller's code for the item; nil where nothing is printed.
        public var code: String?
        /// The item's name, without quantity and amount.
        public var description: String
        /// Price of the whole quantity; negative for a deduction.
        public var amount: Decimal
        /// Whether the item was bought, is a deposit, or was taken off.
        public var kind: ItemKind
        /// Index of the item that a deduction or a deposit belongs to, counted from 0 in `items`; nil where that is not clear.
        public var ofItem: Int?
        /// The tax class as printed behind the amount, "A", or its rate, "19"; nil where nothing is printed.
        public var taxClass: String?
        /// Confidence, 0 to 1.
        public var confidence: Double
        /// The row before the amount as printed, quantity included.
        package var printed: String
        /// Where it stands on the page.
        public var box: Box
        /// Number of the page that it stands on, counted from 1 in its document; nil where the receipt has one page.
        public var page: Int?

        /// An item from its parts.
        package init(
            quantity: Decimal?, unit: String? = nil, unitPrice: Decimal? = nil, code: String? = nil,
            description: String, amount: Decimal, kind: ItemKind = .goods, ofItem: Int? = nil,
            taxClass: String? = nil, confidence: Double, printed: String, box: Box
        ) {
            self.quantity = quantity
            self.unit = unit
            self.unitPrice = unitPrice
            self.code = code
            self.description = description
            self.amount = amount
            self.kind = kind
            self.ofItem = ofItem
            self.taxClass = taxClass
            self.confidence = confidence
            self.printed = printed
            self.box = box
        }
    }

    /// One line of tax.
    public struct TaxLine: Codable, Hashable, Sendable {
        /// The rate in percent; nil where nothing is printed.
        public var rate: Decimal?
        /// The net sum that the tax is charged on; nil where nothing is printed.
        public var base: Decimal?
        /// The amount of tax.
        public var amount: Decimal
        /// The sum including the tax; nil where nothing is printed.
        public var gross: Decimal?
        /// The tax class by which items refer to this line, "A"; nil where nothing is printed.
        public var taxClass: String?
        /// Confidence, 0 to 1.
        public var confidence: Double
        /// Where the row stands on the page.
        public var box: Box
        /// Number of the page that it stands on, counted from 1 in its document; nil where the receipt has one page.
        public var page: Int?

        /// A line from its parts.
        package init(
            rate: Decimal?, base: Decimal?, amount: Decimal, gross: Decimal? = nil, taxClass: String? = nil,
            confidence: Double, box: Box
        ) {
            self.rate = rate
            self.base = base
            self.amount = amount
            self.gross = gross
            self.taxClass = taxClass
            self.confidence = confidence
            self.box = box
        }
    }

    /// One of the payments that make up what was paid.
    public struct Payment: Codable, Hashable, Sendable {
        /// The kind: "card", "cash", "cheque", "voucher", "paypal", "apple pay" or "google pay".
        public var kind: String
        /// What was given.
        public var amount: Decimal
        /// Confidence, 0 to 1.
        public var confidence: Double
        /// Where the row stands on the page.
        public var box: Box
        /// Number of the page that it stands on, counted from 1 in its document; nil where the receipt has one page.
        public var page: Int?

        /// A part from its values.
        package init(kind: String, amount: Decimal, confidence: Double, box: Box) {
            self.kind = kind
            self.amount = amount
            self.confidence = confidence
            self.box = box
        }
    }

    /// The seller's name.
    public var merchant: Field<String>?
    /// The seller's address, its rows joined by ", ".
    public var address: Field<String>?
    /// The seller's telephone number as printed.
    public var phone: Field<String>?
    /// The seller's mail address, in small letters.
    public var email: Field<String>?
    /// The seller's website as printed, in small letters.
    public var web: Field<String>?
    /// The seller's number in a register of companies, as printed.
    public var registrationNumber: Field<String>?
    /// The seller's tax number (VAT, GST, NIF), as printed.
    public var taxNumber: Field<String>?
    /// The date, ISO 8601: "2025-02-13".
    public var date: Field<String>?
    /// The time of day, ISO 8601: "09:44" or "09:44:31".
    public var time: Field<String>?
    /// The currency, ISO 4217; nil for "$" or "kr" alone where nothing tells which country's it is.
    public var currency: Field<String>?
    /// The country that the receipt is from, ISO 3166-1: two letters.
    public var country: Field<String>?
    /// The language of most of the receipt's words, ISO 639-1: two letters.
    public var language: Field<String>?
    /// What was bought, in the order of the receipt.
    public var items: [LineItem] = []
    /// The sum before tax, or before tip.
    public var subtotal: Field<Decimal>?
    /// The deduction from the sum, as a positive number; deductions from single items are among `items`.
    public var discount: Field<Decimal>?
    /// The service charge.
    public var service: Field<Decimal>?
    /// The total tax; several taxes are added up.
    public var tax: Field<Decimal>?
    /// Tax line by line, where rates or bases are printed.
    public var taxLines: [TaxLine] = []
    /// What rounding added to the total, negative if it reduced it.
    public var rounding: Field<Decimal>?
    /// The tip.
    public var tip: Field<Decimal>?
    /// The sum to be paid.
    public var total: Field<Decimal>?
    /// What was given in cash.
    public var cashGiven: Field<Decimal>?
    /// The change given back.
    public var change: Field<Decimal>?
    /// The last four digits of the card.
    public var cardNumber: Field<String>?
    /// The kind of card: "visa", "mastercard", "maestro", "american express", "girocard" and others.
    public var cardKind: Field<String>?
    /// The kind of payment: "card", "cash", "cheque", "voucher", "paypal", "apple pay" or "google pay".
    public var payment: Field<String>?
    /// The payments in the order of the receipt: several where it was paid in several ways.
    public var payments: [Payment] = []
    /// The number of the receipt or invoice.
    public var receiptNumber: Field<String>?
    /// The number of the invoice, where the receipt calls it so.
    public var invoiceNumber: Field<String>?
    /// The chain that the seller belongs to, as the chain writes its name: "IKEA" of "IKEA Deutschland GmbH & Co. KG".
    public var brand: Field<String>?
    /// What is sold there: "groceries", "restaurant", "fuel", "health", "care", "clothing", "home", "electronics", "leisure",
    /// "travel", "vehicle", "post" or "general".
    public var category: Field<String>?
    /// Sums that do not agree, one sentence for each; empty if all agree or there is nothing to compare.
    public var contradictions: [String] = []
    /// The possible values of a field, by its key in the report, where print and country leave a choice; the value given comes
    /// first: "03/04/2024" is a day in March or in April.
    public var ambiguous: [String: [String]] = [:]
    /// Why a field is nil, by its key in the report ("card_number"): nothing was found, or by how much its confidence is too low.
    /// Never contains text that was read.
    public var missing: [String: String] = [:]

    /// No fields.
    package init() {}

    /// Extracts the fields of a receipt's text. O(words).
    /// - Parameters:
    ///   - text: read from one receipt, in any language of the vocabulary (`Sources/Tables/CReceiptTables/words`), with decimal
    ///     point, comma or none.
    ///   - context: what is known besides the print.
    package init(of text: RecognizedText, context: ReceiptContext = ReceiptContext()) {
        var parser = ReceiptFieldParser(text: text, context: context)
        self = parser.parse()
    }
}

/// The fields of a receipt that have one value, each with its place in `ReceiptFields` and its name on the results page.
///
/// In the order of a table's columns. Report, tables, results page, overlay and calibration loop over this list; what each holds
/// stands at its property.
package enum ReceiptFieldName: String, CaseIterable, CodingKey, Sendable {
    case merchant, address, phone, email, web, registrationNumber, taxNumber
    case date, time, currency, country, language
    case subtotal, discount, service, tax, tip, rounding, total
    case cashGiven, change, payment, cardKind, cardNumber
    case receiptNumber, invoiceNumber
    case brand, category

    /// Where a field's value is kept, by its type.
    package enum Property {
        case text(WritableKeyPath<ReceiptFields, ReceiptFields.Field<String>?>)
        case amount(WritableKeyPath<ReceiptFields, ReceiptFields.Field<Decimal>?>)
    }

    /// What the list says of a field.
    private struct Row {
        let label: String
        let property: Property
        var isConcluded = false
    }

    private var row: Row {
        switch self {
        case .merchant: Row(label: "Merchant", property: .text(\.merchant))
        case .address: Row(label: "Address", property: .text(\.address))
        case .phone: Row(label: "Phone", property: .text(\.phone))
        case .email: Row(label: "Mail", property: .text(\.email))
        case .web: Row(label: "Web", property: .text(\.web))
        case .registrationNumber: Row(label: "Registration number", property: .text(\.registrationNumber))
        case .taxNumber: Row(label: "Tax number", property: .text(\.taxNumber))
        case .date: Row(label: "Date", property: .text(\.date))
        case .time: Row(label: "Time", property: .text(\.time))
        case .currency: Row(label: "Currency", property: .text(\.currency), isConcluded: true)
        case .country: Row(label: "Country", property: .text(\.country), isConcluded: true)
        case .language: Row(label: "Language", property: .text(\.language), isConcluded: true)
        case .subtotal: Row(label: "Subtotal", property: .amount(\.subtotal))
        case .discount: Row(label: "Discount", property: .amount(\.discount))
        case .service: Row(label: "Service", property: .amount(\.service))
        case .tax: Row(label: "Tax", property: .amount(\.tax))
        case .tip: Row(label: "Tip", property: .amount(\.tip))
        case .rounding: Row(label: "Rounding", property: .amount(\.rounding))
        case .total: Row(label: "Total", property: .amount(\.total))
        case .cashGiven: Row(label: "Cash", property: .amount(\.cashGiven))
        case .change: Row(label: "Change", property: .amount(\.change))
        case .payment: Row(label: "Payment", property: .text(\.payment))
        case .cardKind: Row(label: "Kind of card", property: .text(\.cardKind))
        case .cardNumber: Row(label: "Card", property: .text(\.cardNumber))
        case .receiptNumber: Row(label: "Receipt number", property: .text(\.receiptNumber))
        case .invoiceNumber: Row(label: "Invoice number", property: .text(\.invoiceNumber))
        case .brand: Row(label: "Chain", property: .text(\.brand), isConcluded: true)
        case .category: Row(label: "Category", property: .text(\.category), isConcluded: true)
        }
    }

    /// Where its value is kept.
    package var property: Property { row.property }

    /// What people call it, with a capital letter: "Card".
    package var label: String { row.label }

    /// Whether it may follow from words all over the page, so that its box shows nothing.
    package var isConcluded: Bool { row.isConcluded }

    /// Whether its value is an amount of money.
    package var isAmount: Bool { if case .amount = property { true } else { false } }

    /// Its key where outputs have keys: "card_number".
    package var key: String {
        rawValue.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }
}

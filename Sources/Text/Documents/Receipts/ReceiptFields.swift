public import Imaging
package import TextRecognition
public import Platform

/// What a receipt says, picked out of its text: who sold what, when, for how much.
///
/// A field is absent rather than guessed. The total is what its label says, never simply the largest number. Where sums
/// agree the amounts' confidence rises; where they do not, `contradictions` says so.
public struct ReceiptFields: Codable, Hashable, Sendable {
    /// One value with what it was read from.
    public struct Field<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
        /// The value.
        public var value: Value
        /// How sure it is, 0 to 1.
        public var confidence: Double
        /// The words as printed, spaces between them.
        public var printed: String
        /// Where it stands on the page.
        public var box: Box
        /// The page that it stands on, from 1 as its document counts; nil where the receipt has one page.
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
        /// A thing or a service.
        case goods
        /// The deposit for a bottle or a crate, below zero where it is given back.
        case deposit
        /// What is taken off.
        case discount
    }

    /// One thing bought.
    public struct LineItem: Codable, Hashable, Sendable {
        /// How many or how much; nil where nothing is printed.
        public var quantity: Decimal?
        /// The unit of the quantity as printed, "kg"; nil where nothing is printed.
        public var unit: String?
        /// Price of one; nil where nothing is printed.
        public var unitPrice: Decimal?
        /// The seller's code of it; nil where nothing is printed.
        public var code: String?
        /// What it is, without quantity and amount.
        public var description: String
        /// Price of all; negative for a deduction.
        public var amount: Decimal
        /// Whether it was bought, is a deposit, or was taken off.
        public var kind: ItemKind
        /// The item that a deduction or a deposit belongs to, by its place among the items from 0; nil where that is not clear.
        public var ofItem: Int?
        /// The class of tax as printed behind the amount, "A", or its rate, "19"; nil where nothing is printed.
        public var taxClass: String?
        /// How sure it is, 0 to 1.
        public var confidence: Double
        /// The row before the amount as printed, quantity included.
        package var printed: String
        /// Where it stands on the page.
        public var box: Box
        /// The page that it stands on, from 1 as its document counts; nil where the receipt has one page.
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
        /// Percent; nil where nothing is printed.
        public var rate: Decimal?
        /// The sum that the tax is taken from, without the tax; nil where nothing is printed.
        public var base: Decimal?
        /// The tax.
        public var amount: Decimal
        /// The sum with the tax; nil where nothing is printed.
        public var gross: Decimal?
        /// The class of tax by which items refer to it, "A"; nil where nothing is printed.
        public var taxClass: String?
        /// How sure it is, 0 to 1.
        public var confidence: Double
        /// Where the row stands on the page.
        public var box: Box
        /// The page that it stands on, from 1 as its document counts; nil where the receipt has one page.
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

    /// One part of what was paid.
    public struct Payment: Codable, Hashable, Sendable {
        /// The kind: "card", "cash", "cheque", "voucher", "paypal", "apple pay" or "google pay".
        public var kind: String
        /// What was given.
        public var amount: Decimal
        /// How sure it is, 0 to 1.
        public var confidence: Double
        /// Where the row stands on the page.
        public var box: Box
        /// The page that it stands on, from 1 as its document counts; nil where the receipt has one page.
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
    /// The day, ISO 8601: "2025-02-13".
    public var date: Field<String>?
    /// The time of day, ISO 8601: "09:44" or "09:44:31".
    public var time: Field<String>?
    /// The currency, ISO 4217; nil for "$" or "kr" alone where nothing says whose it is.
    public var currency: Field<String>?
    /// The country that the receipt is from, ISO 3166-1: two letters.
    public var country: Field<String>?
    /// The language of most of its words, ISO 639-1: two letters.
    public var language: Field<String>?
    /// What was bought, in the order of the receipt.
    public var items: [LineItem] = []
    /// The sum before tax, or before tip.
    public var subtotal: Field<Decimal>?
    /// What was taken off the sum, above zero; deductions from single things stand among the items.
    public var discount: Field<Decimal>?
    /// The charge for service.
    public var service: Field<Decimal>?
    /// The tax; several taxes are added up.
    public var tax: Field<Decimal>?
    /// Tax line by line, where rates or bases are printed.
    public var taxLines: [TaxLine] = []
    /// What rounding added to the total, or took off.
    public var rounding: Field<Decimal>?
    /// The tip.
    public var tip: Field<Decimal>?
    /// The sum to be paid.
    public var total: Field<Decimal>?
    /// What was given in cash.
    public var cashGiven: Field<Decimal>?
    /// What was given back.
    public var change: Field<Decimal>?
    /// The last four digits of the card.
    public var cardNumber: Field<String>?
    /// The kind of card: "visa", "mastercard", "maestro", "american express", "girocard" and others.
    public var cardKind: Field<String>?
    /// The kind of payment: "card", "cash", "cheque", "voucher", "paypal", "apple pay" or "google pay".
    public var payment: Field<String>?
    /// What was given, part by part, in the order of the receipt: several where it was paid in several ways.
    public var payments: [Payment] = []
    /// The number of the receipt or invoice.
    public var receiptNumber: Field<String>?
    /// The number of the invoice, where the paper calls it so.
    public var invoiceNumber: Field<String>?
    /// The chain that the seller belongs to, as the chain writes its name: "IKEA" of "IKEA Deutschland GmbH & Co. KG".
    public var brand: Field<String>?
    /// What is sold there: "groceries", "restaurant", "fuel", "health", "care", "clothing", "home", "electronics", "leisure",
    /// "travel", "vehicle", "post" or "general".
    public var category: Field<String>?
    /// Sums that do not agree, each in one sentence; empty if all do or there is nothing to compare.
    public var contradictions: [String] = []
    /// The values that a field may mean where print and country leave a choice, the one that is given first, by its key in the report:
    /// "03/04/2024" is a day in March or in April.
    public var ambiguous: [String: [String]] = [:]
    /// Why a field is nil, by its key in the report ("card_number"): nothing found, or how much too unsure it is. Nothing that was
    /// read stands there.
    public var missing: [String: String] = [:]

    /// No fields.
    package init() {}

    /// The fields of a receipt's text. O(words).
    /// - Parameters:
    ///   - text: read from one receipt, in any language of the vocabulary (`Sources/Tables/CReceiptTables/words`), with decimal
    ///     point, comma or none.
    ///   - context: what is known besides the print.
    package init(of text: RecognizedText, context: ReceiptContext = ReceiptContext()) {
        var parser = ReceiptFieldParser(text: text, context: context)
        self = parser.parse()
    }
}

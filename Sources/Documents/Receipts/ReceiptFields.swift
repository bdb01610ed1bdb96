public import Imaging
package import TextRecognition
public import Foundation

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

        /// A field from its parts.
        package init(value: Value, confidence: Double, printed: String, box: Box) {
            self.value = value
            self.confidence = confidence
            self.printed = printed
            self.box = box
        }
    }

    /// One thing bought.
    public struct LineItem: Codable, Hashable, Sendable {
        /// How many or how much; nil where nothing is printed.
        public var quantity: Decimal?
        /// Price of one; nil where nothing is printed.
        public var unitPrice: Decimal?
        /// What it is, without quantity and amount.
        public var description: String
        /// Price of all; negative for a deduction.
        public var amount: Decimal
        /// How sure it is, 0 to 1.
        public var confidence: Double
        /// The row before the amount as printed, quantity included.
        package var printed: String
        /// Where it stands on the page.
        public var box: Box

        /// An item from its parts.
        package init(
            quantity: Decimal?, unitPrice: Decimal? = nil, description: String, amount: Decimal,
            confidence: Double,
            printed: String, box: Box
        ) {
            self.quantity = quantity
            self.unitPrice = unitPrice
            self.description = description
            self.amount = amount
            self.confidence = confidence
            self.printed = printed
            self.box = box
        }
    }

    /// The seller's name.
    public var merchant: Field<String>?
    /// The seller's address, its rows joined by ", ".
    public var address: Field<String>?
    /// The seller's telephone number as printed.
    public var phone: Field<String>?
    /// The day, ISO 8601: "2025-02-13".
    public var date: Field<String>?
    /// The time of day, ISO 8601: "09:44" or "09:44:31".
    public var time: Field<String>?
    /// The currency, ISO 4217; "$" alone is taken for USD with little confidence.
    public var currency: Field<String>?
    /// What was bought, in the order of the receipt.
    public var items: [LineItem] = []
    /// The sum before tax, or before tip.
    public var subtotal: Field<Decimal>?
    /// The tax; several taxes are added up.
    public var tax: Field<Decimal>?
    /// The tip.
    public var tip: Field<Decimal>?
    /// The sum to be paid.
    public var total: Field<Decimal>?
    /// The kind of payment: "card", "cash", "cheque", "voucher", "paypal", "apple pay" or "google pay".
    public var payment: Field<String>?
    /// The number of the receipt or invoice.
    public var receiptNumber: Field<String>?
    /// Sums that do not agree, each in one sentence; empty if all do or there is nothing to compare.
    public var contradictions: [String] = []

    /// No fields.
    package init() {}

    /// The fields of a receipt's text. O(words).
    /// - Parameter text: read from one receipt, in any language and number style that is found in the vocabulary: English,
    ///   German, French, Spanish, Italian, Dutch, Japanese; decimal point, comma or none.
    package init(of text: RecognizedText) {
        var parser = ReceiptFieldParser(text: text)
        self = parser.parse()
    }
}

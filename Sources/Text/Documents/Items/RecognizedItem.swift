public import Imaging

/// Something on a sheet that a user can act on: a link, an address, a number, a date, a price.
public struct RecognizedItem: Codable, Hashable, Sendable {
    /// The kind of an item.
    public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        /// A web address.
        case url
        /// A mail address.
        case email
        /// A telephone number.
        case phone
        /// A calendar date.
        case date
        /// An amount of money.
        case price
        /// A postal address.
        case address
        /// A time of day.
        case time
        /// A flight's number.
        case flight
        /// A parcel's number.
        case parcel
    }

    /// The kind of item.
    public var kind: Kind
    /// The value in its normal form: a URL with its scheme; a mail address in lower case; a telephone number in E.164, or as
    /// printed if its country is unknown; a date as in ISO 8601, "2025-02-13"; a time "14:32"; a decimal number with a point; an
    /// address with its rows joined by ", "; flight and parcel numbers in capitals without spaces.
    public var value: String
    /// The currency of a price, ISO 4217; nil if none is printed beside it, and for all other kinds.
    public var currency: String?
    /// The words as printed, separated by spaces, rows separated by line feeds.
    public var printed: String
    /// The confidence, 0 to 1.
    public var confidence: Double
    /// Its place on the page, in pixels of the flat image.
    public var box: Box

    /// Creates an item.
    package init(
        kind: Kind, value: String, currency: String? = nil, printed: String, confidence: Double, box: Box
    ) {
        self.kind = kind
        self.value = value
        self.currency = currency
        self.printed = printed
        self.confidence = confidence
        self.box = box
    }
}

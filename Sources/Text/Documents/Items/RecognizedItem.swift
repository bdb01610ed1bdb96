public import Imaging

/// Something on a sheet that one can act on: a link, an address, a number, a date, a price.
public struct RecognizedItem: Codable, Hashable, Sendable {
    /// What an item is.
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

    /// What it is.
    public var kind: Kind
    /// In its normal form: a URL with its scheme; a mail address in small letters; a telephone number in E.164, or as printed
    /// where its country is not known; a date as in ISO 8601, "2025-02-13", a time "14:32"; a decimal number with a point; an
    /// address with its rows joined by ", "; numbers of flights and parcels in capitals without blanks.
    public var value: String
    /// The currency of a price, ISO 4217; nil where none is printed beside it, and for all other kinds.
    public var currency: String?
    /// The words as printed, spaces between them, rows divided by line feeds.
    public var printed: String
    /// How sure it is, 0 to 1.
    public var confidence: Double
    /// Where it stands on the page, in pixels of the flat picture.
    public var box: Box

    /// An item from its parts.
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

public import Imaging

/// The contact data of a business card.
///
/// A value is nil rather than guessed. Numbers, mail addresses and web addresses are in their normal forms.
public struct Contact: Codable, Hashable, Sendable {
    /// One value with the print it was read from.
    public struct Reading<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
        /// The value.
        public var value: Value
        /// The confidence, 0 to 1; 1 for a value entered by hand.
        public var confidence: Double
        /// The words as printed, separated by spaces, rows separated by line feeds; "" for a value entered by hand.
        public var printed: String
        /// Its place on the page, in pixels of the flat image; nil for a value entered by hand.
        public var box: Box?

        /// Creates a value; the defaults are those of a value entered by hand.
        public init(_ value: Value, confidence: Double = 1, printed: String = "", box: Box? = nil) {
            self.value = value
            self.confidence = confidence
            self.printed = printed
            self.box = box
        }
    }

    /// A person's name.
    public struct Name: Codable, Hashable, Sendable {
        /// The name in spoken order, degrees included: "Dr. Anna Maria Huber".
        public var full: String
        /// Given names, separated by spaces; "" if unknown.
        public var given: String
        /// The family name; "" if unknown.
        public var family: String
        /// Titles before the name: "Dr.", "Prof."; "" for none.
        public var prefix: String
        /// Degrees after the name: "PhD", "MBA"; "" for none.
        public var suffix: String

        /// A name from its parts.
        public init(
            full: String, given: String = "", family: String = "", prefix: String = "", suffix: String = ""
        ) {
            self.full = full
            self.given = given
            self.family = family
            self.prefix = prefix
            self.suffix = suffix
        }
    }

    /// A telephone number.
    public struct Phone: Codable, Hashable, Sendable {
        /// What a number is for.
        public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
            /// An office telephone, or any number without another label.
            case work
            /// A mobile telephone.
            case mobile
            /// A fax machine.
            case fax
        }

        /// The number in E.164, "+493012345678"; as printed if its country is unknown.
        public var number: String
        /// What it is for.
        public var kind: Kind

        /// A number from its parts.
        public init(number: String, kind: Kind = .work) {
            self.number = number
            self.kind = kind
        }
    }

    /// A postal address; unknown parts are "".
    public struct Address: Codable, Hashable, Sendable {
        /// The whole address, its rows joined by ", ".
        public var full: String
        /// Street and number.
        public var street: String
        /// The town.
        public var locality: String
        /// The postal code.
        public var postalCode: String
        /// The country as printed.
        public var country: String

        /// An address from its parts.
        public init(
            full: String, street: String = "", locality: String = "", postalCode: String = "",
            country: String = ""
        ) {
            self.full = full
            self.street = street
            self.locality = locality
            self.postalCode = postalCode
            self.country = country
        }
    }

    /// The person's name; several if the card prints it in several scripts.
    public var names: [Reading<Name>] = []
    /// The firm or institution.
    public var organisation: Reading<String>?
    /// The person's job there: "Sales Manager".
    public var title: Reading<String>?
    /// Telephone and fax numbers, in reading order.
    public var phones: [Reading<Phone>] = []
    /// Mail addresses in lower case, in reading order.
    public var emails: [Reading<String>] = []
    /// Web addresses with their scheme, host in lower case, in reading order.
    public var urls: [Reading<String>] = []
    /// The postal address.
    public var address: Reading<Address>?

    /// A contact without values.
    public init() {}

    /// Whether it holds no value.
    public var isEmpty: Bool { self == Contact() }
}

extension Contact {
    /// Smallest confidence, 0 to 1, that at least one identifying value of a card must reach: person, firm, mail or web address.
    /// A telephone number or a job alone, as on receipts, makes no contact. The middle of the scale, by judgement: of 46
    /// receipts, 45 are recognized by their kind, and the other has none of these values.
    private static let leastConfidence = 0.5

    /// Whether these values come from a business card, and not from a receipt or an invoice that prints similar ones.
    package func isOfCard(among document: DocumentClassification) -> Bool {
        guard document.kind != .receipt, document.kind != .invoice else { return false }
        let surest =
            names.map(\.confidence) + [organisation?.confidence ?? 0] + emails.map(\.confidence)
            + urls.map(\.confidence)
        return surest.contains { $0 >= Self.leastConfidence }
    }
}

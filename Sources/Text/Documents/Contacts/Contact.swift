public import Imaging

/// What a business card says about whom to reach, and how.
///
/// A value is absent rather than guessed. Numbers, mail and web addresses stand in their normal forms.
public struct Contact: Codable, Hashable, Sendable {
    /// One value with what it was read from.
    public struct Reading<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
        /// The value.
        public var value: Value
        /// How sure it is, 0 to 1; 1 for what was entered by hand.
        public var confidence: Double
        /// The words as printed, spaces between them, rows divided by line feeds; "" for what was entered by hand.
        public var printed: String
        /// Where it stands on the page, in pixels of the flat picture; nil for what was entered by hand.
        public var box: Box?

        /// A value from its parts; by default one that was entered by hand.
        public init(_ value: Value, confidence: Double = 1, printed: String = "", box: Box? = nil) {
            self.value = value
            self.confidence = confidence
            self.printed = printed
            self.box = box
        }
    }

    /// A person's name.
    public struct Name: Codable, Hashable, Sendable {
        /// The name as one would say it, degrees included: "Dr. Anna Maria Huber".
        public var full: String
        /// Given names, spaces between them; "" where not known.
        public var given: String
        /// The family name; "" where not known.
        public var family: String
        /// What stands before it: "Dr.", "Prof."; "" for nothing.
        public var prefix: String
        /// What stands behind it: "PhD", "MBA"; "" for nothing.
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
            /// A telephone in an office, or any that is not called otherwise.
            case work
            /// A mobile telephone.
            case mobile
            /// A fax machine.
            case fax
        }

        /// The number in E.164, "+493012345678"; as printed where its country is not known.
        public var number: String
        /// What it is for.
        public var kind: Kind

        /// A number from its parts.
        public init(number: String, kind: Kind = .work) {
            self.number = number
            self.kind = kind
        }
    }

    /// A postal address; parts that are not known are "".
    public struct Address: Codable, Hashable, Sendable {
        /// All of it, its rows joined by ", ".
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

    /// The person's name; several where the card gives it in several scripts.
    public var names: [Reading<Name>] = []
    /// The firm or institution.
    public var organisation: Reading<String>?
    /// What the person does there: "Sales Manager".
    public var title: Reading<String>?
    /// Telephone and fax numbers, in reading order.
    public var phones: [Reading<Phone>] = []
    /// Mail addresses in small letters, in reading order.
    public var emails: [Reading<String>] = []
    /// Web addresses with their scheme, host in small letters, in reading order.
    public var urls: [Reading<String>] = []
    /// The postal address.
    public var address: Reading<Address>?

    /// A contact without values.
    public init() {}

    /// Whether nothing is known.
    public var isEmpty: Bool { self == Contact() }
}

extension Contact {
    /// How sure the surest of what tells whom a card is of must be, 0 to 1: its person, firm, mail or web address. A telephone
    /// number or a job alone, as receipts have them, makes no contact. The middle of the scale, a judgement: of 46 receipts 45
    /// are known by their kind, and the other has none of these.
    private static let leastConfidence = 0.5

    /// Whether this is what a business card says, and not what a receipt or invoice has of the same parts.
    package func isOfCard(among document: DocumentClassification) -> Bool {
        guard document.kind != .receipt, document.kind != .invoice else { return false }
        let surest =
            names.map(\.confidence) + [organisation?.confidence ?? 0] + emails.map(\.confidence)
            + urls.map(\.confidence)
        return surest.contains { $0 >= Self.leastConfidence }
    }
}

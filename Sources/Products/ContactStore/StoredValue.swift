public import Documents

/// One value of a stored contact, with the print it was read from.
public enum StoredValue: Hashable, Sendable {
    /// A person's name.
    case name(Contact.Reading<Contact.Name>)
    /// A firm or institution.
    case organisation(Contact.Reading<String>)
    /// The person's job there.
    case title(Contact.Reading<String>)
    /// A telephone or fax number.
    case phone(Contact.Reading<Contact.Phone>)
    /// A mail address.
    case email(Contact.Reading<String>)
    /// A web address.
    case url(Contact.Reading<String>)
    /// A postal address.
    case address(Contact.Reading<Contact.Address>)

    /// The kind of a value. The raw values are saved in stores and never change.
    public enum Field: String, CaseIterable, Codable, Sendable {
        /// A person's name.
        case name
        /// A firm or institution.
        case organisation
        /// The person's job there.
        case title
        /// A telephone or fax number.
        case phone
        /// A mail address.
        case email
        /// A web address.
        case url
        /// A postal address.
        case address
    }

    /// The kind of value.
    public var field: Field {
        switch self {
        case .name: .name
        case .organisation: .organisation
        case .title: .title
        case .phone: .phone
        case .email: .email
        case .url: .url
        case .address: .address
        }
    }

    /// The value as text, as a person would write it.
    public var text: String {
        switch self {
        case .name(let reading): reading.value.full
        case .organisation(let reading), .title(let reading), .email(let reading), .url(let reading):
            reading.value
        case .phone(let reading): reading.value.number
        case .address(let reading): reading.value.full
        }
    }

    /// The words as printed; "" for a value entered by hand.
    package var printed: String { source.printed }

    /// The confidence of the value, 0 to 1.
    package var confidence: Double { source.confidence }

    /// Whether a person entered the value, so that it has no print it was read from.
    public var isEnteredByHand: Bool { source.printed.isEmpty && !source.hasBox }

    private var source: (confidence: Double, printed: String, hasBox: Bool) {
        func source<Value>(
            _ reading: Contact.Reading<Value>
        ) -> (confidence: Double, printed: String, hasBox: Bool) {
            (reading.confidence, reading.printed, reading.box != nil)
        }
        return switch self {
        case .name(let reading): source(reading)
        case .organisation(let reading), .title(let reading), .email(let reading), .url(let reading):
            source(reading)
        case .phone(let reading): source(reading)
        case .address(let reading): source(reading)
        }
    }
}

extension StoredValue: Codable {
    private enum Key: CodingKey {
        case field
    }

    /// Decodes a value written by `encode(to:)`.
    public init(from decoder: any Decoder) throws {
        self =
            switch try decoder.container(keyedBy: Key.self).decode(Field.self, forKey: .field) {
            case .name: .name(try .init(from: decoder))
            case .organisation: .organisation(try .init(from: decoder))
            case .title: .title(try .init(from: decoder))
            case .phone: .phone(try .init(from: decoder))
            case .email: .email(try .init(from: decoder))
            case .url: .url(try .init(from: decoder))
            case .address: .address(try .init(from: decoder))
            }
    }

    /// Writes the reading's keys (`value`, `confidence`, `printed`, `box`), and `field`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(field, forKey: .field)
        switch self {
        case .name(let reading): try reading.encode(to: encoder)
        case .organisation(let reading), .title(let reading), .email(let reading), .url(let reading):
            try reading.encode(to: encoder)
        case .phone(let reading): try reading.encode(to: encoder)
        case .address(let reading): try reading.encode(to: encoder)
        }
    }
}

extension Contact {
    /// All values, field by field, in their order.
    package var values: [StoredValue] {
        var values = names.map(StoredValue.name)
        values += [organisation].compactMap { $0.map(StoredValue.organisation) }
        values += [title].compactMap { $0.map(StoredValue.title) }
        values += phones.map(StoredValue.phone)
        values += emails.map(StoredValue.email)
        values += urls.map(StoredValue.url)
        values += [address].compactMap { $0.map(StoredValue.address) }
        return values
    }

    /// Creates a contact from values; takes the first of each field that holds only one.
    init(_ values: [StoredValue]) {
        self.init()
        for value in values {
            switch value {
            case .name(let reading): names.append(reading)
            case .organisation(let reading): organisation = organisation ?? reading
            case .title(let reading): title = title ?? reading
            case .phone(let reading): phones.append(reading)
            case .email(let reading): emails.append(reading)
            case .url(let reading): urls.append(reading)
            case .address(let reading): address = address ?? reading
            }
        }
    }
}

extension [StoredValue] {
    /// The values without repetitions: of those with the same normal form, it keeps the one entered by hand, else the one with
    /// the highest confidence, else the first. Values entered by hand come first in their field; otherwise the order stays.
    var withoutRepetitions: [StoredValue] {
        var kept: [StoredValue] = []
        var places: [[String]: Int] = [:]
        for value in self {
            let key = [value.field.rawValue, value.normalForm]
            guard let place = places[key] else {
                places[key] = kept.count
                kept.append(value)
                continue
            }
            if value.rank > kept[place].rank { kept[place] = value }
        }
        return StoredValue.Field.allCases.flatMap { field in
            let those = kept.filter { $0.field == field }
            return those.filter(\.isEnteredByHand) + those.filter { !$0.isEnteredByHand }
        }
    }
}

extension StoredValue {
    /// The rank that decides which of two readings of one value is kept; higher is better.
    fileprivate var rank: (Int, Double) { (isEnteredByHand ? 1 : 0, confidence) }
}

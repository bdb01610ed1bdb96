import ContactStore
public import Documents
import Platform
import ScalarText

extension ArchivedDocument {
    /// The contact data of a business card: what was read, or what was entered instead. Nil for a document that is not a
    /// card.
    public var contact: Documents.Contact? {
        let values = values
        guard values["kind"]?.text == DocumentKind.businessCard.rawValue else { return nil }
        func readings(_ name: String) -> [Contact.Reading<String>] {
            // "phone", "phone_2", "phone_3" ...
            let others = values.keys.compactMap { $0.dropping(scalarPrefix: name + "_").flatMap { Int($0) } }
            return ([name] + others.sorted().map { "\(name)_\($0)" }).compactMap { values[$0] }.map {
                .init($0.text, confidence: $0.confidence ?? 1)
            }
        }
        var contact = Contact()
        if let name = readings("name").first {
            // If the name was entered by a person, the parts of the name that was read do not belong to it.
            let isRead = values["name"]?.confidence != nil
            func part(_ key: String) -> String {
                values[key].flatMap { isRead || $0.confidence == nil ? $0.text : nil } ?? ""
            }
            contact.names = [
                .init(
                    Contact.Name(full: name.value, given: part("given_name"), family: part("family_name")),
                    confidence: name.confidence)
            ]
        }
        contact.organisation = readings("organisation").first
        contact.title = readings("title").first
        for (key, kind) in [("phone", Contact.Phone.Kind.work), ("mobile", .mobile), ("fax", .fax)] {
            contact.phones += readings(key).map {
                .init(Contact.Phone(number: $0.value, kind: kind), confidence: $0.confidence)
            }
        }
        contact.emails = readings("email")
        contact.urls = readings("web")
        contact.address = readings("address").first.map {
            .init(Contact.Address(full: $0.value), confidence: $0.confidence)
        }
        return contact
    }
}

/// Converts contacts to values under the names that an archive uses.
enum ContactValues {
    /// Kinds of values of which contacts may have several; of the others an archive shows the first.
    private static let repeated: Set = ["phone", "mobile", "fax", "email", "web"]

    /// Returns the values of a contact by name; several values of one kind are numbered from the second on.
    /// - Parameter taken: names that are already in use.
    static func named(
        _ contact: [StoredValue], taken: Set<String> = []
    ) -> [(name: String, value: ArchivedDocument.Value)] {
        var found: [(name: String, value: ArchivedDocument.Value)] = []
        var taken = taken
        func add(_ name: String, _ text: String, _ confidence: Double?) {
            taken.insert(name)
            found.append((name, .init(text, confidence: confidence)))
        }
        for value in contact {
            // A value entered by a person has no confidence.
            let confidence = value.isEnteredByHand ? nil : value.confidence
            let name = name(of: value)
            var free = name
            var number = 1
            while taken.contains(free) {
                number += 1
                free = "\(name)_\(number)"
            }
            add(free, value.text, confidence)
            guard number == 1, case .name(let reading) = value else { continue }
            for (part, text) in [
                ("given_name", reading.value.given), ("family_name", reading.value.family),
            ]
            where !text.isEmpty { add(part, text, confidence) }
        }
        return found
    }

    /// Returns the values of other contacts that a card does not have, under names that are free there.
    static func further(
        of others: [Contact], than card: ArchivedDocument
    ) -> [(name: String, value: ArchivedDocument.Value)] {
        func form(_ value: StoredValue) -> String { "\(value.field.rawValue) \(value.normalForm)" }
        let own = card.contact?.values ?? []
        var known = Set(own.map(form))
        var taken = Set(own.map(name(of:)))
        let new = others.flatMap(\.values).filter { value in
            let name = name(of: value)
            // A second organisation or title could not be stored.
            guard repeated.contains(name) || taken.insert(name).inserted else { return false }
            return known.insert(form(value)).inserted
        }
        return named(new, taken: Set(card.values.keys))
    }

    private static func name(of value: StoredValue) -> String {
        switch value {
        case .phone(let reading):
            switch reading.value.kind {
            case .work: "phone"
            case .mobile: "mobile"
            case .fax: "fax"
            }
        case .url: "web"
        case .name, .organisation, .title, .email, .address: value.field.rawValue
        }
    }
}

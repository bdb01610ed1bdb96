public import Documents
import Platform
import ScalarText

extension ArchivedDocument {
    /// How to reach whom a business card is of: what was read, and what was entered in its place. Nil for a document that is no card.
    public var contact: Contact? {
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
            // Parts of a name that was entered are not those of the one that was read.
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

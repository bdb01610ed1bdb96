import Platform
import ScalarText

/// Contacts as vCards: RFC 6350 (4.0) and RFC 2426 (3.0), UTF-8, lines ended by CR LF and folded at 75 octets.
public struct VCard: Sendable {
    /// The version of the format.
    public enum Version: String, CaseIterable, Sendable {
        /// RFC 2426, which older address books read.
        case v3 = "3.0"
        /// RFC 6350.
        case v4 = "4.0"
    }

    /// Largest length of a line in octets, without its line ending (RFC 6350 section 3.2).
    private static let longestLine = 75

    private let version: Version
    private var lines: [String] = []

    /// Writes a contact as a vCard. Confidences, printed text and places are left out.
    /// - Returns: the text of one card; if no person is named, its name is the firm or the first address.
    public static func text(of contact: Contact, version: Version = .v4) -> String {
        var card = VCard(version: version)
        card.write(contact)
        return card.lines.map { folded($0) + "\r\n" }.joined()
    }

    private init(version: Version) { self.version = version }

    private mutating func write(_ contact: Contact) {
        add("BEGIN", "VCARD")
        add("VERSION", version.rawValue)
        let name = contact.names.first?.value
        let shown =
            name?.full ?? contact.organisation?.value ?? contact.emails.first?.value ?? contact.phones.first?
            .value.number
            ?? contact.urls.first?.value ?? ""
        if name == nil, contact.organisation != nil, version == .v4 { add("KIND", "org") }
        add("FN", Self.escaped(shown))
        // Only version 4.0 allows several names.
        if version == .v4 {
            for other in contact.names.dropFirst() { add("FN", Self.escaped(other.value.full)) }
        }
        if name != nil || version == .v3 {
            add("N", Self.structured([name?.family, name?.given, nil, name?.prefix, name?.suffix]))
        }
        if let organisation = contact.organisation { add("ORG", Self.escaped(organisation.value)) }
        if let title = contact.title { add("TITLE", Self.escaped(title.value)) }
        for phone in contact.phones { add(phone.value) }
        for mail in contact.emails {
            add(version == .v4 ? "EMAIL;TYPE=work" : "EMAIL;TYPE=INTERNET", Self.escaped(mail.value))
        }
        for url in contact.urls { add("URL", Self.oneLine(url.value)) }
        if let address = contact.address?.value {
            let street = address.street.isEmpty && address.locality.isEmpty ? address.full : address.street
            add(
                version == .v4 ? "ADR;TYPE=work" : "ADR;TYPE=WORK",
                Self.structured([
                    nil, nil, street, address.locality, nil, address.postalCode, address.country,
                ]))
        }
        add("END", "VCARD")
    }

    private mutating func add(_ phone: Contact.Phone) {
        let isE164 =
            phone.number.count > 1 && phone.number.unicodeScalars.first == "+"
            && phone.number.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
        switch version {
        case .v3:
            let types = [Contact.Phone.Kind.work: "WORK,VOICE", .mobile: "CELL", .fax: "WORK,FAX"]
            add("TEL;TYPE=\(types[phone.kind] ?? "VOICE")", Self.escaped(phone.number))
        case .v4:
            let types = [Contact.Phone.Kind.work: "\"work,voice\"", .mobile: "cell", .fax: "\"work,fax\""]
            let name = "TEL;TYPE=\(types[phone.kind] ?? "voice")"
            if isE164 {
                add(name + ";VALUE=uri", "tel:" + phone.number)
            } else {
                add(name + ";VALUE=text", Self.escaped(phone.number))
            }
        }
    }

    private mutating func add(_ name: String, _ value: String) { lines.append(name + ":" + value) }

    /// Joins components with semicolons.
    private static func structured(_ parts: [String?]) -> String {
        parts.map { escaped($0 ?? "") }.joined(separator: ";")
    }

    /// Escapes a text value: backslashes, commas, semicolons and line ends are escaped, other control characters left out.
    private static func escaped(_ text: String) -> String {
        var value = ""
        for scalar in text.replacingScalars("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "\\", ",", ";":
                value += "\\"
                value.unicodeScalars.append(scalar)
            case "\n", "\r", "\u{2028}", "\u{2029}", "\u{85}": value += "\\n"
            case _ where scalar.properties.generalCategory == .control: continue
            default: value.unicodeScalars.append(scalar)
            }
        }
        return value
    }

    /// Returns a value that is not text, such as a URI, without line breaks and without escapes.
    private static func oneLine(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter {
                    ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
                }))
    }

    /// Folds a line into parts of at most 75 octets; each part after the first begins with a space. Characters are not split, as
    /// readers may decode each line by itself.
    private static func folded(_ line: String) -> String {
        var parts = ""
        var count = 0
        for scalar in line.unicodeScalars {
            let length = UTF8.width(scalar)
            if count + length > longestLine {
                parts += "\r\n "
                count = 1
            }
            parts.unicodeScalars.append(scalar)
            count += length
        }
        return parts
    }
}

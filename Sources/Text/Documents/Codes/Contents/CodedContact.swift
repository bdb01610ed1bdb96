import Platform
import ScalarText

/// A person or firm as encoded in a code: vCard (2.1 to 4.0) or MECARD.
struct CodedContact {
    private(set) var name = Contact.Name(full: "")
    private(set) var organisation = ""
    private(set) var title = ""
    private(set) var phones: [Contact.Phone] = []
    private(set) var emails: [String] = []
    private(set) var urls: [String] = []
    private(set) var address = Contact.Address(full: "")

    /// Parses a vCard or MECARD; nil for any other text.
    init?(text: String) {
        let head = text.prefix(16).uppercased()
        if head.hasScalarPrefix("MECARD:") {
            readMECARD(CodedFields(String(text.unicodeScalars.dropFirst(7))))
        } else if head.hasScalarPrefix("BEGIN:VCARD") {
            readVCard(text)
        } else {
            return nil
        }
    }

    /// The contact as a code's content.
    var content: CodeContent? {
        func joined(_ values: [String]) -> String { values.joined(separator: "; ") }
        return CodeContent(
            .contact,
            [
                "name": name.full, "organisation": organisation, "title": title,
                "phone": joined(phones.map(\.number)), "email": joined(emails), "url": joined(urls),
                "address": address.full,
            ])
    }

    private mutating func readMECARD(_ fields: CodedFields) {
        // "Family,Given".
        let parts = (fields["N"] ?? "").split(atScalar: ",", maxSplits: 1).map { $0.trimmingWhitespace }
        if let family = parts.first {
            let given = parts.count > 1 ? parts[1] : ""
            name = Contact.Name(
                full: [given, family].filter { !$0.isEmpty }.joined(separator: " "), given: given,
                family: parts.count > 1 ? family : "")
        }
        organisation = fields["ORG"] ?? ""
        title = fields["TITLE"] ?? ""
        for number in fields.all("TEL") { add(phone: number, .work) }
        emails = fields.all("EMAIL")
        urls = fields.all("URL")
        let place = (fields["ADR"] ?? "").split(atScalar: ",").map { $0.trimmingWhitespace }
        address = Contact.Address(full: place.filter { !$0.isEmpty }.joined(separator: ", "))
    }

    private mutating func readVCard(_ text: String) {
        for line in Self.unfolded(text.codeLines) {
            guard let colon = line.firstIndex(ofScalar: ":") else { continue }
            let head = line[..<colon].uppercased().split(atScalar: ";").map { String($0) }
            // "item1.TEL".
            guard let key = head.first?.split(atScalar: ".").last.map({ String($0) }) else { continue }
            let types = head.dropFirst().joined(separator: ";")
            var value = String(line[line.index(afterScalar: colon)...])
            if types.firstRange(ofScalars: "QUOTED-PRINTABLE") != nil {
                value = value.decodingHex(after: "=")
            }
            read(key, types, Self.components(of: value))
        }
    }

    private mutating func read(_ key: String, _ types: String, _ parts: [String]) {
        let whole = parts.joined(separator: ";").trimmingWhitespace
        func part(_ index: Int) -> String { index < parts.count ? parts[index].trimmingWhitespace : "" }
        func known(_ values: [String], _ separator: String) -> String {
            values.filter { !$0.isEmpty }.joined(separator: separator)
        }
        switch key {
        case "FN": name.full = whole
        case "N":
            (name.family, name.given, name.prefix, name.suffix) = (part(0), part(1), part(3), part(4))
            if name.full.isEmpty { name.full = known([part(3), part(1), part(2), part(0), part(4)], " ") }
        case "ORG": organisation = known(parts.map(\.trimmingWhitespace), ", ")
        case "TITLE": title = whole
        case "TEL":
            let number = whole.lowercased().dropping(scalarPrefix: "tel:").map { String($0) } ?? whole
            add(
                phone: number,
                types.firstRange(ofScalars: "FAX") != nil
                    ? .fax : types.firstRange(ofScalars: "CELL") != nil ? .mobile : .work)
        case "EMAIL": if !whole.isEmpty { emails.append(whole) }
        case "URL": if !whole.isEmpty { urls.append(whole) }
        case "ADR":
            address = Contact.Address(
                full: known([part(2), known([part(5), part(3)], " "), part(4), part(6)], ", "),
                street: part(2),
                locality: part(3), postalCode: part(5), country: part(6))
        default: break
        }
    }

    private mutating func add(phone number: String, _ kind: Contact.Phone.Kind) {
        guard !number.trimmingWhitespace.isEmpty else { return }
        let normal = PhoneNumber(printed: number, region: nil, isSure: true)?.e164
        phones.append(Contact.Phone(number: normal ?? number.trimmingWhitespace, kind: kind))
    }

    /// Joins folded lines: a line that begins with a space or tab continues the one before (RFC 6350, 3.2).
    private static func unfolded(_ lines: [String]) -> [String] {
        lines.reduce(into: []) { whole, line in
            if let rest = line.dropping(scalarPrefix: " ") ?? line.dropping(scalarPrefix: "\t"),
                !whole.isEmpty
            {
                whole[whole.count - 1] += rest
            } else {
                whole.append(line)
            }
        }
    }

    /// Splits a value at semicolons and removes backslashes; an escaped "\n" becomes a space.
    private static func components(of value: String) -> [String] {
        var parts = [""]
        var isEscaped = false
        for scalar in value.unicodeScalars {
            if isEscaped {
                parts[parts.count - 1].unicodeScalars.append(scalar == "n" || scalar == "N" ? " " : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == ";" {
                parts.append("")
            } else {
                parts[parts.count - 1].unicodeScalars.append(scalar)
            }
        }
        return parts
    }
}

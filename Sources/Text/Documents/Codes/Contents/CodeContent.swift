import Platform
import ScalarText

/// What a code means: a link, a contact, a payment, a boarding pass, a driving licence ...
///
/// The content is nil rather than guessed: text that breaks its format's own rules (an account number's check, a product's check
/// digit, fields of fixed length) has no content.
public struct CodeContent: Codable, Hashable, Sendable {
    /// The kind of content, with the keys of its values.
    public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        /// A web address: `url`; for GS1's also `gtin`, `lot`, `serial`, `expiry`.
        case link
        /// vCard or MECARD: `name`, `organisation`, `title`, `phone`, `email`, `url`, `address`.
        case contact
        /// A payment to make, EPC's ("girocode") or Switzerland's: `scheme` (`epc`, `swiss`), `iban`, `bic`, `name`, `amount`,
        /// `currency`, `reference`, `text`, `debtor`.
        case payment
        /// The first leg of IATA's boarding pass: `name`, `booking`, `from`, `to`, `carrier`, `flight`, `day_of_year`, `cabin`,
        /// `seat`, `sequence`.
        case boardingPass = "boarding_pass"
        /// A driving licence or identity card of North America (AAMVA): `number`, `family_name`, `given_names`, `birth`,
        /// `issue`, `expiry` (ISO 8601), `sex` (`M`, `F`, `X`), `street`, `town`, `state`, `postal_code`, `country`.
        case drivingLicence = "driving_licence"
        /// A telephone number to call: `number`.
        case phone
        /// An e-mail to write: `address`, `subject`, `text`.
        case email
        /// A short message to send: `number`, `text`.
        case message
        /// A wireless network: `network`, `security`, `password`.
        case wifi
        /// A place: `latitude`, `longitude` in degrees.
        case place
    }

    /// The kind of content.
    public let kind: Kind
    /// The values by key; missing ones are absent. Several values of one key are joined by "; ".
    public let values: [String: String]

    /// Creates a content without its empty values; nil if none is left.
    init?(_ kind: Kind, _ values: [String: String?]) {
        let known = values.compactMapValues { $0?.trimmingWhitespace }.filter { !$0.value.isEmpty }
        guard !known.isEmpty else { return nil }
        (self.kind, self.values) = (kind, known)
    }

    /// Parses a code's text; nil for a number or a text that is in none of these formats.
    /// - Complexity: O(characters).
    init?(text: String) {
        let found =
            Self.payment(text) ?? Self.boardingPass(text) ?? Self.drivingLicence(text)
            ?? CodedContact(text: text)?.content ?? Self.addressed(text)
        guard let found else { return nil }
        self = found
    }

    /// Whether it holds personal data: a name, a number, an account, a password.
    var isPersonal: Bool {
        switch kind {
        case .link, .place: false
        case .contact, .payment, .boardingPass, .drivingLicence, .phone, .email, .message, .wifi: true
        }
    }
}

extension CodeContent {
    /// Hides the personal data it holds wherever that is printed. The payee's name is a firm's, and stays.
    package func hide(_ kinds: Set<PersonalData>, in hidden: inout [PersonalData: HiddenContent]) {
        func all(_ key: String) -> [String] {
            (values[key] ?? "").split(atScalar: ";").map(\.trimmingWhitespace).filter { !$0.isEmpty }
        }
        if kinds.contains(.names) {
            let keys = kind == .payment ? ["debtor"] : ["name", "family_name", "given_names"]
            for name in keys.flatMap(all) { hidden[.names, default: .init()].hide(name: name) }
        }
        if kinds.contains(.phones) {
            for number in all("phone") { hidden[.phones, default: .init()].hide(number: number) }
            if kind == .phone || kind == .message {
                for number in all("number") { hidden[.phones, default: .init()].hide(number: number) }
            }
        }
        if kinds.contains(.emails) {
            for address in all("email") + (kind == .email ? all("address") : []) {
                hidden[.emails, default: .init()].hide(address: address)
            }
        }
    }
}

extension SheetCode {
    /// What the code means; nil for a number or a text in no known format.
    public var content: CodeContent? { text.flatMap(CodeContent.init(text:)) }
}

extension StringProtocol {
    /// Decodes bytes written as two hexadecimal digits after a sign, as UTF-8: "%C3%BC" in URLs (RFC 3986, 2.1), "=C3=BC" in
    /// e-mails (RFC 2045, 6.7).
    func decodingHex(after sign: Unicode.Scalar) -> String {
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: sign), digits.count == 2, digits.allSatisfy({ $0 != UInt8(ascii: "+") }),
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The lines of the text, with any kind of line ending.
    var codeLines: [String] {
        String(self).replacingScalars("\r\n", with: "\n").replacingScalars("\r", with: "\n")
            .split(atScalar: "\n", omittingEmptySubsequences: false).map { String($0) }
    }
}

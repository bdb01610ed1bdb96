import TextRecognition
import Documents
import Platform
import ScalarText

extension StoredValue {
    /// The value reduced so that different spellings of it become equal; values of a field with equal normal forms are the same
    /// value.
    package var normalForm: String {
        switch self {
        case .name(let reading): reading.value.full.folded
        case .organisation(let reading), .title(let reading): reading.value.folded
        case .phone(let reading): reading.value.number.normalNumber
        case .email(let reading): reading.value.trimmingSpaces.lowercased()
        case .url(let reading): reading.value.normalAddress
        case .address(let reading): reading.value.full.folded
        }
    }
}

extension Contact.Name {
    /// Given and family name if both are known, else the full name.
    var spoken: String { given.isEmpty || family.isEmpty ? full : "\(given) \(family)" }
}

extension String {
    /// The words in lower case without accents, ß as ss, separated by single spaces, all other characters left out.
    package var folded: String { foldedWords.joined(separator: " ") }

    /// The same as words.
    package var foldedWords: [String] {
        LetterForms.folded(self).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// A firm's name without its legal form, unless the name consists only of that.
    package var foldedOrganisation: String {
        let words = foldedWords
        let kept = words.filter { !Self.legalForms.contains($0) }
        return (kept.isEmpty ? words : kept).joined(separator: " ")
    }

    /// A number in E.164 reduced to "+" and digits; any other number reduced to its digits.
    var normalNumber: String {
        let digits = filter(\.isASCIIDigit)
        return hasPrefix("+") ? "+" + digits : digits
    }

    /// A web address in lower case without scheme, "www." and trailing slashes.
    fileprivate var normalAddress: String {
        var address = lowercased()[...]
        if let scheme = address.firstRange(ofScalars: "://") { address = address[scheme.upperBound...] }
        address = address.dropping(scalarPrefix: "www.") ?? address
        while let shorter = address.dropping(scalarSuffix: "/") { address = shorter }
        return String(address)
    }

    /// Legal forms of firms as single words, folded, with points left out.
    private static let legalForms: Set<String> = [
        "gmbh", "mbh", "ag", "kg", "kgaa", "ohg", "ug", "ev", "eg", "co", "cie", "ltd", "limited", "plc",
        "llp", "llc",
        "inc", "corp", "corporation", "incorporated", "company", "sa", "sas", "sarl", "sasu", "snc", "srl",
        "spa", "bv",
        "nv", "sl", "slu", "ltda", "eireli", "oy", "oyj", "ab", "as", "asa", "aps", "sro", "doo", "kft",
        "zoo", "pty",
    ]
}

extension Character {
    /// Whether it is one of 0 to 9.
    package var isASCIIDigit: Bool { isASCII && isNumber }
}

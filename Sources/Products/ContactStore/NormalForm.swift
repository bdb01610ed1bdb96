import TextRecognition
import Documents
import Platform
import ScalarText

extension StoredValue {
    /// The value without what spellings of one and the same differ by; equal normal forms of a field are one value.
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
    /// Given and family name where both are known, else all of it.
    var spoken: String { given.isEmpty || family.isEmpty ? full : "\(given) \(family)" }
}

extension String {
    /// The words in small letters without accents, ß as ss, single spaces between them, all other signs left out.
    package var folded: String { foldedWords.joined(separator: " ") }

    /// The same as words.
    package var foldedWords: [String] {
        LetterForms.folded(self).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// A firm's name without its legal form; with it where nothing else is there.
    package var foldedOrganisation: String {
        let words = foldedWords
        let kept = words.filter { !Self.legalForms.contains($0) }
        return (kept.isEmpty ? words : kept).joined(separator: " ")
    }

    /// A number in E.164 as it is; of any other the digits.
    var normalNumber: String {
        let digits = filter(\.isASCIIDigit)
        return hasPrefix("+") ? "+" + digits : digits
    }

    /// A web address without scheme, "www." and the last stroke, in small letters.
    fileprivate var normalAddress: String {
        var address = lowercased()[...]
        if let scheme = address.firstRange(ofScalars: "://") { address = address[scheme.upperBound...] }
        address = address.dropping(scalarPrefix: "www.") ?? address
        while let shorter = address.dropping(scalarSuffix: "/") { address = shorter }
        return String(address)
    }

    /// Words that say what kind of firm it is, folded, as they stand alone once points are left out.
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
    /// One of 0 to 9.
    package var isASCIIDigit: Bool { isASCII && isNumber }
}

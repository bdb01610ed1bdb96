/// A mail address as printed (a subset of RFC 5321: dots, letters, digits and few marks), with common misreadings corrected.
struct PrintedMail {
    /// The address in lower case.
    let address: String
    /// Its place in the row's text.
    let range: Range<String.Index>
    /// Whether spaces were removed or marks replaced.
    let isRepaired: Bool

    /// Finds the mail addresses in a row of text. O(letters).
    static func all(in text: String) -> [PrintedMail] {
        guard text.contains("@") || text.contains("©") || text.contains("®") || text.spellsAt else {
            return []
        }
        return text.matches(of: pattern.regex).compactMap { match in
            guard let domain = DomainName.find(in: match.3) else { return nil }
            // A space within the name before "@" is a reading error, unless a label precedes it: "E-Mail. anna@...".
            var local = match.1
            while let dot = local.firstIndex(where: { $0 == "." || $0.isWhitespace }),
                local.contains(where: \.isWhitespace),
                labels.contains(local[..<dot].lowercased())
            {
                local = local[dot...].drop { $0 == "." || $0.isWhitespace }
            }
            // "@anna@social.example" is a name in a social network, or its first letter was misread as "@".
            guard text[..<local.startIndex].last != "@" else { return nil }
            let name = local.filter { !$0.isWhitespace }
            let spelled = name.drop { $0 == "." || $0 == "-" }
            guard let first = spelled.first, first.isLetter || first.isNumber,
                spelled.last != ".", !spelled.contains("..")
            else { return nil }
            return PrintedMail(
                address: spelled.lowercased() + "@" + domain.name,
                range: local.startIndex..<domain.part.endIndex,
                isRepaired: domain.isRepaired || match.2 != "@" || name.count != local.count)
        }
    }

    /// Words that may precede a name, including legal forms: "Huber Ltd. info@...".
    private static let labels: Set<String> = [
        "e", "mail", "email", "e-mail", "courriel", "correo", "mel", "pvt", "ltd", "inc", "corp", "llc",
        "gmbh", "bhd",
    ]

    private static let pattern = Pattern(
        #/(?i)([a-z0-9_%+\-]+(?:\s?\.\s?[a-z0-9_%+\-]+)*)(\s?@\s?|[©®]|\s?[\(\[{]\s?at\s?[\)\]}]\s?)([a-z0-9äöüéèñç\-]+(?:(?:\s?[.,]{1,2}\s?|\s(?=(?:com|co|net|org)(?![a-z0-9])))[a-z0-9äöüéèñç\-]+)+)/#
    )
}

extension String {
    /// Whether "@" is spelled out: "(at)", "[at]".
    fileprivate var spellsAt: Bool {
        let small = lowercased()
        return small.contains("at)") || small.contains("at]") || small.contains("at}")
    }
}

import TextRecognition

/// A person's name read from a printed row.
struct PersonName {
    let name: Contact.Name
    /// The spellings of each word of the name in mail addresses: umlauts lose their dots or gain an "e".
    private let spellings: [[String]]
    /// Whether it includes a title or degree: "Dr.", "PhD".
    let isTitled: Bool

    /// Particles of family names: "van den Berg".
    private static let particles: Set<String> = [
        "von", "van", "de", "del", "della", "di", "da", "dos", "das", "do", "den", "der", "la", "le", "du",
        "zu", "zur",
        "ten", "ter", "bin", "al", "el", "y", "e", "of", "vom",
    ]

    /// Whether a lower-case word is a particle of family names.
    static func isParticle(_ word: String) -> Bool { particles.contains(word) }

    /// Regions where people have two family names, the father's and the mother's.
    private static let twoFamilyNames: Set<String> = [
        "ES", "MX", "AR", "CL", "CO", "PE", "VE", "UY", "EC", "BO", "PY", "CR", "GT",
    ]

    /// Largest number of words in a name, particles left out.
    private static let mostWords = 5

    /// Reads a name; nil if the words cannot be one.
    init?(_ words: [RecognizedWord], region: String?) {
        let texts = words.map { $0.text.trimmingMarks }.filter { !$0.isEmpty }
        guard texts.count == words.count, texts.count >= 2 else { return nil }
        var start = 0
        var end = texts.count
        func isPhrase(_ range: Range<Int>, _ meaning: CardWords.Meaning) -> Bool {
            CardWords.shared.isPhrase(
                Vocabulary.words(of: texts[range].joined(separator: " ")), meaning)
        }
        while start < end - 2, isPhrase(start..<start + 1, .salutation) { start += 1 }
        if start == 0, isPhrase(0..<1, .salutation), texts.count == 2 { return nil }
        while end > start + 2, isPhrase(end - 1..<end, .degree) { end -= 1 }
        let core = Array(texts[start..<end])
        let named = core.filter { !Self.particles.contains($0.lowercased()) }
        guard (1...Self.mostWords).contains(named.count), core.count >= 2, named.allSatisfy(Self.isNamed)
        else {
            return nil
        }
        // At least one word must be more than an initial.
        guard named.contains(where: { $0.count(where: \.isLetter) >= 3 }) else { return nil }
        var family = core.count - 1
        if let particle = core.indices.dropFirst().first(where: {
            Self.particles.contains(core[$0].lowercased()) && $0 < core.count - 1
        }) {
            family = particle
        } else if let region, Self.twoFamilyNames.contains(region), core.count >= 3 {
            family = core.count - 2
        }
        // "Jean DUPONT", "DUPONT Jean": capitals say which is the family name.
        let capitals = core.indices.filter {
            core[$0].count > 1 && core[$0] == core[$0].uppercased() && core[$0].count(where: \.isLetter) > 2
        }
        var given = Array(core[..<family])
        var last = Array(core[family...])
        if let first = capitals.first, capitals.count < core.count,
            capitals == Array(first..<first + capitals.count)
        {
            if first == 0 {
                last = Array(core[..<capitals.count])
                given = Array(core[capitals.count...])
            } else if first + capitals.count == core.count {
                given = Array(core[..<first])
                last = Array(core[first...])
            }
        }
        name = Contact.Name(
            full: words.map(\.text).joined(separator: " ").trimmingMarks(keepingPoint: true),
            given: given.joined(separator: " "), family: last.joined(separator: " "),
            prefix: words[..<start].map(\.text).joined(separator: " "),
            suffix: texts[end...].joined(separator: " "))
        spellings = core.map { word in
            let plain = Vocabulary.words(of: word).joined()
            var spelled = word.lowercased()
            for (letter, letters) in Self.umlauts { spelled = spelled.replacing(letter, with: letters) }
            let long = Vocabulary.words(of: spelled).joined()
            return plain == long ? [plain] : [plain, long]
        }
        isTitled = start > 0 || end < texts.count
    }

    /// Whether a word begins with a capital and holds nothing but letters, hyphens, points and apostrophes.
    private static func isNamed(_ word: String) -> Bool {
        guard let first = word.first, first.isUppercase else { return false }
        guard word.allSatisfy({ $0.isLetter || "-.'’".contains($0) }) else { return false }
        // "McDonald" has a capital within, "iPHONE" has not.
        let inner = word.dropFirst().filter(\.isLetter)
        return inner.allSatisfy(\.isUppercase) || inner.count(where: \.isUppercase) <= 1
            || word.contains(where: { "-.'’".contains($0) })
    }

    /// Scores for the ways a mail address spells a name, from most to least reliable; set by hand on drawn cards.
    private enum Spelling {
        static let wholeAndInitials = 0.95
        static let initialAndName = 0.9
        static let oneName = 0.7
        static let nameAndTwoLetters = 0.6
        static let nameAndOthers = 0.5
        static let initials = 0.5
    }

    /// A mailbox that contains the whole name and at least this many letters more is a firm's: "baggahyundaisales".
    private static let lettersOfFirm = 4

    /// Returns how well the part of a mail address before "@" spells the name, 0 to 1: "anna.huber" 1, "ahuber" 0.9, "huber"
    /// 0.7.
    func match(mailbox: String) -> Double {
        let parts = Vocabulary.words(of: mailbox).map { $0.filter(\.isLetter) }.filter { !$0.isEmpty }
        let whole = parts.joined()
        guard whole.count >= 2 else { return 0 }
        let plain = spellings.compactMap(\.first)
        let joined = plain.joined()
        guard !parts.contains(where: { $0.contains(joined) && $0.count >= joined.count + Self.lettersOfFirm })
        else { return 0 }
        var best = whole == String(plain.compactMap(\.first)) ? Spelling.initials : 0
        for (index, name) in spellings.enumerated() {
            let others = spellings.enumerated().filter { $0.offset != index }.flatMap(\.element)
            for spelled in name where spelled.count >= 3 {
                if whole == spelled { best = max(best, Spelling.oneName) }
                for other in others {
                    if whole == spelled + other || whole == other + spelled { best = 1 }
                    if let initial = other.first,
                        whole == String(initial) + spelled || whole == spelled + String(initial)
                    {
                        best = max(best, Spelling.initialAndName)
                    }
                }
                if parts.contains(spelled), parts.count > 1 {
                    let rest = parts.filter { $0 != spelled }
                    let fits = rest.allSatisfy { part in others.contains { $0.hasPrefix(part) } }
                    best = max(best, fits ? Spelling.wholeAndInitials : Spelling.nameAndOthers)
                } else if spelled.count >= 4, whole.hasSuffix(spelled) || whole.hasPrefix(spelled) {
                    let rest = whole.count - spelled.count
                    best = max(best, rest <= 2 ? Spelling.nameAndTwoLetters : Spelling.nameAndOthers)
                }
            }
        }
        return best
    }

    private static let umlauts = [
        ("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ø", "oe"), ("å", "aa"), ("æ", "ae"),
    ]
}

extension String {
    /// The text without punctuation at its ends.
    var trimmingMarks: String { trimmingMarks(keepingPoint: false) }

    /// Removes punctuation at both ends; the point of an abbreviation at the end may stay.
    func trimmingMarks(keepingPoint: Bool) -> String {
        var rest = self[...]
        while let first = rest.first, !first.isLetter, !first.isNumber { rest = rest.dropFirst() }
        while let last = rest.last, !last.isLetter, !last.isNumber, !(keepingPoint && last == "."),
            last != ")" || !rest.contains("(")
        {
            rest = rest.dropLast()
        }
        return String(rest)
    }
}

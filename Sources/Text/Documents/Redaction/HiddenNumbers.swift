import TextRecognition

/// Telephone and card numbers to hide wherever they are printed, in any grouping, with or without dialling prefixes.
struct HiddenNumbers: Sendable {
    private var numbers: [String] = []

    /// Minimum number of digits; shorter numbers also occur within other numbers.
    private static let shortest = 7
    /// Largest number of parts in a printed number; a part is a word, or a piece between letters.
    private static let mostParts = 8

    /// Hides the digits of a number; ignores one that is too short.
    mutating func hide(_ printed: String) {
        let digits = Self.digits(of: printed[...])
        if digits.count >= Self.shortest { numbers.append(digits) }
    }

    /// Returns the words of a line that print one of the numbers. O(words times numbers).
    func words(of line: RecognizedLine) -> Set<Int> {
        guard !numbers.isEmpty else { return [] }
        // A word with letters separates runs; a word of marks does not.
        var runs: [[(word: Int, digits: String, isDialled: Bool)]] = [[]]
        for (index, word) in line.words.enumerated() {
            for (place, piece) in word.text.split(
                omittingEmptySubsequences: false, whereSeparator: \.isLetter
            ).enumerated() {
                if place > 0 { runs.append([]) }
                let digits = Self.digits(of: piece)
                guard !digits.isEmpty else { continue }
                let isDialled = piece.first.map { "+(0".contains($0) } ?? false
                runs[runs.count - 1].append((index, digits, isDialled))
            }
        }
        var found: Set<Int> = []
        for run in runs {
            for start in run.indices {
                var digits = ""
                for end in start..<min(start + Self.mostParts, run.count) {
                    digits += run[end].digits
                    if isSaid(by: digits, isDialled: run[start].isDialled, isOnePart: start == end) {
                        found.formUnion(run[start...end].map(\.word))
                    }
                }
            }
        }
        return found
    }

    /// - Parameters:
    ///   - isDialled: whether the digits begin with a prefix for other towns or countries.
    ///   - isOnePart: whether the digits are one part, with only marks between them.
    private func isSaid(by digits: String, isDialled: Bool, isOnePart: Bool) -> Bool {
        guard digits.count >= Self.shortest else { return false }
        // The zero before an area code is left out abroad.
        let local = digits.drop { $0 == "0" }
        return numbers.contains { number in
            number == digits || local.count >= Self.shortest && number.hasSuffix(local)
                || isDialled && digits.hasSuffix(number.drop { $0 == "0" })
                || isOnePart && digits.contains(number)
        }
    }

    /// Returns the digits, without the zero that is dialled only within the country: "+49 (0)30".
    private static func digits(of text: Substring) -> String {
        text.replacing("(0)", with: "").filter { $0.isASCII && $0.isNumber }
    }
}

/// Mail addresses to hide wherever they are printed, also as part of a web address.
struct HiddenAddresses: Sendable {
    /// Letters and digits only.
    private var spellings: [String] = []

    /// Minimum length of a part before "@" that is hidden on its own. It must have at least two words, as "info" and "sales"
    /// identify nobody.
    private static let shortestMailbox = 6
    /// Largest number of words that an address may be read as.
    private static let mostWords = 6

    /// Hides an address.
    mutating func hide(_ address: String) {
        spellings.append(Vocabulary.words(of: address).joined())
        let parts = Vocabulary.words(of: String(address.prefix { $0 != "@" }))
        if parts.count > 1, parts.joined().count >= Self.shortestMailbox { spellings.append(parts.joined()) }
    }

    /// Returns the words of a line that print one of the addresses.
    func words(of line: RecognizedLine) -> Set<Int> {
        guard !spellings.isEmpty else { return [] }
        let letters = line.words.map { Vocabulary.words(of: $0.text).joined() }
        var found = Set(
            letters.indices.filter { index in spellings.contains { letters[index].contains($0) } })
        for start in letters.indices {
            var joined = ""
            for end in start..<min(start + Self.mostWords, letters.count) {
                joined += letters[end]
                if spellings.contains(joined) { found.formUnion(start...end) }
            }
        }
        return found
    }
}

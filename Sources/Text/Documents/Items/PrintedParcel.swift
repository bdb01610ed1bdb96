/// A parcel number as its carrier prints it; only kinds with a check digit or a distinctive prefix.
struct PrintedParcel {
    /// The number in capitals, without spaces.
    let number: String
    /// Its place in the row's text.
    let range: Range<String.Index>

    /// Finds the numbers in a row of text. O(letters).
    static func all(in text: String) -> [PrintedParcel] {
        text.matches(of: pattern.regex).compactMap { match in
            let number = match.1.filter { !$0.isWhitespace }
            guard holds(number) else { return nil }
            return PrintedParcel(number: String(number), range: match.1.startIndex..<match.1.endIndex)
        }
    }

    /// Numbers of postal services (UPU S10, "RR 123 456 785 DE"), of UPS ("1Z ..."), of DHL ("JJD ...", "JVGL ...").
    private static let pattern = Pattern(
        #/\b([A-Z]{2}\s?\d{2,3}\s?\d{2,3}\s?\d{2,3}\s?\d{0,3}\s?[A-Z]{2}|1Z(?:\s?[A-Z0-9]){16}|(?:JJD|JVGL)(?:\s?\d){14,18})(?![A-Z0-9])/#
    )

    private static func holds(_ number: String) -> Bool {
        let signs = Array(number.utf8)
        if number.hasPrefix("1Z") { return signs.count == 18 && holdsForUPS(signs[2...]) }
        if number.hasPrefix("JJD") || number.hasPrefix("JVGL") { return signs.allSatisfy { $0 < 0x80 } }
        return signs.count == 13 && holdsForPost(signs[2..<11])
    }

    /// Whether the ninth digit is the check digit of the eight weighted digits before it (UPU S10, 5.4).
    private static func holdsForPost(_ digits: ArraySlice<UInt8>) -> Bool {
        let values = digits.map { Int($0) - 0x30 }
        guard values.allSatisfy({ (0...9).contains($0) }) else { return false }
        let sum = zip(values, [8, 6, 4, 2, 3, 5, 9, 7]).reduce(0) { $0 + $1.0 * $1.1 }
        let check = 11 - sum % 11
        return values[8] == (check == 10 ? 0 : check == 11 ? 5 : check)
    }

    /// Whether the sixteenth character is the check digit of the fifteen before it: every second one counts double, letters
    /// count by their position modulo ten, and the check digit completes the sum to a multiple of ten.
    private static func holdsForUPS(_ signs: ArraySlice<UInt8>) -> Bool {
        let values = signs.map { $0 < 0x41 ? Int($0) - 0x30 : (Int($0) - 0x41 + 2) % 10 }
        let sum = values.dropLast().enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 2) }
        return values.last == (10 - sum % 10) % 10
    }
}

/// A flight number after a word that announces one.
struct PrintedFlight {
    /// The airline's two characters and the number without leading zeros: "LH834".
    let number: String
    /// Its place in the row's text.
    let range: Range<String.Index>

    /// Finds the numbers in a row of text. O(letters).
    static func all(in text: String) -> [PrintedFlight] {
        guard let word = text.firstMatch(of: words.regex) else { return [] }
        return text[word.range.upperBound...].matches(of: pattern.regex).compactMap { match in
            guard let number = Int(match.3), number > 0, match.2.contains(where: \.isLetter) else {
                return nil
            }
            return PrintedFlight(number: "\(match.2)\(number)", range: match.1.startIndex..<match.1.endIndex)
        }
    }

    /// French "vol" and Polish "lot" are left out: labels have "40 % VOL DE 700 ML" and "LOT AB 12".
    private static let words = Pattern(
        #/(?i)(?:\b(?:flight|flug|vuelo|volo|vlucht|flyg)\b|便名)/#)
    private static let pattern = Pattern(
        #/\b(([A-Z]{2}|[A-Z]\d|\d[A-Z])\s?(\d{1,4}))(?![A-Z0-9]|[.,]\d)/#)
}

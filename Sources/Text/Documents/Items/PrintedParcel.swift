/// The number of a parcel as its carrier prints it, of the kinds that carry a check or a name of their own.
struct PrintedParcel {
    /// In capitals, without blanks.
    let number: String
    /// Its place in the row's text.
    let range: Range<String.Index>

    /// The numbers in a row of text. O(letters).
    static func all(in text: String) -> [PrintedParcel] {
        text.matches(of: pattern.regex).compactMap { match in
            let number = match.1.filter { !$0.isWhitespace }
            guard holds(number) else { return nil }
            return PrintedParcel(number: String(number), range: match.1.startIndex..<match.1.endIndex)
        }
    }

    /// Of post offices (UPU's S10, "RR 123 456 785 DE"), of UPS ("1Z ..."), of DHL ("JJD ...", "JVGL ...").
    private static let pattern = Pattern(
        #/\b([A-Z]{2}\s?\d{2,3}\s?\d{2,3}\s?\d{2,3}\s?\d{0,3}\s?[A-Z]{2}|1Z(?:\s?[A-Z0-9]){16}|(?:JJD|JVGL)(?:\s?\d){14,18})(?![A-Z0-9])/#
    )

    private static func holds(_ number: String) -> Bool {
        let signs = Array(number.utf8)
        if number.hasPrefix("1Z") { return signs.count == 18 && holdsForUPS(signs[2...]) }
        if number.hasPrefix("JJD") || number.hasPrefix("JVGL") { return signs.allSatisfy { $0 < 0x80 } }
        return signs.count == 13 && holdsForPost(signs[2..<11])
    }

    /// Eight digits weighed, the ninth their check (UPU S10, 5.4).
    private static func holdsForPost(_ digits: ArraySlice<UInt8>) -> Bool {
        let values = digits.map { Int($0) - 0x30 }
        guard values.allSatisfy({ (0...9).contains($0) }) else { return false }
        let sum = zip(values, [8, 6, 4, 2, 3, 5, 9, 7]).reduce(0) { $0 + $1.0 * $1.1 }
        let check = 11 - sum % 11
        return values[8] == (check == 10 ? 0 : check == 11 ? 5 : check)
    }

    /// Fifteen signs, every second one twice, letters by their place modulo ten; the sixteenth fills up to a ten.
    private static func holdsForUPS(_ signs: ArraySlice<UInt8>) -> Bool {
        let values = signs.map { $0 < 0x41 ? Int($0) - 0x30 : (Int($0) - 0x41 + 2) % 10 }
        let sum = values.dropLast().enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 2) }
        return values.last == (10 - sum % 10) % 10
    }
}

/// A flight's number, behind a word that says that it is one.
struct PrintedFlight {
    /// The airline's two signs and the number without zeros before it: "LH834".
    let number: String
    /// Its place in the row's text.
    let range: Range<String.Index>

    /// The numbers in a row of text. O(letters).
    static func all(in text: String) -> [PrintedFlight] {
        guard let word = text.firstMatch(of: words.regex) else { return [] }
        return text[word.range.upperBound...].matches(of: pattern.regex).compactMap { match in
            guard let number = Int(match.3), number > 0, match.2.contains(where: \.isLetter) else {
                return nil
            }
            return PrintedFlight(number: "\(match.2)\(number)", range: match.1.startIndex..<match.1.endIndex)
        }
    }

    /// Not French "vol", Polish "lot": labels have "40 % VOL DE 700 ML" and "LOT AB 12".
    private static let words = Pattern(
        #/(?i)(?:\b(?:flight|flug|vuelo|volo|vlucht|flyg)\b|便名)/#)
    private static let pattern = Pattern(
        #/\b(([A-Z]{2}|[A-Z]\d|\d[A-Z])\s?(\d{1,4}))(?![A-Z0-9]|[.,]\d)/#)
}
